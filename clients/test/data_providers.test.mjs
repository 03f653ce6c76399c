// The data providers of Refine and react-admin over the client.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { allArticles, api, asListed, draft, ids } from "../blog.mjs";
import { built } from "../built.mjs";

const { createClient } = await built("blog");
const { refineProvider } = await built("refine");
const { adminProvider } = await built("react-admin");
const baseUrl = api.replace(/\/api$/, "");
const client = createClient({ baseUrl });
const refine = refineProvider(client, api);
const admin = adminProvider(client);

test("each provider has less than 150 lines, and so has what they share", () => {
  for (const name of ["refine", "react-admin", "provider", "changes"]) {
    const lines = readFileSync(new URL(`../typescript/${name}.ts`, import.meta.url), "utf8").split("\n").length;
    assert.ok(lines < 150, `${name}: ${lines}`);
  }
});

test("refine: lists with pages, sorters, filters, groups and relations", async () => {
  const all = await allArticles();
  const { data, total } = await refine.getList({
    resource: "articles",
    pagination: { currentPage: 2, pageSize: 5 },
    sorters: [{ field: "id", order: "asc" }],
    filters: [
      { field: "views", operator: "gte", value: 1000 },
      { operator: "or", value: [{ field: "author.country", operator: "eq", value: "DE" }, { field: "title", operator: "contains", value: "garden" }] },
      { field: "title", operator: "contains", value: "" },
    ],
  });
  const wanted = all.filter((a) => a.views >= 1000 && (a.author?.country === "DE" || a.title.toLowerCase().includes("garden")));
  assert.equal(total, wanted.length);
  assert.deepEqual(data, wanted.slice(5, 10).map(asListed));
});

// Rule b533.
test("refine: empty fields are no conditions, in groups too, and operators mean what Refine says", async () => {
  const all = await allArticles();
  const total = async (...filters) => (await refine.getList({ resource: "articles", filters })).total;
  const unrated = all.filter((a) => a.rating === null).length;
  for (const value of ["", undefined, true]) {
    assert.equal(await total({ field: "rating", operator: "null", value }), unrated);
    assert.equal(await total({ field: "rating", operator: "nnull", value }), all.length - unrated);
  }
  const [empty, unset] = [{ field: "title", operator: "contains", value: "" }, { field: "views", operator: "gt", value: undefined }];
  const active = { field: "is_active", operator: "eq", value: true };
  for (const group of [
    { operator: "or", value: [active, empty, { operator: "and", value: [empty, unset] }] },
    { operator: "and", value: [empty, active, { operator: "or", value: [] }] },
  ]) {
    assert.equal(await total(group, unset), all.filter((a) => a.is_active).length);
  }
  assert.equal(await total({ operator: "or", value: [empty, { operator: "and", value: [unset] }] }, empty), all.length);
  for (const operator of ["containss", "ncontainss"]) {
    const list = refine.getList({ resource: "articles", filters: [{ field: "title", operator, value: "Garden" }] });
    await assert.rejects(list, { message: `The operator \`${operator}\` is not supported.` });
  }
});

test("refine: records, and errors next to their fields", async () => {
  const { data } = await refine.create({ resource: "articles", variables: draft() });
  const one = await refine.getOne({ resource: "articles", id: data.id, meta: { populate: ["author"] } });
  assert.equal(one.data.author, null);
  await refine.update({ resource: "articles", id: data.id, variables: { ...draft(), title: "Other" } });
  const many = await refine.getMany({ resource: "articles", ids: [data.id], meta: { fields: ["title"] } });
  assert.deepEqual(many.data, [{ id: data.id, title: "Other" }]);
  assert.equal((await refine.getMany({ resource: "authors", ids: [1, 2] })).data.length, 2);
  await refine.deleteOne({ resource: "articles", id: data.id });
  const wrong = await refine.create({ resource: "articles", variables: {} }).catch((error) => error);
  assert.equal(wrong.statusCode, 422);
  assert.deepEqual(wrong.errors.title, ["title is required."]);
  await assert.rejects(refine.create({ resource: "tags", variables: {} }), { statusCode: 405 });
});

