// The answer as it came: its JSON, only indented, with its parts in colour.

import { h, icon } from "./element.js";
import { copied } from "./snippets.js";
import { style } from "./style.js";

await style("opened.css");

/** Longer texts are shown without colour, which would take too many elements. */
const LONGEST = 300_000;

export function raw(reply) {
  const parts = reply.json === null ? [["", reply.text]] : indented(reply.text);
  const text = parts.map(([, part]) => part).join("");
  return h("div", { class: "raw" },
    h("button", { type: "button", class: "quiet", on: { click: () => copied(text, "JSON") } }, icon("copy"), "Copy JSON"),
    h("pre", { tabIndex: 0, role: "region", "aria-label": "The answer as JSON" },
      text.length > LONGEST ? text : parts.map(([name, part]) => (name ? h("span", { class: name }, part) : part))));
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]|[^\s{}[\],:"]+/g;

/** The text's own tokens on lines of their own, so that no digit of a number is lost on the way. */
function indented(text) {
  const parts = [];
  let depth = 0;
  let before = "";
  const line = () => parts.push(["", `\n${"  ".repeat(depth)}`]);
  for (const [whole, string, colon] of text.matchAll(TOKENS)) {
    const opens = before === "{" || before === "[";
    if (whole === "}" || whole === "]") {
      depth -= 1;
      if (!opens) {
        line();
      }
    } else if (opens || before === ",") {
      line();
    }
    if (string) {
      parts.push([colon ? "j-key" : "j-text", string], ["", colon ? ": " : ""]);
    } else {
      parts.push([/^[{}[\],]$/.test(whole) ? "" : /^[-\d]/.test(whole) ? "j-number" : "j-word", whole]);
    }
    if (whole === "{" || whole === "[") {
      depth += 1;
    }
    before = whole;
  }
  return parts;
}
