// The service's description of itself, with the questions that the page has about it.

import { CONTAINS } from "./filters.js";

/** Adds to each listing how to find its parts and its neighbours. */
export function described(json) {
  const byName = new Map(json.listings.map((listing) => [listing.name, listing]));
  for (const listing of json.listings) {
    listing.relations ??= [];
    listing.record ??= [];
    listing.relatedFilters ??= [];
    Object.assign(listing, opened(listing.filters ?? [], listing.relatedFilters));
    listing.sorts ??= [];
    listing.facets ??= [];
    listing.totals ??= [];
    listing.operations ??= {};
    listing.related = (name) => relatedOf(listing.relations.find((one) => one.name === name), byName);
  }
  const operators = new Map((json.operators ?? []).map((operator) => [operator.name, operator]));
  return {
    title: json.title,
    version: json.version,
    authentication: json.authentication ?? null,
    bounds: json.settings?.bounds ?? {},
    listings: json.listings.filter((listing) => listing.path),
    listing: (name) => byName.get(name) ?? null,
    /** The listing whose list is at that path. */
    atPath: (path) => json.listings.find((listing) => listing.path && listing.path === path.replace(/\/(query\/?)?$/, "")) ?? null,
    takes: (operator, filter) => (filter?.array && CONTAINS.has(operator) ? "list" : operators.get(operator)?.takes ?? "value"),
    operatorTitle: (operator, type) => wordsFor(operator, type) ?? operators.get(operator)?.title ?? operator,
    /** The filters that may stand inside a relation. */
    inside: (related) => insideOf(related, byName),
  };
}

/** What may be asked about the rows of a populated relation. */
function relatedOf(relation, byName) {
  if (!relation) {
    return null;
  }
  const listing = relation.listing && byName.get(relation.listing);
  return listing ?? { name: null, fields: relation.fields ?? [], relations: [], sorts: [], filters: [], label: labelAmong(relation.fields ?? []), related: () => null };
}

const labelAmong = (fields) => (fields.find((field) => field.type === "string") ?? fields[0])?.name ?? "id";

/** Filters inside a JSON column stand in its brackets, as those of a relation do: `filters[data][city]`. */
function opened(filters, relatedFilters) {
  const deep = filters.filter(({ path }) => path?.length > 1);
  const inside = (root) => deep.filter(({ path }) => path[0] === root).map((one) => ({ ...one, path: one.path.slice(1), name: one.path.slice(1).join(".") }));
  const roots = [...new Set(deep.map(({ path }) => path[0]))];
  const json = roots.map((name) => ({ name, kind: "toOne", quantifiers: [], operators: [], inside: opened(inside(name), []) }));
  return { filters: filters.filter((one) => !deep.includes(one)), relatedFilters: [...relatedFilters, ...json] };
}

function insideOf(related, byName) {
  if (related.inside) {
    return related.inside;
  }
  const listing = byName.get(related.listing) ?? { filters: [], relatedFilters: [] };
  // Related records can always be chosen by their id.
  const withId = (filters) => (related.id && !filters.some(({ name }) => name === related.id.name) ? [{ references: related.listing, ...related.id }, ...filters] : filters);
  if (!related.only) {
    return { filters: withId(listing.filters), relatedFilters: listing.relatedFilters };
  }
  const names = related.only.relatedFilters ?? [];
  return opened(withId(related.only.filters ?? []), listing.relatedFilters.filter((one) => names.includes(one.name)));
}

const DATES = { $lt: "is before", $lte: "is at or before", $gt: "is after", $gte: "is at or after", $eq: "is", $ne: "is not" };
const NUMBERS = { $eq: "=", $ne: "≠", $lt: "<", $lte: "≤", $gt: ">", $gte: "≥" };
const PLAIN = { $eq: "is", $ne: "is not" };

/** The words that people would use for some operators on some types. */
function wordsFor(operator, type) {
  if (["date", "datetime", "time"].includes(type)) {
    return DATES[operator];
  }
  if (["integer", "bigint", "number", "decimal"].includes(type)) {
    return NUMBERS[operator];
  }
  return PLAIN[operator];
}

/** A facet of `author_id` shows authors by their labels. */
export const facetTitle = (name) => wordsOf(name.replace(/_id$|Id$/, ""));

/** `created_at` and `createdAt` as `Created at`. */
export function wordsOf(name) {
  const words = name.replaceAll(".", " › ").replaceAll("_", " ").replace(/([a-z\d])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`).trim();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\b(id|url|seo)\b/gi, (word) => word.toUpperCase());
}
