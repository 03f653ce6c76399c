// The answer as a table whose headings sort it and whose relations open in place.

import { cell, isNumber, own, short } from "./cell.js";
import { wordsOf } from "./description.js";
import { h, icon, iconButton } from "./element.js";
import { relatedCell } from "./related.js";
import { shown } from "./shown.js";
import { orderOf, sortBy } from "./sorting.js";

export function table(explorer, actions) {
  const { listing } = explorer;
  const columns = shown(explorer.view, listing);
  const order = orderOf(explorer);
  const canOpen = Boolean(listing.operations.show);
  const width = columns.fields.length + columns.relations.length + (actions.any ? 1 : 0);
  return h("div", { class: "scroll", role: "region", "aria-label": `${listing.title.many}, table`, tabIndex: 0 },
    h("table", { class: "main-table" },
      h("thead", {}, h("tr", {},
        columns.fields.map((field) => heading(explorer, field.name, wordsOf(field.name), order, isNumber(field), field.type, field.name === "id" && actions.picks && pickBox(explorer))),
        columns.relations.map(({ relation, related }) => heading(explorer, relatedSort(listing, relation, related), wordsOf(relation.name), order, false, relation.kind === "toMany" ? "many" : "one")),
        actions.any && h("th", { scope: "col", class: "actions" }, h("span", { class: "offscreen" }, "Actions")))),
      h("tbody", {}, explorer.reply.items.map((item) => row(explorer, item, columns, width, canOpen, actions)))));
}

/** The sort by a column of the relation, if there is one: by its label rather than by another. */
function relatedSort(listing, relation, related) {
  const sorts = listing.sorts.filter((one) => one.name.startsWith(`${relation.name}.`));
  return (sorts.find((one) => one.name === `${relation.name}.${related.label}`) ?? sorts[0])?.name ?? null;
}

/** Picks a row, or all of them, to be changed or deleted together. */
export function pickBox({ picked, reply, listing }, item) {
  const name = item ? `Select ${listing.title.one.toLowerCase()} ${short(item.id)}` : "Select all rows of this page";
  const isOn = item ? picked.has(String(item.id)) : picked.size > 0 && picked.size === reply.items.length;
  return h("input", { type: "checkbox", class: "pick", value: item ? String(item.id) : "", checked: isOn, indeterminate: !item && !isOn && picked.size > 0, "aria-label": name, title: name });
}

function heading(explorer, sort, text, order, isNumeric, type, box) {
  const properties = { scope: "col", class: isNumeric ? "number" : null, title: type };
  if (!explorer.listing.sorts.some((one) => one.name === sort)) {
    return h("th", properties, box, text);
  }
  const at = order.findIndex((one) => one.name === sort);
  const direction = order[at]?.direction;
  return h("th", { ...properties, "aria-sort": direction === "asc" ? "ascending" : direction ? "descending" : "none" }, box,
    h("button", { type: "button", class: "sorter", data: { key: `sort ${sort}` }, title: `Sort by ${text.toLowerCase()}; with Shift after the others`, on: { click: (event) => sortBy(explorer, sort, event.shiftKey) } },
      text, direction && h("span", { class: "direction" }, icon(direction === "asc" ? "up" : "down"), order.length > 1 && String(at + 1))));
}

function row(explorer, item, columns, width, canOpen, actions) {
  const { listing } = explorer;
  let opened = null;
  let details = null;
  const toggle = async (column, button) => {
    details?.remove();
    line.querySelectorAll(".related").forEach((one) => one.setAttribute("aria-expanded", "false"));
    if (opened === column) {
      [opened, details] = [null, null];
      return;
    }
    opened = column;
    button.setAttribute("aria-expanded", "true");
    const { relatedBlock } = await import("./relatedblock.js");
    if (opened !== column) {
      return;
    }
    details?.remove();
    details = h("tr", { class: "details" }, h("td", { colspan: String(width) }, relatedBlock(own(item, column.relation.name), column, { listing, id: item.id }, explorer)));
    line.after(details);
  };
  const line = h("tr", {},
    columns.fields.map((field) => (field.name === "id"
      ? h("th", { scope: "row" }, actions.picks && pickBox(explorer, item), canOpen ? h("button", { type: "button", class: "open", data: { key: `open ${item.id}` }, "aria-label": `Open ${listing.title.one.toLowerCase()} ${short(item.id)}`, title: String(item.id), on: { click: () => explorer.lookAt({ record: String(item.id) }) } }, short(item.id)) : cell(item.id))
      : h("td", { class: isNumber(field) ? "number" : null }, cell(own(item, field.name), field)))),
    columns.relations.map((column) => {
      const button = relatedCell(own(item, column.relation.name), column, () => toggle(column, button), false);
      return h("td", { class: "relation" }, button);
    }),
    actions.any && h("td", { class: "actions" }, h("span", {}, actions.of(item).map(([name, label, act]) => iconButton(name, `${label} ${item.id}`, act)))));
  return line;
}

/** Arrow keys go from row to row. */
export function walksRows(region) {
  region.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") {
      return;
    }
    const rows = [...region.querySelectorAll(".open")];
    const at = rows.indexOf(document.activeElement);
    if (at >= 0) {
      event.preventDefault();
      rows[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    }
  });
}