// Rule b478.
test("many ids, and a list without pages, are read to the end", async () => {
  const all = await allArticles();
  assert.ok(all.length > 400);
  const sorted = (rows) => ids(rows).sort((a, b) => a - b);
  assert.deepEqual(sorted((await refine.getMany({ resource: "articles", ids: ids(all) })).data), ids(all));
  assert.deepEqual(sorted((await admin.getMany("articles", { ids: ids(all) })).data), ids(all));
  // A list with smaller pages, and one that does not allow the filter.
  for (const most of [7, 0]) {
    const some = { articles: { ...smaller(client.articles, most), show: (...asked) => client.articles.show(...asked) } };
    const wanted = ids(all).slice(0, 30);
    assert.deepEqual(sorted((await refineProvider(some).getMany({ resource: "articles", ids: wanted })).data), wanted);
    assert.deepEqual(sorted((await adminProvider(some).getMany("articles", { ids: wanted })).data), wanted);
  }
  for (const provider of [refine.getMany({ resource: "articles", ids: [] }), admin.getMany("articles", { ids: [] })]) {
    assert.deepEqual((await provider).data, []);
  }
  const off = { resource: "articles", pagination: { mode: "off" }, sorters: [{ field: "id", order: "asc" }] };
  // In the mode "client" Refine itself cuts the list into pages.
  for (const pagination of [off.pagination, { mode: "client", currentPage: 2, pageSize: 10 }]) {
    const whole = await refine.getList({ ...off, pagination });
    assert.deepEqual([whole.total, whole.data], [all.length, all.map(asListed)]);
  }
  assert.equal((await refine.getList({ ...off, pagination: { mode: "server", pageSize: 5 } })).data.length, 5);
  await assert.rejects(refine.getList({ ...off, filters: [{ field: "titel", operator: "eq", value: "x" }] }), { statusCode: 400 });
});

/** A list whose largest page has so many rows; with 0, one that refuses. */
function smaller(resource, most) {
  const list = ({ pagination, ...query }) => {
    if (most === 0) return Promise.reject(Object.assign(new Error("refused"), { status: 400 }));
    return resource.list({ ...query, pagination: { ...pagination, limit: Math.min(most, pagination.limit) } });
  };
  return { list };
}

// Rule b527.
test("a page that is larger than the list allows is whole", async () => {
  const all = await allArticles();
  const sorters = [{ field: "id", order: "asc" }];
  for (const [page, perPage] of [[1, 1000], [2, 200], [3, 150], [3, 200], [99, 200]]) {
    const wanted = [all.length, all.slice((page - 1) * perPage, page * perPage).map(asListed)];
    const pagination = { currentPage: page, pageSize: perPage };
    const refined = await refine.getList({ resource: "articles", pagination, sorters });
    assert.deepEqual([refined.total, refined.data], wanted);
    const listed = await admin.getList("articles", { pagination: { page, perPage }, sort: { field: "id", order: "ASC" }, filter: {} });
    assert.deepEqual([listed.total, listed.data], wanted);
  }
});

// Rule b528.
test("many ids: a default filter hides no record, and a missing one costs no other", async () => {
  const { articles } = client;
  const mine = (await allArticles()).filter((article) => article.author_id === 7);
  // The list of somebody who is author 7: only own articles, unless a filter of `author_id` says otherwise.
  const list = ({ filters, ...query }, options) => articles.list({ ...query, filters: { $and: [filters, { author_id: 7 }] } }, options);
  const others = (await articles.list({ filters: { author_id: 8 }, pagination: { pageSize: 3 } })).data;
  const wanted = [...ids(mine), ...ids(others)];
  // A list without a filter of ids, too: that of tags.
  for (const [resource, some, there] of [["articles", [...wanted, 999_999], wanted], ["tags", [1, 999_999, 2], [1, 2]]]) {
    const hiding = { tags: client.tags, articles: { list, show: (...asked) => articles.show(...asked) } };
    const refined = await refineProvider(hiding).getMany({ resource, ids: some.map(String), meta: { fields: [] } });
    const listed = await adminProvider(hiding).getMany(resource, { ids: some, meta: { fields: [] } });
    for (const { data } of [refined, listed]) assert.deepEqual(ids(data).sort((a, b) => a - b), there.toSorted((a, b) => a - b));
  }
  // Each record once, and a few at a time.
  let [asked, now, most] = [0, 0, 0];
  const show = async (id) => {
    asked += 1;
    most = Math.max(most, (now += 1));
    await new Promise(setImmediate);
    now -= 1;
    return { data: { id } };
  };
  const many = Array.from({ length: 25 }, (_, at) => at + 1);
  const shown = await refineProvider({ articles: { ...smaller(articles, 0), show } }).getMany({ resource: "articles", ids: [...many, 1, "2"] });
  assert.deepEqual([shown.data.length, asked, most], [25, 25, 10]);
  for (const [status, isLeftOut] of [[403, true], [405, true], [401, false], [503, false]]) {
    const show = () => Promise.reject(Object.assign(new Error("refused"), { status }));
    const many = adminProvider({ articles: { list, show } }).getMany("articles", { ids: wanted });
    if (isLeftOut) assert.equal((await many).data.length, mine.length);
    else await assert.rejects(many, { status });
  }
});

