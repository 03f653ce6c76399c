// On the explorer, what is shown is what the service answers to the same address, whatever the address says.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask } from "../blog.mjs";
import { asking, leave, settled, shownQuery, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

const PROTOTYPE = ["constructor", "__proto__", "toString", "hasOwnProperty"];

/** Requests that the page has no control for, or no room in one. */
const ODD = [
  "filters=5",
  "filters[title][$contains]=a&filters=5",
  "filters[title]=a&filters[title][$eq]=b",
  "filters[title]=a&filters[title]=b",
  "filters[title][$eq]=a&filters[title][$eq]=b",
  "filters[title][0]=a",
  "filters[][$eq]=a",
  "filters[$or][title]=a",
  "filters[$or][][title]=a",
  "filters[$or]=",
  "filters[$not]=",
  "filters[tags][$some]=",
  "filters[views][$between][]=1",
  "filters[views][$in][x]=1",
  "filters[title][$eq][a]=b",
  "filters[title",
  "filters[title]]=a",
  "filters]=a",
  "filters[title]=%zz",
  "filters[title]=%ff",
  "[filters][title]=a",
  "filter[title]=a",
  "sort=views:sideways",
  "sort[0]=views&sort[title]=asc",
  "sort[views]=desc&sort[views]=asc",
  "sort[views]=",
  "populate[0]=author&populate[tags]=true",
  "populate[author]=perhaps",
  "populate[author]=",
  "populate[author][feilds]=name",
  "populate[comments][pagination][page]=2",
  "populate[comments][count]=perhaps",
  "populate[author.articles][fields]=title&populate[author][populate][articles][fields]=slug",
  "populate[*][fields]=name",
  "populate=author&populate[tags]=true",
  "fields[x]=title",
  "fields=title&fields[0]=slug",
  "pagination=5",
  "pagination[page]=2&pagination[start]=5",
  "pagination[page]=2&pagination[page]=3",
  "pagination[cursor]=&pagination[limit]=5",
  "pagination[pages]=2",
  "search=a&_q=b",
  "search[a]=b",
  "search=a&search=b",
  "trashed=with&trashed=only",
  "trashed[a]=with",
  "a=1&a[b]=2",
  "a[=1",
];

/** Goes to a page, and gives what its list was answered. */
async function answered(path) {
  const response = await asking(page, () => page.goto(path));
  return { status: response.status(), body: await response.json() };
}

const codeOf = ({ status, body }) => [status, body.error?.code ?? null, body.error?.message ?? null];

// Rule b630.
test("a request that no control can show is sent as it is, and its error is shown in place", async () => {
  page = await visit("/explorer/tags");
  for (const query of ODD) {
    const expected = await ask("GET", `articles?${query}`);
    assert.equal(expected.status, 400, query);
    assert.deepEqual(codeOf(await answered(`/explorer/articles?${query}`)), codeOf(expected), query);
    assert.equal(await page.locator(".main-table, .cards").count(), 0, query);
    const told = (await page.locator(".problem:visible").allTextContents()).join(" ");
    assert.ok(told.includes(expected.body.message.replaceAll("`", "")), `${query}: ${told}`);
    // Another control does not make it go away.
    const response = await asking(page, () => page.selectOption("[aria-label='Rows per page']", "10"));
    assert.equal(response.status(), 400, query);
  }
});

// Rule b630.
test("what was refused and has no control can be removed, and the rest stays", async () => {
  page = await visit("/explorer/articles?filters[title][$contains]=garden&filters=5&sort=views:desc");
  assert.equal(await page.locator(".row").count(), 0);
  await asking(page, () => page.click("[data-place=filters] >> text=Remove it"));
  assert.equal(await shownQuery(page), "filters[title][$contains]=garden&sort=views:desc");
  assert.equal(await page.inputValue("[aria-label='Value of Title']"), "garden");
  assert.equal(await page.locator(".problem").count(), 0);
  for (const [query, place, left] of [
    ["search=a&_q=b", "search", "search=a"],
    ["sort=views:sideways&fields=title", "sort", "fields=title"],
    ["pagination[page]=2&pagination[start]=5&fields=title", "paging", "pagination[start]=5&fields=title"],
    ["filters[title]=%zz&fields=title", "filters", "fields=title"],
  ]) {
    await answered(`/explorer/articles?${query}`);
    await asking(page, () => page.click(`[data-place=${place}] >> text=Remove it`));
    assert.equal(await shownQuery(page), left);
    assert.equal(await page.locator(".problem").count(), 0, query);
  }
});

// Rule b630.
test("names that every object has are names like others", async () => {
  page = await visit("/explorer/tags");
  for (const name of PROTOTYPE) {
    for (const query of [
      `filters[${name}][$eq]=x`, `filters[${name}]=x`, `filters[author][${name}][$eq]=x`, `filters[$or][0][${name}][$eq]=x`, `filters[title][${name}]=x`,
      `fields=title,${name}`, `sort=${name}:desc`, `sort[${name}]=desc`, `populate=${name}`, `populate[${name}][fields]=x`, `pagination[${name}]=1`, `${name}=1`, `${name}[a]=1`,
    ]) {
      const expected = await ask("GET", `articles?${query}`);
      const shown = await answered(`/explorer/articles?${query}`);
      assert.deepEqual(codeOf(shown), codeOf(expected), query);
      assert.deepEqual(shown.body.meta.ignored, expected.body.meta.ignored, query);
      assert.ok((await page.locator(".problem:visible").allTextContents()).join().includes(name), query);
      // What is written after a change still says it.
      const response = await asking(page, () => page.selectOption("[aria-label='Rows per page']", "10"));
      const { meta, error } = await response.json();
      assert.deepEqual([response.status(), error?.code ?? null, meta.ignored], [expected.status, codeOf(expected)[1], expected.body.meta.ignored], query);
    }
  }
});

// Rule b630.
test("a list of records whose fields and filters have names that every object has", async () => {
  page = await visit("/explorer/tags");
  const { body: description } = await ask("GET", "_describe");
  const tags = description.listings.find((listing) => listing.name === "tags");
  const field = (name) => ({ name, type: "string", default: true });
  tags.fields = [{ name: "id", type: "integer", default: true }, ...PROTOTYPE.map(field)];
  tags.filters = PROTOTYPE.map((name) => ({ name, type: "string", operators: ["$eq"] }));
  tags.sorts = PROTOTYPE.map((name) => ({ name }));
  tags.name = "constructor";
  tags.relations = [];
  let asked = null;
  await page.route("**/api/_describe", (route) => route.fulfill({ json: description }));
  // The controls come later than the answer.
  await page.route("**/builder.js", (route) => setTimeout(() => route.continue(), 300));
  await page.route("**/api/tags*", (route) => {
    asked = decodeURIComponent(new URL(route.request().url()).search.slice(1));
    // The second record has none of them.
    return route.fulfill({ contentType: "application/json", body: '{"data":[{"id":1,"constructor":"a","__proto__":"b","toString":"c","hasOwnProperty":"d"},{"id":2}],"meta":{"code":200,"pagination":{"page":1,"pageSize":25,"pageCount":1,"total":2}}}' });
  });
  const query = PROTOTYPE.map((name) => `filters[${name}][$eq]=x`).join("&");
  await page.goto(`/explorer/constructor?${query}&sort=__proto__`);
  await settled(page);
  assert.equal(asked, `${query}&sort=__proto__`);
  assert.deepEqual(await page.locator("tbody tr").allInnerTexts(), ["1\ta\tb\tc\td", "2\t\t\t\t"]);
  assert.equal(await page.locator("[aria-label^='Value of']").count(), 4);
  await asking(page, () => page.selectOption("[aria-label='Rows per page']", "10"));
  assert.equal(asked, `${query}&sort=__proto__&pagination[pageSize]=10`);
  await page.click("text=Copy");
  await page.click('.menu-item:text-is("JSON body")');
  await page.waitForFunction(() => document.querySelector("#toast").textContent === "JSON body copied");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(Object.keys(JSON.parse(text).filters), PROTOTYPE);
});

// Rule b631.
test("a list that the caller may not see is told in its place, and opens after signing in", async () => {
  page = await visit("/explorer/tags");
  const { body: description } = await ask("GET", "_describe");
  const hidden = { ...description, listings: description.listings.filter((listing) => listing.name !== "authors") };
  await page.route("**/api/_describe", (route) => route.fulfill({ json: route.request().headers().authorization ? description : hidden }));
  const lists = [];
  page.on("request", (request) => /\/api\/[a-z]/.test(request.url()) && lists.push(request.url()));
  const address = "/explorer/authors?filters[country][$eq]=DE";
  await page.goto(address);
  await settled(page);
  assert.match(await page.textContent("#results"), /There is no list authors that you may see/);
  assert.deepEqual(lists, []);
  assert.ok(page.url().endsWith(address));
  assert.equal(await page.locator("#head, #toolbar, #request, #foot").filter({ visible: true }).count(), 0);
  assert.equal(await page.locator("[aria-current]").count(), 0);

  // From there to another list and back again.
  await asking(page, () => page.click("nav >> text=Articles"));
  assert.equal(await page.textContent("h1"), "Articles");
  await page.goBack();
  await page.waitForSelector("#results >> text=There is no list");
  assert.equal(await page.locator(".main-table").count(), 0);

  await page.click("#results >> text=Sign in");
  await page.fill("#token", "a.b.c");
  await asking(page, () => page.click("dialog button[type=submit]"));
  assert.equal(await page.textContent("h1"), "Authors");
  assert.equal(await page.inputValue("[aria-label='Value of Country']"), "DE");

  await page.goto("/explorer/%zz");
  await page.waitForSelector("#results >> text=There is no list %zz");
  await page.evaluate(() => sessionStorage.clear());
});

/** Numbers that are the same in each run. */
function dice(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** Names, brackets and values thrown together: much of it is refused, and some is not. */
function thrown(roll) {
  const one = (list) => list[roll(list.length)];
  const name = () => one(["title", "views", "author", "tags", "comments", "name", "nope", "constructor", "0", "1", "", "a.b", "*"]);
  const operator = () => one(["$eq", "$in", "$gt", "$contains", "$null", "$between", "$or", "$and", "$not", "$some", "$none", "$nope"]);
  const steps = (least, most) => Array.from({ length: least + roll(most) }, () => `[${roll(2) ? name() : roll(2) ? operator() : roll(3)}]`).join("");
  const value = () => one(["1", "5", "a", "", "true", "false", "desc", "asc", "views", "title:desc", "title,views", "author", "author.articles", "*", "2026", "%zz", "a+b"]);
  const key = () => one([
    () => `filters${steps(0, 4)}`, () => `filters${steps(1, 3)}`, () => `filters[${one(["title", "views", "author"])}][${operator()}]`,
    () => `filters[${one(["$or", "$and", "$not"])}]${steps(1, 3)}`, () => `sort${steps(0, 2)}`, () => "sort", () => `fields${steps(0, 2)}`, () => "fields",
    () => `populate${steps(0, 3)}`, () => `populate[${one(["author", "tags", "comments"])}][${one(["fields", "sort", "count", "populate", "filters", "pagination", "x"])}]${steps(0, 2)}`,
    () => `pagination[${one(["page", "pageSize", "start", "limit", "cursor", "withCount", "x"])}]`, () => one(["search", "_q", "trashed", "pagination", "utm", "filters[", "sort]"]),
  ])();
  return Array.from({ length: 1 + roll(3) }, () => `${key()}=${value()}`).join("&");
}

// Rule b630.
test("what is written after a change asks for the same as what was read, whatever that was", async () => {
  page = await visit("/explorer/articles");
  const roll = dice(29);
  const queries = Array.from({ length: 1500 }, () => thrown(roll));
  const written = await page.evaluate(async (all) => {
    const place = document.querySelector("script[type=module]").src.replace("app.js", "");
    const [{ readView, queryOf }, { described }] = await Promise.all([import(`${place}request.js`), import(`${place}description.js`)]);
    const listing = described(await (await fetch("/api/_describe")).json()).listing("articles");
    return all.map((query) => queryOf({ ...readView(query, listing), asked: null }, listing));
  }, queries);
  const seen = { 200: 0, 400: 0 };
  for (const [at, query] of queries.entries()) {
    const [from, to] = [await ask("GET", `articles?${query}`), await ask("GET", `articles?${written[at]}`)];
    seen[from.status] += 1;
    assert.equal(to.status, from.status, `${query} is written as ${written[at]}`);
    assert.deepEqual(to.body.data, from.body.data, `${query} is written as ${written[at]}`);
  }
  assert.ok(seen[200] > 100 && seen[400] > 100, JSON.stringify(seen));
});
