// The names by which people know records and values, as far as the page has heard them.

import { ask } from "./service.js";

const known = new Map();
const place = (listing, id) => `${listing}\n${id}`;

export const learn = (listing, id, label) => known.set(place(listing, id), String(label));
export const labelOf = (listing, id) => known.get(place(listing, id)) ?? null;

/** What a list said about the values of its filters. */
export function learnFilters(listing, told) {
  for (const { key, value, label, path } of told ?? []) {
    if (label !== value) {
      const filter = path ? null : listing.filters.find((one) => one.name === key);
      learn(filter?.references ?? `filter ${key}`, value, label);
    }
  }
}

/** Records whose label holds a text, as `[{ id, label }]`. */
export async function lookUp(listing, text, signal) {
  const query = new URLSearchParams({ fields: listing.label, "pagination[pageSize]": "10", "pagination[withCount]": "false" });
  if (text && listing.lookup) {
    query.set(listing.lookup, text);
  }
  const reply = await ask(`${listing.path}?${query}`, { signal });
  const items = reply.ok ? reply.json.data : [];
  return items.map((item) => {
    const label = String(item[listing.label] ?? item.id);
    learn(listing.name, item.id, label);
    return { id: String(item.id), label };
  });
}

/** Asks for the label of one record, unless it is known. */
export async function ensure(listing, id) {
  await ensureAll(listing, [id]);
  return labelOf(listing.name, id);
}

/** So many records at most are asked for one by one. */
const SINGLY = 10;

/** Asks for the labels that are not known: in one list where it can be filtered by id, else record by record. */
export async function ensureAll(listing, ids) {
  const unknown = ids.filter((id) => labelOf(listing.name, id) === null);
  const field = encodeURIComponent(listing.label);
  const show = listing.operations.show?.path;
  const byId = listing.filters.some((filter) => filter.name === "id" && filter.operators.includes("$in"));
  if (unknown.length > 1 && byId) {
    const asked = unknown.slice(0, listing.pagination?.maxPageSize ?? 100);
    const query = asked.map((id) => `filters[id][$in][]=${encodeURIComponent(id)}`).join("&");
    const reply = await ask(`${listing.path}?fields=${field}&pagination[pageSize]=${asked.length}&pagination[withCount]=false&${query}`);
    (reply.ok ? reply.json.data : []).forEach((item) => learn(listing.name, item.id, item[listing.label] ?? item.id));
    return;
  }
  await Promise.all((show ? unknown : []).slice(0, SINGLY).map(async (id) => {
    learn(listing.name, id, id);
    const reply = await ask(`${show.replace("{id}", encodeURIComponent(id))}?fields=${field}`);
    if (reply.ok) {
      learn(listing.name, id, reply.json.data[listing.label] ?? id);
    }
  }));
}
