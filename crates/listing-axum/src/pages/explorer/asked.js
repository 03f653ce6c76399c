// A view as an object with typed values, for the body of a request and for code.

import { writeFilters } from "./filters.js";
import { jsonOf, treeOf } from "./text.js";

export function asked(view, listing, description) {
  const object = {
    search: view.search || undefined,
    fields: view.fields ? fieldsOf(view.fields, listing) : undefined,
    populate: view.populate ? populateOf(view.populate, listing, description) : undefined,
    filters: filtersOf(view.filters.items, listing, description),
    sort: sortOf(view.sort),
    pagination: paginationOf(view.paging),
    trashed: view.trashed || undefined,
    facets: facetsBody(view.facets),
    totals: totalsBody(view.totals),
  };
  return { ...jsonOf(treeOf(view.rest)), ...given(object) };
}

/** Without what is not said. */
const given = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

function fieldsOf(names, listing) {
  const all = listing.fields.length > 1 && listing.fields.every((one) => names.includes(one.name));
  const chosen = names.filter((name) => name !== "id" || listing.keyless);
  return all ? "*" : chosen.length > 0 ? chosen : [listing.fields[0]?.name ?? "id"];
}

const sortOf = (sort) => sort?.map(({ name, direction }) => (direction === "asc" ? name : `${name}:${direction}`)) ?? undefined;

function populateOf(wanted, listing, description) {
  if (wanted.length > 0 && wanted.every((want) => optionsOf(want, listing, description) === true)) {
    return wanted.map((want) => want.name);
  }
  const off = listing.relations.filter((one) => one.default && !wanted.some((want) => want.name === one.name));
  return Object.fromEntries([...wanted.map((want) => [want.name, optionsOf(want, listing, description)]), ...off.map((one) => [one.name, false])]);
}

function optionsOf(want, listing, description) {
  const related = listing.related(want.name) ?? { fields: [], relations: [], filters: [], relatedFilters: [], related: () => null };
  const options = given({
    fields: want.fields ?? undefined,
    sort: sortOf(want.sort),
    filters: filtersOf(want.filters.items, related, description),
    populate: want.populate?.length ? populateOf(want.populate, related, description) : undefined,
    pagination: want.limit === null ? undefined : { limit: number(want.limit) },
    count: want.count || undefined,
  });
  return Object.keys(options).length > 0 ? options : true;
}

function filtersOf(items, listing, description) {
  const pairs = writeFilters(items, "f");
  return pairs.length > 0 ? typed(jsonOf(treeOf(pairs)).f, { filters: listing.filters, relatedFilters: listing.relatedFilters ?? [] }, description) : undefined;
}

/** The text of a request with numbers and booleans in place of their texts. */
function typed(object, names, description) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => {
    if (Array.isArray(value)) {
      return [key, value.map((one) => typed(one, names, description))];
    }
    if (key === "$not") {
      return [key, typed(value, names, description)];
    }
    const filter = names.filters.find((one) => one.name === key);
    const related = names.relatedFilters.find((one) => one.name === key);
    return [key, filter || !related ? compared(value, filter, description) : through(value, description.inside(related), description)];
  }));
}

function through(object, names, description) {
  return Object.fromEntries(Object.entries(object).flatMap(([key, value]) => {
    if (key === "$null" || key === "$notNull") {
      return [[key, value === "true"]];
    }
    return ["$some", "$none", "$every"].includes(key) ? [[key, typed(value, names, description)]] : Object.entries(typed({ [key]: value }, names, description));
  }));
}

function compared(operators, filter, description) {
  return Object.fromEntries(Object.entries(operators).map(([operator, value]) => {
    const takes = description.takes(operator, filter);
    if (takes === "boolean") {
      return [operator, value === "true"];
    }
    const one = takes === "text" ? (text) => text : (text) => typedValue(text, filter?.type);
    return [operator, Array.isArray(value) ? value.map(one) : one(value)];
  }));
}

function typedValue(text, type) {
  if (type === "boolean" && ["true", "false"].includes(text)) {
    return text === "true";
  }
  return type === "integer" || type === "number" ? number(text) : text;
}

/** What a number cannot hold stays text. */
const number = (text) => (String(text).trim() !== "" && Number.isFinite(Number(text)) && (Number.isSafeInteger(Number(text)) || /[.]/.test(text)) ? Number(text) : text);

function paginationOf({ mode, page, start, cursor, size, withCount }) {
  const limit = size === null ? undefined : number(size);
  const told = given({
    cursor: mode === "cursor" ? cursor : undefined,
    start: mode === "offset" ? number(start) : undefined,
    limit: mode === "offset" ? limit : undefined,
    page: mode === "page" && String(page) !== "1" ? number(page) : undefined,
    pageSize: mode === "offset" ? undefined : limit,
    withCount: withCount === null ? undefined : withCount === "true",
  });
  return Object.keys(told).length > 0 ? told : undefined;
}

function facetsBody(facets) {
  if (!facets) {
    return undefined;
  }
  const typed = (options) => ({ ...options, ...(options.limit === undefined ? {} : { limit: Number(options.limit) }) });
  return facets.some(({ options }) => Object.keys(options).length > 0)
    ? Object.fromEntries(facets.map(({ name, options }) => [name, Object.keys(options).length > 0 ? typed(options) : true]))
    : facets.map(({ name }) => name);
}

const totalsBody = (totals) => (totals ? Object.fromEntries(totals) : undefined);
