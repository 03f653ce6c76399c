// Refine's strapi-v4 provider reads and writes single records, and puts what is wrong with a form beside its fields.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { axiosInstance, DataProvider } from "@refinedev/strapi-v4";

import { api, ask, draft } from "../blog.mjs";
import { lastTarget } from "../wire.mjs";

const provider = DataProvider(api);
const resource = "articles";

/** Creates an article that is gone again after the test, and answers its id. */
async function create(t, variables) {
  const { data } = await provider.create({ resource, variables });
  t.after(() => ask("DELETE", `articles/${data.data.id}`));
  return data.data.id;
}

async function stored(id) {
  const { status, body } = await ask("GET", `articles/${id}`);
  assert.equal(status, 200);
  return body.data;
}

describe("getOne", () => {
  test("the record", async () => {
    const { data } = await provider.getOne({ resource, id: 1 });
    assert.deepEqual(data, await stored(1));
    const fields = ["id", "title", "slug", "body", "is_active", "created_at", "updated_at"];
    assert.deepEqual(Object.keys(data), fields);
  });

  test("fields and populate of `meta`, and a locale without effect", async () => {
    const meta = { fields: ["title"], populate: ["author"], locale: "en" };
    const { data } = await provider.getOne({ resource, id: 1, meta });
    assert.deepEqual(Object.keys(data), ["id", "title", "author"]);
    assert.equal(data.title, (await stored(1)).title);
  });

  test("no such record", async () => {
    for (const id of [987_654_321, "no-id"]) {
      const error = await provider.getOne({ resource, id }).catch((error) => error);
      assert.equal(error.statusCode, 404);
      assert.equal(typeof error.message, "string");
    }
  });
});

describe("create", () => {
  test("answers the new id, and the record is there", async (t) => {
    const variables = draft({ title: "Straße & Söhne – 日本" });
    const id = await create(t, variables);
    assert.equal(lastTarget(), "POST /api/articles");
    const { created_at, updated_at, ...rest } = await stored(id);
    assert.deepEqual(rest, { id, ...variables });
    assert.equal(created_at, updated_at);
  });

  test("a body that still holds an id and what the server sets", async (t) => {
    const variables = draft({ id: 1, created_at: "1999-01-01", deleted_at: "1999-01-01", views: 9 });
    let sent;
    const watch = axiosInstance.interceptors.request.use((config) => {
      sent = config.data;
      return config;
    });
    t.after(() => axiosInstance.interceptors.request.eject(watch));
    const id = await create(t, variables);
    assert.deepEqual(sent, { data: variables });
    assert.notEqual(id, 1);
    const record = await stored(id);
    assert.equal(record.slug, variables.slug);
    assert.ok(!record.created_at.startsWith("1999"), record.created_at);
  });

  test("createMany", async (t) => {
    const variables = [draft(), draft()];
    const { data } = await provider.createMany({ resource, variables });
    for (const [at, { data: made }] of data.entries()) {
      t.after(() => ask("DELETE", `articles/${made.id}`));
      assert.equal((await stored(made.id)).slug, variables[at].slug);
    }
  });
});

describe("form errors", () => {
  test("every field that is wrong gets its own messages, on create", async (t) => {
    const taken = draft();
    await create(t, taken);
    const variables = { title: "x".repeat(256), slug: taken.slug, body: 5, is_active: "yes" };
    const error = await provider.create({ resource, variables }).catch((error) => error);
    assert.equal(error.statusCode, 422);
    assert.equal(typeof error.message, "string");
    assert.deepEqual(Object.keys(error.errors).sort(), ["body", "is_active", "slug", "title"]);
    for (const [field, messages] of Object.entries(error.errors)) {
      assert.ok(messages.length > 0);
      assert.ok(messages.every((message) => message.includes(field)), messages.join());
    }
  });

  test("fields that are missing, on update", async (t) => {
    const before = draft();
    const id = await create(t, before);
    const variables = { id, title: "  ", body: null };
    const error = await provider.update({ resource, id, variables }).catch((error) => error);
    assert.equal(error.statusCode, 422);
    assert.deepEqual(Object.keys(error.errors).sort(), ["is_active", "slug", "title"]);
    assert.equal((await stored(id)).title, before.title);
  });

  test("an error that concerns no field has none", async () => {
    const variables = draft();
    const error = await provider
      .update({ resource, id: 987_654_321, variables })
      .catch((error) => error);
    assert.equal(error.statusCode, 404);
    assert.deepEqual(error.errors, {});
    assert.equal(typeof error.message, "string");
  });
});

