// Filters as rows of controls, of the list or of a populated relation: conditions, groups, and conditions on related records.

import { h, fill, icon, iconButton, select } from "./element.js";
import { condition, group, NULLS, relation } from "./filters.js";
import { wordsOf } from "./description.js";
import { conditionInput } from "./value.js";
import { problemText } from "./notices.js";
import { style } from "./style.js";

await style("builder.css");

const ids = new WeakMap();
let last = 0;
const idOf = (item) => ids.get(item) ?? ids.set(item, (last += 1)).get(item);

/** The filters of the list, which follow whatever becomes of it. */
export function builder(region, explorer) {
  const rows = filterRows(region, explorer, {
    root: () => explorer.view.filters,
    listing: () => explorer.listing,
    change: (change, options) => explorer.change(change, options),
  });
  explorer.on("replaced", rows.render);
  return rows;
}

/**
 * The rows of one group, `root()`, which filters what `listing()` lists. `change(change, options)` is told of every change; `signal`
 * ends the rows where they are shown for a while only.
 */
export function filterRows(region, explorer, { root, listing, change: changed, signal }) {
  let slots = new Map();
  let labels = new Map();

  const render = () => {
    slots = new Map();
    labels = new Map();
    const filters = root();
    region.hidden = filters.items.length === 0 || !listing();
    if (listing()) {
      fill(region, filters.items.length > 0 && block(filters, allowed(listing()), 0, true));
      report();
    }
  };
  /** A change after which the rows are others. */
  const rebuilt = (change, focus) => {
    changed(change);
    render();
    if (focus) {
      region.querySelector(`[data-key="${focus}"]`)?.focus();
    }
  };

  const block = (parent, names, depth, isRoot) =>
    h("div", { class: isRoot ? "rows" : "rows nested" },
      parent.items.map((item, at) => row(item, at, parent, names, depth)),
      isRoot && h("div", { class: "row-actions" }, more(parent, names, depth),
        h("button", { type: "button", class: "quiet push", data: { key: `clear ${idOf(parent)}` }, on: { click: () => rebuilt(() => { parent.items = []; }) } }, "Clear all")));

  /** What adds to a group. */
  const more = (parent, names, depth) => [
    h("button", { type: "button", class: "quiet", data: { key: `add ${idOf(parent)}` }, on: { click: () => add(parent, names) } }, icon("plus"), "Filter"),
    depth < (explorer.description.bounds.groupDepth ?? 5) &&
      h("button", { type: "button", class: "quiet", data: { key: `group ${idOf(parent)}` }, on: { click: () => addGroup(parent, names) } }, icon("group"), "Group"),
  ];

  const add = (parent, names) => {
    const item = fresh(names);
    rebuilt(() => parent.items.push(item), `field ${idOf(item)}`);
  };
  const addGroup = (parent, names) => {
    const item = group("any", [fresh(names)]);
    rebuilt(() => parent.items.push(item), `field ${idOf(item.items[0])}`);
  };
  const removeFrom = (parent, item) => {
    const at = parent.items.indexOf(item);
    const next = parent.items[at + 1] ?? parent.items[at - 1];
    rebuilt(() => parent.items.splice(at, 1), next ? `remove ${idOf(next)}` : `add ${idOf(parent)}`);
  };

  const row = (item, at, parent, names, depth) => {
    const lead = h("span", { class: "lead" }, at === 0 ? (parent === root() ? "where" : "") : { all: "and", any: "or", none: "or" }[parent.join ?? "all"]);
    const remove = iconButton("close", `Remove ${item.kind === "group" ? "group" : `filter ${item.key}`}`, () => removeFrom(parent, item), { "data-key": `remove ${idOf(item)}` });
    const slot = h("div", { class: "problems" });
    slots.set(item, slot);
    if (item.kind === "group") {
      return h("div", { class: "row tall", role: "group", "aria-label": "Group of filters" },
        h("div", { class: "row-line" }, lead,
          select([["all", "all of"], ["any", "any of"], ["none", "none of"]], item.join, (join) => rebuilt(() => { item.join = join; }), { "aria-label": "How the filters of the group are joined", data: { key: `join ${idOf(item)}` } }),
          h("span", { class: "row-actions" }, more(item, names, depth + 1)), h("span", { class: "fill" }), remove),
        block(item, names, depth + 1), slot);
    }
    if (item.kind === "relation") {
      const related = names.relatedFilters.find((one) => one.name === item.key);
      const inner = related ? allowedInside(related) : { filters: [], relatedFilters: [] };
      return h("div", { class: "row tall", role: "group", "aria-label": `Filters on ${item.key}` },
        h("div", { class: "row-line" }, lead, fieldChoice(item, parent, names), related && relationChoice(item, parent, related), h("span", { class: "row-actions" }, more(item, inner, depth + 1)), h("span", { class: "fill" }), remove),
        block(item, inner, depth + 1), slot);
    }
    const filter = names.filters.find((one) => one.name === item.key);
    const related = !filter && names.relatedFilters.find((one) => one.name === item.key);
    return h("div", { class: "row" },
      h("div", { class: "row-line" }, lead, fieldChoice(item, parent, names),
        related ? relationChoice(item, parent, related) : operatorChoice(item, filter),
        value(item, filter ?? { name: item.key, type: "string" }), remove), slot);
  };

  const value = (item, filter) => {
    const input = conditionInput({
      filter, values: [...item.values], takes: explorer.description.takes(item.operator, filter), key: `value ${idOf(item)}`, label: `Value of ${wordsOf(item.key)}`, description: explorer.description,
      change: (values, typing = false) => changed(() => { item.values = values; }, { typing }),
    });
    const said = h("span", { class: "said" });
    labels.set(item, said);
    return h("span", { class: "value" }, input, said);
  };

  const fieldChoice = (item, parent, names) => {
    let typed = false;
    let timer = 0;
    const take = () => {
      clearTimeout(timer);
      timer = 0;
      if (element.value !== item.key) {
        choose(item, parent, names, element.value);
      }
    };
    const known = [...names.filters, ...names.relatedFilters].some((one) => one.name === item.key);
    const element = h("select", { "aria-label": "Filter by", class: known ? null : "unknown", data: { key: `field ${idOf(item)}` }, on: {
      // A name that is typed letter by letter passes others on its way.
      keydown: (event) => {
        typed = event.key.length === 1;
        // The rows become others before the focus moves on, so that what is typed next goes into the control of this name.
        if (event.key === "Tab" && !event.shiftKey && timer) {
          event.preventDefault();
          take();
          region.querySelector(`[data-key="operator ${idOf(item)}"]`)?.focus();
        }
      },
      pointerdown: () => { typed = false; },
      change: () => {
        clearTimeout(timer);
        if (typed) {
          timer = setTimeout(take, 700);
        } else {
          // At once: the next press is meant for the controls of this name, and a busy browser runs its timers late.
          take();
        }
      },
      blur: () => timer && setTimeout(take),
    } },
      known ? null : h("option", { value: item.key }, `${item.key} (unknown)`),
      names.filters.map((one) => h("option", { value: one.name }, wordsOf(one.name))),
      furtherIn("Through a relation", names.relatedFilters.filter((one) => !one.inside)),
      furtherIn("Inside", names.relatedFilters.filter((one) => one.inside)));
    element.value = item.key;
    return element;
  };

  const choose = (item, parent, names, key) => {
    const filter = names.filters.find((one) => one.name === key);
    const related = names.relatedFilters.find((one) => one.name === key);
    const next = filter ? condition(key, usual(filter), carried(item, names.filters.find((one) => one.name === item.key), filter)) : relation(key, null, [fresh(allowedInside(related))]);
    replace(parent, item, next);
  };
  const replace = (parent, item, next) => {
    ids.set(next, idOf(item));
    rebuilt(() => parent.items.splice(parent.items.indexOf(item), 1, next));
  };

  const operatorChoice = (item, filter) => {
    const operators = filter?.operators ?? [];
    const all = operators.includes(item.operator) ? operators : [item.operator, ...operators];
    return select(all.map((one) => [one, explorer.description.operatorTitle(one, filter?.type)]), item.operator, (operator) => {
      const [before, after] = [explorer.description.takes(item.operator, filter), explorer.description.takes(operator, filter)];
      rebuilt(() => {
        item.values = after === "boolean" ? ["true"] : before === "boolean" ? [] : after === "range" ? item.values.slice(0, 2) : after === "list" ? item.values.filter((one) => one !== "") : item.values.slice(0, 1);
        item.operator = operator;
      });
    }, { "aria-label": `How ${wordsOf(item.key)} is compared`, data: { key: `operator ${idOf(item)}` } });
  };

  /** For a relation: whether there are related records, or what some, none or all of them must be. */
  const relationChoice = (item, parent, related) => {
    const words = related.kind === "toMany" ? { "": "has one where", $some: "has one where", $none: "has none where", $every: "has only where" } : { "": "where" };
    const quantifiers = related.kind === "toMany" ? ["", ...related.quantifiers.filter((one) => one !== "$some" || item.quantifier === "$some")] : [""];
    const options = [...quantifiers.map((one) => [one, words[one] ?? one]), ...related.operators.map((one) => [one, explorer.description.operatorTitle(one)])];
    return select(options, item.kind === "condition" ? item.operator : (item.quantifier ?? ""), (chosen) => {
      if (NULLS.has(chosen)) {
        replace(parent, item, condition(item.key, chosen, ["true"]));
      } else {
        replace(parent, item, relation(item.key, chosen || null, item.kind === "relation" ? item.items : [fresh(allowedInside(related))]));
      }
    }, { "aria-label": `Which ${wordsOf(item.key)}`, data: { key: `operator ${idOf(item)}` } });
  };

  const allowedInside = (related) => explorer.description.inside(related);

  const report = () => {
    for (const [item, slot] of slots) {
      const mine = explorer.problems.filter((problem) => problem.item === item);
      slot.replaceChildren(...mine.map((problem) => problemText(problem, explorer)));
      slot.parentElement?.classList.toggle("wrong", mine.length > 0);
    }
    // The answer may have brought the labels of values.
    region.querySelectorAll(".chips").forEach((box) => box.refresh());
    const isList = root() === explorer.view.filters;
    for (const [item, said] of labels) {
      const told = isList && explorer.reply?.meta?.filters?.find(({ key, operator, value, label }) => key === item.key && operator === item.operator && item.values.length === 1 && value === item.values[0] && label !== value);
      said.textContent = told && !said.previousElementSibling.matches("select, .chips") ? told.label : "";
      said.hidden = said.textContent === "";
    }
  };

  explorer.on("replied", report, { signal });
  render();
  return { render, add: () => listing() && add(root(), allowed(listing())) };
}

