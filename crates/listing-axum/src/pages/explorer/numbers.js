// The numbers that a view asks for: facets, totals and the keys of groups, read from a query string and written as one.

import { isIndex, membersIn, namesOf, oneOf, unreadable } from "./text.js";

const OPTIONS = ["limit", "sort", "search", "unit", "offset"];

/** `[{ name, options }]`, where `*` is every facet of the list; `null` where none is asked for. */
export function readFacets(tree) {
  const isObject = [...tree.children.keys()].some((name) => !isIndex(name));
  const facets = isObject ? [...membersIn(tree)].map(([name, child]) => readFacet(name, child)) : namesOf(tree).map((name) => ({ name, options: {} }));
  return facets.length > 0 ? facets : null;
}

function readFacet(name, tree) {
  if (isIndex(name) || name.includes(",")) {
    unreadable();
  }
  if (tree.children.size === 0) {
    return oneOf(tree) === "true" ? { name, options: {} } : unreadable();
  }
  const options = [...membersIn(tree)].map(([option, child]) => [option, OPTIONS.includes(option) ? oneOf(child) : unreadable()]);
  return { name, options: Object.fromEntries(options) };
}

export function writeFacets(facets) {
  if (!facets) {
    return [];
  }
  const hasOptions = ({ options }) => Object.keys(options).length > 0;
  if (!facets.some(hasOptions)) {
    return [{ name: "facets", value: facets.map(({ name }) => name).join(",") }];
  }
  return facets.flatMap(({ name, options }) => (hasOptions({ options })
    ? Object.entries(options).map(([option, value]) => ({ name: `facets[${name}][${option}]`, value }))
    : [{ name: `facets[${name}]`, value: "true" }]));
}

/** A map from fields to functions; `null` where none is asked for. */
export function readTotals(tree) {
  const fields = [...membersIn(tree)].map(([name, child]) => [isIndex(name) ? unreadable() : name, [...new Set(namesOf(child))]]);
  const totals = new Map(fields.filter(([, functions]) => functions.length > 0));
  return totals.size > 0 ? totals : null;
}

export const writeTotals = (totals) => [...(totals ?? [])].map(([name, functions]) => ({ name: `totals[${name}]`, value: functions.join(",") }));

/** `[{ name, unit }]` */
export const readBy = (tree) => namesOf(tree).map((entry) => {
  const [name, unit = null, more] = entry.split(":");
  return more === undefined ? { name, unit } : unreadable();
});

export const writeBy = (by) => (by.length > 0 ? [{ name: "by", value: by.map(({ name, unit }) => (unit ? `${name}:${unit}` : name)).join(",") }] : []);
