// TanStack Table, unmodified, over the client that `listing client ts` writes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createTable, getCoreRowModel } from "@tanstack/table-core";

import { allArticles, api, ids } from "../blog.mjs";
import { built } from "../built.mjs";

const { createClient } = await built("blog");
const { tableOptions, tableQuery } = await built("tanstack-table");
const client = createClient({ baseUrl: api.replace(/\/api$/, "") });

const COLUMNS = ["id", "title", "is_active", "views", "author_id"].map((accessorKey) => ({ accessorKey }));

/** A table in this state, with the page that the service answers to it. */
async function table(state) {
  const whole = { pagination: { pageIndex: 0, pageSize: 10 }, sorting: [], columnFilters: [], ...state };
  const page = await client.articles.list({ ...tableQuery(whole), facets: ["is_active", "views", "author_id"], fields: "*" });
  const created = createTable({
    columns: COLUMNS,
    getCoreRowModel: getCoreRowModel(),
    onStateChange: () => {},
    renderFallbackValue: null,
    state: {},
    ...tableOptions(page),
  });
  created.setOptions((options) => ({ ...options, state: { ...created.initialState, ...whole } }));
  return created;
}

// Rule b925.
test("a table shows the page that its state asks for, and how many pages there are", async () => {
  const all = await allArticles();
  const some = all.filter((article) => article.is_active && article.views >= 500 && ["DE", "BR"].includes(article.author?.country));
  const sorted = some.toSorted((a, b) => b.views - a.views || a.id - b.id);
  const shown = await table({
    pagination: { pageIndex: 1, pageSize: 5 },
    sorting: [{ id: "views", desc: true }, { id: "id", desc: false }],
    columnFilters: [{ id: "is_active", value: true }, { id: "views", value: { $gte: 500 } }, { id: "author.country", value: ["DE", "BR"] }, { id: "title", value: "" }],
  });
  assert.deepEqual(ids(shown.getRowModel().rows.map((row) => row.original)), ids(sorted.slice(5, 10)));
  assert.deepEqual([shown.getRowCount(), shown.getPageCount()], [some.length, Math.ceil(some.length / 5)]);
  const found = await table({ globalFilter: "trains" });
  assert.ok(found.getRowCount() > 0 && found.getRowCount() < all.length);
});

// Rules b925, d99.
test("a column knows its facet: the values with their counts, or the smallest and the largest", async () => {
  const all = await allArticles();
  const some = all.filter((article) => article.views > 500);
  const active = some.filter((article) => article.is_active);
  const shown = await table({ columnFilters: [{ id: "is_active", value: true }, { id: "views", value: { $gt: 500 } }] });
  // Its own condition is left out, the other one is not.
  const counts = shown.getColumn("is_active").getFacetedUniqueValues();
  assert.deepEqual([...counts], [["true", active.length], ["false", some.length - active.length]]);
  const views = all.filter((article) => article.is_active).map((article) => article.views);
  assert.deepEqual(shown.getColumn("views").getFacetedMinMaxValues(), [Math.min(...views), Math.max(...views)]);
  assert.deepEqual([...shown.getColumn("title").getFacetedUniqueValues()], []);
  assert.equal(shown.getColumn("title").getFacetedMinMaxValues(), undefined);
});