describe("update", () => {
  test("resolves although the answer holds a message alone, and the record has changed", async (t) => {
    const id = await create(t, draft());
    // What an edit form sends: the record as it was read, with changes.
    const { data: read } = await provider.getOne({ resource, id });
    const variables = { ...read, title: "Changed", is_active: false, body: null };
    const { data } = await provider.update({ resource, id, variables });
    assert.equal(lastTarget(), `PUT /api/articles/${id}`);
    assert.equal(data.meta.code, 200);
    assert.equal("data" in data, false);
    const { updated_at, ...rest } = await stored(id);
    const { updated_at: earlier, ...expected } = variables;
    assert.deepEqual(rest, expected);
    assert.ok(updated_at > earlier);
  });

  test("updateMany: one slug cannot be had twice", async (t) => {
    const first = await create(t, draft());
    const second = await create(t, draft());
    const { slug } = await stored(first);
    const variables = { title: "Same", slug, is_active: true };
    const errors = await provider
      .updateMany({ resource, ids: [first, second], variables })
      .catch((errors) => errors);
    assert.deepEqual(errors.map((error) => Object.keys(error.errors)), [["slug"]]);
    assert.equal((await stored(first)).title, "Same");
  });
});

// Rule d125.
describe("relations", () => {
  test("are written by forms, with ids or with what begins and ends", async (t) => {
    const id = await create(t, draft({ tags: [2, 1] }));
    const tags = async () => {
      const { data } = await provider.getOne({ resource, id, meta: { populate: ["tags"] } });
      return data.tags.map((tag) => tag.id).sort((a, b) => a - b);
    };
    assert.deepEqual(await tags(), [1, 2]);
    const { data: read } = await provider.getOne({ resource, id });
    for (const [wish, wanted] of [
      [[3], [3]],
      [{ connect: [{ id: 4 }], disconnect: [{ id: 3 }] }, [4]],
      [{ set: ["5", "6"] }, [5, 6]],
      [undefined, [5, 6]],
      [[], []],
    ]) {
      await provider.update({ resource, id, variables: { ...read, tags: wish } });
      assert.deepEqual(await tags(), wanted, JSON.stringify(wish));
    }
    const wrong = await provider.update({ resource, id, variables: { ...read, tags: [1, 987_654] } }).catch((error) => error);
    assert.deepEqual([wrong.statusCode, Object.keys(wrong.errors)], [422, ["tags"]]);
    assert.deepEqual(await tags(), []);
  });
});

describe("delete", () => {
  test("deleteOne resolves, and the record is gone from one and from many", async () => {
    const { data: made } = await provider.create({ resource, variables: draft() });
    const { id } = made.data;
    const { data } = await provider.deleteOne({ resource, id });
    assert.equal(lastTarget(), `DELETE /api/articles/${id}`);
    assert.equal(data.meta.code, 200);
    assert.deepEqual(await provider.getMany({ resource, ids: [id] }), { data: [] });
    const again = await provider.deleteOne({ resource, id }).catch((error) => error);
    assert.equal(again.statusCode, 404);
  });

  test("deleteMany", async () => {
    const made = await provider.createMany({ resource, variables: [draft(), draft()] });
    const ids = made.data.map(({ data }) => data.id);
    await provider.deleteMany({ resource, ids });
    assert.deepEqual(await provider.getMany({ resource, ids }), { data: [] });
  });
});
