// The totals of all rows that match: under their columns, and as a list where there is no column for them.

import { own } from "./cell.js";
import { wordsOf } from "./description.js";
import { h } from "./element.js";
import { shown } from "./shown.js";
import { style } from "./style.js";

await style("numbers.css");

const TITLES = new Map([["count", "Count"], ["countDistinct", "Different"], ["sum", "Sum"], ["avg", "Average"], ["min", "Smallest"], ["max", "Largest"]]);

export const functionTitle = (name) => TITLES.get(name) ?? name;

/** Every digit that the service gave, with commas between thousands. */
export function digits(value) {
  const [, sign, whole, rest] = /^(-?)(\d+)(\.\d+)?$/.exec(String(value)) ?? [];
  return whole === undefined ? String(value) : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest ?? ""}`;
}

const numberOf = (value) => (value === null || value === undefined ? h("span", { class: "null" }, "null") : h("span", { class: "total-number" }, digits(value)));

const pairsOf = (told) => Object.entries(told).filter(([name]) => name !== "timedOut").map(([name, value]) => h("span", { class: "total-pair" }, h("span", { class: "muted" }, functionTitle(name)), told.timedOut ? h("span", { class: "muted" }, "took too long") : numberOf(value)));

/** Puts the totals under what is shown: those of columns into a row of the table, the others into a list. */
export function totals(region, explorer, as) {
  region.querySelectorAll("tfoot, .totals-list").forEach((old) => old.remove());
  const all = explorer.reply.meta.totals;
  const fields = as === "table" ? shown(explorer.view, explorer.listing).fields : [];
  const others = Object.keys(all).filter((name) => !fields.some((field) => field.name === name));
  if (as === "table" && others.length < Object.keys(all).length) {
    region.querySelector(".main-table")?.append(row(all, fields, region));
  }
  if ((as === "table" || as === "cards") && others.length > 0) {
    region.append(h("dl", { class: "totals-list", "aria-label": "Totals" }, others.map((name) => h("div", {}, h("dt", {}, wordsOf(name)), h("dd", {}, pairsOf(all[name]))))));
  }
}

function row(all, [first, ...others], region) {
  const rest = region.querySelector(".main-table").tHead.rows[0].cells.length - others.length - 1;
  const pairs = ({ name }) => own(all, name) && pairsOf(all[name]);
  return h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "Totals", pairs(first)), others.map((field) => h("td", { class: "number" }, pairs(field))), rest > 0 && h("td", { colspan: String(rest) })));
}
