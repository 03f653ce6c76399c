// Which columns a view has: the fields and relations that were asked for, or the list's own.

import { populated } from "./request.js";

export function shown(view, listing) {
  const names = view.fields ?? listing.fields.filter((one) => one.default).map((one) => one.name);
  const fields = listing.fields.filter((one) => one.name === "id" || names.includes(one.name));
  return { fields, relations: relationsOf(view.populate ?? listing.relations.filter((one) => one.default).map((one) => populated(one.name)), listing) };
}

/** The same for the rows of a relation, which has no relations by default. */
export function shownInside(want, related) {
  const names = want.fields ?? related.fields.filter((one) => one.default).map((one) => one.name);
  const fields = related.fields.filter((one) => one.name === "id" || names.includes(one.name));
  return { fields, relations: relationsOf(want.populate ?? [], related) };
}

function relationsOf(wanted, listing) {
  return wanted.flatMap((want) => {
    const relation = listing.relations.find((one) => one.name === want.name);
    return relation ? [{ want, relation, related: listing.related(want.name) }] : [];
  });
}
