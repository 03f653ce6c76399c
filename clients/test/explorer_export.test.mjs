// On the explorer, what a list shows is taken away as a file, whose number of rows is known before.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, test } from "node:test";

import { ask } from "../blog.mjs";
import { asking, blog, leave, settled, violations, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

/** Opens the panel, and waits until it has counted. */
async function open() {
  await page.click("#export");
  await page.waitForSelector(".export-count:not(:has-text('Counting'))");
  return page.textContent(".export-count");
}

/** Presses the button, and gives what the browser has downloaded. */
async function download() {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(".export [type=submit]")]);
  return { name: file.suggestedFilename(), address: decodeURIComponent(file.url()), text: await readFile(await file.path(), "utf8") };
}

/** Lets the service describe the export of its articles in another way. */
async function describing(change) {
  await page.route("**/api/_describe", async (route) => {
    const json = await (await route.fetch()).json();
    change(json.listings.find((one) => one.name === "articles").operations.export);
    await route.fulfill({ json });
  });
  await page.reload();
  await settled(page);
}

const VIEW = "fields=title,views&filters[views][$gt]=60000&sort=views:desc";

// Rule b1060.
test("a file has the rows of every page, and how many they are is said before", async () => {
  page = await visit(`/explorer/articles?${VIEW}&pagination[page]=2&pagination[pageSize]=5&facets=is_active&totals[views]=sum`);
  const { body } = await ask("GET", `articles?${VIEW}&pagination[pageSize]=100`);
  const { total } = body.meta.pagination;
  assert.ok(total > 10 && total <= 100, String(total));
  assert.equal(await open(), `${total} rows.`);
  const { name, text, address } = await download();
  assert.match(name, /^articles-\d{4}-\d\d-\d\d\.csv$/);
  assert.equal(address, `${blog}/api/articles.csv?${VIEW}`);
  assert.deepEqual(text.trimEnd().split("\r\n").map((line) => line.split(",")[0]), ["id", ...body.data.map(({ id }) => String(id))]);
  await page.waitForSelector(".export", { state: "hidden" });

  await open();
  await page.fill("#export-limit", "3");
  assert.equal(await page.textContent(".export-count"), `3 rows of ${total}.`);
  await page.selectOption(".export [data-key=format]", "ndjson");
  const first = (await download()).text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(first, body.data.slice(0, 3));
});

// Rule b1060.
test("where the list has not counted, the rows are counted for the file", async () => {
  page = await visit(`/explorer/articles?${VIEW}&pagination[cursor]=`);
  const { body } = await ask("GET", `articles?${VIEW}`);
  const counted = page.waitForRequest((request) => decodeURIComponent(request.url()).includes("pagination[count]=exact"));
  assert.equal(await open(), `${body.meta.pagination.total} rows.`);
  await counted;
});

// Rule b1060.
test("more rows than a file can have are told before anything is fetched", async () => {
  page = await visit("/explorer/articles");
  await describing((exported) => Object.assign(exported, { maxRows: 100, ndjsonMaxRows: 10 }));
  assert.match(await open(), /^\d+ rows, and a file has at most 100\. Filter the list, or take the first ones\.$/);
  assert.equal(await page.isDisabled(".export [type=submit]"), true);
  await page.selectOption(".export [data-key=format]", "ndjson");
  assert.match(await page.textContent(".export-count"), /at most 10\./);
  await page.selectOption(".export [data-key=format]", "csv");
  await page.fill("#export-limit", "100");
  assert.equal((await download()).text.trimEnd().split("\r\n").length, 101);
});

// Rule b1061.
test("the formats are those that the service names, and what it refuses is told in the panel", async () => {
  page = await visit("/explorer/articles");
  await describing((exported) => { exported.formats = ["pdf", ...exported.formats]; });
  await open();
  assert.deepEqual(await page.$$eval(".export [data-key=format] option", (all) => all.slice(0, 3).map((one) => one.textContent)), ["PDF", "CSV", "Lines of JSON"]);
  await page.selectOption(".export [data-key=format]", "pdf");
  let downloads = 0;
  page.on("download", () => { downloads += 1; });
  await page.click(".export [type=submit]");
  await page.waitForSelector(".export .problem");
  assert.match(await page.textContent(".export .problem"), /no endpoint|Not found/i);
  assert.equal(downloads, 0);
  await page.selectOption(".export [data-key=format]", "csv");
  await page.selectOption(".export [data-key=header]", "titles");
  await page.selectOption(".export [data-key=delimiter]", ";");
  assert.match((await download()).text, /^ID;Title;Slug;/i);
});

