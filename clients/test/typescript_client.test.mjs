// The client that `listing client ts` writes: it compiles, it refuses what the whitelist does not allow, and it works.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import ts from "typescript";

import { allArticles, api, asListed, ask, draft, ids } from "../blog.mjs";
import { built, compile } from "../built.mjs";
import { lastQuery, lastTarget } from "../wire.mjs";

const { createClient, ListingError, toQueryString } = await built("blog");
const client = createClient({ baseUrl: api.replace(/\/api$/, "") });

test("what the whitelist allows compiles, and nothing else", async () => {
  // `built` compiles the type tests in `types.ts` too, and fails if one of them does.
  await built("types");
});

test("a list has the items that plain requests show", async () => {
  const all = await allArticles();
  const page = await client.articles.list({ sort: "id", pagination: { page: 2, pageSize: 10 } });
  assert.deepEqual(page.data, all.slice(10, 20).map(asListed));
  assert.equal(page.meta.pagination.total, all.length);
});

test("filters, groups, relations and options arrive as they were meant", async () => {
  const all = await allArticles();
  const page = await client.articles.list({
    fields: ["views"],
    populate: { author: { fields: ["country"] }, comments: { count: true } },
    filters: { $or: [{ views: { $gt: 99000 } }, { author: { country: { $in: ["DE", "BR"] } } }], is_active: true },
    sort: ["views:desc", "id"],
    pagination: { pageSize: 100 },
  });
  const wanted = all.filter(
    (article) => article.is_active && (article.views > 99000 || ["DE", "BR"].includes(article.author?.country)),
  );
  wanted.sort((a, b) => b.views - a.views || a.id - b.id);
  assert.deepEqual(ids(page.data), ids(wanted).slice(0, 100));
  assert.ok(page.data.every((item) => typeof item.comments.count === "number"));
  assert.match(decodeURIComponent(lastQuery()), /filters\[\$or\]\[0\]\[views\]\[\$gt\]=99000/);
});

test("a long request, and one with an empty list, goes as a body", async () => {
  const many = Array.from({ length: 900 }, (_, at) => at + 1);
  const page = await client.articles.list({ filters: { id: { $in: many } }, pagination: { pageSize: 1 } });
  assert.equal(lastTarget(), "POST /api/articles/query");
  assert.equal(page.meta.pagination.total, (await allArticles()).length);
  assert.deepEqual((await client.articles.list({ filters: { id: { $in: [] } } })).data, []);
});

// Rule b451.
test("a condition without content is refused, and never left out", async () => {
  for (const filters of [{ $not: {} }, { $or: [{}] }, { $or: [{}, { views: 5 }] }, { title: {} }, { author_id: { $eq: undefined } }, { comments: { $none: {} } }]) {
    await assert.rejects(client.articles.list({ filters }), { status: 400 }, JSON.stringify(filters));
  }
  // What is not said is not a condition.
  const total = (await allArticles()).length;
  for (const query of [{ filters: {} }, { filters: { title: undefined } }, { filters: undefined, pagination: {} }]) {
    assert.equal((await client.articles.list(query)).meta.pagination.total, total);
    assert.match(lastTarget(), /^GET /);
  }
  const [item] = (await client.articles.list({ populate: { author: {} }, pagination: { pageSize: 1 } })).data;
  assert.ok("author" in item);
  assert.ok("author" in (await client.articles.show(item.id, { populate: { author: {} } })).data);
});

// Rule b475.
test("null and undefined are no values, and what no query string can say of one record is an error", async () => {
  for (const [filters, code, parameter] of [
    [{ rating: { $ne: null } }, "null_filter", "filters[rating][$ne]"],
    [{ rating: null }, "null_filter", "filters[rating]"],
    [{ id: { $in: [1, undefined] } }, "null_filter", "filters[id][$in][1]"],
    [{ id: { $in: [undefined] } }, "null_filter", "filters[id][$in][0]"],
    [{ $or: [undefined] }, "empty_group", "filters[$or][0]"],
    [{ $or: [{ id: 1 }, undefined] }, "empty_group", "filters[$or][1]"],
  ]) {
    const refused = await client.articles.list({ filters }).catch((error) => error);
    assert.deepEqual([refused.status, refused.code, refused.details.parameter], [400, code, parameter], JSON.stringify(filters));
  }
  for (const [filters, place] of [
    [{ author_name: { $in: [] } }, "[author_name][$in]"],
    [{ author_name: {} }, "[author_name]"],
    [{ author_name: { $eq: undefined } }, "[author_name]"],
    [{ author_name: null }, "[author_name]"],
    [{ $or: [{ author_name: "a" }, undefined] }, "[$or][1]"],
    [{ $not: {} }, "[$not]"],
  ]) {
    const query = { populate: { comments: { filters } } };
    const wanted = (error) => error instanceof TypeError && error.message.startsWith(`\`populate[comments][filters]${place}\` has no value`);
    await assert.rejects(client.articles.show(7, query), wanted);
    assert.throws(() => toQueryString(query), wanted);
    await assert.rejects(client.articles.list(query), { status: 400 });
  }
  // Conditions that were not written narrow nothing, and lose nothing.
  const { data } = await client.articles.show(7, { fields: ["title"], populate: { comments: { filters: {}, sort: [] }, seo: {} } });
  assert.deepEqual([Object.keys(data).sort(), data.comments.length], [["comments", "id", "seo", "title"], 10]);
});