// Rule b532.
test("a list without a total, or with one that stops somewhere, has a next page while there are rows", async () => {
  const total = (await allArticles()).length;
  const uncounted = createClient({
    baseUrl,
    fetch: (url, init) => {
      const asked = new URL(url);
      asked.searchParams.set("pagination[withCount]", "false");
      return fetch(asked, init);
    },
  });
  const last = Math.ceil(total / 150);
  for (const [page, isLast] of [[1, false], [2, false], [last, true]]) {
    const pagination = { currentPage: page, pageSize: 150 };
    const refined = await refineProvider(uncounted).getList({ resource: "articles", pagination });
    assert.equal(refined.total, isLast ? total : page * 150 + 1);
    const listed = await adminProvider(uncounted).getList("articles", { pagination: { page, perPage: 150 }, sort: { field: "id", order: "ASC" }, filter: {} });
    assert.deepEqual([listed.total, listed.pageInfo], [undefined, { hasNextPage: !isLast, hasPreviousPage: page > 1 }]);
  }
  const answer = (hasMore) => async () => ({ data: [{ id: 21 }, { id: 22 }], meta: { pagination: { limit: 2, total: 20, totalIsExact: false, hasMore } } });
  for (const [hasMore, wanted] of [[true, 23], [false, 22]]) {
    const capped = { articles: { list: answer(hasMore) } };
    const pagination = { page: 11, perPage: 2 };
    assert.equal((await adminProvider(capped).getList("articles", { pagination, sort: { field: "id", order: "ASC" }, filter: {} })).total, wanted);
    assert.equal((await refineProvider(capped).getList({ resource: "articles", pagination: { currentPage: 11, pageSize: 2 } })).total, wanted);
  }
});

test("react-admin: lists, references and search", async () => {
  const all = await allArticles();
  const list = await admin.getList("articles", {
    pagination: { page: 1, perPage: 7 },
    sort: { field: "id", order: "DESC" },
    filter: { is_active: true, "views:$gt": 500, "author.country": ["DE"] },
  });
  const wanted = all.filter((a) => a.is_active && a.views > 500 && a.author?.country === "DE").reverse();
  assert.equal(list.total, wanted.length);
  assert.deepEqual(ids(list.data), ids(wanted).slice(0, 7));
  const found = await admin.getList("articles", { filter: { q: "trains" }, pagination: { page: 1, perPage: 5 }, sort: { field: "relevance", order: "ASC" } });
  assert.ok(found.total > 0);
  const comments = await admin.getManyReference("comments", { target: "article_id", id: 7, pagination: { page: 1, perPage: 3 }, sort: { field: "id", order: "ASC" } });
  assert.equal(comments.total, 57);
  assert.deepEqual(ids((await admin.getMany("tags", { ids: [1, 2] })).data), [1, 2]);
});

