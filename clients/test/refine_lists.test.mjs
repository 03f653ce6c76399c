// Refine's strapi-v4 provider reads lists: pages, sorters, filters, getMany.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { DataProvider } from "@refinedev/strapi-v4";

import { allArticles, api, asListed, ids } from "../blog.mjs";
import { ordered } from "../order.mjs";
import { lastQuery } from "../wire.mjs";

const provider = DataProvider(api);
const resource = "articles";
let articles;

before(async () => {
  articles = await allArticles();
  assert.ok(articles.length > 100, "too few articles to show anything");
});

describe("getList", () => {
  test("a page, in the listing's own order, with the total", async () => {
    const pagination = { currentPage: 3, pageSize: 7 };
    const list = await provider.getList({ resource, pagination });
    assert.match(lastQuery(), /^pagination\[page\]=3&pagination\[pageSize\]=7&$/);
    const newest = articles
      .toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id)
      .slice(14, 21);
    assert.deepEqual(list, { data: newest.map(asListed), total: articles.length });
  });

  test("ten rows when refine is not told how many", async () => {
    const list = await provider.getList({ resource });
    assert.equal(list.data.length, 10);
    assert.equal(list.total, articles.length);
  });

  test("without pagination the service's own page size holds, and the total is the true one", async () => {
    const list = await provider.getList({ resource, pagination: { mode: "off" } });
    assert.equal(lastQuery(), "&");
    assert.equal(list.data.length, 25);
    assert.equal(list.total, articles.length);
  });

  test("a page past the end is empty", async () => {
    const pagination = { currentPage: 9_999, pageSize: 10 };
    const list = await provider.getList({ resource, pagination });
    assert.deepEqual(list, { data: [], total: articles.length });
  });

  test("pages one after the other show every row once", async () => {
    const seen = [];
    const sorters = [{ field: "rating", order: "desc" }];
    for (let currentPage = 1; seen.length < articles.length; currentPage += 1) {
      const pagination = { currentPage, pageSize: 90 };
      const { data } = await provider.getList({ resource, pagination, sorters });
      assert.notEqual(data.length, 0, `page ${currentPage} is empty after ${seen.length} rows`);
      seen.push(...ids(data));
    }
    assert.deepEqual(seen, ids(ordered(articles, "rating:desc")));
  });

  test("sorters arrive as one comma string", async () => {
    const sorters = [
      { field: "rating", order: "desc" },
      { field: "views", order: "asc" },
    ];
    const pagination = { currentPage: 2, pageSize: 50 };
    const { data } = await provider.getList({ resource, pagination, sorters });
    assert.match(lastQuery(), /sort=rating%3Adesc%2Cviews%3Aasc&$/);
    assert.deepEqual(ids(data), ids(ordered(articles, "rating:desc,views:asc").slice(50, 100)));
  });

  test("a sorter by a relation's column", async () => {
    const sorters = [{ field: "author.name", order: "desc" }];
    const meta = { populate: ["author"], fields: ["title"] };
    const { data } = await provider.getList({ resource, sorters, meta });
    // NULL is first in a descending order.
    const last = articles.filter((article) => article.author === null).at(-1);
    assert.deepEqual(data[0], { id: last.id, title: last.title, author: null });
  });

  test("fields and populate of `meta`, locale and publication state without effect", async () => {
    const meta = {
      fields: ["title", "rating"],
      populate: ["author"],
      locale: "en",
      publicationState: "preview",
    };
    const sorters = [{ field: "id", order: "asc" }];
    const { data } = await provider.getList({ resource, meta, sorters });
    const rows = articles.slice(0, 10);
    const expected = rows.map(({ id, title, rating, author }) => ({ id, title, rating, author }));
    assert.deepEqual(data, expected);
  });
});

