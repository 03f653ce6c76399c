// An order as a list of sorts, of the list or of a populated relation.

import { wordsOf } from "./description.js";
import { fill, h, icon, iconButton, select } from "./element.js";
import { orderOf } from "./sorting.js";
import { style } from "./style.js";

await style("opened.css");

/** The order of the list. */
export function sortPanel(panel, explorer) {
  const render = () => fill(panel,
    h("div", { class: "panel-head" }, h("h2", {}, "Order"), h("span", { class: "fill" }),
      explorer.view.sort && h("button", { type: "button", class: "quiet", on: { click: () => change(null) } }, "Default")),
    sortList({ sort: orderOf(explorer), chosen: explorer.view.sort, sorts: explorer.listing.sorts, change }));
  const change = (sort) => {
    explorer.change((view) => { view.sort = sort; });
    render();
  };
  render();
}

/** `sort` is the order that holds and `chosen` what of it was asked for, if anything was; `of` says whose order it is. */
export function sortList({ sort, chosen, sorts, change, of = "" }) {
  const free = sorts.filter((one) => !sort.some((used) => used.name === one.name));
  const set = (next) => change(next.length > 0 ? next : null);
  const around = of ? ` ${of}` : "";
  return [
    sort.length > 0 && h("ol", { class: "sorts" }, sort.map((one, at) =>
      h("li", {}, h("span", { class: "fill" }, wordsOf(one.name)),
        h("button", { type: "button", class: "quiet", data: { key: `turn${around} ${one.name}` }, on: { click: () => set(sort.map((other) => (other === one ? { ...one, direction: one.direction === "desc" ? "asc" : "desc" } : other))) } },
          icon(one.direction === "desc" ? "down" : "up"), one.direction === "desc" ? "descending" : "ascending"),
        at > 0 && iconButton("up", `${wordsOf(one.name)} earlier`, () => set(sort.toSpliced(at, 1).toSpliced(at - 1, 0, one)), { "data-key": `earlier${around} ${one.name}` }),
        iconButton("close", `Do not sort${around} by ${wordsOf(one.name)}`, () => set(sort.filter((other) => other !== one)), { "data-key": `drop${around} ${one.name}` })))),
    free.length > 0 && select([["", sort.length > 0 ? "then by…" : "sort by…"], ...free.map((one) => [one.name, wordsOf(one.name)])], "", (name) => name && set([...(chosen ?? []), { name, direction: "asc" }]), { "aria-label": `Sort${around} by`, data: { key: `add sort${around}` } }),
  ];
}
