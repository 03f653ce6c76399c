// The order of the list as a list of sorts.

import { wordsOf } from "./description.js";
import { fill, h, icon, iconButton, select } from "./element.js";
import { orderOf } from "./sorting.js";

export function sortPanel(panel, explorer) {
  const change = (sort) => {
    explorer.change((view) => { view.sort = sort.length > 0 ? sort : null; });
    render();
  };
  const render = () => {
    const sort = orderOf(explorer);
    const free = explorer.listing.sorts.filter((one) => !sort.some((used) => used.name === one.name));
    fill(panel,
      h("div", { class: "panel-head" }, h("h2", {}, "Order"), h("span", { class: "fill" }),
        explorer.view.sort && h("button", { type: "button", class: "quiet", on: { click: () => change([]) } }, "Default")),
      h("ol", { class: "sorts" }, sort.map((one, at) =>
        h("li", {}, h("span", { class: "fill" }, wordsOf(one.name)),
          h("button", { type: "button", class: "quiet", data: { key: `turn ${one.name}` }, on: { click: () => change(sort.map((other) => (other === one ? { ...one, direction: one.direction === "desc" ? "asc" : "desc" } : other))) } },
            icon(one.direction === "desc" ? "down" : "up"), one.direction === "desc" ? "descending" : "ascending"),
          at > 0 && iconButton("up", `${wordsOf(one.name)} earlier`, () => change(sort.toSpliced(at, 1).toSpliced(at - 1, 0, one)), { "data-key": `earlier ${one.name}` }),
          iconButton("close", `Do not sort by ${wordsOf(one.name)}`, () => change(sort.filter((other) => other !== one)), { "data-key": `drop ${one.name}` })))),
      free.length > 0 && select([["", sort.length > 0 ? "then by…" : "sort by…"], ...free.map((one) => [one.name, wordsOf(one.name)])], "", (name) => name && change([...(explorer.view.sort ?? []), { name, direction: "asc" }]), { "aria-label": "Sort by", data: { key: "add sort" } }));
  };
  render();
}