// Rule b531.
test("react-admin: filters as forms nest them, and references through a relation", async () => {
  const all = await allArticles();
  const found = async (filter) => {
    const { data } = await admin.getList("articles", { filter, pagination: { page: 1, perPage: 1000 }, sort: { field: "id", order: "ASC" } });
    return ids(data);
  };
  const from = (...countries) => all.filter((a) => countries.includes(a.author?.country));
  const german = ids(from("DE"));
  for (const [filter, wanted] of [
    [{ author: { country: ["DE", "BR"] } }, ids(from("DE", "BR"))],
    [{ author: { "name:$contains": "köhler" } }, ids(all.filter((a) => a.author?.name.includes("Köhler")))],
    [{ author: { country: "DE" }, "author.country": "DE", "views:$gt": 500, "views:$lt": 9000 }, ids(from("DE").filter((a) => a.views > 500 && a.views < 9000))],
    [{ author: { country: "DE" }, views: { $gte: 500, $lt: 9000 } }, ids(from("DE").filter((a) => a.views >= 500 && a.views < 9000))],
    [{ author: { country: "DE" }, title: undefined, seo: {} }, german],
    [{ $or: [{ author: { country: "DE" } }, { id: { $in: [1, 2] } }] }, ids(all.filter((a) => a.author?.country === "DE" || a.id < 3))],
    [{ $not: { author: { country: "DE" }, is_active: true } }, ids(all.filter((a) => !(a.author?.country === "DE" && a.is_active)))],
    [{ id: { $in: [3, 4] } }, ids(all.filter((a) => [3, 4].includes(a.id)))],
  ]) {
    assert.deepEqual(await found(filter), wanted, JSON.stringify(filter));
  }
  // What stands in one object is about one and the same comment.
  const commented = await found({ comments: { author_name: "Hana Haddad", is_hidden: true } });
  const same = await client.articles.list({ filters: { comments: { author_name: "Hana Haddad", is_hidden: true } }, sort: "id", pagination: { pageSize: 100 } });
  assert.ok(commented.length > 0 && commented.length < (await found({ "comments.author_name": "Hana Haddad", "comments.is_hidden": true })).length);
  assert.deepEqual(commented, ids(same.data));
  const referring = await admin.getManyReference("articles", { target: "author.country", id: "DE", filter: {}, pagination: { page: 1, perPage: 3 }, sort: { field: "id", order: "ASC" } });
  assert.deepEqual([referring.total, ids(referring.data)], [german.length, german.slice(0, 3)]);
});

test("react-admin: records, and errors next to their fields", async () => {
  const { data } = await admin.create("articles", { data: draft() });
  await admin.update("articles", { id: data.id, data: { ...draft(), title: "Other" }, previousData: data });
  assert.equal((await admin.getOne("articles", { id: data.id })).data.title, "Other");
  assert.deepEqual((await admin.deleteMany("articles", { ids: [data.id] })).data, [data.id]);
  const wrong = await admin.create("articles", { data: {} }).catch((error) => error);
  assert.equal(wrong.status, 422);
  assert.equal(wrong.body.errors.slug, "slug is required.");
});

// Rule b529.
test("a form sends what can be written, and nothing else of the record", async () => {
  const { sent, client } = watched();
  const [refine, admin] = [refineProvider(client), adminProvider(client)];
  const fields = ["body", "is_active", "slug", "title"];
  const resource = "articles";
  const { id } = (await admin.create(resource, { data: { ...draft(), id: 5, created_at: "2020-01-01" } })).data;
  const previousData = (await admin.getOne(resource, { id, meta: { fields: "*", populate: ["author", "tags"] } })).data;
  await admin.update(resource, { id, data: { ...previousData, title: "Other" }, previousData });
  await refine.update({ resource, id, variables: { ...previousData, title: "Third" } });
  assert.equal((await client.articles.show(id)).data.title, "Third");
  const copy = await refine.create({ resource, variables: { ...previousData, ...draft() } });
  for (const written of [id, copy.data.id]) await client.articles.destroy(written);
  const bodies = sent.filter(({ body }) => body);
  assert.deepEqual(bodies.map(({ method }) => method), ["POST", "PATCH", "PATCH", "POST"]);
  const sentFields = bodies.map(({ body }) => Object.keys(body).sort());
  // An empty list is a wish: there are no rows in it that were only read.
  const withTags = [...fields.slice(0, 3), "tags", "title"];
  assert.deepEqual(sentFields, [fields, ["title"], withTags, withTags]);
  // What an application's own handler takes is not known.
  const open = { notes: { store: async (record) => ({ data: { id: 1, record } }) } };
  const { data } = await refineProvider(open).create({ resource: "notes", variables: { anything: 1 } });
  assert.deepEqual(data.record, { anything: 1 });
});

