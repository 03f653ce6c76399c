// How many rows match what the list shows, exactly.

import { plainView, writeView } from "./request.js";
import { ask } from "./service.js";
import { textOf } from "./text.js";

/** What selects rows is kept: search, filters, deleted ones, and whatever no control shows. */
export const rowsOf = (view) => ({ ...plainView(), search: view.search, filters: view.filters, trashed: view.trashed, rest: view.rest });

/** `{ count }`, or `{ problem }` where the service does not tell. The answer that is shown knows it already, if it has counted all. */
export async function countRows({ reply, isLoading, listing, view }) {
  const told = reply?.ok && !isLoading && reply.listing === listing && !reply.isGrouped ? reply.meta?.pagination : null;
  if (told?.total !== undefined && told.totalIsExact !== false) {
    return { count: told.total };
  }
  const pairs = writeView({ ...rowsOf(view), populate: [], paging: { ...view.paging, mode: "page", page: 1, size: "1", withCount: null } }, listing);
  const counted = await ask(`${listing.path}?${textOf([...pairs, { name: "pagination[count]", value: "exact" }])}`);
  return counted.ok ? { count: counted.json.meta.pagination.total } : { problem: counted.problem };
}