// Rule b1061.
test("with a token the address of the file carries a ticket, and the token is in no address", async () => {
  page = await visit("/explorer/articles");
  await page.evaluate(() => sessionStorage.setItem("listing-explorer-token", "abc.def.ghi"));
  await page.reload();
  await settled(page);
  await open();
  const [asked, { address, text }] = await Promise.all([page.waitForRequest("**/api/_tickets"), download()]);
  assert.equal(asked.headers().authorization, "Bearer abc.def.ghi");
  assert.match(address, /[?&]ticket=/);
  assert.ok(!address.includes("abc.def"));
  assert.match(text, /^id,title,/);
});

// Rule b1061.
test("with positions the address of the file carries a ticket too, which is asked for with them", async () => {
  page = await visit("/explorer/articles");
  await page.route(/\/api\/articles(\?|$)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "listing-position": "pg.1.1.7" } });
  });
  await page.reload();
  await settled(page);
  await open();
  const [asked, { address }] = await Promise.all([page.waitForRequest("**/api/_tickets"), download()]);
  assert.equal(asked.headers()["listing-position"], "pg.1.1.7");
  assert.equal(asked.headers().authorization, undefined);
  assert.match(address, /[?&]ticket=/);
});

// Rule b1060.
test("the file is that of the list in which it was asked for", async () => {
  page = await visit("/explorer/tags");
  await page.fill("#query", `/api/articles?${VIEW}`);
  await asking(page, () => page.press("#query", "Enter"));
  await open();
  let answer;
  const answered = new Promise((resolve) => {
    answer = resolve;
  });
  const first = /\/api\/articles\.csv.*limit/;
  await page.route(first, async (route) => {
    await answered;
    await route.continue();
  });
  const asked = page.waitForRequest(first);
  const file = page.waitForEvent("download");
  await page.click(".export [type=submit]");
  await asked;
  await asking(page, () => page.goBack());
  assert.equal(await page.textContent("h1"), "Tags");
  answer();
  assert.equal(decodeURIComponent((await file).url()), `${blog}/api/articles.csv?${VIEW}`);
});

// Rule b1062.
test("of relations to many, a file with one line for each row has their counts", async () => {
  page = await visit("/explorer/articles?fields=title&populate=author,tags&filters[id][$in][]=7&filters[id][$in][]=8&sort=id");
  await open();
  assert.match(await page.textContent(".export"), /For Tags, the file has the number of rows/);
  const { body } = await ask("GET", "articles?fields=title&populate=tags&filters[id][$in][]=7&filters[id][$in][]=8&sort=id");
  const [heading, ...lines] = (await download()).text.trimEnd().split("\r\n");
  assert.match(heading, /^id,title,author\.id,.*,tags\.count$/);
  assert.deepEqual(lines.map((line) => Number(line.split(",").at(-1))), body.data.map(({ tags }) => tags.length));
  await open();
  await page.selectOption(".export [data-key=format]", "ndjson");
  assert.equal(await page.isHidden(".export >> text=For Tags"), true);
  const asked = page.waitForRequest("**/api/articles.ndjson*");
  await page.click(".export [type=submit]");
  assert.match(decodeURIComponent((await asked).url()), /populate=author,tags&/);
});

test("a list that cannot be exported has no menu for it", async () => {
  page = await visit("/explorer/authors");
  assert.equal(await page.isHidden("#export"), true);
});

for (const [name, options] of [["light", {}], ["dark", { scheme: "dark" }], ["on a phone", { width: 390, height: 844 }]]) {
  test(`axe-core finds nothing wrong with the panel, ${name}`, async () => {
    page = await visit("/explorer/articles?populate=tags", options);
    await open();
    assert.deepEqual(await violations(page), []);
  });
}
