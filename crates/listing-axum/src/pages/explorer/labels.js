// The names by which people know records and values, as far as the page has heard them.

export let known = new Map();
export let refused = new Set();
export const place = (listing, id) => `${listing}\n${id}`;
export const learn = (into, listing, id, label) => into.set(place(listing, id), String(label));

export const labelOf = (listing, id) => known.get(place(listing, id)) ?? null;

/** Another caller may not see these names. Late answers go where nobody looks. */
export function forget() {
  known = new Map();
  refused = new Set();
}

/** What a list said about the values of its filters. */
export function learnFilters(listing, told) {
  for (const { key, value, label, path } of told ?? []) {
    if (label !== value) {
      const filter = path ? null : listing.filters.find((one) => one.name === key);
      learn(known, filter?.references ?? `filter ${key}`, value, label);
    }
  }
}
