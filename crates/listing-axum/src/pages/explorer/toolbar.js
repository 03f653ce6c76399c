// The head of the list: its name, the search, and buttons for filters, columns, order and views.

import { defaultFilters } from "./defaults.js";
import { wordsOf } from "./description.js";
import { fill, h, icon, select } from "./element.js";
import { countOf } from "./filters.js";
import { problemSlot } from "./notices.js";
import { totalText } from "./pages.js";
import { dialog, opens, toast } from "./popover.js";
import { shownAs } from "./results.js";
import { shown } from "./shown.js";
import { orderOf } from "./sorting.js";
import { saveView } from "./views.js";

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
  const trashed = h("span", {});
  const save = h("button", { type: "button", class: "quiet", id: "save-view", on: { click: () => nameView(explorer) } }, icon("bookmark"), h("span", {}, "Save view"));
  region.append(
    h("div", { class: "tools" }, searchBox, filter, columns, order, trashed, h("span", { class: "fill" }), save),
    problemSlot(explorer, "search"), problemSlot(explorer, "columns"), problemSlot(explorer, "sort"), problemSlot(explorer, "filters"),
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
    const conditions = countOf(view.filters.items);
    badge(filter, conditions > 0 ? String(conditions) : "");
    const { fields, relations } = shown(view, listing);
    badge(columns, view.fields || view.populate ? String(fields.length + relations.length) : "");
    const [first, ...more] = orderOf(explorer);
    badge(order, view.sort && first ? `${wordsOf(first.name)}${more.length > 0 ? ` +${more.length}` : ""}` : "");
    trashed.replaceChildren(...(listing.trashed?.length ? [select([["", "Not deleted"], ...listing.trashed.map((one) => [one, { with: "Deleted too", only: "Deleted only" }[one] ?? one])], view.trashed, (chosen) => explorer.change((it) => { it.trashed = chosen; }), { "aria-label": "Deleted records", data: { key: "trashed" } })] : []));
  };
  explorer.on("replaced changed", update);

  const looks = [["table", "Table"], ["cards", "Cards"], ["json", "JSON"]];
  const renderHead = () => {
    const { listing } = explorer;
    if (!listing) {
      return;
    }
    const told = explorer.reply?.listing === listing ? explorer.reply.meta?.pagination : null;
    fill(head,
      h("h1", {}, listing.title.many), told?.total !== undefined && h("span", { class: "total", title: "Rows that match" }, totalText(told, listing)),
      h("span", { class: "fill" }),
      h("div", { class: "segments", role: "group", "aria-label": "Show as" }, looks.map(([as, text]) =>
        h("button", { type: "button", "aria-pressed": String(shownAs(explorer) === as), "aria-label": text, title: text, data: { key: `as ${as}` }, on: { click: () => explorer.lookAt({ as }) } }, icon(as === "json" ? "code" : as)))),
      listing.operations.store?.payload && h("button", { type: "button", class: "primary", id: "create", data: { key: "create" }, on: { click: () => explorer.lookAt({ record: "new" }) } }, icon("plus"), h("span", {}, `New ${listing.title.one.toLowerCase()}`)));
  };
  explorer.on("replaced replied looked", renderHead);
}

function nameView(explorer) {
  const input = h("input", { id: "view-name", value: explorer.view.search || explorer.listing.title.many, autocomplete: "off" });
  const box = dialog({ title: "Save view" },
    h("form", { class: "form", on: { submit: (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (name) {
        saveView({ name, listing: explorer.listing.name, query: explorer.query, as: explorer.look.as });
        explorer.tell("saved");
        toast("View saved in this browser");
        box.close();
      }
    } } }, h("div", { class: "field" }, h("label", { for: "view-name" }, "Name"), input),
      h("div", { class: "dialog-actions" }, h("button", { type: "submit", class: "primary" }, "Save"))));
  input.select();
}
