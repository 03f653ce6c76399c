// Strapi's own client: find, findOne, create, update, delete, and its errors.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { HTTPBadRequestError, HTTPError, HTTPNotFoundError, strapi } from "@strapi/client";

import { allArticles, api, ask, asListed, draft, ids } from "../blog.mjs";
import { ordered } from "../order.mjs";
import { lastQuery, lastTarget } from "../wire.mjs";

const client = strapi({ baseURL: api });
const collection = client.collection("articles");
let articles;

before(async () => {
  articles = await allArticles();
});

async function create(t, record) {
  const { data } = await collection.create(record);
  t.after(() => ask("DELETE", `articles/${data.id}`));
  return String(data.id);
}

describe("find", () => {
  test("without parameters", async () => {
    const { data, meta } = await collection.find();
    assert.equal(lastTarget(), "GET /api/articles");
    const newest = articles.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
    assert.deepEqual(data, newest.slice(0, 25).map(asListed));
    const pageCount = Math.ceil(articles.length / 25);
    assert.deepEqual(meta.pagination, { page: 1, pageSize: 25, pageCount, total: articles.length });
  });

  test("fields, populate, filters, sort and pagination, with every bracket encoded", async () => {
    const { data, meta } = await collection.find({
      fields: ["title", "views"],
      populate: ["author"],
      filters: { is_active: true, views: { $between: [100, 60_000] }, author_id: { $notNull: true } },
      sort: ["rating:desc", "views"],
      pagination: { page: 2, pageSize: 20 },
      locale: "en",
      status: "published",
    });
    assert.match(lastQuery(), /^fields%5B0%5D=title&/);
    assert.doesNotMatch(lastQuery(), /[[\]$]/);
    const matching = articles.filter(
      (a) => a.is_active && a.views >= 100 && a.views <= 60_000 && a.author_id !== null,
    );
    const page = ordered(matching, "rating:desc,views").slice(20, 40);
    const expected = page.map(({ id, title, views, author }) => ({ id, title, views, author }));
    assert.equal(expected.length, 20);
    assert.deepEqual(data, expected);
    assert.equal(meta.pagination.total, matching.length);
  });

  test("offsets, one sort as text, all relations", async () => {
    const { data, meta } = await collection.find({
      populate: "*",
      sort: "views:desc",
      pagination: { start: 3, limit: 2 },
    });
    assert.deepEqual(ids(data), ids(ordered(articles, "views:desc").slice(3, 5)));
    assert.deepEqual(Object.keys(data[0]).slice(-4), ["author", "comments", "tags", "seo"]);
    assert.deepEqual(meta.pagination, { start: 3, limit: 2, total: articles.length });
  });

  test("groups, filters through a relation and nested populate", async () => {
    const { data, meta } = await collection.find({
      filters: { $or: [{ title: { $contains: "wool" } }, { author: { country: { $eq: "DE" } } }] },
      populate: { author: { populate: ["articles"] }, comments: { fields: ["body"], pagination: { limit: 2 } } },
      sort: [{ id: "asc" }],
      pagination: { pageSize: 100 },
    });
    assert.match(decodeURIComponent(lastQuery()), /filters\[\$or\]\[1\]\[author\]\[country\]\[\$eq\]=DE/);
    const expected = articles.filter((a) => a.title.toLowerCase().includes("wool") || a.author?.country === "DE");
    assert.ok(expected.length > 0 && expected.length < articles.length);
    assert.equal(meta.pagination.total, expected.length);
    assert.deepEqual(ids(data), ids(expected.slice(0, 100)));
    assert.deepEqual(meta.filters.map((filter) => filter.path), ["$or.0", "$or.1.author"]);
    const { author } = data.find((row) => row.author !== null);
    assert.ok(author.articles.length > 0);
    assert.ok(data.every((row) => row.comments.length <= 2));
  });

  test("a Date, and a text with signs that mean something in an address", async () => {
    const since = new Date("2025-01-01T00:00:00Z");
    const young = await collection.find({ filters: { created_at: { $gte: since } } });
    assert.match(lastQuery(), /=2025-01-01T00%3A00%3A00.000Z$/);
    const expected = articles.filter((a) => new Date(a.created_at) >= since);
    assert.ok(expected.length > 0 && expected.length < articles.length);
    assert.equal(young.meta.pagination.total, expected.length);

    const title = "<b>Not bold</b> & not markup";
    const { data } = await collection.find({ filters: { title: { $eq: title } } });
    assert.deepEqual(data.map((row) => row.title), [title]);
  });

  test("lists that hold nothing are as if not sent", async () => {
    const { data } = await collection.find({ fields: [], sort: [], populate: [], filters: {} });
    assert.equal(lastQuery(), "fields[]&sort[]&populate[]");
    assert.deepEqual(data, (await collection.find()).data);
  });

  test("an `$in` that holds nothing never means everything", async () => {
    await assert.rejects(collection.find({ filters: { id: { $in: [] } } }), HTTPBadRequestError);
    const { data } = await collection.find({ filters: { slug: { $in: [] } } });
    assert.deepEqual(data, []);
  });

  test("an error keeps the service's own words", async () => {
    const error = await collection.find({ filters: { email: "a" } }).catch((error) => error);
    assert.ok(error instanceof HTTPBadRequestError);
    const body = await error.response.json();
    assert.equal(body.data, null);
    assert.deepEqual([body.error.status, body.error.name], [400, "BadRequest"]);
    assert.ok(body.error.message.includes("email"));
  });

  test("a collection that can only be read", async () => {
    const tags = client.collection("tags");
    const { data, meta } = await tags.find({ pagination: { pageSize: 5 } });
    assert.equal(data.length, 5);
    assert.ok(meta.pagination.total >= 30);
    await assert.rejects(tags.create({ name: "new" }), (error) => error.response.status === 405);
  });
});