/** The names of filters that lead further. */
const furtherIn = (label, related) => related.length > 0 && h("optgroup", { label }, related.map((one) => h("option", { value: one.name }, wordsOf(one.name))));

const allowed = (listing) => ({ filters: listing.filters, relatedFilters: listing.relatedFilters });

/** A condition to begin with: on text if there is any. */
function fresh(names) {
  const filter = names.filters.find((one) => one.type === "string" && one.operators.includes("$contains")) ?? names.filters[0];
  if (filter) {
    return condition(filter.name, usual(filter), []);
  }
  const [related] = names.relatedFilters;
  if (related?.inside) {
    return relation(related.name, null, [fresh(related.inside)]);
  }
  return related ? condition(related.name, "$notNull", ["true"]) : condition("", "$eq", []);
}

/** The operator that people most likely mean. */
function usual(filter) {
  const wanted = filter.type === "string" && !filter.options ? ["$contains", "$eq"] : ["date", "datetime"].includes(filter.type) ? ["$gte", "$eq"] : ["$eq"];
  return wanted.find((one) => filter.operators.includes(one)) ?? filter.operators[0];
}

/** A value goes on to another field of the same type, where it can mean the same. */
const carried = (item, from, to) => (item.kind === "condition" && from?.type === to.type && !from.options && !to.options && !from.references && !to.references && item.values.length === 1 ? item.values : []);
