// The order of the list, and how a click on a heading changes it.

/** The order that holds: what was asked for, or the list's own. */
export const orderOf = (explorer) => explorer.view.sort ?? explorer.listing.sorts.filter((one) => one.default).map((one) => ({ name: one.name, direction: one.default }));

/** Ascending, then descending, then the list's own order. With `more`, next to the other sorts. */
export function sortBy(explorer, name, more) {
  const current = explorer.view.sort?.find((one) => one.name === name);
  explorer.change((view) => {
    const others = more ? (view.sort ?? []).filter((one) => one.name !== name) : [];
    const next = !current ? "asc" : current.direction === "asc" ? "desc" : null;
    const sort = next ? [...others, { name, direction: next }] : others;
    view.sort = sort.length > 0 ? sort : null;
  });
}
