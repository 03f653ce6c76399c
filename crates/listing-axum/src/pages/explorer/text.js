// Reads the text of a query string into pairs and a tree, and writes pairs as text that people can read.

/** The query string in whatever was pasted: a query string, an address, a line of an HTTP request or a curl command. */
export function taken(pasted) {
  const text = pasted.trim().replace(/\\\r?\n/g, " ");
  const quoted = /(['"])((?:https?:\/\/|\/)[^'"]*)\1/.exec(text);
  const bare = /(?:^|\s)((?:https?:\/\/|\/)\S+)/.exec(text);
  const address = quoted?.[2] ?? bare?.[1];
  if (address === undefined) {
    return { path: null, query: text.replace(/^\?/, "").replace(/\s+/g, "+").replaceAll("#", "%23") };
  }
  const [, path, query = ""] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/.exec(address);
  return { path: path || null, query };
}

/**
 * `a=1&b[c]=2` as `[{ name: "a", value: "1", text: "a=1" }, { name: "b[c]", value: "2", text: "b[c]=2" }]`. What cannot be decoded stays as
 * it is, and is `broken`.
 */
export function pairsOf(query) {
  return query
    .split("&")
    .filter((part) => part !== "" && part !== "=")
    .map((text) => {
      const [name, value = ""] = text.split(/=(.*)/s);
      try {
        return { name: decoded(name), value: decoded(value), text };
      } catch {
        return { name, value, text, broken: true };
      }
    });
}

const decoded = (text) => decodeURIComponent(text.replaceAll("+", " "));

/** Pairs as text: as they came, or in a form that people can read. Brackets and other marks that addresses may hold stay as they are. */
export function textOf(pairs) {
  return pairs.map(({ name, value, text }) => text ?? `${encoded(name)}=${encoded(value)}`).join("&");
}

const PLAIN = /%(?:5B|5D|24|2C|3A|2F|40|3B|7C)/g;

function encoded(text) {
  return encodeURIComponent(text.toWellFormed?.() ?? text)
    .replace(PLAIN, decodeURIComponent)
    .replaceAll("%20", "+");
}

/** Names in brackets as a tree: each node has the pairs that were sent for it, their values, and children by name. */
export function treeOf(pairs) {
  const root = node();
  for (const pair of pairs) {
    let place = root;
    for (const step of stepsOf(pair.name)) {
      if (!place.children.has(step)) {
        place.children.set(step, node());
      }
      place = place.children.get(step);
    }
    place.values.push(pair.value);
    place.pairs.push(pair);
  }
  return root;
}

/** `filters[a][$eq]` as `["filters", "a", "$eq"]`; a name with stray brackets is one step. */
export function stepsOf(name) {
  const parts = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  return parts ? [parts[1], ...Array.from(parts[2].matchAll(/\[([^[\]]*)\]/g), (step) => step[1])] : [name];
}

export const node = () => ({ values: [], pairs: [], children: new Map() });

/** What is thrown where a request says something that controls cannot show: nearly always what the service refuses. */
export class Unreadable extends Error {}

export function unreadable() {
  throw new Unreadable();
}

export const isIndex = (step) => /^\d*$/.test(step);

/** The one value that stands here, and nothing else. */
export const oneOf = (tree) => (tree.values.length === 1 && tree.children.size === 0 ? tree.values[0] : unreadable());

/** The names that stand here; an empty value is the same as none. */
export function membersIn(tree) {
  const isPlain = tree.values.length === 0 || (tree.values.join() === "" && tree.values.length === 1 && tree.children.size === 0);
  return isPlain ? tree.children : unreadable();
}

/** The children of a list in the order of their numbers; those without one come last. */
export function entriesOf(tree) {
  const place = (step) => (step === "" ? Infinity : Number(step));
  const isPlace = (step) => step === "" || (isIndex(step) && Number.isSafeInteger(Number(step)));
  const isList = tree.children.size === 0 || (tree.values.length === 0 && [...tree.children.keys()].every(isPlace));
  return isList ? [...tree.children].sort(([a], [b]) => place(a) - place(b) || 0).map(([, child]) => child) : unreadable();
}

/** Every value of a list, however it was spelt. */
export function valuesOf(tree) {
  return [...tree.values, ...entriesOf(tree).flatMap((child) => (child.children.size === 0 ? child.values : unreadable()))];
}

/** The pairs that these values came from. */
export const pairsIn = (tree) => [...tree.pairs, ...[...tree.children.values()].flatMap(pairsIn)];

/** Every name of a list of names, where commas separate too. */
export function namesOf(tree) {
  return valuesOf(tree).flatMap((value) => value.split(",")).map((name) => name.trim()).filter(Boolean);
}

/** The same tree as JSON, for the body of a request and for code. */
export function jsonOf(tree) {
  if (tree.children.size === 0) {
    return tree.values.length > 1 ? tree.values : (tree.values[0] ?? "");
  }
  const steps = [...tree.children.keys()];
  if (steps.every(isIndex)) {
    return entriesOf(tree).flatMap((child) => (child.children.size ? [jsonOf(child)] : child.values));
  }
  return Object.fromEntries(steps.map((step) => [step, jsonOf(tree.children.get(step))]));
}
