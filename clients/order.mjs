// In: rows and a sort as the contract writes it. Out: the rows in that order, computed here.

/** NULLs are last in `asc` and first in `desc`; what is equal follows the id, in the direction of the last sort. */
export function ordered(rows, sort) {
  const keys = sort.split(",").map((key) => key.split(":"));
  keys.push(["id", keys.at(-1)[1]]);
  return [...rows].sort((a, b) => {
    for (const [field, direction = "asc"] of keys) {
      const order = compare(a[field], b[field]);
      if (order !== 0) {
        return direction === "desc" ? -order : order;
      }
    }
    return 0;
  });
}

/** Decimals are text in JSON, so that they keep their scale. */
function compare(a, b) {
  if (a === null || b === null) {
    return Number(a === null) - Number(b === null);
  }
  return Number(a) - Number(b);
}
