// Reads the text of a query string into pairs and a tree, and writes pairs as text that people can read.

/** The query string in whatever was pasted: a query string, an address, a line of an HTTP request or a curl command. */
export function taken(pasted) {
  const text = pasted.trim().replace(/\\\r?\n/g, " ");
  const quoted = /(['"])((?:https?:\/\/|\/)[^'"]*)\1/.exec(text);
  const bare = /(?:^|\s)((?:https?:\/\/|\/)\S+)/.exec(text);
  const address = quoted?.[2] ?? bare?.[1];
  if (address === undefined) {
    return { path: null, query: text.replace(/^\?/, "").replace(/\s+/g, "+") };
  }
  const [, path, query = ""] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/.exec(address);
  return { path: path || null, query };
}

/** `a=1&b[c]=2` as `[["a", "1"], ["b[c]", "2"]]`. */
export function pairsOf(query) {
  return query
    .split("&")
    .filter((part) => part !== "" && part !== "=")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [decoded(part), ""] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
    });
}

function decoded(text) {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Pairs as text. Brackets and other marks that addresses may hold stay as they are. */
export function textOf(pairs) {
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
}

const PLAIN = /%(?:5B|5D|24|2C|3A|2F|40|3B|7C)/g;

function encoded(text) {
  return encodeURIComponent(text.toWellFormed?.() ?? text)
    .replace(PLAIN, decodeURIComponent)
    .replaceAll("%20", "+");
}

/** Names in brackets as a tree: each node has the values that were sent for it, and children by name. */
export function treeOf(pairs) {
  const root = node();
  for (const [name, value] of pairs) {
    let place = root;
    for (const step of stepsOf(name)) {
      if (!place.children.has(step)) {
        place.children.set(step, node());
      }
      place = place.children.get(step);
    }
    place.values.push(value);
  }
  return root;
}

/** `filters[a][$eq]` as `["filters", "a", "$eq"]`; a name with stray brackets is one step. */
export function stepsOf(name) {
  const parts = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  return parts ? [parts[1], ...Array.from(parts[2].matchAll(/\[([^[\]]*)\]/g), (step) => step[1])] : [name];
}

function node() {
  return { values: [], children: new Map() };
}

const isIndex = (step) => step === "" || /^\d+$/.test(step);

/** The children of a list in the order of their numbers; those without one come last. */
export function entriesOf(tree) {
  const place = (step) => (step === "" ? Infinity : Number(step));
  return [...tree.children].filter(([step]) => isIndex(step)).sort(([a], [b]) => place(a) - place(b) || 0)
    .map(([, child]) => child);
}

/** Every value of a list, however it was spelt. */
export function valuesOf(tree) {
  return [...tree.values, ...entriesOf(tree).flatMap((child) => child.values)];
}

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