describe("findOne", () => {
  test("the record, alone and with fields and relations", async () => {
    const plain = await collection.findOne("1");
    assert.equal(lastTarget(), "GET /api/articles/1");
    const { id, title, slug, body, is_active, created_at, updated_at } = articles[0];
    assert.deepEqual(plain.data, { id, title, slug, body, is_active, created_at, updated_at });
    const { data } = await collection.findOne("1", { fields: ["title"], populate: { author: { fields: ["name"] } } });
    const author = articles[0].author && { id: articles[0].author.id, name: articles[0].author.name };
    assert.deepEqual(data, { id, title, author });
    const all = await collection.findOne("1", { populate: "*" });
    assert.deepEqual(Object.keys(all.data).slice(-4), ["author", "comments", "tags", "seo"]);
    const rejected = collection.findOne("1", { filters: { id: 1 } });
    await assert.rejects(rejected, (error) => error.response.status === 400);
  });

  test("no such record, and the kind of id that Strapi would give", async () => {
    await assert.rejects(collection.findOne("987654321"), HTTPNotFoundError);
    await assert.rejects(collection.findOne("z7v8zma8ri6d0jp0e4mvmfe1"), HTTPNotFoundError);
  });
});

describe("create, update, delete", () => {
  test("create answers the new id", async (t) => {
    const record = draft();
    const answer = await collection.create(record);
    t.after(() => collection.delete(String(answer.data.id)));
    assert.equal(lastTarget(), "POST /api/articles");
    assert.deepEqual(Object.keys(answer.data), ["id"]);
    const { data } = await collection.findOne(String(answer.data.id));
    const { title, slug, body, is_active } = data;
    assert.deepEqual({ title, slug, body, is_active }, record);
  });

  test("update resolves to a message, and the record has changed", async (t) => {
    const record = draft();
    const id = await create(t, record);
    // Still with its id: as read, so sent.
    const { data } = await collection.findOne(id);
    const answer = await collection.update(id, { ...data, title: "Changed" });
    assert.equal(lastTarget(), `PUT /api/articles/${id}`);
    assert.deepEqual(Object.keys(answer), ["message", "meta"]);
    assert.equal(answer.meta.code, 200);
    const changed = (await collection.findOne(id)).data;
    assert.equal(changed.title, "Changed");
    assert.equal(changed.slug, record.slug);
    assert.equal(changed.id, Number(id));
  });

  // Rule d125.
  test("relations are written as Strapi's users write them", async (t) => {
    const id = await create(t, draft({ tags: [1, 2] }));
    const tags = async () => ids((await collection.findOne(id, { populate: ["tags"] })).data.tags).sort((a, b) => a - b);
    assert.deepEqual(await tags(), [1, 2]);
    const { data } = await collection.findOne(id);
    for (const [wish, wanted] of [
      [{ connect: [3, { id: 4 }] }, [1, 2, 3, 4]],
      [{ connect: [{ id: 5 }], disconnect: [{ id: 1 }, 2] }, [3, 4, 5]],
      [{ set: [6] }, [6]],
      [[7, { id: 8 }], [7, 8]],
      [{ disconnect: ["7"] }, [8]],
      [[], []],
    ]) {
      await collection.update(id, { ...data, tags: wish });
      assert.deepEqual(await tags(), wanted, JSON.stringify(wish));
    }
    for (const [wish, path] of [
      [{ connect: [1, 987_654] }, ["tags", "connect", "1"]],
      [{ set: [1], connect: [2] }, ["tags"]],
      [{ connect: [{ id: 1, position: { end: true } }] }, ["tags", "connect", "0"]],
    ]) {
      const error = await collection.update(id, { ...data, tags: wish }).catch((error) => error);
      const { details } = (await error.response.json()).error;
      assert.deepEqual([error.response.status, details.errors.map(({ path }) => path)], [422, [path]], JSON.stringify(wish));
    }
    assert.deepEqual(await tags(), []);
  });

  test("what is wrong with a record is told field by field", async (t) => {
    const taken = draft();
    await create(t, taken);
    const error = await collection.create({ ...taken, title: "" }).catch((error) => error);
    assert.ok(error instanceof HTTPError);
    assert.equal(error.response.status, 422);
    const { details } = (await error.response.json()).error;
    const fields = details.errors.map(({ path, message }) => [path, typeof message]);
    assert.deepEqual(fields.sort(), [
      [["slug"], "string"],
      [["title"], "string"],
    ]);
  });

  test("delete resolves to nothing, and the record is gone", async () => {
    const { data } = await collection.create(draft());
    const id = String(data.id);
    assert.equal(await collection.delete(id), undefined);
    assert.equal(lastTarget(), `DELETE /api/articles/${id}`);
    await assert.rejects(collection.findOne(id), HTTPNotFoundError);
    await assert.rejects(collection.delete(id), HTTPNotFoundError);
    await assert.rejects(collection.update(id, draft()), HTTPNotFoundError);
  });
});

test("fetch: a query too long for an address goes as a body", async () => {
  const wanted = ids(articles).slice(0, 300);
  const response = await client.fetch("/articles/query", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ filters: { id: { $in: wanted } }, sort: ["id"], fields: ["title"] }),
  });
  const { data, meta } = await response.json();
  assert.deepEqual(ids(data), wanted.slice(0, 25));
  assert.equal(meta.pagination.total, 300);
});
