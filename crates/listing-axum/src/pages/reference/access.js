// Gives the viewer's controls names and its texts enough contrast, in the shadow roots that it makes.

/** Colours for words on the background of the theme; the viewer's own are too faint for small text. */
const COLOURS = {
  light: { blue: "#0b62a8", green: "#3c6e00", orange: "#9a4d00", red: "#c0241b", yellow: "#7a5c00", purple: "#6b3fa0", brown: "#7a4a1e", pink: "#b0226e", "light-fg": "#5b5d66", fg3: "#5b5d66", "placeholder-color": "#6a6c75" },
  dark: { blue: "#7cc0ff", green: "#8fd37a", orange: "#ffb067", red: "#ff8f87", yellow: "#f0cf65", purple: "#cda7ff", brown: "#e0b48a", pink: "#ff9ccb", "light-fg": "#a5a8b1", fg3: "#a5a8b1", "placeholder-color": "#9699a3" },
};

/** Follows what the viewer shows for as long as the page is open. */
export function accessible(viewer, theme) {
  const sheet = new CSSStyleSheet();
  const methods = { get: "blue", head: "yellow", post: "green", put: "orange", delete: "red", patch: "yellow", options: "yellow" };
  const variables = [
    ...Object.entries(COLOURS[theme]).map(([name, colour]) => `--${name}: ${colour};`),
    ...Object.entries(methods).map(([method, name]) => `--nav-${method}-color: ${COLOURS[theme][name]};`),
  ];
  sheet.replaceSync(`* { ${variables.join(" ")} }`);
  const known = new WeakSet();
  let isDue = false;
  const later = () => {
    if (!isDue) {
      isDue = true;
      setTimeout(() => {
        isDue = false;
        visit(viewer);
      });
    }
  };
  const visit = (host) => {
    const root = host.shadowRoot;
    if (!root) {
      return;
    }
    if (!known.has(root)) {
      known.add(root);
      root.adoptedStyleSheets.push(sheet);
      new MutationObserver(later).observe(root, { childList: true, subtree: true });
    }
    name(root, host);
    [...root.querySelectorAll("*")].filter((one) => one.shadowRoot).forEach(visit);
  };
  visit(viewer);
}

/** Names the controls and the landmarks of a root, from what the viewer says about them. */
function name(root, host) {
  for (const control of root.querySelectorAll("input, textarea, select")) {
    if (!control.hasAttribute("aria-label") && control.labels.length === 0) {
      control.setAttribute("aria-label", control.dataset.pname ?? host.dataset.pname ?? (control.matches(".request-body-param-user-input") ? "Request body" : control.placeholder || control.title || "Choice"));
    }
  }
  for (const nav of root.querySelectorAll("nav:not([aria-label])")) {
    nav.setAttribute("aria-label", nav.matches(".nav-scroll") ? "Operations" : "Reference");
  }
  // What scrolls can be scrolled with the keyboard too.
  root.querySelectorAll("pre:not([tabindex])").forEach((pre) => { pre.tabIndex = 0; });
}
