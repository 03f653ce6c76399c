// Asks lists for the names of records that the page has not heard yet.

import { known, labelOf, learn, place, refused } from "./labels.js";
import { ask } from "./service.js";

/** Records whose label holds a text, as `[{ id, label }]`. */
export async function lookUp(listing, text, signal) {
  const into = known;
  const query = new URLSearchParams({ fields: listing.label, "pagination[pageSize]": "10", "pagination[withCount]": "false" });
  if (text && listing.lookup) {
    query.set(listing.lookup, text);
  }
  const reply = await ask(`${listing.path}?${query}`, { signal });
  const items = reply.ok ? reply.json.data : [];
  return items.map((item) => {
    const label = String(item[listing.label] ?? item.id);
    learn(into, listing.name, item.id, label);
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

/** Asks for unknown labels: in one list where it can be filtered by id, then record by record. */
export async function ensureAll(listing, ids) {
  const [into, out] = [known, refused];
  const unknown = () => ids.filter((id) => !into.has(place(listing.name, id)) && !out.has(place(listing.name, id)));
  const byId = listing.filters.some((filter) => filter.name === "id" && filter.operators.includes("$in"));
  if (byId && unknown().length > 1) {
    await askTogether(listing, unknown(), into);
  }
  // Default filters hide some from the list.
  if (listing.operations.show) {
    await Promise.all(unknown().slice(0, SINGLY).map((id) => askSingly(listing, id, into, out)));
  }
}

async function askTogether(listing, ids, into) {
  const asked = ids.slice(0, listing.pagination?.maxPageSize ?? 100);
  const query = asked.map((id) => `filters[id][$in][]=${encodeURIComponent(id)}`).join("&");
  const reply = await ask(`${listing.path}?fields=${encodeURIComponent(listing.label)}&pagination[pageSize]=${asked.length}&pagination[withCount]=false&${query}`);
  (reply.ok ? reply.json.data : []).forEach((item) => learn(into, listing.name, item.id, item[listing.label] ?? item.id));
}

/** A record that is not shown keeps its id. */
async function askSingly(listing, id, into, out) {
  const path = listing.operations.show.path.replace("{id}", encodeURIComponent(id));
  const reply = await ask(`${path}?fields=${encodeURIComponent(listing.label)}`);
  if (reply.ok) {
    learn(into, listing.name, id, reply.json.data[listing.label] ?? id);
  } else if (isFinal(reply)) {
    out.add(place(listing.name, id));
  }
}

/** Whether the answer would be the same again. */
const isFinal = ({ status }) => status >= 400 && status < 500 && status !== 429;
