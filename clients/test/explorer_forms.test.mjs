// On the explorer, saving a form changes what somebody changed in it, and nothing else.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask, draft } from "../blog.mjs";
import { asking, leave, settled, undoStays, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

/** Lets the service describe its articles in another way. */
async function describing(change) {
  await page.route("**/api/_describe", async (route) => {
    const json = await (await route.fetch()).json();
    change(json.listings.find((one) => one.name === "articles"));
    await route.fulfill({ json });
  });
}

/** Lets an article be read as `change(data, isWhole)` leaves it; gives the list of what is written. */
async function reading(id, change) {
  const written = [];
  await page.route((url) => url.pathname === `/api/articles/${id}`, async (route) => {
    const request = route.request();
    if (request.method() !== "GET") {
      written.push(request.postData());
      await route.continue();
      return;
    }
    const response = await route.fetch();
    const json = await response.json();
    change(json.data, request.url().includes("?fields="));
    await route.fulfill({ headers: { etag: response.headers().etag }, json });
  });
  return written;
}

async function edit(id) {
  await page.click(`[aria-label='Edit ${id}']`);
  await page.waitForSelector("dialog form");
}

const save = () => asking(page, () => page.click("dialog button[type=submit]"));

// Rule b470.
test("what only the record itself shows is in its panel, and is kept by its form", async () => {
  const made = draft();
  const { id } = (await ask("POST", "articles", made)).body.data;
  page = await visit("/explorer/tags");
  await describing((articles) => {
    articles.fields = articles.fields.filter(({ name }) => name !== "body");
  });
  const written = await reading(id, (data, isWhole) => {
    if (isWhole) {
      delete data.body;
    }
  });
  await page.goto(`/explorer/articles?filters[id][$eq]=${id}#record=${id}`);
  await settled(page);
  await page.waitForSelector("dialog dl.record");
  const shown = await page.textContent("dialog dl.record");
  assert.match(shown, /Body.*To be written\./);
  assert.match(shown, /Views/, "what only lists show is there, too");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await edit(id);
  await page.fill("dialog .field:nth-of-type(2) input", "Changed here");
  await save();
  assert.deepEqual(written.map((text) => JSON.parse(text)), [{ ...made, title: "Changed here" }]);
  await ask("DELETE", `articles/${id}?force=true`);
});

// Rule b471.
test("what cannot be read must be filled in before the record is saved", async () => {
  const made = draft();
  const { id } = (await ask("POST", "articles", made)).body.data;
  page = await visit("/explorer/tags");
  await describing((articles) => {
    articles.operations.update.payload.push({ name: "password", type: "string", required: false, nullable: false });
  });
  const written = await reading(id, (data) => {
    delete data.slug;
    delete data.body;
    delete data.is_active;
  });
  await page.goto(`/explorer/articles?filters[id][$eq]=${id}`);
  await settled(page);
  await edit(id);
  const names = (which) => page.$$eval(`dialog .field:has(${which}) > label:first-child`, (all) => all.map((one) => one.firstChild.textContent));
  assert.deepEqual(await names("p:has-text('cannot be read, and saving replaces it')"), ["Slug", "Body", "Is active"]);
  assert.deepEqual(await names("p:has-text('stays as it is')"), ["Password"]);
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog .problem:has-text('Fill it in')");
  assert.deepEqual(await names(".problem"), ["Slug", "Body", "Is active"]);
  assert.deepEqual(written, []);
  await page.fill("dialog .field:nth-of-type(3) input", made.slug);
  await page.check("dialog .field:nth-of-type(4) .nothing-box input");
  await page.selectOption("dialog .field:nth-of-type(5) select", "false");
  await save();
  // Nobody typed a password, and what may be left out without a change is left out.
  assert.deepEqual(written.map((text) => JSON.parse(text)), [{ title: made.title, slug: made.slug, body: null, is_active: false }]);
  const { body } = await ask("GET", `articles/${id}`);
  assert.equal(body.data.slug, made.slug);
  assert.equal(body.data.body, null);
  await ask("DELETE", `articles/${id}?force=true`);
});

// Rule b472.
test("what nobody changed is sent as it came, and an empty text is not null", async () => {
  page = await visit("/explorer/tags");
  await describing((articles) => {
    articles.operations.update.payload.push(
      { name: "big", type: "integer", required: true, nullable: false },
      { name: "extra", type: "json", required: true, nullable: false },
      { name: "word", type: "json", required: true, nullable: false },
      { name: "note", type: "string", required: false, nullable: true });
  });
  const written = [];
  await page.route((url) => url.pathname === "/api/articles/7", async (route) => {
    const request = route.request();
    if (request.method() !== "GET") {
      written.push(request.postData());
      await route.fulfill({ json: { message: "Article updated." } });
      return;
    }
    await route.fulfill({
      contentType: "application/json",
      body: '{"data":{"id":7,"title":"T","slug":"\\u0074","body":"","is_active":true,"big":9007199254740993,"extra":{"count":12345678901234567890,"text":"5"},"word":"5","note":null},"meta":{"code":200}}',
    });
  });
  await page.goto("/explorer/articles?filters[id][$eq]=7");
  await settled(page);
  await edit(7);
  await page.fill("dialog .field:nth-of-type(2) input", "Changed here");
  await save();
  await edit(7);
  await page.check("dialog .field:nth-of-type(4) .nothing-box input");
  await page.fill("dialog .field:nth-of-type(6) input", "9007199254740995");
  await page.fill("dialog .field:nth-of-type(8) input", "true");
  await page.fill("dialog .field:nth-of-type(9) textarea", "x");
  await page.fill("dialog .field:nth-of-type(9) textarea", "");
  assert.equal(await page.isChecked("dialog .field:nth-of-type(9) .nothing-box input"), false);
  await save();
  assert.deepEqual(written, [
    '{"title":"Changed here","slug":"\\u0074","body":"","is_active":true,"big":9007199254740993,"extra":{"count":12345678901234567890,"text":"5"},"word":"5","note":null}',
    '{"title":"T","slug":"\\u0074","body":null,"is_active":true,"big":9007199254740995,"extra":{"count":12345678901234567890,"text":"5"},"word":true,"note":""}',
  ]);
  await edit(7);
  await page.fill("dialog .field:nth-of-type(8) input", "no quotes");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog .field:nth-of-type(8) .problem:has-text('This is not JSON')");
  assert.equal(written.length, 2);
});

// Rule b474.
test("a form whose answer breaks off can be sent again", async () => {
  page = await visit("/explorer/articles?filters[id][$eq]=7");
  await edit(7);
  await page.evaluate(() => {
    window.fetch = async () => new Response(new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"message":'));
        controller.error(new TypeError("network error"));
      },
    }));
  });
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog [role=alert] .problem:has-text('The connection broke')");
  assert.equal(await page.isEnabled("dialog button[type=submit]"), true);
});

