// TanStack Table over the client: what the state of a table asks of a list, and what the answer tells the table.

import type { RowData, TableOptions, TableState } from "@tanstack/table-core";

import { together } from "./provider.js";

/** The query of a list: `client.articles.list({ ...tableQuery(table.getState()), facets: ["is_active"] })`. */
export function tableQuery({ pagination, sorting, columnFilters, globalFilter }: Pick<TableState, "pagination" | "sorting" | "columnFilters"> & { globalFilter?: string }) {
  const conditions = columnFilters.map(({ id, value }) => nested(id, operand(value)));
  return {
    search: (globalFilter || undefined) as any,
    filters: together(conditions.filter((one) => one !== undefined)) as any,
    sort: sorting.map(({ id, desc }) => `${id}:${desc ? "desc" : "asc"}`) as any[],
    pagination: { page: pagination.pageIndex + 1, pageSize: pagination.pageSize },
  };
}

/** `author.country` goes through a relation. */
function nested(id: string, inside: unknown): object | undefined {
  return inside === undefined ? undefined : id.split(".").reduceRight<any>((inner, name) => ({ [name]: inner }), inside);
}

/** A value is compared, of several any is found, and an object has operators: `{ $gte: 5 }`. */
function operand(value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  return Array.isArray(value) ? { $in: value } : value;
}

/** What a table is told by a page: its rows, how many there are, and the facets of its columns. */
export function tableOptions<Row extends RowData>(page: {
  data: Row[];
  meta: { pagination: { total?: number }; facets?: readonly any[] };
}) {
  const facet = (column: string) => page.meta.facets?.find(({ key }) => key === column);
  const count = ({ value, count }: { value: string; count: number }) => [value, count] as const;
  return {
    data: page.data,
    rowCount: page.meta.pagination.total,
    manualPagination: true,
    manualSorting: true,
    manualFiltering: true,
    getFacetedUniqueValues: (_, column) => () => new Map<any, number>(facet(column)?.values?.map(count)),
    getFacetedMinMaxValues: (_, column) => () => {
      const { min, max } = facet(column) ?? {};
      return typeof min === "number" && typeof max === "number" ? [min, max] : undefined;
    },
  } satisfies Partial<TableOptions<Row>>;
}
