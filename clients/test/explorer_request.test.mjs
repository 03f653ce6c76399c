// On the explorer, the request is shown as it is built, copied into other tools, and taken apart when it is pasted.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask } from "../blog.mjs";
import { asking, blog, column, leave, settled, shownQuery, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

/** What the page would send for a query string that it was given, once something else of it was changed. */
const roundTrip = (queries) => page.evaluate(async (all) => {
  const place = document.querySelector("script[type=module]").src.replace("app.js", "");
  const [{ readView, queryOf }, { described }] = await Promise.all([import(`${place}request.js`), import(`${place}description.js`)]);
  const description = described(await (await fetch("/api/_describe")).json());
  return all.map((query) => queryOf({ ...readView(query, description.listing("articles")), asked: null }, description.listing("articles")));
}, queries);

// Rule b315.
test("a query string that is read and written again asks for the same", async () => {
  page = await visit("/explorer/articles");
  const same = [
    "fields=title,views&populate=author,tags&filters[title][$contains]=a+b&sort=views:desc,title&pagination[page]=3&pagination[pageSize]=10",
    "fields=*",
    "populate=author.articles,comments",
    "populate[author]=true&populate[comments][fields]=body&populate[comments][sort]=created_at:desc&populate[comments][pagination][limit]=3",
    "populate[comments][count]=true",
    "populate[comments][filters][author_name][$eq]=Ada&populate[comments][populate]=article",
    "filters[$or][0][title][$contains]=rust&filters[$or][1][views][$gt]=90000",
    "filters[$not][rating][$gte]=4",
    "filters[$not][$or][0][rating][$gte]=4&filters[$not][$or][1][views][$lt]=10",
    "filters[views][$gte]=1&filters[views][$lt]=9",
    "filters[author][name][$eq]=Ada+Novak&filters[tags][$none][name][$eq]=rust",
    "filters[comments][$every][author_name][$contains]=a%26b%2Bc%25",
    "filters[id][$in][]=1&filters[id][$in][]=2",
    "filters[created_at][$between][]=2025-01-01&filters[created_at][$between][]=2025-02-01",
    "filters[title][$eq]=",
    "filters[$and][0][title][$contains]=a&filters[$and][1][title][$contains]=b",
    "filters[author][$null]=true&filters[$and][0][author][name][$eq]=x",
    "pagination[cursor]=&pagination[pageSize]=5&pagination[withCount]=true",
    "pagination[start]=10&pagination[limit]=5",
    "pagination[count]=exact",
    "search=%22night+trains%22+-week&trashed=with",
    "fields=raiting&populate=autor&filters[titel][$eq]=x&sort=vievs:desc&utm_source=y",
  ];
  const written = await roundTrip(same);
  for (const [at, query] of same.entries()) {
    assert.equal(written[at], query);
  }
  const pairs = [
    ["fields[0]=title&fields[1]=slug", "fields=title,slug"],
    ["filters%5Bviews%5D=5", "filters[views][$eq]=5"],
    ["sort[views]=desc&sort[author][name]=asc", "sort=views:desc,author.name"],
    ["filters[title][$not][$contains]=x", "filters[$not][title][$contains]=x"],
    ["filters[title][$or][0][$eq]=a&filters[title][$or][1][$eq]=b", "filters[$or][0][title][$eq]=a&filters[$or][1][title][$eq]=b"],
    ["filters[author][$or][0][name]=a&filters[author][$or][1][country]=DE", "filters[author][$or][0][name][$eq]=a&filters[author][$or][1][country][$eq]=DE"],
    ["filters[author][$or][0][name]=x&filters[author][$or][1][$null]=true", "filters[$or][0][author][name][$eq]=x&filters[$or][1][author][$null]=true"],
    ["filters[author][$or][0][$null]=true&filters[author][$or][1][name][$contains]=x", "filters[$or][0][author][$null]=true&filters[$or][1][author][name][$contains]=x"],
    [
      "filters[tags][$or][0][$null]=true&filters[tags][$or][1][$and][0][name]=birds&filters[tags][$or][1][$and][1][name][$contains]=b",
      "filters[$or][0][tags][$null]=true&filters[$or][1][tags][$and][0][name][$eq]=birds&filters[$or][1][tags][$and][1][name][$contains]=b",
    ],
    ["sort=-views,title", "sort=views:desc,title"],
    ["_q=x", "search=x"],
  ];
  assert.deepEqual(await roundTrip(pairs.map(([from]) => from)), pairs.map(([, to]) => to));
  // What is written asks the service for the same rows.
  for (const [from, to] of pairs.slice(0, -1)) {
    const [a, b] = await Promise.all([ask("GET", `articles?${from}`), ask("GET", `articles?${to}`)]);
    assert.equal(a.status, 200, from);
    assert.deepEqual(b.body.data, a.body.data, from);
  }
});

// Rules b539, b549.
test("populate is read as the service reads it, whatever is refused, and however often a relation is named", async () => {
  page = await visit("/explorer/comments");
  const pairs = [
    ["populate[a]=false", "populate[a]=false&populate[b]=false"],
    ["populate[nothing]=false", "populate[a]=false&populate[b]=false"],
    ["populate[a]=no&populate[b]=true", "populate=b"],
    ["populate[a]=false&populate[*]=true", "populate=b,c"],
    ["populate[b][populate][a]=false", "populate=b"],
    ["populate[*]=false", "populate[a]=false&populate[b]=false"],
    ["populate[a]=*&populate[a.b]=false", "populate=a.a,a.c"],
    // Both a value and brackets: the service refuses it, so that it stays.
    ["populate[*]=false&populate=*", "populate[*]=false&populate=*"],
    ["populate[a]=*&populate[a.*]=off", "populate=a"],
    ["populate[a.*]=true&populate[a.b]=false", "populate=a.a,a.c"],
    ["populate=b.*", "populate=b.a,b.b,b.c"],
    ["populate=nobody.*", "populate=nobody.*"],
    ["populate[a.b][fields]=x&populate[a][populate]=c", "populate[a][populate][b][fields]=x&populate[a][populate][c]=true"],
    ["populate[a.b][fields]=x&populate[a]=*", "populate[a][populate][b][fields]=x&populate[a][populate][a]=true&populate[a][populate][c]=true"],
    ["populate[a.b][pagination][limit]=3&populate[a][populate][b][count]=true", "populate[a][populate][b][pagination][limit]=3&populate[a][populate][b][count]=true"],
    ["populate[a][fields]=x&populate[a.b]=true", "populate[a][fields]=x&populate[a][populate]=b"],
    ["populate=", ""],
    ["populate[]=", ""],
  ];
  const written = await page.evaluate(async (queries) => {
    const place = document.querySelector("script[type=module]").src.replace("app.js", "");
    const { readView, queryOf } = await import(`${place}request.js`);
    const listing = { fields: [], relations: [{ name: "a", default: true }, { name: "b", default: true }, { name: "c" }], related: (name) => (name === "nobody" ? null : listing) };
    return queries.map((query) => queryOf({ ...readView(query, listing), asked: null }, listing));
  }, pairs.map(([from]) => from));
  assert.deepEqual(written, pairs.map(([, to]) => to));
});

test("a pasted query string, address or curl command is taken apart into the form", async () => {
  page = await visit("/explorer/tags");
  const paste = (text) => asking(page, () => page.evaluate((pasted) => {
    const input = document.querySelector("#query");
    input.focus();
    input.select();
    const data = new DataTransfer();
    data.setData("text", pasted);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text));
  await paste(`curl -g '${blog}/api/articles?fields=title,views&filters[views][$between][]=10&filters[views][$between][]=500&sort=views' -H 'accept: application/json'`);
  assert.equal(await page.textContent("h1"), "Articles");
  assert.equal(await page.inputValue("[aria-label='Value of Views, to']"), "500");
  assert.equal(await page.getAttribute("th:has-text('Views')", "aria-sort"), "ascending");
  await paste("filters[title][$contains]=city trees&populate=author");
  assert.equal(await page.inputValue("[aria-label='Value of Title']"), "city trees");
  assert.ok((await column(page, "Author")).length > 0);
  await paste("/api/authors?filters%5Bcountry%5D%5B%24eq%5D=DE");
  assert.equal(await page.textContent("h1"), "Authors");
  assert.equal(await page.inputValue("[aria-label='Value of Country']"), "DE");
  assert.equal(await page.textContent(".said"), "Germany");
});

test("the request can be edited as text", async () => {
  page = await visit("/explorer/articles");
  await page.fill("#query", "/api/articles?filters[views][$gt]=99000");
  await asking(page, () => page.press("#query", "Enter"));
  assert.equal(await page.inputValue("[aria-label='Value of Views']"), "99000");
});

test("the request is copied as URL, curl, fetch and code", async () => {
  page = await visit("/explorer/articles?fields=title&filters[title][$contains]=it's&filters[views][$gt]=5&sort=views:desc");
  const copied = async (name) => {
    await page.click("text=Copy");
    await page.click(`.menu-item:text-is("${name}")`);
    await page.waitForFunction((word) => document.querySelector("#toast").textContent === `${word} copied`, name);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const url = await copied("URL");
  assert.equal((await fetch(url)).status, 200);
  assert.match(await copied("curl"), /^curl -g 'http:[^']*it%27s[^']*'$/);
  const code = await copied("fetch");
  const data = await new Function(`return (async () => { ${code}; return data; })()`)();
  assert.deepEqual(data, (await ask("GET", url.split("/api/")[1])).body.data);
  const client = await copied("TypeScript client");
  assert.match(client, /createClient\(\{ baseUrl: "http:/);
  assert.match(client, /client\.articles\.list\(\{\n {2}fields: \["title"\],\n {2}filters: \{ title: \{ \$contains: "it's" \}, views: \{ \$gt: 5 \} \},\n {2}sort: \["views:desc"\],\n\}\);/);
  const body = JSON.parse(await copied("JSON body"));
  const posted = await ask("POST", "articles/query", body);
  assert.deepEqual(posted.body.data, data);
  assert.equal(await copied("Link to this page"), page.url());
});

test("the same request as JSON has typed values, and gives the same answer", async () => {
  page = await visit("/explorer/articles");
  const queries = [
    "filters[$or][0][views][$gt]=90000&filters[$or][1][$not][rating][$null]=true&filters[is_active]=true&pagination[page]=2&pagination[pageSize]=5",
    "filters[author][country][$in][]=DE&filters[comments][$none][author_name][$contains]=a&populate[comments][pagination][limit]=2&populate[author]=true",
    "filters[tags][$null]=true&fields=title,views&sort=views:desc,author.name&pagination[start]=5&pagination[limit]=3",
    "filters[title][$contains]=12&populate=author.articles,tags&search=trains&pagination[withCount]=false",
    "populate[comments][count]=true&fields=*",
  ];
  const bodies = await page.evaluate(async (all) => {
    const place = document.querySelector("script[type=module]").src.replace("app.js", "");
    const [{ readView }, { asked }, { described }] = await Promise.all(["request", "asked", "description"].map((name) => import(`${place}${name}.js`)));
    const description = described(await (await fetch("/api/_describe")).json());
    const listing = description.listing("articles");
    return all.map((query) => asked(readView(query, listing), listing, description));
  }, queries);
  assert.deepEqual(bodies[0], { filters: { is_active: { $eq: true }, $or: [{ views: { $gt: 90000 } }, { $not: { rating: { $null: true } } }] }, pagination: { page: 2, pageSize: 5 } });
  assert.deepEqual(bodies[1].populate, { comments: { pagination: { limit: 2 } }, author: true });
  for (const [at, query] of queries.entries()) {
    const [text, json] = await Promise.all([ask("GET", `articles?${query}`), ask("POST", "articles/query", bodies[at])]);
    assert.equal(text.status, 200, query);
    assert.deepEqual(json.body, text.body, query);
  }
});

test("what the service refuses is told at the control, with the nearest match to press", async () => {
  page = await visit("/explorer/articles?filters[titel][$contains]=garden");
  const problem = page.locator(".row.wrong .problem");
  assert.match(await problem.textContent(), /There is no filter titel/);
  await asking(page, () => problem.locator("button").click());
  assert.equal(await shownQuery(page), "filters[title][$contains]=garden");
  assert.equal(await page.locator(".problem").count(), 0);

  await page.goto("/explorer/articles?filters[$or][0][author][nmae][$eq]=x&filters[$or][1][views][$gt]=5");
  await settled(page);
  await asking(page, () => page.click(".row.wrong .problem button"));
  assert.match(await shownQuery(page), /filters\[\$or\]\[0\]\[author\]\[name\]\[\$eq\]=x/);

  await page.goto("/explorer/articles?filters[views][$gt]=many");
  await settled(page);
  assert.match(await page.textContent(".row.wrong .problem"), /many is not a valid value/);

  await page.goto("/explorer/articles?pagination[page]=0");
  await settled(page);
  assert.match(await page.textContent("#foot .problem"), /page/);
});

test("what the service ignores is told at the control, with the nearest match to press", async () => {
  page = await visit("/explorer/articles?fields=title,raiting&sort=vievs:desc&populate=autor&utm_source=x");
  assert.equal(await page.locator("[data-place=columns] .problem").count(), 2);
  assert.equal(await page.locator("[data-place=sort] .problem").count(), 1);
  assert.match(await page.textContent("[data-place=query]"), /utm_source/);
  await asking(page, () => page.click("text=Use rating"));
  await asking(page, () => page.click("text=Use views"));
  await asking(page, () => page.click("text=Use author"));
  await asking(page, () => page.click("[data-place=query] >> text=Remove it"));
  assert.equal(await shownQuery(page), "fields=title,rating&sort=views:desc&populate=author");
  assert.equal(await page.locator(".problem").count(), 0);
});

// Rule b320.
test("a request that is too long for an address is sent as a body", async () => {
  page = await visit("/explorer/articles");
  const ids = Array.from({ length: 400 }, (_, at) => `filters[id][$in][]=${at + 1}`).join("&");
  const answer = page.waitForResponse((response) => response.url().endsWith("/api/articles/query"));
  await page.fill("#query", `/api/articles?fields=title&${ids}`);
  await page.press("#query", "Enter");
  assert.equal((await answer).status(), 200);
  await settled(page);
  const { body } = await ask("GET", `articles?fields=title&${ids}`);
  assert.equal(await page.textContent(".total"), String(body.meta.pagination.total));
  assert.equal(await page.textContent(".method"), "POST");
});

// Rule b474.
test("an answer that breaks off, and a part of the page that does not come, are told, and can be tried again", async () => {
  page = await visit("/explorer/articles");
  // The answer begins, and then the connection is gone.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async () => new Response(new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"data":['));
        controller.error(new TypeError("network error"));
        window.fetch = fetch;
      },
    }));
  });
  await page.click("th:has-text('Title') button");
  await page.waitForSelector("#results .failure:has-text('The connection broke')");
  await settled(page);
  await asking(page, () => page.click("#results >> text=Try again"));
  assert.equal(await page.locator("#results .failure").count(), 0);
  assert.ok(await page.locator(".main-table").count() > 0);

  await page.route("**/asked.js", (route) => route.abort());
  const ids = Array.from({ length: 400 }, (_, at) => `filters[id][$in][]=${at + 1}`).join("&");
  await page.fill("#query", `/api/articles?fields=title&${ids}`);
  await page.press("#query", "Enter");
  await page.waitForSelector("#results .failure:has-text('could not send this request')");
  await settled(page);
});