// Rule b476.
test("a response that breaks off is an error of the connection, not of the service", async () => {
  const server = createServer((request, response) => {
    const [, kind] = request.url.split("/");
    response.writeHead(kind === "gateway" ? 502 : 200, { "content-type": "application/json", ...(kind === "broken" && { "content-length": 1000 }) });
    if (kind === "text" || kind === "gateway") return response.end("<h1>Not the service</h1>");
    response.write('{"data": [', () => kind === "broken" && response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const at = (kind) => createClient({ baseUrl: `http://127.0.0.1:${server.address().port}/${kind}` }).articles;
  try {
    const cancel = new AbortController();
    const slow = createClient({
      baseUrl: `http://127.0.0.1:${server.address().port}/slow`,
      // Cancelled when the head of the response is there, and its body is not.
      fetch: async (...request) => {
        const response = await fetch(...request);
        setImmediate(() => cancel.abort());
        return response;
      },
    });
    await assert.rejects(slow.articles.list({}, { signal: cancel.signal }), { name: "AbortError" });
    const broken = await at("broken").list().catch((error) => error);
    assert.ok(broken instanceof TypeError && !(broken instanceof ListingError), String(broken));
    await assert.rejects(at("text").list(), { name: "ListingError", status: 200 });
    await assert.rejects(at("gateway").list(), { name: "ListingError", status: 502 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

// Rule b477.
test("a walk goes on from a cursor, and an empty list of fields or relations is one", async () => {
  const query = { fields: [], sort: "id", pagination: { pageSize: 100 } };
  const first = await client.articles.list({ ...query, pagination: { cursor: "", pageSize: 100 } });
  const { nextCursor } = first.meta.pagination;
  const seen = [];
  for await (const item of client.articles.all({ ...query, pagination: { cursor: nextCursor, pageSize: 100 } })) seen.push(item);
  assert.deepEqual([...first.data, ...seen], ids(await allArticles()).map((id) => ({ id })));
  // After the last page nothing follows.
  for await (const _ of client.articles.pages({ pagination: { cursor: null } })) assert.fail("a page");

  for (const populate of [[], {}, { article: undefined }]) {
    const { data, meta } = await client.comments.list({ fields: ["body"], populate, pagination: { pageSize: 2 } });
    assert.deepEqual(data.map(Object.keys), [["id", "body"], ["id", "body"]]);
    assert.equal(meta.ignored, undefined);
    assert.match(lastTarget(), /^GET /);
  }
  assert.ok("article" in (await client.comments.list({ fields: [] })).data[0]);
  const options = { fields: [], populate: { author: { fields: [], populate: [] }, seo: { fields: [] } } };
  const [item] = (await client.articles.list({ ...options, filters: { seo: { $notNull: true }, author: { $notNull: true } }, sort: [] })).data;
  const bare = { id: item.id, author: { id: item.author.id }, seo: { id: item.seo.id } };
  assert.deepEqual(item, bare);
  assert.match(lastTarget(), /^GET /);
  assert.deepEqual((await client.articles.show(item.id, options)).data, bare);
});

test("every page can be walked, and the walk can be cancelled", async () => {
  const all = await allArticles();
  const seen = [];
  for await (const item of client.articles.all({ fields: ["title"], sort: "id", pagination: { pageSize: 60 } })) seen.push(item.id);
  assert.deepEqual(seen, ids(all));

  const cancel = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of client.articles.all({ pagination: { pageSize: 10 } }, { signal: cancel.signal })) cancel.abort();
  }, { name: "AbortError" });
});

test("records are created, changed, deleted and brought back", async () => {
  const payload = draft();
  const { data } = await client.articles.store(payload);
  const shown = await client.articles.show(data.id);
  assert.equal(shown.data.slug, payload.slug);
  await client.articles.update(data.id, { ...payload, title: "Changed" });
  const part = await client.articles.show(data.id, { fields: ["title"] });
  assert.deepEqual(part.data, { id: data.id, title: "Changed" });
  await assert.rejects(client.articles.update(data.id, payload, { ifMatch: '"stale"' }), { status: 412, code: "stale" });
  // What was read before the change is stale, what is read after it is not; a part of a record has no tag for it (b451).
  await assert.rejects(client.articles.update(data.id, payload, { ifMatch: shown.etag }), { status: 412, code: "stale" });
  assert.equal(part.etag, undefined);
  const { etag } = await client.articles.show(data.id);
  await client.articles.update(data.id, { ...payload, title: "Changed again" }, { ifMatch: etag });
  await client.articles.patch(data.id, { title: "Patched", tags: { connect: [1, 2] } });
  const patched = await client.articles.show(data.id, { fields: ["title", "slug"], populate: ["tags"] });
  assert.equal(patched.data.title, "Patched");
  assert.equal(patched.data.slug, payload.slug);
  assert.deepEqual(patched.data.tags.map((tag) => tag.id).sort(), [1, 2]);
  await assert.rejects(client.articles.patch(data.id, { title: "x" }, { ifMatch: etag }), { status: 412, code: "stale" });
  await client.articles.destroy(data.id);
  await assert.rejects(client.articles.show(data.id), { status: 404 });
  await client.articles.restore(data.id);
  await client.articles.destroy(data.id, { force: true });
  assert.equal((await ask("GET", `articles/${data.id}`)).status, 404);
});

// Rules b921, d122, d125.
test("a write returns the record where it is asked to, with the tag for the next one", async () => {
  const payload = draft({ tags: { connect: [1, { id: 2 }] } });
  const stored = await client.articles.store(payload, { returning: true });
  const { id } = stored.data;
  const { data, etag } = await client.articles.show(id);
  assert.deepEqual([stored.data, stored.etag], [data, etag]);
  const populate = { tags: { fields: ["name"], sort: "name" } };
  const part = await client.articles.patch(id, { title: "Patched", tags: { disconnect: [1] } }, { ifMatch: etag, returning: { fields: ["title"], populate } });
  assert.deepEqual([part.data.title, ids(part.data.tags), part.etag], ["Patched", [2], undefined]);
  const whole = await client.articles.update(id, { ...payload, title: "Whole", tags: [] }, { returning: true });
  assert.deepEqual(whole.data, (await client.articles.show(id)).data);
  const stale = client.articles.patch(id, { title: "x" }, { ifMatch: etag, returning: true });
  await assert.rejects(stale, { status: 412, code: "stale" });
  const plain = await client.articles.patch(id, { title: "x" }, { ifMatch: whole.etag, returning: false });
  assert.deepEqual(Object.keys(plain), ["message", "meta"]);
  await client.articles.destroy(id);
  assert.equal((await client.articles.restore(id, { returning: true })).data.title, "x");
  await client.articles.destroy(id, { force: true });
});

test("an error has its code, its details and the errors of each field", async () => {
  const invalid = await client.articles.store({ title: "", slug: "x y" }).catch((error) => error);
  assert.ok(invalid instanceof ListingError);
  assert.equal(invalid.status, 422);
  assert.ok(invalid.errors.title && invalid.errors.is_active);
  const unknown = await client.articles.list({ filters: { titel: "x" } }).catch((error) => error);
  assert.deepEqual([unknown.code, unknown.details.nearest], ["filter_unknown_field", "title"]);
});

// Rule b1070.
test("many records are written by one request, with ids in the order of the items, and by a filter with their number", async () => {
  const { articles } = client;
  const [first, second] = [draft(), draft()];
  const { data } = await articles.bulk({ create: [first, second], upsert: [{ ...first, title: "Again" }] });
  assert.deepEqual(data.upsert, [{ id: data.create[0].id, result: "updated" }]);
  const all = ids(data.create);
  const { etag } = await articles.show(all[1]);
  await articles.patch(all[1], { body: "Elsewhere." });
  const stale = articles.bulk({ update: [{ id: all[0], title: "Lost" }, { id: all[1], etag, title: "Lost" }] });
  await assert.rejects(stale, ({ status, code, message }) => status === 412 && code === "stale" && message.startsWith("update.1: "));
  assert.equal((await articles.show(all[0])).data.title, "Again");

  const filters = { id: { $in: all } };
  await assert.rejects(articles.updateWhere({ filters, set: { body: null }, expected: 3 }), { status: 409, code: "other_number" });
  assert.deepEqual((await articles.updateWhere({ filters, set: { body: null }, expected: 2 })).data, { count: 2 });
  assert.equal((await articles.show(all[1])).data.body, null);
  assert.deepEqual((await articles.destroyWhere({ filters, expected: 2 })).data, { count: 2 });
  await assert.rejects(articles.show(all[0]), { status: 404 });
});

// Rule b1070.
test("a request that is repeated with its key is carried out once", async () => {
  const { articles } = client;
  const key = { idempotencyKey: `key ${Date.now()} ${process.pid}` };
  const record = draft();
  const [one, again] = [await articles.store(record, key), await articles.store(record, key)];
  assert.equal(one.data.id, again.data.id);
  await assert.rejects(articles.store(draft(), key), { status: 422, code: "idempotency_key_reused" });
  const deletion = { idempotencyKey: `${key.idempotencyKey}, deleted` };
  const gone = [await articles.bulk({ delete: [one.data.id] }, deletion), await articles.bulk({ delete: [one.data.id] }, deletion)];
  assert.deepEqual(gone[0].data, gone[1].data);
});

test("fifty listings do not slow an editor down", async () => {
  const folder = fiftyListings();
  const told = compile(folder, "--noEmit", "--extendedDiagnostics");
  const figure = (name) => Number(new RegExp(`${name}:\\s+([\\d.]+)`).exec(told)[1]);
  const [instantiations, checked] = [figure("Instantiations"), figure("Check time")];
  const [first, next] = completions(folder);
  console.log(`# 52 listings: ${instantiations} instantiations, ${checked} s of checking; completions after ${first} ms, then after ${next} ms`);
  // Instantiations are the same on every machine. The times are generous: machines differ, and others may be busy.
  assert.ok(instantiations < 30_000, `${instantiations} instantiations`);
  assert.ok(checked < 10, `${checked} s`);
  assert.ok(next < 1_000, `${next} ms`);
});

/** A project with a client of 52 listings, each with relations to others, and requests to some of them. */
function fiftyListings() {
  const source = readFileSync(new URL("../typescript/blog.ts", import.meta.url), "utf8");
  const at = source.indexOf("/** A client of the service");
  const types = source.slice(0, at);
  const runtime = source.slice(source.indexOf("// What every client has"));
  const renamed = (n) => types.replace(/\b(Article|Author|Comment|Tag)(Seo)?(Input|Listing|Filters|SeoListing|SeoFilters)?\b/g, `$1${n}$2$3`);
  const copies = Array.from({ length: 13 }, (_, n) => renamed(n)).join("\n");
  const resources = Array.from({ length: 13 }, (_, n) => ["articles", "authors", "comments", "tags"].map((name, at) => `${name}${n}: new Resource<${["Article", "Author", "Comment", "Tag"][at]}${n}Listing>(options, "/${name}${n}"),`));
  const create = `export function createClient(options: ClientOptions) { return { ${resources.flat().join("\n")} }; }\n`;
  const folder = mkdtempSync(join(tmpdir(), "listing-fifty-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const asks = Array.from({ length: 13 }, (_, n) => `await client.articles${n}.list({ fields: ["title"], populate: { author: { populate: ["articles"] } }, filters: { author: { articles: { title: "x" } } } });`);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "client.ts"), copies + create + runtime);
  writeFileSync(join(folder, "use.ts"), `import { createClient } from "./client.js";\nconst client = createClient({ baseUrl: "" });\n${asks.join("\n")}\n`);
  writeFileSync(join(folder, "tsconfig.json"), readFileSync(new URL("../typescript/tsconfig.json", import.meta.url)));
  return folder;
}

/** How long an editor waits for the names of filters, first after it has opened the project and then while one types on. */
function completions(folder) {
  const file = join(folder, "use.ts");
  const start = readFileSync(file, "utf8");
  let [text, version] = [start, 0];
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : "0"),
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(name === file ? text : ts.sys.readFile(name)),
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  const typed = (line) => {
    text = `${start}${line} } });\n`;
    version += 1;
    const before = performance.now();
    const found = service.getCompletionsAtPosition(file, start.length + line.length, {});
    const names = found.entries.map((entry) => entry.name);
    assert.ok(names.includes("country") && !names.includes("email"), String(names));
    return Math.round(performance.now() - before);
  };
  return [typed("await client.articles7.list({ filters: { author: { "), typed("await client.articles9.list({ filters: { $or: [{ author: { ")];
}
