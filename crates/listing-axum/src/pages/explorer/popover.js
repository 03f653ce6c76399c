// A small panel below a button, which Escape and a click elsewhere close, and words at the edge of the page.

import { h, uniqueId } from "./element.js";

/** Makes a button open a panel, which `build(panel)` fills each time; it may have to be fetched first. */
export function opens(button, label, build) {
  const panel = h("div", { class: "popover", popover: "auto", id: uniqueId("panel"), role: "dialog", "aria-label": label });
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => (panel.matches(":popover-open") ? panel.hidePopover() : open()));
  panel.addEventListener("toggle", (event) => {
    button.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState === "closed" && panel.contains(document.activeElement)) {
      button.focus();
    }
  });
  // A press on the button would close the panel first and open it again.
  button.addEventListener("pointerdown", (event) => panel.matches(":popover-open") && event.stopPropagation());
  let coming = null;
  const open = async () => {
    if (coming) {
      return; // Pressed again while it is on its way.
    }
    panel.replaceChildren();
    coming = build(panel);
    await coming.finally(() => { coming = null; });
    button.after(panel);
    panel.showPopover();
    const place = button.getBoundingClientRect();
    const width = panel.offsetWidth;
    panel.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`;
    panel.style.top = `${place.bottom + 6}px`;
    panel.style.maxHeight = `${Math.max(160, innerHeight - place.bottom - 18)}px`;
    panel.querySelector("input, select, button")?.focus();
  };
  return { open, close: () => panel.matches(":popover-open") && panel.hidePopover() };
}

let toastTimer;

/** A word that something was done, at the edge of the page for a moment; with `{ text, run }`, longer, and a button. */
export function toast(text, action) {
  const place = document.getElementById("toast");
  const hide = () => place.classList.remove("shown");
  place.replaceChildren(text, ...(action ? [h("button", { type: "button", on: { click: () => { hide(); action.run(); } } }, action.text)] : []));
  place.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(hide, action ? 8000 : 2600);
}
