// On the explorer, a person sees how many rows there are for each value, filters by them, and reads totals and groups.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { ask } from "../blog.mjs";
import { asking, column, leave, listening, settled, shownQuery, violations, visit } from "../browser.mjs";

let page;
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

const NUMBERS = "/explorer/articles?facets=*&totals[views]=sum,avg&totals[rating]=avg";
const GROUPS = "/explorer/articles/_groups?by=author_id&totals[views]=sum,avg&pagination[pageSize]=100";

/** The values of a facet as they are shown: `[text, count, isChosen]`. */
const shownValues = (key) => page.$$eval(`[data-facet='${key}'] .facet-value`, (all) => all.map((one) => [one.querySelector(".facet-text").textContent, Number(one.querySelector(".facet-count").textContent.replaceAll(",", "")), one.querySelector("input")?.checked ?? null]));

/** The facet that the service tells for the request that the page shows. */
const toldFacet = async (key) => (await ask("GET", `articles?${await shownQuery(page)}`)).body.meta.facets.find((facet) => facet.key === key);

/** What the service tells, as it should be shown. */
async function assertShown(key) {
  const facet = await toldFacet(key);
  const values = facet.values.map(({ label, count, selected }) => [label, count, selected]);
  assert.deepEqual((await shownValues(key)).filter(([text]) => text !== "No value"), values);
  assert.equal((await shownValues(key)).find(([text]) => text === "No value")?.[1] ?? 0, facet.missing);
}

const pageAddress = () => decodeURI(new URL(page.url()).pathname + new URL(page.url()).search);

// Rule b890.
test("facets are asked for when they are wanted, and the address says so", async () => {
  page = await visit("/explorer/articles");
  assert.equal(await page.isHidden("#facets"), true);
  await listening(page);
  const answer = await asking(page, () => page.keyboard.press("a"));
  assert.equal(await shownQuery(page), "facets=*");
  assert.equal(pageAddress(), "/explorer/articles?facets=*");
  await page.waitForSelector(".facet");
  const { meta } = await answer.json();
  assert.deepEqual(await page.$$eval(".facet", (all) => all.map((one) => one.dataset.facet)), meta.facets.map(({ key }) => key));
  await assertShown("is_active");
  await assertShown("author_id");
  await assertShown("tags");
  await page.reload();
  await page.waitForSelector(".facet");
  await asking(page, () => page.click("[aria-label='Hide facets']"));
  assert.equal(await shownQuery(page), "");
  assert.equal(await page.isHidden("#facets"), true);
});

// Rule b891.
test("values are chosen by a press, several of them, and the counts follow", async () => {
  page = await visit("/explorer/articles?facets=is_active,author_id,tags");
  await page.waitForSelector(".facet");
  await asking(page, () => page.check("[data-key='choose author_id 1']"));
  await asking(page, () => page.check("[data-key='choose author_id 3']"));
  assert.equal(await shownQuery(page), "filters[author_id][$in][]=1&filters[author_id][$in][]=3&facets=is_active,author_id,tags");
  for (const key of ["is_active", "author_id", "tags"]) {
    await assertShown(key);
  }
  await asking(page, () => page.check("[data-key='choose is_active false']"));
  await asking(page, () => page.check("[data-key='choose is_active true']"));
  assert.match(await shownQuery(page), /filters\[is_active\]\[\$eq\]=true&/, "a filter without `$in` has one value");
  await asking(page, () => page.uncheck("[data-key='choose author_id 1']"));
  assert.match(await shownQuery(page), /^filters\[author_id\]\[\$in\]\[\]=3&filters\[is_active\]\[\$eq\]=true&/);
  await asking(page, () => page.click("[aria-label='Clear Author']"));
  assert.equal(await shownQuery(page), "filters[is_active][$eq]=true&facets=is_active,author_id,tags");
});

// Rule b891.
// Rule b895.
test("related records are chosen by their id, and rows without a value by themselves", async () => {
  page = await visit("/explorer/articles?facets=author_id,tags");
  await page.waitForSelector(".facet");
  await asking(page, () => page.check("[data-key='choose tags 1']"));
  await asking(page, () => page.check("[data-key='choose tags 2']"));
  assert.equal(await shownQuery(page), "filters[tags][id][$in][]=1&filters[tags][id][$in][]=2&facets=author_id,tags");
  await assertShown("tags");
  assert.equal(await page.locator("#filters select.unknown").count(), 0, "the filters know the id too");
  await asking(page, () => page.click("[aria-label='Clear Tags']"));
  await asking(page, () => page.check("[data-key='missing author_id']"));
  assert.equal(await shownQuery(page), "filters[author_id][$null]=true&facets=author_id,tags");
  await assertShown("author_id");
  await asking(page, () => page.check("[data-key='choose author_id 1']"));
  assert.equal(await shownQuery(page), "filters[author_id][$in][]=1&facets=author_id,tags");
});

