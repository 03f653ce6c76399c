// Groups of rows: a chart of one number, and the table of all of them, which says the same in words.

import { own } from "./cell.js";
import { chart } from "./chart.js";
import { choose, chooseEnds, chooseMissing } from "./choose.js";
import { facetTitle, wordsOf } from "./description.js";
import { h, icon, select } from "./element.js";
import { queryOf } from "./request.js";
import { pageLink } from "./related.js";
import { digits, functionTitle } from "./totals.js";
import { following, named } from "./units.js";

export function groups(explorer) {
  const { reply, view } = explorer;
  const keys = view.by.map((key) => keyOf(explorer, key));
  const numbers = [{ name: "count", text: "Rows", adds: true, of: (group) => group.count },
    ...[...(view.totals ?? [])].flatMap(([field, functions]) => functions.map((name) => (
      { name: `${field}.${name}`, text: `${wordsOf(field)}, ${functionTitle(name).toLowerCase()}`, adds: ["sum", "count"].includes(name), of: (group) => group.totals?.[field]?.[name] ?? null })))];
  return [figure(explorer, keys, numbers), tableOf(explorer, keys, numbers, reply.items)];
}

/** How one key reads: its words, and the text of a group's value. */
function keyOf(explorer, { name, unit }) {
  const { listing } = explorer;
  const facet = listing.facets.find((one) => one.name === name) ?? { name };
  const filter = listing.filters.find((one) => one.name === name);
  const isTime = facet.kind === "calendar";
  return {
    name, facet, filter, isTime, unit: isTime ? (unit ?? "month") : null,
    text: isTime ? `${wordsOf(name)}, ${unit ?? "month"}` : facetTitle(name),
    valueOf: (group) => (isTime ? own(group, name) ?? null : own(group, name)?.value ?? null),
    labelOf: (group) => {
      const value = own(group, name);
      return isTime ? (value ? named(value, unit ?? "month") : "No value") : (value?.label ?? value?.value ?? "No value");
    },
  };
}

function figure(explorer, keys, numbers) {
  const { reply, look } = explorer;
  const number = numbers.find(({ name }) => name === look.value) ?? numbers[0];
  const told = reply.meta?.pagination;
  const isAll = told?.total <= reply.items.length;
  const canStack = keys.length < 2 || number.adds;
  const chosen = look.chart === "line" || look.chart === "bars" ? look.chart : keys[0]?.isTime ? "line" : "bars";
  const as = canStack ? chosen : "line";
  const kinds = [["bars", "Bars", "chart"], ["line", "Line", "line"]];
  const drawing = chart({ items: reply.items, keys, number, as, isAll });
  return h("figure", { class: "chart" },
    h("figcaption", {},
      select(numbers.map(({ name, text }) => [name, text]), number.name, (value) => explorer.lookAt({ value: value === "count" ? null : value }), { "aria-label": "What the chart shows", data: { key: "chart value" } }),
      h("span", { class: "muted" }, `by ${keys.map(({ text }) => text.toLowerCase()).join(" and ")}${isAll ? "" : ", this page only"}`), h("span", { class: "fill" }),
      h("div", { class: "segments", role: "group", "aria-label": "Draw as" }, kinds.map(([kind, text, name]) =>
        h("button", { type: "button", "aria-pressed": String(as === kind), "aria-label": text, title: text, disabled: kind === "bars" && !canStack, data: { key: `draw ${kind}` }, on: { click: () => explorer.lookAt({ chart: kind }) } }, icon(name))))),
    drawing);
}

function tableOf(explorer, keys, numbers, items) {
  const { listing, view } = explorer;
  const order = view.sort ?? keys.map(({ name }) => ({ name, direction: "asc" }));
  const heading = (name, text, isNumber) => {
    const direction = order.find((one) => one.name === name)?.direction;
    const next = direction === (isNumber ? "desc" : "asc") ? (isNumber ? "asc" : "desc") : isNumber ? "desc" : "asc";
    return h("th", { scope: "col", class: isNumber ? "number" : null, "aria-sort": direction === "asc" ? "ascending" : direction ? "descending" : "none" },
      h("button", { type: "button", class: "sorter", data: { key: `sort ${name}` }, on: { click: () => explorer.rebuild((it) => { it.sort = [{ name, direction: next }]; }) } },
        text, direction && view.sort && h("span", { class: "direction" }, icon(direction === "asc" ? "up" : "down"))));
  };
  return h("div", { class: "scroll", role: "region", "aria-label": `${listing.title.many}, groups`, tabIndex: 0 },
    h("table", { class: "main-table" },
      h("thead", {}, h("tr", {}, keys.map(({ name, text }) => heading(name, text, false)), numbers.map(({ name, text }) => heading(name, text, true)))),
      h("tbody", {}, items.map((group) => h("tr", {},
        keys.map((key, at) => h(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : {}, at === 0 ? rowsLink(explorer, keys, group) : key.labelOf(group))),
        numbers.map(({ of }) => h("td", { class: "number" }, of(group) === null ? h("span", { class: "null" }, "null") : digits(of(group)))))))));
}

/** A way to the rows of a group, where all of its keys can be filtered by. */
function rowsLink(explorer, keys, group) {
  const { listing, view } = explorer;
  const text = keys[0].labelOf(group);
  const filtered = { ...view, asked: null, by: null, sort: null, totals: null, filters: { ...view.filters, items: [...view.filters.items] }, paging: { ...view.paging, size: null, page: 1 }, rest: view.rest.filter(({ name }) => !name.startsWith("having")) };
  return keys.every((key) => narrow(filtered, key, key.valueOf(group)))
    ? pageLink(explorer, listing, queryOf(filtered, listing), { as: null }, h("span", { title: "Show these rows" }, text))
    : text;
}

/** Filters a view by one value of a key; whether that can be said. */
function narrow(view, { facet, filter, isTime, unit }, value) {
  if (value === null) {
    const can = Boolean(filter?.operators.includes("$null"));
    return can && (chooseMissing(view, facet, true), true);
  }
  if (!isTime) {
    return Boolean(facet.choose) && (choose(view, facet, [value]), true);
  }
  const [from, to] = [value, following(value, unit)];
  return ["$gte", "$lt"].every((operator) => filter?.operators.includes(operator)) && (chooseEnds(view, facet.name, { $gte: from, $lt: to }), true);
}
