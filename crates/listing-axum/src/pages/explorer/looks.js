// Other ways to look at a list, and views that are kept.

import { h } from "./element.js";
import { dialog } from "./dialog.js";
import { toast } from "./popover.js";
import { saveView } from "./views.js";

/** Groups and rows have different requests; JSON is of either. */
export function look(explorer, as) {
  if (as === "json" || (as === "groups") === explorer.isGrouped) {
    explorer.lookAt({ as: as === "groups" ? null : as });
    return;
  }
  explorer.look.as = as === "groups" ? null : as;
  explorer.rebuild((view) => {
    const first = explorer.listing.facets.find(({ kind }) => kind === "values") ?? explorer.listing.facets.find(({ kind }) => kind === "calendar");
    const isGrouped = as === "groups";
    Object.assign(view, { by: isGrouped ? (first ? [{ name: first.name, unit: null }] : []) : null, sort: null, facets: null, fields: isGrouped ? null : view.fields, populate: isGrouped ? null : view.populate });
    Object.assign(view.paging, { mode: "page", size: isGrouped ? String(explorer.listing.pagination?.maxPageSize ?? 100) : null });
    view.rest = view.rest.filter(({ name }) => !name.startsWith("having"));
  });
  explorer.tell("looked");
}

/** Asks for a name, under which the view is kept. */
export function nameView(explorer) {
  const input = h("input", { id: "view-name", value: explorer.view.search || explorer.listing.title.many, autocomplete: "off" });
  const box = dialog({ title: "Save view" },
    h("form", { class: "form", on: { submit: (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (name) {
        saveView({ name, listing: explorer.listing.name, query: explorer.query, grouped: explorer.isGrouped, as: explorer.look.as });
        explorer.tell("saved");
        toast("View saved in this browser");
        box.close();
      }
    } } }, h("div", { class: "field" }, h("label", { for: "view-name" }, "Name"), input),
      h("div", { class: "dialog-actions" }, h("button", { type: "submit", class: "primary" }, "Save"))));
  input.select();
}