// Rule b891.
test("other conditions on the same field and groups stay as they are", async () => {
  page = await visit("/explorer/articles?filters[author_id][$notNull]=true&filters[$or][0][author_id][$eq]=1&filters[$or][1][author_id][$eq]=3&facets=author_id");
  await page.waitForSelector(".facet");
  await asking(page, () => page.check("[data-key='choose author_id 1']"));
  const query = await shownQuery(page);
  for (const part of ["filters[author_id][$notNull]=true", "filters[$or][0][author_id][$eq]=1", "filters[$or][1][author_id][$eq]=3", "filters[author_id][$in][]=1"]) {
    assert.ok(query.split("&").includes(part), `${part} in ${query}`);
  }
});

// Rule b890.
test("a facet is searched in and shows more, and its options are in the address", async () => {
  page = await visit("/explorer/articles?facets[tags][limit]=5");
  await page.waitForSelector(".facet");
  assert.match(await page.textContent("[data-facet=tags]"), new RegExp(`Others: ${(await toldFacet("tags")).others.toLocaleString("en")}`));
  await asking(page, () => page.fill("[aria-label='Find in Tags']", "ar"));
  assert.equal(await shownQuery(page), "facets[tags][limit]=5&facets[tags][search]=ar");
  await assertShown("tags");
  await asking(page, () => page.fill("[aria-label='Find in Tags']", ""));
  await asking(page, () => page.click("[aria-label='More values of Tags']"));
  assert.equal(await shownQuery(page), "facets[tags][limit]=35");
  await assertShown("tags");
});

// Rule b892.
test("a range is narrowed by two thumbs, by the keyboard and by typing", async () => {
  page = await visit("/explorer/articles?facets=views");
  await page.waitForSelector(".slider");
  await asking(page, async () => {
    await page.focus("[aria-label='Views, from']");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("PageUp");
  });
  const [, least] = /^filters\[views\]\[\$gte\]=(\d+)&facets=views$/.exec(await shownQuery(page));
  assert.ok(Number(least) > 0);
  await asking(page, async () => {
    await page.focus("[aria-label='Views, to']");
    await page.keyboard.press("ArrowLeft");
  });
  assert.match(await shownQuery(page), new RegExp(`^filters\\[views\\]\\[\\$between\\]\\[\\]=${least}&filters\\[views\\]\\[\\$between\\]\\[\\]=\\d+&facets=views$`));
  await asking(page, () => page.fill("[aria-label='Views, at most']", "90000").then(() => page.keyboard.press("Enter")));
  assert.match(await shownQuery(page), new RegExp(`=${least}&.*=90000&facets=views$`), "a thumb that nobody moved keeps what was typed");
  const views = await column(page, "Views");
  assert.ok(views.length > 0 && views.every((one) => Number(one.replaceAll(",", "")) <= 90000));
  await asking(page, () => page.click("[aria-label='Clear Views']"));
  assert.equal(await shownQuery(page), "facets=views");
});

// Rule b1301.
test("an answer that comes while an end of a range or a page is typed does not take it away", async () => {
  page = await visit("/explorer/articles?facets=views&pagination[pageSize]=10");
  await page.waitForSelector(".slider");
  /** Types while an answer is on its way, and lets it come. */
  const typeMeanwhile = async (box, text) => {
    let answer;
    const answered = new Promise((resolve) => {
      answer = resolve;
    });
    const sorted = /\/api\/.*sort=/;
    await page.route(sorted, async (route) => {
      await answered;
      await route.continue();
    });
    await asking(page, async () => {
      const asked = page.waitForRequest(sorted);
      await page.click("th:has-text('Views') button");
      await asked;
      await page.focus(box);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
      answer();
    });
    await page.unroute(sorted);
    assert.equal(await page.inputValue(box), text);
    assert.equal(await page.evaluate((selector) => document.activeElement === document.querySelector(selector), box), true);
  };
  await typeMeanwhile("[aria-label='Views, at least']", "7000");
  // What is left as it was is shown as it is now.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Views, at most");
  await page.keyboard.type("90000");
  await asking(page, () => page.keyboard.press("Enter"));
  assert.match(await shownQuery(page), /^filters\[views\]\[\$lte\]=90000&sort=views&/);

  await typeMeanwhile("[data-key=page]", "3");
  await asking(page, () => page.keyboard.press("Enter"));
  assert.match(await shownQuery(page), /&sort=views:desc&.*&pagination\[page\]=3&/);
  assert.match(await page.textContent(".range-text"), /^21–30 of/);
});

