// Dialogs over the page. Escape and a click elsewhere close them.

import { h, iconButton, uniqueId } from "./element.js";
import { style } from "./style.js";

await style("dialogs.css");

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
