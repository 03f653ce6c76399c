// On the explorer, a person finds, filters, orders and shares a list without knowing the language of its requests.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { allArticles, ask } from "../blog.mjs";
import { asking, column, leave, listening, settled, shownQuery, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

// Rule b311.
test("the service's own address leads to the first list", async () => {
  page = await visit("/");
  assert.equal(new URL(page.url()).pathname, "/explorer/articles");
  assert.equal(await page.textContent("h1"), "Articles");
  const { body } = await ask("GET", "articles");
  assert.deepEqual(await column(page, "ID"), body.data.map((row) => String(row.id)));
  assert.match(await page.textContent(".total"), new RegExp(`^${body.meta.pagination.total}$`));
});

test("another list is chosen by its name", async () => {
  page = await visit("/explorer");
  await asking(page, () => page.click("nav >> text=Authors"));
  assert.equal(new URL(page.url()).pathname, "/explorer/authors");
  assert.equal(await page.getAttribute("nav [aria-current=page]", "data-key"), "list authors");
  assert.ok((await column(page, "Name")).includes("Anna Köhler"));
});

test("a filter on text is added and typed, and the list follows", async () => {
  page = await visit("/explorer/articles");
  await page.click("#add-filter");
  await page.selectOption("[aria-label='Filter by']", "title");
  await asking(page, () => page.fill("[aria-label='Value of Title']", "garden"));
  assert.equal(await shownQuery(page), "filters[title][$contains]=garden");
  assert.ok(page.url().endsWith("/explorer/articles?filters[title][$contains]=garden"));
  const titles = await column(page, "Title");
  assert.ok(titles.length > 0 && titles.every((title) => /garden/i.test(title)), String(titles));
});

// Rule b317.
test("a filter without a value is not sent", async () => {
  page = await visit("/explorer/articles");
  await page.click("#add-filter");
  await page.selectOption("[aria-label='Filter by']", "views");
  assert.equal(await shownQuery(page), "");
  await asking(page, () => page.fill("[aria-label='Value of Views']", "7"));
  await asking(page, () => page.fill("[aria-label='Value of Views']", ""));
  assert.equal(await shownQuery(page), "");
});

test("every type has its own control", async () => {
  page = await visit("/explorer/articles");
  await page.click("#add-filter");
  const filterBy = async (name, operator) => {
    await page.selectOption("[aria-label='Filter by']", name);
    if (operator) {
      await page.selectOption("[aria-label^='How ']", operator);
    }
  };
  await filterBy("views", "$between");
  await page.fill("[aria-label='Value of Views, from']", "90000");
  await asking(page, () => page.fill("[aria-label='Value of Views, to']", "100000"));
  assert.equal(await shownQuery(page), "filters[views][$between][]=90000&filters[views][$between][]=100000");

  await filterBy("is_active");
  assert.deepEqual(await page.$$eval("[aria-label='Value of Is active'] option", (all) => all.map((one) => one.textContent)), ["choose…", "Active", "Inactive"]);
  await asking(page, () => page.selectOption("[aria-label='Value of Is active']", "false"));
  assert.deepEqual([...new Set(await column(page, "Is active"))], ["no"]);

  await filterBy("created_at", "$gte");
  assert.equal(await page.getAttribute("[aria-label='Value of Created at, day']", "type"), "date");
  await asking(page, () => page.fill("[aria-label='Value of Created at, day']", "2025-12-01"));
  assert.equal(await shownQuery(page), "filters[created_at][$gte]=2025-12-01");
  await asking(page, () => page.fill("[aria-label^='Value of Created at, time']", "12:30"));
  assert.equal(await shownQuery(page), "filters[created_at][$gte]=2025-12-01T12:30:00Z");

  await filterBy("rating", "$null");
  assert.equal(await shownQuery(page), "filters[rating][$null]=true");

  await filterBy("slug", "$in");
  for (const slug of ["a-week-of-city-trees-493", "what-slow-email-taught-me-485"]) {
    await page.fill("[aria-label='Value of Slug']", slug);
    await asking(page, () => page.press("[aria-label='Value of Slug']", "Enter"));
  }
  assert.deepEqual((await column(page, "ID")).sort(), ["485", "493"]);
  await asking(page, () => page.click("[aria-label='Remove a-week-of-city-trees-493']"));
  assert.deepEqual(await column(page, "ID"), ["485"]);
});

test("related records are chosen by searching their label", async () => {
  page = await visit("/explorer/articles?populate=author");
  await page.click("#add-filter");
  await page.selectOption("[aria-label='Filter by']", "author_id");
  await page.selectOption("[aria-label^='How ']", "$in");
  for (const [typed, name] of [["köh", "Anna Köhler"], ["weiß", "Paul Weiß"]]) {
    await page.fill("[role=combobox]", typed);
    await page.waitForSelector(`[role=option]:has-text("${name}")`);
    await asking(page, () => page.press("[role=combobox]", "Enter"));
  }
  assert.equal(await shownQuery(page), "populate=author&filters[author_id][$in][]=1&filters[author_id][$in][]=17");
  assert.deepEqual([...new Set(await column(page, "Author"))].sort(), ["Anna Köhler", "Paul Weiß"]);
  assert.deepEqual(await page.$$eval(".chip-text", (all) => all.map((one) => one.textContent)), ["Anna Köhler", "Paul Weiß"]);
});

test("a chip has its label when the view is opened by its address", async () => {
  page = await visit("/explorer/articles?filters[author_id][$eq]=17");
  await page.waitForSelector(".chip-text:has-text('Paul Weiß')");
});

// Rule b538.
test("a record that the list leaves out by default has its label all the same", async () => {
  page = await visit("/explorer/comments");
  const single = [];
  page.on("request", (request) => /\/api\/articles\/\d/.test(request.url()) && single.push(request.url()));
  const chipsOf = async (ids, expected) => {
    await page.goto(`/explorer/comments?${ids.map((id) => `filters[article_id][$in][]=${id}`).join("&")}`);
    await page.waitForFunction((texts) => JSON.stringify([...document.querySelectorAll(".chip-text")].map((one) => one.textContent)) === texts, JSON.stringify(expected));
  };
  // As for author 7, whose own articles the list shows until it is filtered by author.
  const byIds = /\/api\/articles\?.*filters/;
  await page.route(byIds, async (route) => route.fulfill({ response: await route.fetch({ url: `${route.request().url()}&filters[author_id][$eq]=7` }) }));
  const [own, other] = (await Promise.all([491, 7].map((id) => ask("GET", `articles/${id}`)))).map(({ body }) => body.data.title);
  await chipsOf([491, 7, 987654321], [own, other, "987654321"]);
  assert.equal(single.length, 2);

  // Not more than ten, however many there are.
  single.length = 0;
  await page.route(byIds, (route) => route.fulfill({ json: { data: [] } }));
  const { body: { data } } = await ask("GET", "articles?fields=title&sort=id&pagination[pageSize]=15");
  await chipsOf(data.map(({ id }) => id), data.map(({ id, title }, at) => (at < 10 ? title : String(id))));
  assert.equal(single.length, 10);
});

test("groups, and filters through relations", async () => {
  page = await visit("/explorer/articles?fields=title,views,rating&filters[is_active]=true");
  await page.click("div.row-actions >> text=Group");
  await page.selectOption(".nested [aria-label='Filter by']", "views");
  await page.selectOption(".nested [aria-label^='How ']", "$gt");
  await asking(page, () => page.fill(".nested [aria-label='Value of Views']", "95000"));
  await page.click(".row.tall .row-actions >> text=Filter");
  await page.selectOption(".nested .row:nth-child(2) [aria-label='Filter by']", "rating");
  await page.selectOption(".nested .row:nth-child(2) [aria-label^='How ']", "$gte");
  await asking(page, () => page.fill(".nested .row:nth-child(2) [aria-label='Value of Rating']", "4.9"));
  assert.equal(await shownQuery(page), "fields=title,views,rating&filters[is_active][$eq]=true&filters[$or][0][views][$gt]=95000&filters[$or][1][rating][$gte]=4.9");
  const expected = (await allArticles()).filter((one) => one.is_active && (one.views > 95000 || Number(one.rating ?? 0) >= 4.9));
  assert.equal(await page.textContent(".total"), String(expected.length));

  await asking(page, () => page.selectOption("[aria-label='How the filters of the group are joined']", "none"));
  assert.match(await shownQuery(page), /filters\[\$not\]\[\$or\]\[0\]\[views\]/);

  await page.click("text=Clear all");
  await page.click("#add-filter");
  await page.selectOption("[aria-label='Filter by']", "comments");
  await page.selectOption("[aria-label='Which Comments']", "$none");
  await asking(page, () => page.fill("[aria-label='Value of Author name']", "a"));
  assert.equal(await shownQuery(page), "fields=title,views,rating&filters[comments][$none][author_name][$contains]=a");
  await asking(page, () => page.selectOption("[aria-label='Which Comments']", "$null"));
  assert.equal(await shownQuery(page), "fields=title,views,rating&filters[comments][$null]=true");
});

test("the search box finds words", async () => {
  page = await visit("/explorer/articles");
  await listening(page);
  await page.keyboard.press("/");
  await asking(page, () => page.keyboard.type("trains"));
  assert.equal(await shownQuery(page), "search=trains");
  assert.match((await column(page, "Title")).join(), /trains/i);
});

// Rule b535.
test("the list is busy from the first letter until it is the one that was typed", async () => {
  page = await visit("/explorer/articles");
  const answers = [];
  page.on("response", (response) => response.url().includes("search=") && answers.push(new URL(response.url()).searchParams.get("search")));
  const type = (text) => page.evaluate((text) => {
    const search = document.querySelector("#search");
    search.value = text;
    search.dispatchEvent(new Event("input"));
    return document.querySelector("#results").getAttribute("aria-busy");
  }, text);
  // The first letters are answered as soon as the others are typed.
  let hold;
  const held = new Promise((resolve) => {
    hold = resolve;
  });
  await page.route(/search=tra$/, hold);
  assert.equal(await type("tra"), "true");
  const first = await held;
  assert.equal(await type("trains"), "true");
  await first.continue().catch(() => {}); // It was given up.
  await settled(page);
  assert.deepEqual(answers, ["trains"]);
  assert.match((await column(page, "Title")).join(), /trains/i);
});

test("headings order the list", async () => {
  page = await visit("/explorer/articles?fields=title,views");
  const heading = "th:has-text('Views') button";
  await asking(page, () => page.click(heading));
  assert.equal(await shownQuery(page), "fields=title,views&sort=views");
  assert.equal(await page.getAttribute("th:has-text('Views')", "aria-sort"), "ascending");
  await asking(page, () => page.click(heading));
  assert.equal(await shownQuery(page), "fields=title,views&sort=views:desc");
  const views = (await column(page, "Views")).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(views, views.toSorted((a, b) => b - a));
  await asking(page, () => page.click("th:has-text('Title') button", { modifiers: ["Shift"] }));
  assert.equal(await shownQuery(page), "fields=title,views&sort=views:desc,title");
});

test("fields and relations are picked, and relations open in place", async () => {
  page = await visit("/explorer/articles");
  await page.click("#columns");
  await asking(page, () => page.uncheck("[data-key='tick slug']"));
  await asking(page, () => page.check("[data-key='tick rating']"));
  await asking(page, () => page.check("[data-key='tick comments']"));
  await asking(page, () => page.uncheck("[data-key='tick comments created_at']"));
  await page.keyboard.press("Escape");
  assert.equal(await shownQuery(page), "fields=title,is_active,views,created_at,rating&populate[comments][fields]=author_name,body");
  const button = page.locator(".related").first();
  await button.click();
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  await page.waitForSelector(".details thead th");
  assert.deepEqual(await page.$$eval(".details thead th", (all) => all.map((one) => one.textContent)), ["ID", "Author name", "Body"]);
  assert.match(await page.getAttribute(".details a:has-text('See all')", "href"), /\/explorer\/comments\?filters\[article_id\]\[\$eq\]=\d+$/);
  await button.click();
  assert.equal(await page.locator(".details").count(), 0);
});

// Rule b473.
test("all related records are those of the relation, whatever else refers to the same list", async () => {
  page = await visit("/explorer/tags");
  await page.route("**/api/_describe", async (route) => {
    const json = await (await route.fetch()).json();
    const { filters } = json.listings.find((one) => one.name === "articles");
    const author = filters.find((one) => one.name === "author_id");
    // Articles have an editor too, who is an author; and they say which tag they had first.
    filters.unshift({ ...author, name: "editor_id" }, { ...author, name: "first_tag_id", references: "tags" });
    await route.fulfill({ json });
  });
  const open = async (path) => {
    await page.goto(path);
    await settled(page);
    await page.locator(".related").first().click();
    await page.waitForSelector(".details .related-block");
    return page.locator(".details a:has-text('See all')");
  };
  const written = await open("/explorer/authors?populate=articles&filters[name][$eq]=Anna+K%C3%B6hler");
  assert.match(await written.getAttribute("href"), /\/explorer\/articles\?filters\[author_id\]\[\$eq\]=1$/);
  // No filter of articles finds the rows of a junction.
  const tagged = await open("/explorer/tags?populate=articles");
  assert.equal(await tagged.count(), 0);
});

test("a column that is in no whitelist is offered nowhere", async () => {
  page = await visit("/explorer/authors?fields=*&populate[articles]=true&filters[name][$contains]=a");
  const names = () => page.$$eval(".tick > span:first-of-type, option, .main-table th, .sorts li > .fill", (all) => all.map((one) => one.textContent.trim().toLowerCase()));
  // What builds filters and panels is fetched when it is needed.
  await page.waitForSelector("[aria-label='Filter by']");
  const offered = await names();
  for (const panel of ["#columns", "#order"]) {
    await page.click(panel);
    await page.waitForSelector(`${panel} + :popover-open .panel-head`);
    offered.push(...await names());
    await page.keyboard.press("Escape");
  }
  assert.ok(offered.includes("joined at") && offered.includes("comments count"), String(offered));
  assert.deepEqual(offered.filter((name) => /e-?mail|deleted/.test(name)), []);
});

test("related records have filters, an order and a limit of their own", async () => {
  page = await visit("/explorer/articles?fields=title&filters[id][$eq]=7");
  await page.click("#columns");
  await asking(page, () => page.check("[data-key='tick comments']"));
  await asking(page, () => page.selectOption("[aria-label='Sort Comments by']", "created_at"));
  await asking(page, () => page.click("[data-key='turn Comments created_at']"));
  await page.fill("[data-key='comments limit']", "3");
  await asking(page, () => page.press("[data-key='comments limit']", "Enter"));
  await page.click("[aria-label='Filter Comments']");
  await asking(page, () => page.fill("#columns + [popover] [aria-label='Value of Author name']", "a"));
  const query = "fields=title&populate[comments][sort]=created_at:desc&populate[comments][pagination][limit]=3&populate[comments][filters][author_name][$contains]=a&filters[id][$eq]=7";
  assert.equal(await shownQuery(page), query);
  await asking(page, () => page.check("[data-key='tick author']"));
  await asking(page, () => page.check("[data-key='tick author.articles']"));
  await page.click("[aria-label='Filter Author › articles']");
  await page.selectOption("[aria-label='Author › articles'] [aria-label='Filter by']", "views");
  await page.selectOption("[aria-label='Author › articles'] [aria-label='How Views is compared']", "$gt");
  await asking(page, () => page.fill("[aria-label='Author › articles'] [aria-label='Value of Views']", "9000"));
  assert.match(await shownQuery(page), /&populate\[author\]\[populate\]\[articles\]\[filters\]\[views\]\[\$gt\]=9000&filters/);
  const { body } = await ask("GET", `articles?${await shownQuery(page)}`);
  const [{ author, comments }] = body.data;
  assert.equal(comments.length, 3);
  assert.ok(author.articles.length > 0 && author.articles.every((one) => one.views > 9000));
  // What the address says is in the controls again, and on the page.
  await page.reload();
  await settled(page);
  await page.locator(".related", { hasText: /comments|^3/ }).first().click();
  await page.waitForSelector(".related-block");
  assert.deepEqual(await page.$$eval(".details tbody tr", (rows) => rows.map((row) => row.cells[0].textContent)), comments.map((one) => String(one.id)));
  await page.click("#columns");
  assert.equal(await page.inputValue("[aria-label='Author › articles'] [aria-label='Value of Views']"), "9000");
  await asking(page, () => page.click("[aria-label='Comments'] [aria-label='Remove filter author_name']"));
  assert.doesNotMatch(await shownQuery(page), /author_name/);
});

test("what is wrong with a filter of related records is told at its row", async () => {
  page = await visit("/explorer/articles?populate[comments][filters][article_id][$eq]=someday");
  await page.click("#columns");
  assert.match(await page.textContent("[aria-label='Comments'] .row .problem"), /someday/);
});

test("pages and cursors", async () => {
  page = await visit("/explorer/tags?pagination[pageSize]=10");
  await asking(page, () => page.click("[aria-label='Next page']"));
  assert.equal(await shownQuery(page), "pagination[page]=2&pagination[pageSize]=10");
  assert.match(await page.textContent(".range-text"), /11–20 of 30/);
  await asking(page, () => page.selectOption("[aria-label='How pages are walked']", "cursor"));
  const first = await column(page, "Name");
  await asking(page, () => page.click("[aria-label='Next page']"));
  const second = await column(page, "Name");
  assert.equal(second.filter((name) => first.includes(name)).length, 0);
  assert.match(await shownQuery(page), /^pagination\[cursor\]=[^&]+&pagination\[pageSize\]=10$/);
  await asking(page, () => page.click("[aria-label='Previous page']"));
  assert.deepEqual(await column(page, "Name"), first);
  assert.match(await page.textContent(".cost"), /200 · [\d.]+ ms · [\d.]+ K?B/);
});

test("as cards, as JSON, and on a phone", async () => {
  page = await visit("/explorer/tags");
  await page.click("[aria-pressed][aria-label='JSON']");
  await page.waitForSelector("pre");
  assert.ok(page.url().endsWith("/explorer/tags#view=json"));
  const { body } = await ask("GET", "tags");
  assert.deepEqual(JSON.parse(await page.textContent("pre")), body);
  await page.click("[aria-pressed][aria-label='Cards']");
  await page.waitForSelector(".card");
  assert.equal(await page.locator(".card").count(), body.data.length);
  await page.goBack();
  await page.waitForSelector("pre");
  await leave(page);
  page = await visit("/explorer/articles?populate=author,tags", { width: 390, height: 844 });
  assert.equal(await page.locator(".card").count(), 25);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(wide, false, "the page is wider than the phone");
  await page.click("#menu");
  await asking(page, () => page.click("nav >> text=Tags"));
  assert.equal(await page.textContent("h1"), "Tags");
});

// Rule b311.
test("the address holds the view, and the back button goes back", async () => {
  page = await visit("/explorer/articles");
  await asking(page, () => page.click("th:has-text('Title') button"));
  await asking(page, () => page.click("[aria-label='Next page']"));
  const shared = page.url();
  const ids = await column(page, "ID");
  await asking(page, () => page.goBack());
  assert.equal(await shownQuery(page), "sort=title");
  await asking(page, () => page.goForward());
  assert.deepEqual(await column(page, "ID"), ids);
  await leave(page);
  page = await visit(shared);
  assert.deepEqual(await column(page, "ID"), ids);
});

test("views are saved in the browser under a name", async () => {
  page = await visit("/explorer/articles?filters[views][$gt]=90000&sort=views:desc");
  const ids = await column(page, "ID");
  await page.click("#save-view");
  await page.fill("#view-name", "Most read");
  await page.keyboard.press("Enter");
  await asking(page, () => page.click("nav >> text=Tags"));
  await page.reload();
  await settled(page);
  await asking(page, () => page.click("nav >> text=Most read"));
  assert.deepEqual(await column(page, "ID"), ids);
  await page.click("[aria-label='Forget the view Most read']");
  assert.equal(await page.locator("nav >> text=Most read").count(), 0);
});

test("filters that hold by default are told, and can be taken over", async () => {
  page = await visit("/explorer/comments");
  assert.equal(await page.textContent(".told"), "By default: Is hidden is false");
  await asking(page, () => page.click(".told button"));
  assert.equal(await shownQuery(page), "filters[is_hidden][$eq]=false");
  assert.equal(await page.isHidden(".told"), true);
  await asking(page, () => page.selectOption("[aria-label='Value of Is hidden']", "true"));
  assert.equal(await page.textContent(".total"), String((await ask("GET", "comments?filters[is_hidden]=true")).body.meta.pagination.total));
});

test("a record leads to others with the same value", async () => {
  page = await visit("/explorer/articles#record=7");
  await asking(page, () => page.click("[aria-label='Records with the same author id']"));
  assert.equal(await shownQuery(page), "filters[author_id][$eq]=15");
  await page.waitForSelector("dialog", { state: "detached" });
});
