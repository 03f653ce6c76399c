// On the explorer, a press does what it says in the list in which it was made, once, however slowly the page's files come.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { ask, draft } from "../blog.mjs";
import { asking, leave, settled, visit } from "../browser.mjs";

let page;
let id;

beforeEach(async () => {
  id = (await ask("POST", "articles", draft())).body.data.id;
});

afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
  await ask("DELETE", `articles/${id}?force=true`);
});

/** Opens a list, and holds back a file of the page from then on; gives what lets it come, and waits until it is there. */
async function without(name, path) {
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  const pattern = `**/${name}`;
  await page.route(pattern, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(path);
  await settled(page);
  return async () => {
    release();
    // What waits for it as well has waited longer.
    await page.evaluate(async (file) => {
      await import(document.querySelector("script[type=module]").src.replace("app.js", file));
      await new Promise((resolve) => setTimeout(resolve));
    }, name);
    await page.unroute(pattern);
  };
}

const here = (more = "") => `/explorer/articles?filters[id][$eq]=${id}${more}`;
const dialogs = () => page.locator("dialog").count();
const toAuthors = () => asking(page, () => page.click("nav >> text=Authors"));

// Rule b1300.
test("what is pressed in one list is not done in the next", async () => {
  page = await visit("/explorer/tags");
  const asked = [];
  page.on("request", (request) => /\/api\/authors\/\d/.test(request.url()) && asked.push(request.url()));
  for (const [name, label] of [["form.js", "Edit"], ["record.js", "Delete"]]) {
    const come = await without(name, here());
    await page.click(`[aria-label='${label} ${id}']`);
    await toAuthors();
    await come();
    assert.equal(await dialogs(), 0, label);
    assert.deepEqual(asked, [], label);
  }
  const come = await without("form.js", here(`#record=${id}`));
  await page.click("dialog >> text=Edit");
  await toAuthors();
  await come();
  assert.equal(await dialogs(), 0);
  assert.deepEqual(asked, []);
});

// Rule b1300.
test("a record is restored in the list in which that was pressed, once", async () => {
  const { body } = await ask("GET", `articles?filters[id][$eq]=${id}`);
  await ask("DELETE", `articles/${id}`);
  page = await visit("/explorer/tags");
  // To this caller the blog shows no deleted rows.
  await page.route(/api.*trashed=only/, (route) => route.fulfill({ json: body }));
  const written = [];
  page.on("request", (request) => request.method() !== "GET" && written.push(new URL(request.url()).pathname));
  const come = await without("record.js", here("&trashed=only"));
  await page.click(`[aria-label='Restore ${id}']`);
  await page.click(`[aria-label='Restore ${id}']`);
  await toAuthors();
  await come();
  await page.waitForSelector("#toast.shown");
  assert.deepEqual(written, [`/api/articles/${id}/restore`]);
  assert.equal((await ask("GET", `articles/${id}`)).status, 200);
});

// Rule b1300.
test("two presses, while what they need is fetched, open one dialog", async () => {
  page = await visit("/explorer/tags");
  const pick = async () => {
    await page.check(`.pick[value="${id}"]`);
    await page.waitForSelector("#picked >> text=1 selected");
  };
  for (const [name, path, first, second = first, before = () => {}] of [
    ["looks.js", here(), "#save-view"],
    ["signin.js", here(), "#sign-in"],
    ["signin.js", "/explorer/nothing", "#sign-in", "#results >> text=Sign in"],
    ["dialog.js", here(), "[aria-label='Keys']"],
    ["form.js", here(), `[aria-label='Edit ${id}']`],
    ["record.js", here(), `[aria-label='Delete ${id}']`],
    ["bulk.js", here(), "#picked >> text=Change", "#picked >> text=Change", pick],
    ["bulk.js", here(), "#picked >> text=Change", "#picked >> text=Delete", pick],
  ]) {
    const come = await without(name, path);
    await before();
    await page.click(first);
    await page.click(second);
    await come();
    await page.waitForSelector("dialog[open]");
    await settled(page);
    assert.equal(await dialogs(), 1, `${name} ${second}`);
  }
});
