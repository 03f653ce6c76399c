// A small panel below a button, and dialogs. Escape and a click elsewhere close them.

import { h, iconButton, uniqueId } from "./element.js";

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
  const open = async () => {
    panel.replaceChildren();
    await build(panel);
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

/** A dialog over the page; it is gone when it is closed. */
export function dialog({ title, side = false, actions = [] }, ...content) {
  const heading = uniqueId("title");
  const element = h("dialog", { class: side ? "side" : "middle", "aria-labelledby": heading });
  const close = () => element.close();
  element.append(
    h("header", {}, h("h2", { id: heading }, title), h("span", { class: "fill" }), actions, iconButton("close", "Close", close)),
    h("div", { class: "dialog-body" }, content));
  element.addEventListener("click", (event) => event.target === element && close());
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/** Asks before something is done that cannot be undone; whether to go on. */
export function confirmed(title, text, action) {
  return new Promise((resolve) => {
    const yes = h("button", { type: "button", class: "danger", on: { click: () => { answer = true; box.close(); } } }, action);
    let answer = false;
    const box = dialog({ title }, h("p", {}, text),
      h("div", { class: "dialog-actions" }, h("button", { type: "button", on: { click: () => box.close() } }, "Cancel"), yes));
    box.addEventListener("close", () => resolve(answer));
    yes.focus();
  });
}

let toastTimer;

/** A word that something was done, at the edge of the page for a moment. */
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.classList.remove("shown"), 2600);
}
