// Filters as a tree of conditions, groups and relations: read from a query string, and written as one.

import { entriesOf, isIndex, membersIn, node, oneOf, pairsIn, unreadable, valuesOf } from "./text.js";

/** Operators that take several values. */
export const LISTS = new Set(["$in", "$notIn", "$between"]);
/** Operators that take several values where they ask an array. */
export const CONTAINS = new Set(["$contains", "$notContains"]);
/** Operators about whether there is a value. */
export const NULLS = new Set(["$null", "$notNull"]);
/** How many related rows must match. */
export const QUANTIFIERS = ["$some", "$none", "$every"];

/** Names can be anything, `constructor` too, so that they are never looked up in an object. */
const GROUPS = new Map([["$and", "all"], ["$or", "any"], ["$not", "none"]]);

export const condition = (key, operator, values = []) => ({ kind: "condition", key, operator, values });
export const group = (join, items = []) => ({ kind: "group", join, items });
export const relation = (key, quantifier = null, items = []) => ({ kind: "relation", key, quantifier, items });

/** The conditions of one filter object, all of which must hold. */
export function readFilters(tree) {
  return [...membersIn(tree)].flatMap(([key, child]) => (GROUPS.has(key) ? [readGroup(key, child, readFilters)] : readKey(key, child)));
}

function readGroup(name, tree, inner) {
  if (name === "$not") {
    const items = some(inner(tree));
    const [only] = items;
    return items.length === 1 && only.kind === "group" && only.join === "any" ? group("none", only.items) : group("none", [joined(items)]);
  }
  // Without a number nobody can tell which brackets belong to one object.
  return group(GROUPS.get(name), some(tree.children.has("") ? [] : entriesOf(tree)).map((entry) => joined(some(inner(entry)))));
}

/** What one object says, as one item. */
const joined = (items) => (items.length === 1 ? items[0] : group("all", items));

/** An object that says nothing is refused. */
const some = (items) => (items.length > 0 ? items : unreadable());

function readKey(key, tree) {
  if (key === "") {
    unreadable();
  }
  return tree.children.size === 0 ? [read(key, "$eq", tree)] : readUnder(key, tree);
}

/** A condition, which its pairs remember. */
function read(key, operator, tree) {
  const isList = LISTS.has(operator) || (CONTAINS.has(operator) && tree.children.size > 0);
  const item = condition(key, operator, isList ? valuesOf(tree) : [oneOf(tree)]);
  pairsIn(tree).forEach((pair) => { pair.item = item; });
  return isComplete(item) ? item : unreadable();
}

/** Operators after a name, or filters on related rows (b205). */
function readUnder(key, tree) {
  const items = [];
  const related = node();
  for (const [step, child] of membersIn(tree)) {
    if (isIndex(step)) {
      unreadable();
    } else if (QUANTIFIERS.includes(step)) {
      items.push(relation(key, step, some(readFilters(child))));
    } else if (GROUPS.has(step) ? isOfRelated(child) : !step.startsWith("$")) {
      related.children.set(step, child);
    } else if (GROUPS.has(step)) {
      items.push(readGroup(step, child, (inner) => readUnder(key, inner)));
    } else {
      items.push(read(key, step, child));
    }
  }
  if (related.children.size > 0) {
    items.push(relation(key, null, readFilters(related)));
  }
  return items;
}

/** Whether there are names in a group, none of them an operator. */
function isOfRelated(tree) {
  const names = namesIn(tree);
  return names.length > 0 && !names.some((name) => name.startsWith("$"));
}

/** The names in a group, and in the groups in it. */
function namesIn(tree) {
  return [...tree.children].flatMap(([step, child]) => (GROUPS.has(step) || isIndex(step) ? namesIn(child) : [step]));
}

/** Whether an item says enough to be sent. */
export function isComplete(item) {
  if (item.kind !== "condition") {
    return item.items.some(isComplete);
  }
  if (item.operator === "$between") {
    return item.values.length === 2 && item.values.every((value) => value !== "" && value != null);
  }
  return item.values.length > 0;
}

/** Pairs of name and value, each with the condition that it belongs to. */
export function writeFilters(items, prefix) {
  const used = new Set();
  const direct = [];
  const apart = [];
  for (const item of items.filter(isComplete)) {
    const { takes, excludes } = placeOf(item);
    // A name can stand once in an object; the rest are objects of their own under `$and`.
    if (excludes.some((name) => used.has(name))) {
      apart.push(item);
    } else {
      takes.forEach((name) => used.add(name));
      direct.push(item);
    }
  }
  // Where there are such objects, a group that is called `$and` itself is one of them.
  const isAll = (item) => apart.length > 0 && item.kind === "group" && item.join === "all";
  return [
    ...direct.filter((item) => !isAll(item)).flatMap((item) => writeItem(item, prefix)),
    ...[...direct.filter(isAll), ...apart].flatMap((item, at) => writeItem(item, `${prefix}[$and][${at}]`)),
  ];
}

/** What an item takes in its object, and what must not be there yet: conditions on one name can differ in their operators. */
function placeOf(item) {
  const [one, all, through] = [`${item.key} ${item.operator}`, `${item.key} compared`, `${item.key} related`];
  switch (item.kind) {
    case "condition":
      return { takes: [one, all], excludes: [one, through] };
    case "relation":
      return { takes: [through], excludes: [all, through] };
    default:
      return { takes: [item.join], excludes: [item.join] };
  }
}

function writeItem(item, prefix) {
  if (item.kind === "condition") {
    const name = `${prefix}[${item.key}][${item.operator}]`;
    const list = LISTS.has(item.operator) || item.values.length > 1;
    return item.values.map((value) => ({ name: list ? `${name}[]` : name, value, item }));
  }
  if (item.kind === "relation") {
    const quantifier = item.quantifier ? `[${item.quantifier}]` : "";
    return writeFilters(item.items, `${prefix}[${item.key}]${quantifier}`);
  }
  const whole = item.items.filter(isComplete);
  if (item.join !== "none") {
    const name = item.join === "any" ? "$or" : "$and";
    return whole.flatMap((one, at) => writeFilters([one], `${prefix}[${name}][${at}]`));
  }
  return whole.length === 1
    ? writeFilters(whole, `${prefix}[$not]`)
    : whole.flatMap((one, at) => writeFilters([one], `${prefix}[$not][$or][${at}]`));
}

/** How many conditions are sent. */
export function countOf(items) {
  return items.reduce((sum, item) => sum + (item.kind === "condition" ? Number(isComplete(item)) : countOf(item.items)), 0);
}