// Rule b530.
test("a change of some fields leaves the others as they are", async () => {
  const { sent, client } = watched();
  const { articles } = client;
  const [refine, admin] = [refineProvider(client), adminProvider(client)];
  const resource = "articles";
  const [first, second] = [draft(), draft()];
  const { id } = (await admin.create(resource, { data: first })).data;
  const other = (await refine.create({ resource, variables: second })).data.id;
  const written = async () => (({ title, slug, body, is_active }) => ({ title, slug, body, is_active }))((await articles.show(id)).data);

  await admin.updateMany(resource, { ids: [id, other], data: { is_active: false } });
  assert.deepEqual(await written(), { ...first, is_active: false });
  assert.equal((await articles.show(other)).data.title, second.title);
  await refine.update({ resource, id, variables: { title: "Second" } });
  assert.deepEqual(await written(), { ...first, title: "Second", is_active: false });
  // What was read earlier is not written back over what somebody else has changed since.
  const { etag, ...old } = (await admin.getOne(resource, { id })).data;
  await articles.patch(id, { is_active: true, body: "Changed." });
  sent.length = 0;
  const { data } = await admin.update(resource, { id, data: { ...old, title: "Third", slug: undefined }, previousData: old });
  assert.deepEqual(sent.map(({ method }) => method), ["GET", "PATCH"]);
  assert.deepEqual(sent[1].body, { title: "Third" });
  assert.ok(sent[1].ifMatch);
  assert.deepEqual(await written(), { ...first, title: "Third", body: "Changed." });
  assert.equal(data.body, "Changed.");
  // A record that was read with its tag needs no second look, and a change in between is a conflict.
  sent.length = 0;
  const fourth = (await admin.update(resource, { id, data: { ...data, title: "Fourth" }, previousData: data })).data;
  assert.deepEqual(sent.map(({ method, ifMatch }) => [method, ifMatch]), [["PATCH", data.etag]]);
  const read = (await refine.getOne({ resource, id })).data;
  assert.deepEqual([read.etag, read.title], [fourth.etag, "Fourth"]);
  const late = [
    { variables: { title: "Late", etag } },
    { variables: { title: "Late" }, meta: { ifMatch: etag } },
  ];
  for (const write of late) await assert.rejects(refine.update({ resource, id, ...write }), { statusCode: 412, code: "stale" });
  await assert.rejects(admin.update(resource, { id, data: { ...data, title: "Late" }, previousData: data }), { status: 412 });
  await articles.update(id, { ...first, title: "Fourth", is_active: false });
  assert.deepEqual(await written(), { ...first, title: "Fourth", is_active: false });
  await admin.deleteMany(resource, { ids: [id, other] });
});

// Rule b1071.
test("many records are created, changed and deleted by one request each, all of them or none", async () => {
  const { sent, client } = watched();
  const [refine, admin] = [refineProvider(client), adminProvider(client)];
  const resource = "articles";
  const drafts = [draft({ tags: [{ id: 1, name: "read along" }] }), draft()];
  const made = await refine.createMany({ resource, variables: drafts.map((one) => ({ ...one, created_at: "2020-01-01" })) });
  assert.deepEqual(made.data.map(({ title }) => title), drafts.map(({ title }) => title));
  const all = ids(made.data);
  const written = async () => Promise.all(all.map(async (id) => (await client.articles.show(id)).data));
  assert.deepEqual((await written()).map(({ slug }) => slug), drafts.map(({ slug }) => slug));

  const changed = await refine.updateMany({ resource, ids: all, variables: { title: "By Refine", views: 5 } });
  assert.deepEqual(changed.data.map(({ id, title }) => [id, title]), all.map((id) => [id, "By Refine"]));
  assert.deepEqual((await admin.updateMany(resource, { ids: all, data: { is_active: false, tags: [2] } })).data, all);
  assert.ok((await written()).every(({ title, is_active, body }) => title === "By Refine" && !is_active && body === "To be written."));
  const writes = () => sent.splice(0).filter(({ method }) => method !== "GET").map(({ method, url, body }) => [method, new URL(url).pathname, body]);
  const [first, ...others] = writes();
  assert.deepEqual(first[2].create.map(({ tags }) => tags), [[1], undefined]);
  assert.deepEqual(others, [
    ["POST", "/api/articles/_bulk", { update: all.map((id) => ({ title: "By Refine", id })) }],
    ["POST", "/api/articles/_bulk", { update: all.map((id) => ({ is_active: false, tags: [2], id })) }],
  ]);

  // One that is wrong keeps all of them from being written, and is named.
  const wrong = { title: "Lost", slug: drafts[0].slug };
  await assert.rejects(refine.updateMany({ resource, ids: all, variables: wrong }), ({ statusCode, errors }) => statusCode === 422 && "update.1.slug" in errors);
  await assert.rejects(admin.updateMany(resource, { ids: all, data: wrong }), ({ status, body }) => status === 422 && "update.1.slug" in body.errors);
  assert.ok((await written()).every(({ title }) => title === "By Refine"));
  sent.length = 0;
  assert.deepEqual((await refine.deleteMany({ resource, ids: all.slice(0, 1) })).data, [{ id: all[0] }]);
  assert.deepEqual((await admin.deleteMany(resource, { ids: all.slice(1) })).data, all.slice(1));
  assert.deepEqual(writes(), all.map((id) => ["POST", "/api/articles/_bulk", { delete: [id] }]));

  // Of none, nothing is asked.
  await admin.deleteMany(resource, { ids: [] });
  await refine.createMany({ resource, variables: [] });
  assert.deepEqual(writes(), []);
});

