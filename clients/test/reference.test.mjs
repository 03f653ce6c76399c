// The API reference says how to begin, sends requests that work, and can be used with a screen reader.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask } from "../blog.mjs";
import { blog, leave, violations, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  // The viewer says so of every empty field that could hold an object, and then does not send it.
  assert.deepEqual(page.faults.filter((fault) => !fault.startsWith("RapiDoc: unable to parse")), []);
  await leave(page);
});

async function isShown(tab) {
  // The viewer is large, and a busy machine takes its time with it.
  tab.setDefaultTimeout(120_000);
  await tab.waitForSelector("rapi-doc #begin");
}
const open = (options) => visit("/docs", { ...options, until: isShown });

/** The document's operations, in its order. */
const { body: description } = await ask("GET", "openapi.json");
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })));

/** Chooses an operation at the side, and presses TRY. */
async function tried({ path, method, summary }) {
  await page.click(`rapi-doc .nav-bar-path:has-text("${summary}") >> nth=0`);
  await page.waitForSelector(`rapi-doc .section-gap--focused-mode:has-text("${summary}")`);
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  const answer = page.waitForResponse((response) => response.request().method() === method && pattern.test(new URL(response.url()).pathname));
  await page.click("rapi-doc button:text-is('TRY')");
  const response = await answer;
  await page.waitForSelector("rapi-doc >> text=Response Status");
  return response;
}

// Rules b632, b634.
test("TRY of every operation works untouched, and axe-core finds nothing wrong", async () => {
  const { body: before } = await ask("GET", "articles/1?fields=*");
  page = await open();
  await page.waitForSelector(`rapi-doc .nav-bar-path >> nth=${operations.length - 1}`, { state: "attached" });
  assert.equal(await page.locator("rapi-doc .nav-bar-path").count(), operations.length);
  const created = [];
  const kinds = new Set();
  try {
    for (const operation of operations) {
      const { method, path, responses, operationId } = operation;
      const name = `${method} ${path}`;
      const response = await tried(operation);
      const isRead = method === "GET" || path.endsWith("/query");
      assert.ok(isRead ? response.status() === 200 : String(response.status()) in responses, `${name}: ${response.status()}`);
      if (/^(list|query)/.test(operationId)) {
        assert.equal(new URL(response.url()).search, "", name);
        assert.ok((await response.json()).data.length > 0, name);
      }
      if (operationId.startsWith("create")) {
        assert.equal(response.status(), 201, name);
        created.push((await response.json()).data.id);
      }
      // One of each kind: their pages differ in names only.
      const kind = /^[a-z]+/.exec(operationId)[0];
      if (!kinds.has(kind)) {
        kinds.add(kind);
        assert.deepEqual(await violations(page), [], name);
      }
    }
  } finally {
    // Others expect the demo data.
    await Promise.all(created.map((id) => ask("DELETE", `articles/${id}?force=true`)));
    await ask("POST", "articles/1/restore");
    const { title, slug, body, is_active } = before.data;
    assert.equal((await ask("PUT", "articles/1", { title, slug, body, is_active })).status, 200);
  }
});

// Rule b633.
test("the first page says how to begin, with requests that this API answers", async () => {
  page = await open();
  assert.match(await page.textContent("#begin"), /How to begin/);
  const examples = await page.$$eval("#begin li a", (links) => links.map((link) => link.getAttribute("href")));
  assert.ok(examples.length >= 4, String(examples));
  for (const example of examples) {
    const response = await fetch(new URL(example, blog));
    assert.equal(response.status, 200, example);
    assert.ok((await response.json()).data.length > 0, example);
  }
  const others = await page.$$eval("#begin p a", (links) => links.map((link) => link.getAttribute("href")));
  assert.deepEqual(others, ["/explorer", "/api/openapi.json"]);
});

for (const [name, options] of [["dark", { scheme: "dark" }], ["light", {}], ["a phone", { width: 390, height: 800 }]]) {
  // Rule b634.
  test(`axe-core finds nothing wrong with the reference, ${name}`, async () => {
    page = await open(options);
    assert.deepEqual(await violations(page), []);
    if (name === "a phone") {
      await page.click('rapi-doc >> text="/api/tags/query"');
      await page.waitForSelector("rapi-doc button:text-is('TRY')");
    } else {
      await tried(operations.find(({ operationId }) => operationId === "queryArticles"));
    }
    assert.deepEqual(await violations(page), []);
  });
}
