// A view of a list as plain data: read from a query string, and written as one.

import { group, isComplete, readFilters, writeFilters } from "./filters.js";
import { readBy, readFacets, readTotals, writeBy, writeFacets, writeTotals } from "./numbers.js";
import { entriesOf, isIndex, membersIn, namesOf, oneOf, pairsIn, pairsOf, textOf, treeOf, unreadable, Unreadable } from "./text.js";

/**
 * A view without any request: the list as it defines itself. `asked` has the pairs it was read from, which are sent until it is changed,
 * and `rest` those that no other member has. `by` has the keys of groups; null if it shows rows.
 */
export function plainView() {
  return {
    search: "",
    fields: null,
    populate: null,
    filters: group("all"),
    sort: null,
    trashed: "",
    facets: null,
    totals: null,
    by: null,
    paging: { mode: "page", page: 1, start: 0, cursor: "", size: null, withCount: null },
    asked: null,
    rest: [],
  };
}

/** How each parameter is read into a view. */
const READERS = new Map([
  ["search", (tree, view) => { view.search = searched(tree, view); }],
  ["_q", (tree, view) => { view.search = searched(tree, view); }],
  ["fields", (tree, view, listing) => { view.fields = orNull(withAll(namesOf(tree), listing)); }],
  ["populate", (tree, view, listing) => { view.populate = readPopulate(tree, listing); }],
  ["filters", (tree, view) => { view.filters = group("all", readFilters(tree)); }],
  ["sort", (tree, view) => { view.sort = readSort(tree); }],
  ["trashed", (tree, view) => { view.trashed = oneOf(tree); }],
  ["pagination", (tree, view) => readPaging(tree, view.paging)],
  ["facets", (tree, view) => { view.facets = readFacets(tree); }],
  ["totals", (tree, view) => { view.totals = readTotals(tree); }],
]);

/** Those of groups, which have neither fields nor relations nor facets. */
const OF_GROUPS = new Map([
  ...[...READERS].filter(([name]) => !["fields", "populate", "facets"].includes(name)),
  ["by", (tree, view) => { view.by = readBy(tree); }],
]);

/** Whether a parameter is one that a list has, whatever is in its brackets. */
const isOurs = ({ name }) => READERS.has(name.split("[")[0]);

/**
 * What a query string asks a listing for. What cannot be read is kept as it is, a parameter as a whole: the service says what it thinks
 * of it.
 */
export function readView(query, listing, { grouped = false } = {}) {
  const view = { ...plainView(), by: grouped ? [] : null };
  view.asked = pairsOf(query);
  const tree = treeOf(view.asked.filter((pair) => !pair.broken));
  const read = new Set();
  for (const [name, reader] of grouped ? OF_GROUPS : READERS) {
    const mine = tree.children.get(name);
    if (mine && isRead(() => reader(mine, view, listing))) {
      pairsIn(mine).filter((pair) => !isOtherPaging(pair)).forEach((pair) => read.add(pair));
    }
  }
  view.rest = view.asked.filter((pair) => !read.has(pair));
  // Nothing shows them, so that nothing is the place for what is said about them.
  view.rest.forEach((pair) => Object.assign(pair, { item: null, isRest: true }));
  return view;
}

function isRead(read) {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof Unreadable) {
      return false;
    }
    throw error;
  }
}

/** Whether controls show the whole request, but for plain parameters that a list does not have. */
export const isWhole = ({ rest }) => !rest.some((pair) => pair.broken || isOurs(pair) || /[[\]]/.test(pair.name));

const orNull = (list) => (list.length > 0 ? list : null);

/** `search` and `_q` are the same, and only one of them can be said. */
function searched(tree, { search }) {
  const text = oneOf(tree);
  return search !== "" && text !== "" ? unreadable() : search + text;
}

function readSort(tree) {
  const steps = [...tree.children];
  const isObject = steps.some(([step, child]) => !isIndex(step) || child.children.size > 0);
  return orNull(isObject ? sortedByObjects(tree, steps) : namesOf(tree).map(sortedByText));
}

function sortedByObjects(tree, steps) {
  if (steps.every(([step]) => !isIndex(step))) {
    return sortedByNames(tree, []);
  }
  return entriesOf(tree).flatMap((entry) => (entry.children.size > 0 ? sortedByNames(entry, []) : namesOf({ ...entry, values: [oneOf(entry)] }).map(sortedByText)));
}

const sortedByNames = (tree, around) =>
  [...membersIn(tree)].flatMap(([step, child]) => (child.children.size > 0 ? sortedByNames(child, [...around, step]) : [sorted([...around, step].join("."), oneOf(child))]));

function sortedByText(text) {
  const at = text.lastIndexOf(":");
  if (/^-[^:]+$/.test(text)) {
    return sorted(text.slice(1).trim(), "desc");
  }
  return at < 0 ? sorted(text, "asc") : sorted(text.slice(0, at).trim(), text.slice(at + 1).trim());
}

/** A name that cannot be written before a direction, or between commas, is left as it is. */
function sorted(name, direction) {
  const word = direction.toLowerCase();
  const isPlain = name !== "" && name === name.trim() && !/[,:]/.test(name);
  return isPlain && ["asc", "desc"].includes(word) ? { name, direction: word } : unreadable();
}

