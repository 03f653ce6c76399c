// The rows that are picked: how many, all that match, and what can be done with them.

import { countRows } from "./counting.js";
import { countOf } from "./filters.js";
import { fill, h, icon, iconButton } from "./element.js";
import { toast } from "./popover.js";
import { style } from "./style.js";

await style("many.css");

const bar = h("section", { id: "picked", "aria-label": "Selected rows", hidden: true });
const told = h("span", { role: "status" });
const tools = h("span", { class: "picked-tools" });

/** How many match, once all of them are meant; else `null`, and the picked rows are. `counting` is the press whose number is on its way. */
let everything = null;
let counting = null;
let last = null;

const onlyPicked = () => { everything = counting = null; };

/**
 * Boxes were pressed, in this order: each that of a row, with Shift also those from the last one on, or that of all rows. `isOn` is how
 * it was left.
 */
export function pick(explorer, region, presses) {
  begin(explorer, region);
  const values = boxesIn(region).map((box) => box.value);
  for (const { value, isOn, withShift } of presses) {
    const ends = [withShift && values.includes(last) ? last : value, value].map((one) => values.indexOf(one));
    // A row that is not shown any more cannot be picked.
    const pressed = value === "" ? values : values.includes(value) ? values.slice(Math.min(...ends), Math.max(...ends) + 1) : [];
    pressed.forEach((one) => explorer.picked[isOn ? "add" : "delete"](one));
    last = value;
    onlyPicked();
  }
  show(explorer, region);
}

const boxesIn = (region) => [...region.querySelectorAll(".pick")].filter(({ value }) => value !== "");

function begin(explorer, region) {
  if (bar.isConnected) {
    return;
  }
  bar.append(told, tools);
  document.getElementById("foot").before(bar);
  explorer.on("replied replaced changed looked", () => {
    onlyPicked();
    show(explorer, region);
  });
}

function clear(explorer, region) {
  explorer.picked.clear();
  onlyPicked();
  show(explorer, region);
}

/** Boxes and bar say what is picked. */
function show(explorer, region) {
  const { picked, reply, listing } = explorer;
  const boxes = boxesIn(region);
  boxes.forEach((box) => { box.checked = picked.has(box.value); });
  const all = region.querySelector(".pick[value='']");
  if (all) {
    all.checked = picked.size === boxes.length;
    all.indeterminate = picked.size > 0 && !all.checked;
  }
  bar.hidden = picked.size === 0 || boxes.length === 0;
  if (bar.hidden) {
    told.textContent = "";
    return;
  }
  const { bulk, queryUpdate, queryDelete } = listing.operations;
  const can = (name, byFilter) => (everything ? byFilter : bulk.bulk.items.includes(name));
  const pickedItems = reply.items.filter(({ id }) => picked.has(String(id)));
  const meant = everything;
  const start = (name) => async () => {
    const bulk = await explorer.pressed(import("./bulk.js"));
    if (explorer.reply === reply && everything === meant) {
      bulk?.[name](explorer, { items: pickedItems, everything: meant, done: () => clear(explorer, region) });
    }
  };
  told.textContent = everything ? `All ${everything.count.toLocaleString("en")} that match` : `${picked.size} selected`;
  fill(tools,
    !everything && picked.size === boxes.length && (queryUpdate || queryDelete) && allThatMatch(explorer, region),
    h("span", { class: "fill" }),
    can("update", queryUpdate) && h("button", { type: "button", data: { key: "change" }, on: { click: start("changeMany") } }, icon("edit"), "Change"),
    can("delete", queryDelete) && h("button", { type: "button", class: "danger quiet", data: { key: "delete" }, on: { click: start("deleteMany") } }, icon("trash"), "Delete"),
    iconButton("close", "Clear the selection", () => clear(explorer, region)));
}

/** From the rows of the page to all that match, where a filter says which these are. */
function allThatMatch(explorer, region) {
  const { view, reply } = explorer;
  const { total, totalIsExact } = reply.meta?.pagination ?? {};
  if (total === reply.items.length) {
    return null;
  }
  // The service takes filters alone, and at least one: a search is not a filter.
  if (view.search !== "" || view.trashed !== "" || view.rest.length > 0 || countOf(view.filters.items) === 0) {
    return h("span", { class: "muted" }, view.search !== "" ? "All that match can be selected without a search." : "To select all that match, filter the list.");
  }
  const count = total !== undefined && totalIsExact !== false ? ` ${total.toLocaleString("en")}` : "";
  return h("button", { type: "button", class: "quiet", data: { key: "everything" }, on: { click: async () => {
    const mine = (counting = Symbol("press"));
    const found = await countRows(explorer);
    if (counting !== mine) {
      return; // Of a list, or of rows, that are others by now.
    }
    if (found.problem) {
      toast(found.problem);
      return;
    }
    everything = { count: found.count };
    show(explorer, region);
  } } }, `Select all${count} that match`);
}
