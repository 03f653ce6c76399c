// The answer as it came: JSON, indented, with its parts in colour.

import { h, icon } from "./element.js";
import { copied } from "./querybar.js";

/** Longer texts are shown without colour, which would take too many elements. */
const LONGEST = 300_000;

export function raw(reply) {
  const text = reply.json === null ? reply.text : JSON.stringify(reply.json, null, 2);
  return h("div", { class: "raw" },
    h("button", { type: "button", class: "quiet", on: { click: () => copied(text, "JSON") } }, icon("copy"), "Copy JSON"),
    h("pre", { tabIndex: 0, role: "region", "aria-label": "The answer as JSON" }, text.length > LONGEST ? text : coloured(text)));
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d[\d.eE+-]*/g;

function coloured(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(TOKENS)) {
    const [whole, string, colon, word] = found;
    parts.push(text.slice(at, found.index));
    parts.push(h("span", { class: string ? (colon ? "j-key" : "j-text") : word ? "j-word" : "j-number" }, string ?? whole));
    parts.push(colon ?? "");
    at = found.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}
