// On the explorer, records are shown, created, edited and deleted where the resource allows it.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask, draft } from "../blog.mjs";
import { asking, leave, settled, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

test("a record opens at the side, and its address can be shared", async () => {
  page = await visit("/explorer/articles?filters[id][$eq]=7");
  await page.click(".open");
  await page.waitForSelector("dialog dl.record");
  assert.ok(page.url().endsWith("#record=7"));
  await page.waitForSelector("dialog a:has-text('Nikhil Rao')");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.ok(!page.url().includes("#"));
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "open 7");
  await page.goBack();
  await page.waitForSelector("dialog dl.record");
});

test("a record is created, and what is wrong is told at its fields", async () => {
  page = await visit("/explorer/articles");
  const { slug } = draft();
  await page.click("#create");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("[aria-invalid=true]");
  assert.deepEqual(await page.$$eval("dialog .field:has(.problem) label", (all) => all.map((one) => one.firstChild.textContent)), ["Title", "Slug"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), await page.getAttribute("dialog .field:has(.problem) input", "id"));
  await page.fill("dialog .field:nth-of-type(2) input", "<img src=x onerror=alert(1)>");
  await page.fill("dialog .field:nth-of-type(3) input", slug);
  await asking(page, () => page.click("dialog button[type=submit]"));
  await page.waitForSelector("dialog dl.record");
  const id = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("record");
  const { body } = await ask("GET", `articles/${id}`);
  assert.equal(body.data.slug, slug);
  assert.equal(body.data.body, null);
  // The title is text, whatever it looks like.
  assert.equal(await page.locator("dialog img").count(), 0);
  assert.match(await page.textContent("dialog dl.record"), /<img src=x onerror=alert\(1\)>/);
  await ask("DELETE", `articles/${id}?force=true`);
});

// Rule b319.
test("a record is edited unless somebody else has changed it meanwhile, deleted and restored", async () => {
  const created = await ask("POST", "articles", draft());
  const { id } = created.body.data;
  page = await visit(`/explorer/articles?filters[id][$eq]=${id}`);
  const edit = async () => {
    await page.click(`[aria-label='Edit ${id}']`);
    await page.waitForSelector("dialog form");
  };
  await edit();
  await page.fill("dialog .field:nth-of-type(2) input", "Changed here");
  await page.uncheck("dialog .switch");
  await asking(page, () => page.click("dialog button[type=submit]"));
  const { body } = await ask("GET", `articles/${id}`);
  assert.equal(body.data.title, "Changed here");
  assert.equal(body.data.is_active, false);
  assert.equal(body.data.body, "To be written.");

  await edit();
  await ask("PUT", `articles/${id}`, { ...draft(), title: "Changed elsewhere" });
  await page.fill("dialog .field:nth-of-type(2) input", "Lost");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog .conflict");
  assert.equal((await ask("GET", `articles/${id}`)).body.data.title, "Changed elsewhere");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog .conflict", { state: "detached" });
  await page.keyboard.press("Escape");

  await page.click(`[aria-label='Delete ${id}']`);
  await asking(page, () => page.click("dialog button.danger"));
  assert.equal((await ask("GET", `articles/${id}`)).status, 404);
  assert.match(await page.textContent("#results"), /Nothing matches/);
  await ask("POST", `articles/${id}/restore`);
  await ask("DELETE", `articles/${id}?force=true`);
});

test("resources that cannot be written have no buttons for it", async () => {
  page = await visit("/explorer/authors");
  assert.equal(await page.locator("#create, [aria-label^='Edit '], [aria-label^='Delete ']").count(), 0);
});

// Rule b316.
test("a token is sent with every request of the tab, and forgotten with it", async () => {
  page = await visit("/explorer/authors");
  const sent = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) {
      sent.push([pathname, request.headers().authorization]);
    }
  });
  await page.click("#sign-in");
  await page.fill("#token", "Bearer abc.def.ghi");
  await asking(page, () => page.click("dialog button[type=submit]"));
  assert.ok(sent.length >= 2);
  assert.deepEqual([...new Set(sent.map(([, token]) => token))], ["Bearer abc.def.ghi"]);
  assert.ok(sent.some(([path]) => path === "/api/_describe"), "what there is depends on the caller");
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes("abc.def")), false);
  sent.length = 0;
  await page.reload();
  await settled(page);
  assert.ok(sent.some(([path, token]) => path === "/api/authors" && token === "Bearer abc.def.ghi"));
  await page.click("#sign-in");
  sent.length = 0;
  await asking(page, () => page.click("text=Sign out"));
  assert.ok(sent.every(([, token]) => token === undefined));
});