// Rule b474.
test("without a description the page says so, and waits for nothing", async () => {
  page = await visit("/explorer/articles");
  await page.route("**/api/_describe", (route) => route.abort());
  await page.goto("/explorer/authors");
  await page.waitForSelector("#results .failure:has-text('The service does not answer')");
  await settled(page);
  await page.unroute("**/api/_describe");
  await asking(page, () => page.click("#results >> text=Try again"));
  assert.equal(await page.textContent("h1"), "Authors");
});

// Rule d153.
test("a total at which counting stopped is shown as more than that", async () => {
  page = await visit("/explorer/articles");
  const texts = await page.evaluate(async () => {
    const place = document.querySelector("script[type=module]").src.replace("app.js", "");
    const { totalText } = await import(`${place}pages.js`);
    const text = (count, told) => totalText(told, { pagination: { count } });
    return [
      text("auto", { total: 10000 }),
      text("auto", { total: 10000, totalIsExact: false }),
      text("capped(500)", { total: 500, totalIsExact: false }),
      text("estimated", { total: 12345, totalIsExact: false }),
    ];
  });
  assert.deepEqual(texts, ["10,000", "more than 10,000", "more than 500", "about 12,345"]);
});

// Rule d151.
test("a hint of the service is shown next to the filters", async () => {
  page = await visit("/explorer/authors?filters[country][$in]=DE,FR");
  assert.match(await page.textContent("[data-place=filters] .problem"), /commas do not separate values/);
  await page.goto("/explorer/authors?filters[country][$in][]=DE&filters[country][$in][]=FR");
  await settled(page);
  assert.equal(await page.$(".problem"), null);
});
