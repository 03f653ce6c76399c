// Related records, opened in place below the row or the card.

import { cell, isNumber, labelIn, own, short } from "./cell.js";
import { wordsOf } from "./description.js";
import { h } from "./element.js";
import { pageLink } from "./related.js";
import { shownInside } from "./shown.js";
import { style } from "./style.js";

await style("opened.css");

/** The related records themselves. */
export function relatedBlock(value, column, owner, explorer) {
  const { relation, related, want } = column;
  const target = related.name && explorer.description.listing(related.name);
  const many = Array.isArray(value);
  // Other filters may hold the owner's id too, and find the rows of another relation.
  const inverse = many && target?.path && relation.inverse;
  return h("div", { class: "related-block" },
    h("div", { class: "related-head" }, h("strong", {}, wordsOf(relation.name)), many && h("span", { class: "muted" }, `${value.length}${value.length >= Number(want.limit ?? relation.limit) ? " shown" : ""}`), h("span", { class: "fill" }),
      inverse && pageLink(explorer, target, `filters[${inverse}][$eq]=${encodeURIComponent(owner.id)}`, {}, "See all"),
      !many && target?.operations.show && value.id !== undefined && pageLink(explorer, target, "", { record: String(value.id) }, `Open ${target.title.one.toLowerCase()}`)),
    many ? relatedTable(value, column, explorer) : relatedList(value, column, explorer));
}

function relatedTable(items, column, explorer) {
  const { fields, relations } = shownInside(column.want, column.related);
  const target = column.related.name && explorer.description.listing(column.related.name);
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": wordsOf(column.relation.name) },
    h("table", {},
      h("thead", {}, h("tr", {}, fields.map((field) => h("th", { scope: "col", class: isNumber(field) ? "number" : null }, wordsOf(field.name))), relations.map(({ relation }) => h("th", { scope: "col" }, wordsOf(relation.name))))),
      h("tbody", {}, items.map((item) => h("tr", {},
        fields.map((field) => h("td", { class: isNumber(field) ? "number" : null },
          field.name === "id" && target?.operations.show ? pageLink(explorer, target, "", { record: String(item.id) }, short(item.id)) : cell(own(item, field.name), field))),
        relations.map((inner) => h("td", {}, inline(own(item, inner.relation.name), inner))))))));
}

function relatedList(item, column, explorer) {
  const { fields, relations } = shownInside(column.want, column.related);
  return h("dl", {}, fields.map((field) => [h("dt", {}, wordsOf(field.name)), h("dd", {}, cell(own(item, field.name), field))]),
    relations.map((inner) => [h("dt", {}, wordsOf(inner.relation.name)), h("dd", {}, Array.isArray(own(item, inner.relation.name)) && own(item, inner.relation.name).length > 0 ? relatedTable(own(item, inner.relation.name), inner, explorer) : inline(own(item, inner.relation.name), inner))]));
}

/** Relations of relations, in words. */
function inline(value, { related, want }) {
  if (value === null || value === undefined) {
    return cell(value);
  }
  if (want.count && value.count !== undefined) {
    return String(value.count);
  }
  const items = Array.isArray(value) ? value : [value];
  return items.length === 0 ? h("span", { class: "null" }, "none") : h("span", { class: "clip" }, items.map((item) => labelIn(item, related)).join(", "));
}