// Rule b896.
test("tags are found by their name, and only what was changed of them is sent", async () => {
  const { body: { data: { id } } } = await ask("POST", "articles", { title: "Linked", slug: `linked-${Date.now()}`, is_active: true, tags: [1, 2] });
  try {
    page = await visit(`/explorer/articles?filters[id][$eq]=${id}`);
    await page.click(`[aria-label='Edit ${id}']`);
    const names = new Map((await ask("GET", "tags?pagination[pageSize]=100")).body.data.map((tag) => [tag.id, tag.name]));
    await page.waitForSelector(`dialog .chip:has-text("${names.get(1)}")`);
    await page.click(`dialog [aria-label="Remove ${names.get(1)}"]`);
    await page.fill("dialog [aria-label='Tags'] input", names.get(5));
    await page.waitForSelector(`dialog [role=option]:has-text("${names.get(5)}")`);
    await page.keyboard.press("Enter");
    const sent = page.waitForRequest((request) => request.method() === "PUT");
    await page.click("dialog button[type=submit]");
    assert.deepEqual(JSON.parse((await sent).postData()).tags, { connect: [5], disconnect: [1] });
    await page.waitForSelector("dialog", { state: "detached" });
    const { body } = await ask("GET", `articles/${id}?populate=tags`);
    assert.deepEqual(body.data.tags.map((tag) => tag.id).sort((a, b) => a - b), [2, 5]);
  } finally {
    await ask("DELETE", `articles/${id}`);
  }
});

// Rule b897.
test("a deletion that can be restored is undone by one press", async () => {
  const { body: { data: { id } } } = await ask("POST", "articles", { title: "Undone", slug: `undone-${Date.now()}`, is_active: true });
  try {
    page = await visit(`/explorer/articles?filters[id][$eq]=${id}`);
    await undoStays(page);
    await page.hover("tbody tr");
    await page.click(`[aria-label='Delete ${id}']`);
    await page.click("dialog .danger");
    await page.waitForSelector("#results .empty");
    assert.equal((await ask("GET", `articles/${id}`)).status, 404);
    await page.click("#toast button");
    await page.waitForSelector("tbody tr");
    assert.equal((await ask("GET", `articles/${id}`)).status, 200);
  } finally {
    await ask("DELETE", `articles/${id}`);
  }
});
