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

/** What a query string asks a listing for. Names that the listing does not have are kept: the service says what it thinks of them. */
export function readView(query, listing) {
  const view = plainView();
  const pairs = pairsOf(query);
  const tree = treeOf(pairs);
  const at = (name) => tree.children.get(name);
  view.search = at("search")?.values[0] ?? at("_q")?.values[0] ?? "";
  if (at("fields")) {
    view.fields = orNull(namesOf(at("fields")).flatMap((name) => (name === "*" ? listing.fields.map((one) => one.name) : [name])));
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
    return { name, direction };
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

/** The relations that are wanted; none where all are refused, and `null` where nothing is said: the defaults are for that alone. */
function readPopulate(tree, listing) {
  const wanted = new Map();
  const want = (name) => wanted.get(name) ?? wanted.set(name, populated(name)).get(name);
  const paths = namesOf(tree);
  const named = [...tree.children].filter(([name]) => !/^\d*$/.test(name));
  const refused = named.filter(([, child]) => isFalse(child)).map(([name]) => name);
  const every = refused.includes("*") ? [] : listing?.relations ?? [];
  const all = () => every.forEach((one) => want(one.name));
  paths.forEach((path) => (path === "*" ? all() : readPath(path, want)));
  for (const [name, child] of named.filter(([name]) => !refused.includes(name))) {
    if (name === "*" && child.children.size === 0) {
      all();
    } else {
      Object.assign(readPath(name, want), readOptions(child, relatedBy(name, listing)));
    }
  }
  refused.forEach((path) => leaveOut(path, wanted));
  return paths.length + named.length > 0 ? [...wanted.values()] : null;
}

/** The list at the end of a path. */
const relatedBy = (path, listing) => path.split(".").reduce((at, name) => at?.related?.(name), listing);

/** `author.articles` is not among the relations of the `author` that is wanted. */
function leaveOut(path, wanted) {
  const [first, ...inner] = path.split(".");
  const last = inner.pop();
  if (last === undefined) {
    wanted.delete(first);
    return;
  }
  const place = inner.reduce((at, name) => at?.populate?.find((one) => one.name === name), wanted.get(first));
  if (place?.populate) {
    place.populate = place.populate.filter((one) => one.name !== last);
  }
}

/** `author.articles` is `articles` of the `author` that is wanted. */
function readPath(path, want) {
  const [first, ...inner] = path.split(".");
  let place = want(first);
  for (const name of inner) {
    place.populate ??= [];
    const known = place.populate.find((one) => one.name === name) ?? populated(name);
    if (!place.populate.includes(known)) {
      place.populate.push(known);
    }
    place = known;
  }
  return place;
}

function readOptions(tree, listing) {
  const at = (name) => tree.children.get(name);
  const options = {};
  if (tree.values[0] === "*") {
    options.populate = (listing?.relations ?? []).map((one) => populated(one.name));
  }
  if (at("fields")) {
    options.fields = orNull(namesOf(at("fields")).flatMap((name) => (name === "*" && listing ? listing.fields.map((one) => one.name) : [name])));
  }
  if (at("sort")) {
    options.sort = readSort(at("sort"));
  }
  if (at("filters")) {
    options.filters = group("all", readFilters(at("filters")));
  }
  if (at("populate")) {
    options.populate = readPopulate(at("populate"), listing);
  }
  options.limit = at("pagination")?.children.get("limit")?.values[0] ?? null;
  options.count = /^(true|1|t|yes|on)$/i.test(at("count")?.values[0] ?? "");
  return options;
}

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