// Rule b1301.
test("what is being typed is not told in the list to which somebody goes back", async () => {
  page = await visit("/explorer/tags?pagination[pageSize]=10");
  for (const box of ["[aria-label='Views, at least']", "[data-key=page]"]) {
    await page.fill("#query", "/api/articles?facets=views");
    await asking(page, () => page.press("#query", "Enter"));
    await page.waitForSelector(".slider");
    await page.focus(box);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("2");
    await asking(page, () => page.goBack());
    assert.equal(await shownQuery(page), "pagination[pageSize]=10", box);
  }
});

// Rule b892.
test("bars over time are brushed, and their unit is chosen", async () => {
  page = await visit("/explorer/articles?facets=created_at");
  await page.waitForSelector(".brush");
  const { values } = await toldFacet("created_at");
  assert.equal(await page.locator(".brush rect").count(), values.length);
  const box = await page.locator(".brush").boundingBox();
  const middle = (at) => box.x + (box.width * (at + 0.5)) / values.length;
  await asking(page, async () => {
    await page.mouse.move(middle(6), box.y + 20);
    await page.mouse.down();
    await page.mouse.move(middle(3), box.y + 20, { steps: 4 });
    await page.mouse.up();
  });
  const brief = (moment) => moment.replace(".000000", "");
  assert.equal(await shownQuery(page), `filters[created_at][$gte]=${brief(values[3].from)}&filters[created_at][$lt]=${brief(values[6].to)}&facets=created_at`);
  const expected = values.slice(3, 7).reduce((sum, { count }) => sum + count, 0);
  assert.equal(await page.textContent(".total"), String(expected));
  assert.equal(await page.locator(".brush rect:not(.out)").count(), 4);
  await asking(page, () => page.selectOption("[aria-label='Unit of Created at']", "year"));
  assert.match(await shownQuery(page), /facets\[created_at\]\[unit\]=year$/);
  assert.match(await page.getAttribute(".brush", "aria-label"), /^Created at by year: \d+ rows from 2023-01-01/);
  await asking(page, async () => {
    await page.focus("[aria-label='Created at, to']");
    await page.keyboard.press("ArrowRight");
  });
  assert.match(await shownQuery(page), /^filters\[created_at\]\[\$gte\]=2023-01-01T00:00:00Z&filters\[created_at\]\[\$lt\]=2025-01-01T00:00:00Z&/);
});

// Rule b893.
test("totals are under their columns, with every digit of the service", async () => {
  page = await visit("/explorer/articles");
  await page.click("#totals");
  await asking(page, () => page.check(".totals-of:has-text('Views') label:has-text('Sum') input"));
  await asking(page, () => page.check(".totals-of:has-text('Views') label:has-text('Average') input"));
  await asking(page, () => page.check(".totals-of:has-text('Rating') label:has-text('Average') input"));
  assert.equal(await shownQuery(page), "totals[views]=sum,avg&totals[rating]=avg");
  const { totals } = (await ask("GET", `articles?${await shownQuery(page)}`)).body.meta;
  const shown = (text) => text.replaceAll(",", "");
  // They come after the rows.
  await page.waitForSelector(".totals-list .total-number");
  assert.deepEqual((await page.$$eval("tfoot .total-number", (all) => all.map((one) => one.textContent))).map(shown), [String(totals.views.sum), totals.views.avg]);
  assert.deepEqual((await page.$$eval(".totals-list .total-number", (all) => all.map((one) => one.textContent))).map(shown), [totals.rating.avg], "it has no column");
  const at = await page.$$eval("thead th", (all) => all.findIndex((one) => one.innerText.trim() === "Views"));
  assert.match(await page.locator("tfoot tr > *").nth(at).textContent(), /^Sum/);
});

// Rule b890.
// Rule b894.
test("groups have an address like the service's, a table, and a chart that says it in words", async () => {
  page = await visit("/explorer/articles?filters[is_active][$eq]=true");
  await page.click("[aria-pressed][aria-label='Groups']");
  await page.waitForSelector(".chart");
  await settled(page);
  assert.equal(new URL(page.url()).pathname, "/explorer/articles/_groups");
  assert.match(await page.inputValue("#query"), /^\/api\/articles\/_groups\?by=is_active&filters\[is_active\]\[\$eq\]=true/);
  await page.selectOption("[aria-label='Key 1']", "author_id");
  await page.waitForFunction(() => document.querySelector("thead th")?.innerText.trim() === "Author");
  // The headings are those of the new key before its groups are there.
  await settled(page);
  const query = await shownQuery(page);
  const { body } = await ask("GET", `articles/_groups?${query}`);
  assert.deepEqual(await column(page, "Author"), body.data.map(({ author_id: { label } }) => label ?? "No value"));
  assert.deepEqual(await column(page, "Rows"), body.data.map(({ count }) => String(count)));
  assert.equal(await page.locator(".chart rect.bar").count(), body.data.length);
  assert.match(await page.getAttribute(".chart-scroll svg", "aria-label"), /^Rows by Author: \d+ places\. Largest, .+\. The table below has all of them\.$/);
  await page.click("tbody tr:nth-child(1) th a");
  await settled(page);
  await page.waitForSelector("#results .open");
  assert.match(await shownQuery(page), /filters\[is_active\]\[\$eq\]=true&filters\[author_id\]\[\$in\]\[\]=\d+/);
  assert.equal(await page.textContent(".total"), String(body.data[0].count));
  await page.goBack();
  await page.waitForSelector(".chart");
  assert.equal(await shownQuery(page), query);
});

