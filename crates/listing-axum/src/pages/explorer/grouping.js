// By what the rows are grouped: up to three keys, each a facet of the list.

import { facetTitle } from "./description.js";
import { fill, h, icon, iconButton, select } from "./element.js";
import { problemSlot } from "./notices.js";
import { style } from "./style.js";
import { unitsOf } from "./units.js";

await style("numbers.css");

/** More keys a request may not have. */
const MOST = 3;

/** The facets that rows can be grouped by: those with one value for each row. */
export const keysOf = (listing) => listing.facets.filter(({ kind }) => kind === "values" || kind === "calendar");

export function grouping(region, explorer) {
  const line = h("div", { class: "grouping-line" });
  region.append(line, problemSlot(explorer, "by"));
  const render = () => {
    const { listing, view } = explorer;
    region.hidden = !explorer.isGrouped || !listing;
    if (!region.hidden) {
      fill(line, view.by.map((key, at) => keyControl(explorer, key, at)), adder(explorer));
    }
  };
  explorer.on("replaced", render);
  render();
}

const without = (listing, by, key) => keysOf(listing).filter(({ name }) => name === key?.name || !by.some((one) => one.name === name));

function keyControl(explorer, key, at) {
  const { listing, view } = explorer;
  const known = without(listing, view.by, key);
  const options = known.map(({ name }) => [name, facetTitle(name)]);
  const replace = (next) => explorer.rebuild((it) => {
    it.by = it.by.flatMap((one, place) => (place === at ? (next ? [next] : []) : [one]));
    it.sort = it.sort?.filter(({ name }) => name !== key.name || next?.name === name) ?? null;
    it.sort = it.sort?.length ? it.sort : null;
  });
  const isTime = listing.facets.some(({ name, kind }) => name === key.name && kind === "calendar");
  const type = listing.filters.find(({ name }) => name === key.name)?.type;
  return h("span", { class: "key" }, h("span", { class: "muted" }, at === 0 ? "Group by" : "then by"),
    select(known.some(({ name }) => name === key.name) ? options : [[key.name, `${key.name} (unknown)`], ...options], key.name, (name) => replace({ name, unit: null }), { "aria-label": `Key ${at + 1}`, data: { key: `by ${at}` } }),
    isTime && select(unitsOf(type).map((one) => [one, `by ${one}`]), key.unit ?? "month", (unit) => replace({ name: key.name, unit }), { "aria-label": `Unit of ${facetTitle(key.name)}`, data: { key: `by unit ${at}` } }),
    view.by.length > 1 && iconButton("close", `Do not group by ${facetTitle(key.name)}`, () => replace(null)));
}

function adder(explorer) {
  const { listing, view } = explorer;
  const [next] = without(listing, view.by, null);
  return next && view.by.length < MOST && h("button", { type: "button", class: "quiet", id: "add-key", data: { key: "add key" }, on: { click: () => explorer.rebuild((it) => { it.by = [...it.by, { name: next.name, unit: null }]; }) } }, icon("plus"), "Key");
}