const PAGING = ["page", "pageSize", "start", "limit", "cursor", "withCount"];

/** What a service may know about pages that this page does not. */
const isOtherPaging = ({ name }) => name.startsWith("pagination[") && !PAGING.some((key) => name === `pagination[${key}]`);

function readPaging(tree, paging) {
  const told = new Map([...membersIn(tree)].filter(([name]) => PAGING.includes(name)).map(([name, child]) => [name, oneOf(child)]));
  const has = (...names) => names.some((name) => told.has(name));
  if ((has("cursor") && has("page", "start", "limit")) || (has("page", "pageSize") && has("start", "limit"))) {
    unreadable();
  }
  if (has("cursor")) {
    Object.assign(paging, { mode: "cursor", cursor: told.get("cursor") });
  } else if (has("start", "limit")) {
    Object.assign(paging, { mode: "offset", start: told.get("start") ?? 0 });
  } else {
    paging.page = told.get("page") ?? 1;
  }
  paging.size = told.get("pageSize") ?? told.get("limit") ?? null;
  paging.withCount = told.get("withCount") ?? null;
}

/** A populated relation and what is asked of its rows. */
export const populated = (name) => ({ name, fields: null, sort: null, limit: null, count: false, filters: group("all"), populate: null });

/** A word for yes or no. */
function booleanOf(text) {
  const isTrue = /^(true|1|t|yes|on)$/i.test(text);
  return isTrue || /^(false|0|f|no|off)$/i.test(text) ? isTrue : unreadable();
}

const isFalse = (tree) => tree.children.size === 0 && tree.values.length === 1 && tree.values[0] !== "*" && !booleanOf(tree.values[0]);

/** The relations that are wanted; `null` where nothing is said. */
function readPopulate(tree, listing) {
  const asked = askedIn(tree);
  return asked && chosen(asked, listing);
}

/** What is asked for, as the service understands it. */
const nothing = () => ({ relations: [], all: false, leftOut: [] });

function askedIn(tree) {
  const isObject = [...tree.children.keys()].some((name) => !isIndex(name));
  const named = isObject ? [...membersIn(tree)] : [];
  const paths = isObject ? [] : namesOf(tree);
  // A list and an object at once, or a name that cannot be written between commas.
  if (named.some(([name]) => isIndex(name) || name.includes(",") || name !== name.trim())) {
    unreadable();
  }
  if (paths.length + named.length === 0) {
    return null;
  }
  const asked = nothing();
  paths.forEach((path) => insert(asked, path, {}));
  named.filter(([, child]) => !isFalse(child)).forEach(([path, child]) => insert(asked, path, readOptions(child)));
  // Last, in whichever order they are sent.
  named.filter(([, child]) => isFalse(child)).forEach(([path]) => leaveOut(asked, path));
  return asked;
}

const OPTIONS = ["fields", "sort", "pagination", "count", "filters", "populate"];

/** Only what is said. */
function readOptions(tree) {
  if (tree.children.size === 0) {
    return oneOf(tree) === "*" ? { populate: { ...nothing(), all: true } } : {};
  }
  const said = membersIn(tree);
  const at = (name, read) => (said.has(name) ? read(said.get(name)) : null);
  const options = {
    fields: at("fields", (fields) => orNull(namesOf(fields))),
    sort: at("sort", readSort),
    limit: at("pagination", readLimit),
    count: at("count", (count) => booleanOf(oneOf(count)) || null),
    filters: at("filters", (filters) => group("all", readFilters(filters))),
    populate: at("populate", askedIn),
  };
  const isKnown = [...said.keys()].every((name) => OPTIONS.includes(name));
  return isKnown ? Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) : unreadable();
}

/** `pagination[limit]`, which is all that related records have of pages. */
function readLimit(tree) {
  const told = membersIn(tree);
  const limit = told.has("limit") ? oneOf(told.get("limit")) : null;
  return told.size > Number(limit !== null) ? unreadable() : limit;
}

/** `author.articles` is `articles` of the `author`. */
function insert(asked, path, options) {
  const [name, ...inner] = path.split(".");
  if (inner.length > 0) {
    insert((find(asked, name).populate ??= nothing()), inner.join("."), options);
  } else if (name === "*" && Object.keys(options).length === 0) {
    asked.all = true;
  } else {
    merge(find(asked, name), options);
  }
}

function find(asked, name) {
  const known = asked.relations.find((one) => one.name === name) ?? { name };
  if (!asked.relations.includes(known)) {
    asked.relations.push(known);
  }
  return known;
}

/** A relation can be named twice; none of its options can, but for `count`. */
function merge(into, { populate, ...options }) {
  if (Object.keys(options).some((name) => !["name", "count"].includes(name) && Object.hasOwn(into, name))) {
    unreadable();
  }
  Object.assign(into, options);
  if (populate) {
    into.populate ??= nothing();
    into.populate.all ||= populate.all;
    into.populate.leftOut.push(...populate.leftOut);
    populate.relations.forEach((one) => merge(find(into.populate, one.name), one));
  }
}

