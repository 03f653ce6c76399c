// Makes elements. Text becomes text nodes and never markup, so that data cannot become a part of the page.

import { PATHS } from "./icons.js";

/** `h("button", { class: "quiet", on: { click } }, "Save")` */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    set(element, name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const AS_PROPERTY = new Set(["value", "checked", "disabled", "hidden", "selected", "htmlFor", "indeterminate", "tabIndex", "open", "readOnly"]);

function set(element, name, value) {
  if (value === null || value === undefined) {
    return;
  }
  if (name === "on") {
    for (const [event, listener] of Object.entries(value)) {
      element.addEventListener(event, listener);
    }
  } else if (name === "data") {
    Object.assign(element.dataset, value);
  } else if (AS_PROPERTY.has(name)) {
    element[name] = value;
  } else if (value !== false) {
    element.setAttribute(name, value === true ? "" : value);
  }
}

/** A drawing that only repeats what the text next to it says. */
export const icon = (name) => drawn("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, drawn("path", { d: PATHS[name] }));

/** An element of a drawing: `drawn("rect", { x: 0, width: 4 })` */
export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** A button of an icon alone; its name is for screen readers and for the pointer. */
export function iconButton(name, label, click, properties = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, on: { click }, ...properties }, icon(name));
}

/** A choice among `[value, text]`. */
export function select(options, value, change, properties = {}) {
  const element = h("select", { ...properties, on: { change: () => change(element.value) } },
    options.map(([one, text]) => h("option", { value: one }, text)));
  element.value = value;
  return element;
}

let ids = 0;

/** An id that nothing else on the page has. */
export const uniqueId = (stem) => `${stem}-${(ids += 1)}`;

let isFilling = false;
// Chromium tells what is being typed in a control that is taken away.
addEventListener("change", (event) => isFilling && event.stopImmediatePropagation(), true);

/** Replaces what is in a region, and gives the focus back to the control that had it, found by its `data-key`. */
export function fill(region, ...children) {
  const active = document.activeElement;
  const key = region.contains(active) ? active.dataset.key : null;
  isFilling = true;
  region.replaceChildren(...children.flat(Infinity).filter(Boolean));
  isFilling = false;
  if (key) {
    [...region.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key)?.focus();
  }
}
