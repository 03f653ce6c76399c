// Related records as words in a cell, and links within the page.

import { cell, labelIn } from "./cell.js";
import { wordsOf } from "./description.js";
import { h, icon } from "./element.js";

/** What a cell says about a relation, and what a press on it opens. */
export function relatedCell(value, column, toggle, isOpen) {
  const { relation, related } = column;
  if (value === null || value === undefined) {
    return cell(value);
  }
  if (!Array.isArray(value) && value.count !== undefined && column.want.count) {
    return h("span", { class: "count" }, value.count.toLocaleString("en"));
  }
  if (Array.isArray(value) && value.length === 0) {
    return h("span", { class: "null" }, "none");
  }
  const many = Array.isArray(value);
  const words = many ? value.slice(0, 2).map((item) => labelIn(item, related)) : [labelIn(value, related)];
  const rest = many ? value.length - words.length : 0;
  return h("button", { type: "button", class: "related", "aria-expanded": String(isOpen), on: { click: toggle } },
    icon("chevron"), h("span", { class: "offscreen" }, `${many ? `${value.length} ` : ""}${wordsOf(relation.name)}: `), words.map((word) => h("span", { class: "tag" }, word)), rest > 0 && h("span", { class: "muted" }, `+${rest}`));
}

/** A link within the page, which can also be opened in another tab. */
export function pageLink(explorer, listing, query, { grouped = false, ...look }, ...content) {
  return h("a", { href: explorer.pageOf(listing, query, look, { grouped }), on: { click: (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) {
      return;
    }
    event.preventDefault();
    explorer.go(listing, query, look, { grouped });
  } } }, content);
}
