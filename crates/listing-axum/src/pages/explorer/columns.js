// Chooses which fields and relations the list shows, and what comes with each relation.

import { filterRows } from "./builder.js";
import { wordsOf } from "./description.js";
import { fill, h, icon } from "./element.js";
import { sortList } from "./order.js";
import { populated } from "./request.js";

export function columnsPanel(panel, explorer) {
  const { listing } = explorer;
  let shown = null;
  const render = () => {
    shown?.abort();
    shown = new AbortController();
    fill(panel, fields(), listing.relations.length > 0 && relations());
  };

  const fields = () => {
    const chosen = explorer.view.fields ?? listing.fields.filter((one) => one.default).map((one) => one.name);
    const set = (names) => {
      explorer.change((view) => { view.fields = names; }, { keepPage: true });
      render();
    };
    return h("section", {},
      h("div", { class: "panel-head" }, h("h2", {}, "Fields"), h("span", { class: "fill" }),
        h("button", { type: "button", class: "quiet", data: { key: "all fields" }, on: { click: () => set(listing.fields.map((one) => one.name)) } }, "All"),
        h("button", { type: "button", class: "quiet", data: { key: "default fields" }, on: { click: () => set(null) } }, "Default")),
      h("div", { class: "ticks" }, listing.fields.map((field) => tick(field.name, hint(field), chosen.includes(field.name) || field.name === "id", (on) => set(normal(listing, toggled(chosen, field.name, on))), field.name === "id"))));
  };

  const relations = () => {
    const chosen = explorer.view.populate ?? listing.relations.filter((one) => one.default).map((one) => populated(one.name));
    /** With `stay`, the controls show the change already. */
    const set = (wanted, { stay = false, typing = false } = {}) => {
      explorer.change((view) => { view.populate = usual(listing, wanted) ? null : wanted; }, { keepPage: true, typing });
      if (!stay) {
        render();
      }
    };
    return h("section", {}, h("div", { class: "panel-head" }, h("h2", {}, "Relations")), relationTicks(listing, chosen, set, 1, ""));
  };

  const relationTicks = (of, chosen, set, depth, path) =>
    h("div", { class: "ticks wide" }, of.relations.map((relation) => {
      const want = chosen.find((one) => one.name === relation.name);
      const name = path ? `${path}.${relation.name}` : relation.name;
      return h("div", {},
        tick(relation.name, relation.kind === "toMany" ? `many, up to ${relation.limit}` : "one", Boolean(want), (on) => set(on ? [...chosen, populated(relation.name)] : chosen.filter((one) => one !== want)), false, name),
        want && options(relation, want, of.related(relation.name), (how) => set([...chosen], how), depth, name));
    }));

  const options = (relation, want, related, changed, depth, path) => {
    const chosen = want.fields ?? related.fields.filter((one) => one.default).map((one) => one.name);
    // It comes by itself, unless nothing else is named.
    const named = (names) => (names.some((name) => name !== "id") ? names.filter((name) => name !== "id") : ["id"]);
    const setFields = (names) => {
      const defaults = related.fields.filter((one) => one.default || one.name === "id").map((one) => one.name);
      want.fields = sameNames([...names, "id"], [...defaults, "id"]) ? null : named(names);
      changed();
    };
    const isMany = relation.kind === "toMany";
    return h("div", { class: "options-of", role: "group", "aria-label": wordsOf(path) },
      isMany && h("div", { class: "inline" },
        tick("only count", "", want.count, (on) => { want.count = on; changed(); }, false, `${path} count`, "Count only"),
        !want.count && h("label", { class: "inline" }, "at most",
          h("input", { type: "number", min: "1", max: String(relation.limit), value: want.limit ?? "", placeholder: String(relation.limit), class: "small", data: { key: `${path} limit` }, "aria-label": `At most so many ${relation.name}`,
            on: { change: (event) => { want.limit = event.target.value || null; changed(); } } }))),
      !want.count && h("div", { class: "ticks" }, related.fields.map((field) => tick(field.name, "", chosen.includes(field.name) || field.name === "id", (on) => setFields(toggled(chosen, field.name, on)), field.name === "id", `${path} ${field.name}`))),
      narrowing(want, related, isMany, changed, path),
      !want.count && depth < (explorer.description.bounds.populateDepth ?? 3) && related.relations.length > 0 &&
        relationTicks(related, want.populate ?? [], (inner, how) => { want.populate = inner.length > 0 ? inner : null; changed(how); }, depth + 1, path));
  };

  /** The order of the related records, and which of them come along; the rows of the list stay. */
  const narrowing = (want, related, isMany, changed, path) => {
    const [chosen, choice] = isMany && !want.count ? sortList({ sort: want.sort ?? [], chosen: want.sort, sorts: related.sorts, of: wordsOf(path), change: (sort) => { want.sort = sort; changed(); } }) : [];
    const canFilter = related.filters.length > 0 || related.relatedFilters?.length > 0;
    const region = h("div", {});
    const add = canFilter && h("button", { type: "button", class: "quiet", data: { key: `filter ${path}` }, "aria-label": `Filter ${wordsOf(path)}`, on: { click: () => rows.add() } }, icon("filter"), "Filter");
    const update = () => { add.hidden = want.filters.items.length > 0; };
    const change = (act, { typing } = {}) => {
      act();
      update();
      changed({ stay: true, typing });
    };
    const rows = canFilter && filterRows(region, explorer, { root: () => want.filters, listing: () => related, change, signal: shown.signal });
    if (canFilter) {
      update();
    }
    return [chosen, (choice || add) && h("div", { class: "line" }, choice, add), region];
  };

  render();
}

function tick(name, note, checked, change, fixed = false, key = name, text = wordsOf(name)) {
  return h("label", { class: "tick" },
    h("input", { type: "checkbox", checked, disabled: fixed, data: { key: `tick ${key}` }, "aria-label": note ? `${text}, ${note}` : text, on: { change: (event) => change(event.target.checked) } }),
    h("span", {}, text), note && h("span", { class: "muted note" }, note));
}

const hint = (field) => field.type;
const toggled = (names, name, on) => (on ? [...names, name] : names.filter((one) => one !== name));
const sameNames = (a, b) => new Set(a).size === new Set(b).size && a.every((name) => b.includes(name));

/** In the order of the definition; the defaults are the same as nothing. */
function normal(listing, names) {
  const chosen = [...listing.fields.map((one) => one.name).filter((name) => names.includes(name)), ...names.filter((name) => !listing.fields.some((one) => one.name === name))];
  const defaults = listing.fields.filter((one) => one.default || one.name === "id").map((one) => one.name);
  if (sameNames([...chosen, "id"], [...defaults, "id"])) {
    return null;
  }
  return chosen.length > 0 ? chosen : [listing.fields[0]?.name ?? "id"];
}

const usual = (listing, wanted) => {
  const plain = wanted.every((want) => !want.fields && !want.count && want.limit === null && !want.populate && !want.sort && want.filters.items.length === 0);
  return plain && sameNames(wanted.map((want) => want.name), listing.relations.filter((one) => one.default).map((one) => one.name));
};