describe("getList with filters", () => {
  const wool = (article) => article.title.toLowerCase().includes("wool");
  const percent = (article) => article.title.includes("100% w");
  const cases = [
    ["eq", "is_active", false, "[$eq]=false", (a) => a.is_active === false],
    ["ne", "title", "It's the author's own apostrophe", "[$ne]=It%27s", (a) => !a.title.startsWith("It's the a")],
    ["gte", "views", 50_000, "[$gte]=50000", (a) => a.views >= 50_000],
    ["contains", "title", "WOOL", "[$containsi]=WOOL", wool],
    ["contains", "title", "100% w", "[$containsi]=100%25%20w", percent],
    ["containss", "title", "wool", "[$contains]=wool", wool],
    ["in", "author_id", [2, 3, 5], "[$in][2]=5", (a) => [2, 3, 5].includes(a.author_id)],
    ["in", "slug", ["no-such-slug"], "[$in][0]=no-such-slug", () => false],
    ["nin", "id", [1, 2, 3], "[$notIn][0]=1", (a) => a.id > 3],
    ["between", "views", [100, 900], "[$between][1]=900", (a) => a.views >= 100 && a.views <= 900],
    ["between", "created_at", ["2024-01-01", "2024-12-31"], "[$between][0]=2024-01-01", (a) => a.created_at.startsWith("2024")],
    ["null", "rating", true, "[$null]=true", (a) => a.rating === null],
    ["null", "rating", false, "[$null]=false", (a) => a.rating !== null],
    ["nnull", "body", true, "[$notNull]=true", (a) => a.body !== null],
  ];
  for (const [operator, field, value, sent, holds] of cases) {
    test(`${operator} ${JSON.stringify(value)} on ${field}`, async () => {
      const filters = [{ field, operator, value }];
      const sorters = [{ field: "id", order: "asc" }];
      const pagination = { currentPage: 1, pageSize: 100 };
      const list = await provider.getList({ resource, pagination, filters, sorters });
      assert.ok(lastQuery().includes(`filters[${field}]${sent}`), lastQuery());
      const expected = articles.filter(holds);
      assert.deepEqual(ids(list.data), ids(expected.slice(0, 100)));
      assert.equal(list.total, expected.length);
      // A filter that keeps everything would prove nothing.
      assert.ok(expected.length < articles.length);
    });
  }

  test("several at once must all hold", async () => {
    const filters = [
      { field: "is_active", operator: "eq", value: true },
      { field: "views", operator: "gte", value: 1_000 },
      { field: "views", operator: "lt", value: 20_000 },
      { field: "rating", operator: "nnull", value: true },
    ];
    const pagination = { currentPage: 1, pageSize: 100 };
    const list = await provider.getList({ resource, pagination, filters });
    const expected = articles.filter(
      (a) => a.is_active && a.views >= 1_000 && a.views < 20_000 && a.rating !== null,
    );
    assert.notEqual(expected.length, 0);
    assert.deepEqual(ids(list.data).sort(), ids(expected).sort());
  });

  test("or, and, a field of a relation, and nested populate", async () => {
    const filters = [
      {
        operator: "or",
        value: [
          { field: "title", operator: "contains", value: "wool" },
          {
            operator: "and",
            value: [
              { field: "views", operator: "gte", value: 50_000 },
              { field: "author.country", operator: "eq", value: "DE" },
            ],
          },
        ],
      },
    ];
    const pagination = { currentPage: 1, pageSize: 100 };
    const meta = { populate: { author: { populate: ["articles"] } } };
    const list = await provider.getList({ resource, pagination, filters, meta });
    const expected = articles.filter(
      (a) => a.title.toLowerCase().includes("wool") || (a.views >= 50_000 && a.author?.country === "DE"),
    );
    assert.notEqual(expected.length, 0);
    assert.equal(list.total, expected.length);
    assert.deepEqual(ids(list.data).sort(), ids(expected).sort());
    const { author } = list.data.find((row) => row.author !== null);
    assert.ok(Array.isArray(author.articles));
  });

  test("150 values of one filter all count", async () => {
    const value = ids(articles).slice(0, 150);
    const filters = [{ field: "id", operator: "in", value }];
    const { total } = await provider.getList({ resource, filters });
    assert.equal(total, 150);
  });

  test("what is not allowed is an error that refine can show", async () => {
    for (const [field, operator] of [
      ["title", "startswith"],
      ["email", "eq"],
    ]) {
      const filters = [{ field, operator, value: "a" }];
      const error = await provider.getList({ resource, filters }).catch((error) => error);
      assert.equal(error.statusCode, 400);
      assert.ok(error.message.includes(field), error.message);
    }
  });
});

describe("getMany", () => {
  test("the records with these ids", async () => {
    const wanted = [articles[40], articles[3], articles[7]];
    const { data } = await provider.getMany({ resource, ids: ids(wanted) });
    assert.match(lastQuery(), /^pagination\[pageSize\]=3&filters\[id\]\[\$in\]\[0\]=\d+&/);
    const byId = (a, b) => a.id - b.id;
    assert.deepEqual(data.toSorted(byId), wanted.map(asListed).toSorted(byId));
  });

  test("more than a default page of them, as text", async () => {
    const wanted = ids(articles).slice(100, 160);
    const { data } = await provider.getMany({ resource, ids: wanted.map(String) });
    assert.deepEqual(ids(data).sort(), wanted.sort());
  });

  test("those that do not exist are left out", async () => {
    const { data } = await provider.getMany({ resource, ids: [articles[0].id, 987_654_321] });
    assert.deepEqual(ids(data), [articles[0].id]);
  });
});