/** `*` is what is not named (b549). */
function leaveOut(asked, path) {
  const [name, ...inner] = path.split(".");
  const known = asked.relations.find((one) => one.name === name);
  if (inner.length === 0 && name === "*") {
    asked.all = false;
  } else if (inner.length === 0) {
    asked.leftOut.push(name);
  } else if (known) {
    leaveOut((known.populate ??= nothing()), inner.join("."));
  }
}

/** The relations that this comes to. */
function chosen({ relations, all, leftOut }, listing) {
  const every = all ? listing?.relations ?? [{ name: "*" }] : [];
  const others = every.filter(({ name }) => !relations.some((one) => one.name === name));
  return [...relations, ...others.map(({ name }) => ({ name }))]
    .filter(({ name }) => !leftOut.includes(name))
    .map((one) => ({ ...populated(one.name), ...one, ...chosenOf(one, listing?.related?.(one.name)) }));
}

const chosenOf = ({ fields, populate }, related) => ({
  fields: fields ? withAll(fields, related) : null,
  populate: populate ? orNull(chosen(populate, related)) : null,
});

/** Names of fields, where `*` is all of them. */
const withAll = (names, listing) => names.flatMap((name) => (name === "*" && listing ? listing.fields.map((one) => one.name) : [name]));

/** The pairs of a view, each with the condition that it comes from, if it does. */
export function writeView(view, listing) {
  const pairs = [];
  const add = (name, value) => pairs.push({ name, value });
  if (view.search !== "") {
    add("search", view.search);
  }
  if (view.by) {
    pairs.push(...writeBy(view.by));
  }
  if (view.fields) {
    add("fields", everything(view.fields, listing.fields) ? "*" : view.fields.filter((name) => name !== "id" || listing.keyless || view.fields.length === 1).join(","));
  }
  if (view.populate) {
    pairs.push(...writePopulate(view.populate, listing));
  }
  pairs.push(...writeFilters(view.filters.items, "filters"));
  if (view.sort) {
    add("sort", writeSort(view.sort));
  }
  if (view.trashed) {
    add("trashed", view.trashed);
  }
  pairs.push(...writeFacets(view.facets), ...writeTotals(view.totals));
  pairs.push(...writePaging(view.paging));
  return [...pairs, ...view.rest];
}

/** What is sent for a view: what was asked, until something is changed. */
export const sentFor = (view, listing) => view.asked ?? writeView(view, listing);

const everything = (names, known) => known.length > 1 && known.every((one) => names.includes(one.name)) && names.every((name) => known.some((one) => one.name === name));

const writeSort = (sort) => sort.map(({ name, direction }) => (direction === "asc" ? name : `${name}:${direction}`)).join(",");

function writePaging({ mode, page, start, cursor, size, withCount }) {
  const pairs = [];
  const add = (name, value) => pairs.push({ name: `pagination[${name}]`, value: String(value) });
  if (mode === "cursor") {
    add("cursor", cursor);
  } else if (mode === "offset") {
    add("start", start);
  } else if (String(page) !== "1") {
    add("page", page);
  }
  if (size !== null) {
    add(mode === "offset" ? "limit" : "pageSize", size);
  }
  if (withCount !== null) {
    add("withCount", withCount);
  }
  return pairs;
}

function writePopulate(wanted, listing) {
  const off = listing.relations.filter((one) => one.default && !wanted.some((want) => want.name === one.name));
  if (wanted.length === 0) {
    return off.map((one) => ({ name: `populate[${one.name}]`, value: "false" }));
  }
  return writeRelations(wanted, "populate");
}

function writeRelations(wanted, prefix) {
  if (wanted.every(isPlain)) {
    return [{ name: prefix, value: wanted.flatMap((want) => pathsOf(want)).join(",") }];
  }
  return wanted.flatMap((want) => {
    const name = `${prefix}[${want.name}]`;
    const pairs = [];
    if (want.fields) {
      pairs.push({ name: `${name}[fields]`, value: want.fields.join(",") });
    }
    if (want.sort) {
      pairs.push({ name: `${name}[sort]`, value: writeSort(want.sort) });
    }
    if (want.limit !== null) {
      pairs.push({ name: `${name}[pagination][limit]`, value: String(want.limit) });
    }
    if (want.count) {
      pairs.push({ name: `${name}[count]`, value: "true" });
    }
    pairs.push(...writeFilters(want.filters.items, `${name}[filters]`));
    if (want.populate?.length) {
      pairs.push(...writeRelations(want.populate, `${name}[populate]`));
    }
    return pairs.length > 0 ? pairs : [{ name, value: "true" }];
  });
}

const isPlain = (want) => !want.fields && !want.sort && want.limit === null && !want.count && !want.filters.items.some(isComplete) && (want.populate ?? []).every(isPlain);

const pathsOf = (want) => (want.populate?.length ? want.populate.flatMap((inner) => pathsOf(inner).map((path) => `${want.name}.${path}`)) : [want.name]);

/** The query string of a view. */
export const queryOf = (view, listing) => textOf(sentFor(view, listing));