// Rule b316.
test("a token that the service refuses is not kept", async () => {
  page = await visit("/explorer/authors");
  await page.route("**/api/_describe", (route) => route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"The token is not valid.","error":{"message":"The token is not valid."}}' }));
  await page.click("#sign-in");
  await page.fill("#token", "wrong");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog .problem:has-text('The token is not valid.')");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

// Rule b316.
test("a token that is sent twice is tried once", async () => {
  page = await visit("/explorer/authors");
  let refuse;
  let tried = 0;
  const refused = new Promise((resolve) => {
    refuse = resolve;
  });
  await page.route("**/api/_describe", async (route) => {
    tried += 1;
    await refused;
    await route.fulfill({ status: 401, contentType: "application/json", body: '{"message":"The token is not valid."}' });
  });
  await page.click("#sign-in");
  await page.fill("#token", "wrong");
  await page.click("dialog button[type=submit]");
  await page.click("dialog button[type=submit]");
  refuse();
  await page.waitForSelector("dialog .problem:has-text('The token is not valid.')");
  await settled(page);
  assert.equal(tried, 1);
  assert.equal(await page.inputValue("dialog #token"), "wrong", "it can be mended");
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

// Rule b537.
test("names that one caller was told are not shown to the next", async () => {
  page = await visit("/explorer/articles?filters[author_id][$eq]=17");
  await page.waitForSelector(".chip-text:has-text('Paul Weiß')");
  // The next caller may not see the author.
  const author = /\/api\/authors\/17(\?|$)/;
  await page.route(author, (route) => route.fulfill({ status: 404, contentType: "application/json", body: '{"message":"Not found."}' }));
  await page.route(/\/api\/articles\?/, async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.meta.filters.forEach((filter) => { filter.label = filter.value; });
    await route.fulfill({ response, json });
  });
  const signInAs = async (token) => {
    const answered = page.waitForResponse((response) => author.test(response.url()));
    await page.click("#sign-in");
    await page.fill("#token", token);
    await asking(page, () => page.click("dialog button[type=submit]"));
    await (await answered).finished();
  };
  await signInAs("abc.def.ghi");
  assert.deepEqual(await page.$$eval(".chip-text", (all) => all.map((one) => one.textContent)), ["17"]);

  // What is refused is not asked for again until the caller is another; what only failed is.
  const leaveAndReturn = async () => {
    await asking(page, () => page.click("nav >> text=Tags"));
    await asking(page, () => page.goBack());
  };
  await page.unroute(author);
  let asked = 0;
  page.on("request", (request) => { asked += Number(author.test(request.url())); });
  await leaveAndReturn();
  assert.equal(asked, 0);
  await page.route(author, (route) => route.fulfill({ status: 503, contentType: "application/json", body: '{"message":"Later."}' }));
  await signInAs("def.ghi.abc");
  await page.unroute(author);
  await leaveAndReturn();
  await page.waitForSelector(".chip-text:has-text('Paul Weiß')");
});

// Rule b537.
test("records that are refused do not keep others from being asked for", async () => {
  page = await visit("/explorer/tags");
  const ids = Array.from({ length: 12 }, (_, at) => 12 - at);
  const asked = [];
  await page.route(/\/api\/authors\/\d+/, (route) => {
    const id = Number(/authors\/(\d+)/.exec(route.request().url())[1]);
    asked.push(id);
    return id > 2 ? route.fulfill({ status: 404, contentType: "application/json", body: '{"message":"Not found."}' }) : route.continue();
  });
  await page.evaluate(async (all) => {
    const place = document.querySelector("script[type=module]").src.replace("app.js", "");
    const [{ ensureAll }, { described }] = await Promise.all([import(`${place}lookup.js`), import(`${place}description.js`)]);
    const authors = described(await (await fetch("/api/_describe")).json()).listing("authors");
    for (let times = 0; times < 3; times += 1) await ensureAll(authors, all);
  }, ids);
  assert.deepEqual(asked.sort((a, b) => b - a), ids);
});