// Rule b1071.
test("records are written one by one where a resource has no other way, or where each has to be read first", async () => {
  const { sent, client } = watched();
  const resource = "articles";
  const methods = () => sent.splice(0).map(({ method, ifMatch }) => [method, Boolean(ifMatch)]);
  const { data } = await refineProvider(client).createMany({ resource, variables: [draft(), draft()] });
  const all = ids(data);
  const as = (names) => {
    const { articles } = client;
    const bound = Object.fromEntries(["show", "store", "patch", "destroy", "bulk"].map((name) => [name, articles[name].bind(articles)]));
    return { articles: { ...bound, names: { ...articles.names, ...names } } };
  };
  sent.length = 0;
  await adminProvider(as({ bulk: undefined })).updateMany(resource, { ids: all, data: { title: "One by one" } });
  assert.deepEqual(methods(), [["GET", false], ["PATCH", true], ["GET", false], ["PATCH", true]]);
  await refineProvider(as({ ifMatch: true })).updateMany({ resource, ids: all, variables: { title: "With a tag" } });
  assert.deepEqual(methods(), [["GET", false], ["PATCH", true], ["GET", false], ["PATCH", true]]);
  assert.equal((await refineProvider(as({ bulk: [] })).createMany({ resource, variables: [draft()] })).data.length, 1);
  assert.deepEqual(methods(), [["POST", false]]);
  await adminProvider(as({ bulk: undefined })).deleteMany(resource, { ids: all });
  assert.deepEqual(methods(), [["DELETE", false], ["DELETE", false]]);
});

// Rule b922.
test("relations are written by their ids, and rows that were only read are not sent", async () => {
  const { sent, client } = watched();
  const [refine, admin] = [refineProvider(client), adminProvider(client)];
  const resource = "articles";
  const tags = async (id) => ids((await client.articles.show(id, { populate: ["tags"] })).data.tags).sort((a, b) => a - b);
  const { id } = (await refine.create({ resource, variables: draft({ tags: [1, 2] }) })).data;
  assert.deepEqual(await tags(id), [1, 2]);
  for (const [wish, wanted] of [
    [[2, 3], [2, 3]],
    [{ connect: [5], disconnect: [2] }, [3, 5]],
    [{ set: [4] }, [4]],
    [[], []],
  ]) {
    await refine.update({ resource, id, variables: { tags: wish } });
    assert.deepEqual(await tags(id), wanted);
  }
  const [one, two, three] = (await client.tags.list({ pagination: { pageSize: 3 } })).data;
  await refine.update({ resource, id, variables: { title: "Rows", tags: [one, two] } });
  assert.deepEqual(await tags(id), []);
  // A form of react-admin knows what it began with: only the difference is sent, and what others have linked since is kept.
  const previousData = { ...(await admin.getOne(resource, { id })).data, tags: [one, two] };
  await client.articles.patch(id, { tags: [one.id, two.id, 9] });
  sent.length = 0;
  await admin.update(resource, { id, data: { ...previousData, tags: [two.id, three.id] }, previousData, meta: { ifMatch: "*" } });
  assert.deepEqual(sent.map(({ method, body }) => [method, body]), [["PATCH", { tags: { connect: [three.id], disconnect: [one.id] } }]]);
  assert.deepEqual(await tags(id), [two.id, three.id, 9].sort((a, b) => a - b));
  await assert.rejects(refine.update({ resource, id, variables: { tags: [1, 987_654] } }), (error) => {
    assert.deepEqual([error.statusCode, Object.keys(error.errors)], [422, ["tags.1"]]);
    return true;
  });
  await client.articles.destroy(id);
});

