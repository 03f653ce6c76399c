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
  const path = listing.operations.show?.path;
  if (labelOf(listing.name, id) !== null || !path) {
    return labelOf(listing.name, id);
  }
  learn(listing.name, id, id);
  const reply = await ask(`${path.replace("{id}", encodeURIComponent(id))}?fields=${encodeURIComponent(listing.label)}`);
  if (reply.ok) {
    learn(listing.name, id, reply.json.data[listing.label] ?? id);
  }
  return labelOf(listing.name, id);
}
