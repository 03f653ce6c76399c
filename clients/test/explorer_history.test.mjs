// On the explorer, a record says what has changed in it, when and by whom.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask, draft } from "../blog.mjs";
import { leave, violations, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

const entries = () => page.$$eval(".history > li", (all) => all.map((one) => [
  one.querySelector("strong").textContent,
  Object.fromEntries([...one.querySelectorAll("dt")].map((name) => [name.textContent, [...name.nextElementSibling.childNodes].map((value) => value.textContent)])),
]));

async function open(id) {
  await page.waitForSelector("dialog dl.record");
  await page.click("dialog summary");
  await page.waitForSelector(".history > li");
  await page.waitForFunction(() => document.querySelector("dialog details").open);
  return id;
}

// Rule b1069.
test("the panel of a record shows its changes, the newest first, with the old and the new values", async () => {
  const made = draft();
  const { id } = (await ask("POST", "articles", made)).body.data;
  await ask("PATCH", `articles/${id}`, { title: "<b>Second</b>", body: null });
  await ask("PATCH", `articles/${id}`, { tags: [1] });
  page = await visit(`/explorer/articles?filters[id][$eq]=${id}#record=${id}`);
  const asked = [];
  page.on("request", (request) => request.url().includes("_history") && asked.push(request.url()));
  await page.waitForSelector("dialog dl.record");
  assert.deepEqual(asked, []);
  await open(id);
  const [links, second, first] = await entries();
  assert.deepEqual([links[0], links[1].Tags], ["Changed", ["Links were written."]]);
  assert.deepEqual([second[0], second[1].Title, second[1].Body], ["Changed", [made.title, "<b>Second</b>"], ["To be written.", "null"]]);
  assert.deepEqual([first[0], first[1].Title, first[1]["Is active"]], ["Created", [made.title], ["yes"]]);
  assert.deepEqual(await violations(page), []);
  assert.equal(asked.length, 1);

  // Ten at a time.
  for (let at = 0; at < 9; at += 1) {
    await ask("PATCH", `articles/${id}`, { title: `Again ${at}` });
  }
  await page.reload();
  await open(id);
  assert.equal((await entries()).length, 10);
  await page.click("dialog >> text=Earlier");
  await page.waitForSelector(".history > li:nth-child(12)");
  assert.equal((await entries()).at(-1)[0], "Created");
  assert.equal(await page.locator("dialog >> text=Earlier").count(), 0);
  await ask("DELETE", `articles/${id}?force=true`);
});

test("a resource without a history says nothing of one", async () => {
  page = await visit("/explorer/authors#record=1");
  await page.waitForSelector("dialog dl.record");
  assert.equal(await page.locator("dialog summary").count(), 0);
});