// Rule b922.
test("an object is not merged with the one that it takes the place of", async () => {
  const sent = [];
  const patch = async (id, record, { ifMatch }) => (sent.push([record, ifMatch]), { data: record });
  const names = { update: ["title", "place"] };
  const place = { city: "Ulm", at: { x: 1, y: 2 } };
  const show = async () => ({ data: { id: 1, place }, etag: '"1"' });
  const resources = { notes: { names, show, patch } };
  const wish = { at: { x: 3 }, note: null };
  const wanted = { city: null, at: { x: 3, y: null }, note: null };
  await refineProvider(resources).update({ resource: "notes", id: 1, variables: { place: wish } });
  const previousData = { id: 1, title: "a", place, etag: '"0"' };
  await adminProvider(resources).update("notes", { id: 1, data: { ...previousData, place: wish }, previousData });
  assert.deepEqual(sent, [[{ place: wanted }, '"1"'], [{ place: wanted }, '"0"']]);
  // Where single records are not shown, there is no tag, and what an application's own handler takes is not known.
  const hidden = () => Promise.reject(Object.assign(new Error("refused"), { status: 405 }));
  await refineProvider({ notes: { names, show: hidden, patch } }).update({ resource: "notes", id: 1, variables: { title: "b" } });
  assert.deepEqual(sent.pop(), [{ title: "b" }, undefined]);
  const update = async (id, record) => (sent.push(record), { message: null });
  await refineProvider({ notes: { update } }).update({ resource: "notes", id: 1, variables: { anything: 1 } });
  assert.deepEqual(sent.pop(), { anything: 1 });
});

// Rule b922.
test("facets and totals come through `meta`, with pages and without", async () => {
  const all = await allArticles();
  const active = all.filter((article) => article.is_active);
  const meta = { facets: { is_active: true }, totals: { views: "sum" } };
  const sum = active.reduce((total, article) => total + article.views, 0);
  const wanted = (given) => {
    assert.deepEqual(given.meta.totals, { views: { sum } });
    const [{ key, values }] = given.meta.facets;
    // The facet leaves out its own condition, next to others too.
    const counts = [active.length, all.length - active.length];
    assert.deepEqual([key, values.map(({ count }) => count), given.meta.facets.length], ["is_active", counts, 1]);
    assert.equal(given.total, active.length);
  };
  const { sent, client } = watched();
  const [refine, admin] = [refineProvider(client), adminProvider(client)];
  const filters = [{ field: "is_active", operator: "eq", value: true }, { field: "views", operator: "gte", value: 0 }, { field: "views", operator: "ne", value: -1 }];
  for (const pagination of [{ pageSize: 5 }, { pageSize: 250 }, { mode: "off" }]) {
    wanted(await refine.getList({ resource: "articles", filters, pagination, meta }));
  }
  for (const perPage of [5, 250]) {
    wanted(await admin.getList("articles", { filter: { is_active: true, "views:$gte": 0 }, pagination: { page: 1, perPage }, sort: { field: "id", order: "ASC" }, meta }));
  }
  assert.equal(sent.filter(({ url }) => url.includes("facets")).length, 5);
  assert.equal((await refine.getList({ resource: "articles", filters })).meta, undefined);
});

/** A client, and what it has sent. */
function watched() {
  const sent = [];
  const watch = (url, init) => {
    sent.push({ method: init.method, url: String(url), ifMatch: init.headers["if-match"], body: init.body && JSON.parse(init.body) });
    return fetch(url, init);
  };
  return { sent, client: createClient({ baseUrl, fetch: watch }) };
}
