// A view of a list as plain data: read from a query string, and written as one.

import { group, isComplete, readFilters, writeFilters } from "./filters.js";
import { namesOf, pairsOf, textOf, treeOf } from "./text.js";

/** A view in which nothing is asked for: the list as it defines itself. */
export function plainView() {
  return {
    search: "",
    fields: null,
    populate: null,
    filters: group("all"),
    sort: null,
    trashed: "",
    paging: { mode: "page", page: 1, start: 0, cursor: "", size: null, withCount: null },
    rest: [],
  };
}

const OURS = new Set(["search", "_q", "fields", "populate", "filters", "sort", "trashed", "pagination"]);

/** What a query string asks a listing for. Unknown names are kept: the service says what it thinks of them. */
export function readView(query, listing) {
  const view = plainView();
  const pairs = pairsOf(query);
  const tree = treeOf(pairs);
  const at = (name) => tree.children.get(name);
  view.search = at("search")?.values[0] ?? at("_q")?.values[0] ?? "";
  if (at("fields")) {
    view.fields = orNull(withAll(namesOf(at("fields")), listing));
  }
  if (at("populate")) {
    view.populate = readPopulate(at("populate"), listing);
  }
  if (at("filters")) {
    view.filters = group("all", readFilters(at("filters")));
  }
  if (at("sort")) {
    view.sort = readSort(at("sort"));
  }
  view.trashed = at("trashed")?.values[0] ?? "";
  readPaging(at("pagination"), view.paging);
  view.rest = pairs.filter(([name]) => !OURS.has(name.split("[")[0]) || /^pagination\[(?!page\]|pageSize\]|start\]|limit\]|cursor\]|withCount\])/.test(name));
  return view;
}

const orNull = (list) => (list.length > 0 ? list : null);

function readSort(tree) {
  const named = namesOf(tree).map((text) => {
    const [name, direction = "asc"] = text.split(":");
    return /^-[^:]+$/.test(text) ? { name: text.slice(1).trim(), direction: "desc" } : { name, direction };
  });
  const objects = (node, path) =>
    [...node.children].flatMap(([step, child]) => {
      const inner = /^\d*$/.test(step) ? path : [...path, step];
      const own = inner.length > 0 && !/^\d*$/.test(step) ? child.values.map((value) => ({ name: inner.join("."), direction: value || "asc" })) : [];
      return [...own, ...objects(child, inner)];
    });
  return orNull([...named, ...objects(tree, [])]);
}

function readPaging(tree, paging) {
  const at = (name) => tree?.children.get(name)?.values[0];
  if (at("cursor") !== undefined) {
    Object.assign(paging, { mode: "cursor", cursor: at("cursor") });
  } else if (at("start") !== undefined || at("limit") !== undefined) {
    Object.assign(paging, { mode: "offset", start: at("start") ?? 0 });
  } else {
    paging.page = at("page") ?? 1;
  }
  paging.size = at("pageSize") ?? at("limit") ?? null;
  paging.withCount = at("withCount") ?? null;
}

/** A populated relation and what is asked of its rows. */
export const populated = (name) => ({ name, fields: null, sort: null, limit: null, count: false, filters: group("all"), populate: null });

const isFalse = ({ values }) => /^(false|0|f|no|off)$/i.test(values[0] ?? "");

/** The relations that are wanted; `null` where nothing is said. */
function readPopulate(tree, listing) {
  const asked = askedIn(tree);
  return asked && chosen(asked, listing);
}

/** What is asked for, as the service understands it. */
const nothing = () => ({ relations: [], all: false, leftOut: [] });

function askedIn(tree) {
  const paths = namesOf(tree);
  const named = [...tree.children].filter(([name]) => !/^\d*$/.test(name));
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

/** Only what is said. */
function readOptions(tree) {
  const at = (name, read) => (tree.children.has(name) ? read(tree.children.get(name)) : null);
  const options = {
    fields: at("fields", (fields) => orNull(namesOf(fields))),
    sort: at("sort", readSort),
    limit: at("pagination", (pagination) => pagination.children.get("limit")?.values[0] ?? null),
    count: at("count", ({ values }) => /^(true|1|t|yes|on)$/i.test(values[0] ?? "") || null),
    filters: at("filters", (filters) => group("all", readFilters(filters))),
    populate: tree.values[0] === "*" ? { ...nothing(), all: true } : at("populate", askedIn),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
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

/** A relation can be named twice. */
function merge(into, { populate, ...options }) {
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
  if (view.fields) {
    add("fields", everything(view.fields, listing.fields) ? "*" : view.fields.filter((name) => name !== "id" || view.fields.length === 1).join(","));
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
  pairs.push(...writePaging(view.paging));
  view.rest.forEach(([name, value]) => add(name, value));
  return pairs;
}

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
export const queryOf = (view, listing) => textOf(writeView(view, listing).map(({ name, value }) => [name, value]));
