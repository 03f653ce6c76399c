// What is chosen by facets: conditions on a facet's own key at the top level of the filters, which are read and replaced here.

import { condition, relation } from "./filters.js";
import { stepsOf } from "./text.js";

const VALUES = ["$eq", "$in", "$null"];
const ENDS = ["$eq", "$between", "$gte", "$gt", "$lte", "$lt"];

/** The conditions of a facet, among `operators`. */
const conditionsOf = (view, name, operators) => view.filters.items.filter((item) => item.kind === "condition" && item.key === name && operators.includes(item.operator));

/** How a facet's parameter says it: `filters[tags][id][$in]` is through a relation. */
function placeOf(facet) {
  const steps = stepsOf(facet.choose ?? "").slice(1);
  return { inner: steps.length > 2 ? steps[1] : null, operator: steps.at(-1) };
}

/** The filter of a related key by which records are chosen, if the view has it. */
function relationsOf(view, facet, inner) {
  return view.filters.items.filter((item) => item.kind === "relation" && item.key === facet.name && item.quantifier === null
    && item.items.every((one) => one.kind === "condition" && one.key === inner && ["$eq", "$in"].includes(one.operator)));
}

function itemsOf(view, facet) {
  const { inner } = placeOf(facet);
  return inner === null ? conditionsOf(view, facet.name, VALUES) : relationsOf(view, facet, inner);
}

/** The values that the view chooses; `null` where it says nothing, so that a default may hold. */
export function chosenIn(view, facet) {
  const items = itemsOf(view, facet);
  const conditions = items.flatMap((item) => (item.kind === "relation" ? item.items : [item]));
  return items.length === 0 ? null : conditions.filter(({ operator }) => operator !== "$null").flatMap(({ values }) => values);
}

export const isMissingChosen = (view, facet) => conditionsOf(view, facet.name, ["$null"]).some(({ values }) => values[0] === "true");

/** Whether several values can be chosen. */
export const isForSeveral = (facet) => placeOf(facet).operator === "$in";

/** Replaces what is chosen. */
export function choose(view, facet, values) {
  const { inner, operator } = placeOf(facet);
  const one = condition(inner ?? facet.name, operator, values);
  replace(view, itemsOf(view, facet), values.length === 0 ? [] : [inner === null ? one : relation(facet.name, null, [one])]);
}

export function chooseMissing(view, facet, isWanted) {
  replace(view, itemsOf(view, facet), isWanted ? [condition(facet.name, "$null", ["true"])] : []);
}

/** The smallest and the largest value that the view lets through; none where it does not say. `to` may be the first that it does not. */
export function endsIn(view, name) {
  const at = (operators) => conditionsOf(view, name, operators)[0];
  const between = at(["$between", "$eq"])?.values;
  return { from: between?.[0] ?? at(["$gte", "$gt"])?.values[0] ?? null, to: between?.at(-1) ?? at(["$lte", "$lt"])?.values[0] ?? null };
}

/** Replaces the ends, as `{ $gte, $lte, $lt }`; `operators` are those that the filter allows. */
export function chooseEnds(view, name, ends) {
  replace(view, conditionsOf(view, name, ENDS), Object.entries(ends).filter(([, value]) => value !== null).map(([operator, value]) => condition(name, operator, [value].flat())));
}

/** In the place of the first, so that the order of the filters stays. */
function replace(view, old, items) {
  const all = view.filters.items;
  const at = old.length > 0 ? all.indexOf(old[0]) : all.length;
  all.splice(at, 0, ...items);
  view.filters.items = all.filter((item) => !old.includes(item));
}
