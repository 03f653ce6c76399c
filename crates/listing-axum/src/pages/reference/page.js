// Fits the viewer to the window, the theme and the caller, and gives it the document.

import { accessible } from "./access.js";
import { landing } from "./landing.js";

const viewer = document.querySelector("rapi-doc");

/** What the explorer keeps in this browser; a browser may refuse to tell. */
function kept(read) {
  try {
    return read();
  } catch {
    return null;
  }
}

const theme = kept(() => localStorage.getItem("listing-explorer-theme")) ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const COLOURS = {
  light: { "bg-color": "#ffffff", "text-color": "#1a1b1f", "primary-color": "#4f46e5", "nav-bg-color": "#f8f8f9", "nav-text-color": "#1a1b1f", "nav-hover-bg-color": "#ebebee", "nav-hover-text-color": "#1a1b1f", "nav-accent-color": "#4f46e5" },
  dark: { "bg-color": "#0f1012", "text-color": "#e9eaed", "primary-color": "#a5a3ff", "nav-bg-color": "#0b0c0d", "nav-text-color": "#c9cbd1", "nav-hover-bg-color": "#1b1d21", "nav-hover-text-color": "#ffffff", "nav-accent-color": "#a5a3ff" },
};
document.documentElement.dataset.theme = theme;
const attributes = { theme, ...COLOURS[theme] };
// Where there is no room for the names of the operations at the side, they are headings that open.
attributes["render-style"] = matchMedia("(max-width: 767px)").matches ? "view" : "focused";
for (const [name, value] of Object.entries(attributes)) {
  viewer.setAttribute(name, value);
}

/**
 * What is optional is not sent unless somebody fills it in: all parameters at once would find nothing, or be refused. A body is the example
 * that the document has, which the viewer would take for a list of examples and replace by one of its own.
 */
function prepare(description) {
  for (const operation of Object.values(description.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      parameter["x-fill-example"] = parameter.required ? "yes" : "no";
    }
    for (const content of Object.values(operation.requestBody?.content ?? {})) {
      if (content.example !== undefined) {
        content.examples = { example: { value: content.example } };
      }
    }
  }
}

const token = kept(() => sessionStorage.getItem("listing-explorer-token"));
const authorization = token ? { authorization: `Bearer ${token}` } : {};
const [reply] = await Promise.all([fetch(viewer.dataset.document, { headers: authorization }), customElements.whenDefined("rapi-doc")]);
if (token) {
  viewer.addEventListener("spec-loaded", () => viewer.setApiKey("bearer", token), { once: true });
}
const description = await reply.json();
prepare(description);
viewer.append(landing(description, viewer.dataset));
viewer.setAttribute("allow-authentication", String(Boolean(description.components?.securitySchemes)));
accessible(viewer, theme);
await viewer.loadSpec(description);