// Rule b894.
test("groups have up to three keys and totals, and are ordered by each", async () => {
  page = await visit("/explorer/articles/_groups?by=created_at:quarter&totals[views]=sum&pagination[pageSize]=100");
  await page.waitForSelector(".chart path.stroke");
  await page.click("#add-key");
  await page.selectOption("[aria-label='Key 2']", "is_active");
  await page.waitForFunction(() => document.querySelectorAll(".legend li").length === 2);
  await settled(page);
  await page.click("thead th:has-text('Views, sum') button");
  await page.waitForFunction(() => document.querySelector("[aria-sort=descending]")?.innerText.startsWith("Views"));
  await settled(page);
  assert.equal(await shownQuery(page), "by=created_at:quarter,is_active&sort=views.sum:desc&totals[views]=sum&pagination[pageSize]=100");
  const { body } = await ask("GET", `articles/_groups?${await shownQuery(page)}`);
  assert.deepEqual(await column(page, "Views, sum"), body.data.map(({ totals }) => totals.views.sum.toLocaleString("en")));
  await page.selectOption("[aria-label='What the chart shows']", "views.sum");
  // The chart is drawn anew, with its buttons.
  await settled(page);
  await page.click("[aria-label='Bars']");
  assert.match(page.url(), /#chart=bars&value=views.sum$/);
  const places = new Set(body.data.map((group) => group.created_at)).size;
  assert.ok(await page.locator(".chart rect.bar").count() <= places * 2);
  await page.reload();
  await page.waitForSelector(".chart rect.bar");
  await page.click("#add-key");
  await page.waitForSelector("[aria-label='Key 3']");
  assert.equal(await page.locator("#add-key").count(), 0);
});

// Rule b630.
test("a request for groups that no control shows is sent as it is", async () => {
  page = await visit("/explorer/articles/_groups?by=author_id&having[count][$gte]=25&fields=title");
  await page.waitForSelector(".chart");
  const { body } = await ask("GET", "articles/_groups?by=author_id&having[count][$gte]=25");
  assert.equal(await page.locator("tbody tr").count(), body.data.length);
  await page.click("thead th:has-text('Rows') button");
  await page.waitForFunction(() => document.querySelector("#query").value.includes("sort=count:desc"));
  assert.match(await shownQuery(page), /having\[count\]\[\$gte\]=25&fields=title$/);
  await page.goto("/explorer/articles/_groups");
  await settled(page);
  assert.equal(await page.locator("#results .failure").count(), 1);
  await page.goto("/explorer/articles?facets[views]=often&totals=5&facets[tags][limit]=0");
  await settled(page);
  assert.equal(await shownQuery(page), "facets[views]=often&totals=5&facets[tags][limit]=0");
  assert.equal(await page.locator("#results .failure").count(), 1);
});

for (const scheme of ["light", "dark"]) {
  test(`axe-core finds nothing wrong with numbers, ${scheme}`, async () => {
    page = await visit(NUMBERS, { scheme });
    await page.waitForSelector(".facet");
    assert.deepEqual(await violations(page), []);
    await page.click("#totals");
    await page.waitForSelector(".totals-of");
    assert.deepEqual(await violations(page), [], "totals");
    for (const chart of ["bars", "line"]) {
      await page.goto(`${GROUPS.replace("by=author_id", "by=created_at,author_id")}#chart=${chart}`);
      // The second address differs in its fragment alone: until the answer is here, the chart is the first one.
      await page.waitForSelector(`[aria-pressed=true][aria-label='${chart === "bars" ? "Bars" : "Line"}']`);
      await settled(page);
      assert.deepEqual(await violations(page), [], chart);
    }
  });
}

test("axe-core finds nothing wrong with numbers on a phone, and nothing is wider than it", async () => {
  page = await visit(NUMBERS, { width: 390, height: 844 });
  await page.waitForSelector(".facet");
  await page.click(".facet >> nth=1");
  assert.deepEqual(await violations(page), []);
  const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(await isWider(), false);
  await page.goto(GROUPS);
  await page.waitForSelector(".chart");
  assert.deepEqual(await violations(page), [], "groups");
  assert.equal(await isWider(), false);
});
