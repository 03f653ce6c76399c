// The head of the list: its name, the search, and buttons for filters, columns, order and views.

import { defaultFilters } from "./defaults.js";
import { wordsOf } from "./description.js";
import { fill, h, icon, select } from "./element.js";
import { countOf } from "./filters.js";
import { problemSlot } from "./notices.js";
import { totalText } from "./pages.js";
import { opens } from "./popover.js";
import { shownAs } from "./results.js";
import { shown } from "./shown.js";
import { orderOf } from "./sorting.js";

export function toolbar(head, region, explorer, addFilter) {
  const search = h("input", { type: "search", id: "search", placeholder: "Search", autocomplete: "off", on: { input: () => explorer.change((view) => { view.search = search.value; }, { typing: true }) } });
  const searchBox = h("div", { class: "search" }, icon("search"), h("label", { for: "search", class: "offscreen" }, "Search"), search, h("kbd", { "aria-hidden": "true" }, "/"));
  const button = (name, text, id) => h("button", { type: "button", id }, icon(name), h("span", {}, text), h("span", { class: "badge", hidden: true }));
  const filter = button("filter", "Filter", "add-filter");
  const columns = button("columns", "Columns", "columns");
  const order = button("sort", "Order", "order");
  filter.addEventListener("click", addFilter);
  opens(columns, "Fields and relations", async (panel) => (await import("./columns.js")).columnsPanel(panel, explorer));
  opens(order, "Order", async (panel) => (await import("./order.js")).sortPanel(panel, explorer));
  const facets = button("facets", "Facets", "show-facets");
  const totals = button("sum", "Totals", "totals");
  facets.addEventListener("click", () => explorer.rebuild((view) => { view.facets = view.facets ? null : [{ name: "*", options: {} }]; }, { keepPage: true }));
  opens(totals, "Totals", async (panel) => (await import("./totalspanel.js")).totalsPanel(panel, explorer));
  const exporting = button("download", "Export", "export");
  const files = opens(exporting, "Export", async (panel) => (await import("./exporting.js")).exportPanel(panel, explorer, () => files.close()));
  const trashed = h("span", {});
  const save = h("button", { type: "button", class: "quiet", id: "save-view", title: "Save view", on: { click: async () => (await explorer.pressed(import("./looks.js")))?.nameView(explorer) } }, icon("bookmark"), h("span", {}, "Save view"));
  region.append(
    h("div", { class: "tools" }, searchBox, filter, columns, order, facets, totals, trashed, h("span", { class: "fill" }), exporting, save),
    problemSlot(explorer, "search"), problemSlot(explorer, "columns"), problemSlot(explorer, "sort"), problemSlot(explorer, "filters"), problemSlot(explorer, "totals"),
    defaultFilters(explorer));

  const badge = (one, text) => {
    const place = one.querySelector(".badge");
    place.hidden = text === "";
    place.textContent = text;
  };
  const update = () => {
    const { listing, view } = explorer;
    if (!listing) {
      return;
    }
    searchBox.hidden = !listing.search;
    filter.hidden = listing.filters.length + listing.relatedFilters.length === 0;
    if (document.activeElement !== search) {
      search.value = view.search;
    }
    columns.hidden = order.hidden = explorer.isGrouped;
    exporting.hidden = !listing.operations.export || explorer.isGrouped;
    facets.hidden = !listing.operations.facets || listing.facets.length === 0 || explorer.isGrouped;
    facets.setAttribute("aria-pressed", String(view.facets !== null));
    totals.hidden = listing.totals.length === 0;
    const functions = [...(view.totals?.values() ?? [])].flat().length;
    badge(totals, functions > 0 ? String(functions) : "");
    const conditions = countOf(view.filters.items);
    badge(filter, conditions > 0 ? String(conditions) : "");
    const { fields, relations } = shown(view, listing);
    badge(columns, view.fields || view.populate ? String(fields.length + relations.length) : "");
    const [first, ...more] = orderOf(explorer);
    badge(order, view.sort && first ? `${wordsOf(first.name)}${more.length > 0 ? ` +${more.length}` : ""}` : "");
    trashed.replaceChildren(...(listing.trashed?.length ? [select([["", "Not deleted"], ...listing.trashed.map((one) => [one, { with: "Deleted too", only: "Deleted only" }[one] ?? one])], view.trashed, (chosen) => explorer.change((it) => { it.trashed = chosen; }), { "aria-label": "Deleted records", data: { key: "trashed" } })] : []));
  };
  explorer.on("replaced changed", update);

  const looks = [["table", "Table", "table"], ["cards", "Cards", "cards"], ["groups", "Groups", "chart"], ["json", "JSON", "code"]];
  const renderHead = () => {
    const { listing } = explorer;
    if (!listing) {
      return;
    }
    const told = explorer.reply?.listing === listing && explorer.reply.isGrouped === explorer.isGrouped ? explorer.reply.meta?.pagination : null;
    fill(head,
      h("h1", {}, listing.title.many), told?.total !== undefined && h("span", { class: "total", title: explorer.isGrouped ? null : "Rows that match" }, totalText(told, listing), explorer.isGrouped && h("span", { class: "unit" }, " groups")),
      h("span", { class: "fill" }),
      h("div", { class: "segments", role: "group", "aria-label": "Show as" }, looks.filter(([as]) => as !== "groups" || listing.operations.groups).map(([as, text, drawing]) =>
        h("button", { type: "button", "aria-pressed": String(shownAs(explorer) === as), "aria-label": text, title: text, data: { key: `as ${as}` }, on: { click: async () => (await explorer.pressed(import("./looks.js")))?.look(explorer, as) } }, icon(drawing)))),
      listing.operations.store?.payload && h("button", { type: "button", class: "primary", id: "create", data: { key: "create" }, on: { click: () => explorer.lookAt({ record: "new" }) } }, icon("plus"), h("span", {}, `New ${listing.title.one.toLowerCase()}`)));
  };
  explorer.on("replaced replied looked", renderHead);
}
