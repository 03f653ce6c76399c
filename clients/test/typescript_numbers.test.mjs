// Facets, totals and groups by the client that `listing client ts` writes. What does not compile is in `typescript/types.ts`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { allArticles, api, asListed, ids } from "../blog.mjs";
import { built } from "../built.mjs";
import { lastQuery, lastTarget } from "../wire.mjs";

const { createClient } = await built("blog");
const client = createClient({ baseUrl: api.replace(/\/api$/, "") });

const sum = (rows) => rows.reduce((total, row) => total + row.views, 0);
const facet = (page, key) => page.meta.facets.find((facet) => facet.key === key);
/** The rows by what they have, each value with its rows. */
const by = (rows, key) => rows.reduce((all, row) => all.set(key(row), [...(all.get(key(row)) ?? []), row]), new Map());

// Rules b920, d97, d98, d104.
test("a list has the facets and totals that are asked for, about all of its rows", async () => {
  const all = await allArticles();
  const active = all.filter((article) => article.is_active);
  const page = await client.articles.list({
    filters: { is_active: true },
    facets: { is_active: true, author_id: { limit: 2, sort: "count:desc" }, views: true, created_at: { unit: "year" } },
    totals: { views: ["sum", "max"], rating: "avg" },
    sort: "id",
    pagination: { pageSize: 2 },
  });
  assert.deepEqual(page.data, active.slice(0, 2).map(asListed));
  assert.deepEqual(page.meta.facets.map(({ key }) => key), ["is_active", "author_id", "views", "created_at"]);
  assert.deepEqual(facet(page, "is_active").values, [
    { value: "true", label: "Active", count: active.length, selected: true },
    { value: "false", label: "Inactive", count: all.length - active.length, selected: false },
  ]);
  const authors = facet(page, "author_id");
  assert.equal(authors.values.length, 2);
  const [{ value, label, count }] = authors.values;
  const [one] = active.filter((article) => String(article.author_id) === value);
  assert.equal(label, one.author.name);
  assert.equal(count, Math.max(...[...by(active.filter((a) => a.author_id), (a) => a.author_id).values()].map((rows) => rows.length)));
  assert.equal(authors.missing, active.filter((article) => article.author_id === null).length);
  const views = active.map((article) => article.views);
  assert.deepEqual(facet(page, "views"), { key: "views", min: Math.min(...views), max: Math.max(...views) });
  const years = by(active, (article) => `${article.created_at.slice(0, 4)}-01-01`);
  assert.deepEqual(facet(page, "created_at").values.map(({ value, count }) => [value, count]), [...years].map(([year, rows]) => [year, rows.length]).sort());
  assert.deepEqual(page.meta.totals.views, { sum: sum(active), max: Math.max(...views) });
  assert.match(page.meta.totals.rating.avg, /^\d\.\d{6}$/);
  assert.match(decodeURIComponent(lastQuery()), /facets\[author_id\]\[limit\]=2.*totals\[views\]\[0\]=sum/);
});

// Rules b920, d108.
test("numbers come without rows, by a long request too", async () => {
  const all = await allArticles();
  const none = await client.articles.facets({ facets: [], totals: { views: [] } });
  assert.deepEqual([none.data, none.meta.facets, none.meta.totals], [null, undefined, undefined]);
  const some = ids(all).slice(0, 300);
  const wanted = { views: { sum: sum(all.slice(0, 300)) } };
  for (const [filters, target] of [
    [{ id: { $in: some.slice(0, 3) } }, "GET /api/articles/_facets"],
    [{ id: { $in: some } }, "QUERY /api/articles/_facets"],
  ]) {
    const { data, meta } = await client.articles.facets({ facets: "*", totals: { views: "sum" }, filters });
    assert.equal(lastTarget(), target);
    assert.equal(data, null);
    assert.deepEqual(meta.facets.map(({ key }) => key), ["is_active", "views", "author_id", "created_at", "tags"]);
    if (filters.id.$in === some) assert.deepEqual(meta.totals, wanted);
  }
  const chosen = await client.articles.facets({ facets: { created_at: {}, author_id: { search: "a", sort: "label:desc" } } });
  const labels = facet(chosen, "author_id").values.map(({ label }) => label);
  assert.deepEqual(labels, labels.toSorted().reverse());
  assert.ok(labels.length > 0 && labels.every((label) => label.toLowerCase().includes("a")));
  assert.equal(facet(chosen, "created_at").unit, "month");
});

// Rules b920, d106.
test("groups have their keys, counts and totals", async () => {
  const all = (await allArticles()).filter((article) => article.views > 100);
  const years = by(all, (article) => `${article.is_active} ${article.created_at.slice(0, 4)}-01-01`);
  const wanted = [...years].map(([key, rows]) => {
    const [is_active, created_at] = key.split(" ");
    const label = is_active === "true" ? "Active" : "Inactive";
    return { is_active: { value: is_active, label }, created_at, count: rows.length, totals: { views: { sum: sum(rows) } } };
  });
  const large = wanted.filter(({ count }) => count >= 20).sort((a, b) => b.totals.views.sum - a.totals.views.sum);
  assert.ok(large.length > 1 && large.length < wanted.length);
  const query = {
    by: ["is_active", "created_at:year"],
    totals: { views: "sum" },
    filters: { views: { $gt: 100 } },
    having: { count: { $gte: 20 } },
    sort: "views.sum:desc",
  };
  const page = await client.articles.groups({ ...query, pagination: { start: 1, limit: 2 } });
  assert.equal(lastTarget(), "GET /api/articles/_groups");
  assert.deepEqual(page.data, large.slice(1, 3));
  assert.deepEqual(page.meta.pagination, { start: 1, limit: 2, total: large.length });
  const whole = await client.articles.groups({ ...query, filters: { ...query.filters, id: { $in: ids(all) } } });
  assert.equal(lastTarget(), "QUERY /api/articles/_groups");
  assert.deepEqual(whole.data, large);
  await assert.rejects(client.articles.groups({ ...query, sort: "views.avg" }), { status: 400 });
});
