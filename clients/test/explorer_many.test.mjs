// On the explorer, rows are picked and changed or deleted together, all of them or none.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { ask, draft } from "../blog.mjs";
import { asking, leave, settled, undoStays, violations, visit } from "../browser.mjs";

let page;
let made;
let marker;

beforeEach(async () => {
  marker = `Many ${Date.now()}`;
  made = [];
  for (const word of ["first", "second", "third"]) {
    made.push(await create(`${marker} ${word}`));
  }
});

afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
  for (const id of made) {
    await ask("DELETE", `articles/${id}?force=true`);
  }
});

const create = async (title) => (await ask("POST", "articles", draft({ title }))).body.data.id;
const read = async (id) => (await ask("GET", `articles/${id}`)).body.data;
const here = (more = "") => `/explorer/articles?filters[title][$contains]=${encodeURIComponent(marker)}&sort=id${more}`;
const box = (id) => `.pick[value="${id}"]`;
const save = () => page.click("dialog [type=submit]");

/** What is written, as `[path, body]`. */
function writes() {
  const sent = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/") && request.method() !== "GET") {
      sent.push([pathname, JSON.parse(request.postData() ?? "null")]);
    }
  });
  return sent;
}

async function pickAnd(what, ...ids) {
  for (const id of ids) {
    await page.check(box(id));
  }
  await page.waitForSelector(`#picked >> text=${ids.length} selected`);
  await page.click(`#picked button:has-text('${what}')`);
  await page.waitForSelector("dialog form");
}

/** From the rows of the page to all that match; the button itself has nearly the same words as what is told then. */
async function pickEverything(count) {
  await page.check("[aria-label='Select all rows of this page']");
  await page.click(`#picked >> text=Select all ${count} that match`);
  await page.waitForSelector(`#picked [role=status]:text-is("All ${count} that match")`);
}

/** Chooses a field in the dialog, and fills it in. */
async function set(name, value) {
  await page.selectOption("dialog [data-key=add]", name);
  await page.fill("dialog .many-field:last-child input", value);
}

// Rule b1063.
test("rows are picked one by one, with Shift from one to another, or all of a page", async () => {
  page = await visit(here());
  const told = () => page.textContent("#picked [role=status]");
  await page.check(box(made[0]));
  await page.waitForSelector("#picked >> text=1 selected");
  await page.click(box(made[2]), { modifiers: ["Shift"] });
  await page.waitForSelector("#picked >> text=3 selected");
  assert.equal(await page.isChecked("[aria-label='Select all rows of this page']"), true);
  await page.focus(box(made[1]));
  await page.keyboard.press("Space");
  await page.waitForSelector("#picked >> text=2 selected");
  assert.equal(await page.$eval("[aria-label='Select all rows of this page']", (all) => all.indeterminate), true);
  await page.check("[aria-label='Select all rows of this page']");
  await page.waitForSelector("#picked >> text=3 selected");

  // Another order of the same rows keeps them; rows that are not shown any more are not picked.
  await asking(page, () => page.click("th:has-text('Title') button"));
  assert.equal(await told(), "3 selected");
  assert.equal(await page.isChecked(box(made[1])), true);
  await page.fill("#query", `${await page.inputValue("#query")}&filters[id][$eq]=${made[0]}`);
  await asking(page, () => page.press("#query", "Enter"));
  assert.equal(await told(), "1 selected");
  await asking(page, () => page.click("nav >> text=Tags"));
  assert.equal(await page.isHidden("#picked"), true);
  assert.equal(await page.locator(".pick").count(), 0, "tags cannot be written");
});

// Rule b1063.
test("rows that are picked while the page fetches what it says about them stay picked", async () => {
  page = await visit(here());
  let delay;
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/many.css", (route) => (delay === null ? released.then(() => route.continue()) : setTimeout(() => route.continue(), delay)));
  // Between the presses, and after the last one.
  for (delay of [20, 40, 60, 80, 120, null]) {
    await page.goto(here());
    await settled(page);
    for (const id of made) {
      await page.check(box(id));
    }
    await page.uncheck(box(made[1]));
    if (delay === null) {
      assert.equal(await page.isHidden("#picked"), true, "it is not there yet");
      release();
    }
    // After the first two presses, two are selected too.
    await page.waitForFunction((ids) => {
      const picked = [...document.querySelectorAll(".pick:checked")].map((one) => one.value).join();
      return picked === ids && document.querySelector("#picked [role=status]")?.textContent === "2 selected";
    }, [made[0], made[2]].join());
  }
});

// Rule b1064.
test("fields that were chosen are changed in all records that were picked, by one request", async () => {
  page = await visit(here());
  const sent = writes();
  await pickAnd("Change", made[0], made[2]);
  await set("title", `${marker} changed`);
  await page.selectOption("dialog [data-key=add]", "is_active");
  await page.uncheck("dialog .switch");
  await page.selectOption("dialog [data-key=add]", "tags");
  await page.fill("dialog .many-field:last-child input", "coffee");
  await page.click(".options li >> nth=0");
  await asking(page, save);
  const [[path, body], ...others] = sent;
  assert.deepEqual(others, []);
  assert.equal(path, "/api/articles/_bulk");
  const tag = body.update[0].tags.connect[0];
  assert.deepEqual(body, { update: [made[0], made[2]].map((id) => ({ id, title: `${marker} changed`, is_active: false, tags: { connect: [tag], disconnect: [] } })) });
  for (const [at, id] of made.entries()) {
    const { title, is_active, body: text } = await read(id);
    assert.deepEqual([title, is_active, text], at === 1 ? [`${marker} second`, true, "To be written."] : [`${marker} changed`, false, "To be written."]);
  }
  assert.match(await page.textContent("#toast"), /Articles saved/);
  assert.equal(await page.isHidden("#picked"), true);
});

// Rule b1064.
test("the version that was seen is meant, and a record that has changed since is told and not overwritten", async () => {
  page = await visit(here());
  const sent = writes();
  await page.click(`[data-key="open ${made[1]}"]`);
  await page.waitForSelector("dialog dl.record");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await ask("PATCH", `articles/${made[1]}`, { body: "Written elsewhere." });
  await pickAnd("Change", made[0], made[1]);
  await set("title", "Lost");
  await save();
  await page.waitForSelector("dialog .many-records li:nth-child(2) .problem");
  assert.match(await page.textContent("dialog .many-records li:nth-child(2) .problem"), /^The record has changed since it was read\.$/);
  assert.equal(sent[0][1].update[0].etag, undefined);
  assert.match(sent[0][1].update[1].etag, /^(W\/)?"[\da-f]+"$/);
  assert.equal((await read(made[0])).title, `${marker} first`, "all of them or none");
  await asking(page, () => page.click("dialog >> text=Look again"));
  assert.equal(await page.isChecked(box(made[0])), true);
  await page.click("#picked button:has-text('Change')");
  await set("title", `${marker} again`);
  await asking(page, save);
  assert.equal((await read(made[1])).title, `${marker} again`);
});

// Rule b1064.
test("where changes must name a version, the records are read first", async () => {
  page = await visit("/explorer/tags");
  await page.route("**/api/_describe", async (route) => {
    const json = await (await route.fetch()).json();
    json.listings.find((one) => one.name === "articles").operations.update.requires_if_match = true;
    await route.fulfill({ json });
  });
  await page.goto(here());
  await settled(page);
  const sent = writes();
  await pickAnd("Change", ...made);
  await set("title", `${marker} changed`);
  await asking(page, save);
  assert.equal(new Set(sent[0][1].update.map(({ etag }) => etag)).size, 3);
  assert.ok(sent[0][1].update.every(({ etag }) => etag));
});

// Rule b1065.
test("what is wrong with a record is told at the record, and nothing is written", async () => {
  page = await visit(here());
  const { slug } = await read(made[0]);
  await pickAnd("Change", ...made);
  await save();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), "add", "nothing is chosen yet");
  await set("slug", slug);
  await save();
  await page.waitForSelector("dialog .many-records .problem");
  const problems = await page.$$eval("dialog .many-records li", (all) => all.map((one) => one.querySelector(".problem")?.textContent ?? null));
  assert.equal(problems[0], null);
  assert.match(problems[1], /^slug /);
  assert.equal((await read(made[1])).title, `${marker} second`);
  await page.fill("dialog .many-field input", "");
  await save();
  await page.waitForSelector("dialog .many-records li:first-child .problem");
  assert.match(await page.textContent("dialog .many-records li:first-child .problem"), /^slug must not be empty\.$/);
});

// Rule b1067.
test("records that were picked are deleted by one request, and brought back by Undo", async () => {
  page = await visit(here());
  await undoStays(page);
  const sent = writes();
  await pickAnd("Delete", made[0], made[1]);
  assert.match(await page.textContent("dialog"), /They can be restored later\./);
  await asking(page, save);
  assert.deepEqual(sent, [["/api/articles/_bulk", { delete: [{ id: made[0] }, { id: made[1] }] }]]);
  assert.equal((await ask("GET", `articles/${made[0]}`)).status, 404);
  await asking(page, () => page.click("#toast >> text=Undo"));
  await page.waitForSelector("#toast:has-text('2 restored')");
  assert.equal((await ask("GET", `articles/${made[0]}`)).status, 200);
  assert.equal(await page.locator(".main-table tbody tr").count(), 3);
});

// Rule b1066.
test("all records that match are changed by their filter and their number", async () => {
  page = await visit(here("&pagination[pageSize]=2"));
  const sent = writes();
  await pickEverything(3);
  await page.click("#picked button:has-text('Change')");
  await page.waitForSelector("dialog form");
  assert.deepEqual(await page.$$eval("dialog [data-key=add] option", (all) => all.map((one) => one.value)), ["", "title", "slug", "body", "is_active"]);
  await page.selectOption("dialog [data-key=add]", "body");
  await page.fill("dialog textarea", "All of them.");

  // Somebody adds one meanwhile.
  made.push(await create(`${marker} fourth`));
  await save();
  await page.waitForSelector("dialog [role=alert] .problem");
  assert.match(await page.textContent("dialog [role=alert]"), /The filters match 4 records, and 3 were expected; nothing was written\./);
  assert.equal((await read(made[0])).body, "To be written.");
  await asking(page, () => page.click("dialog >> text=Look again"));

  await pickEverything(4);
  await page.click("#picked button:has-text('Change')");
  await page.selectOption("dialog [data-key=add]", "body");
  await page.fill("dialog textarea", "All of them.");
  await asking(page, save);
  assert.deepEqual(sent.at(-1), ["/api/articles/query/update", { filters: { title: { $contains: marker } }, set: { body: "All of them." }, expected: 4 }]);
  for (const id of made) {
    assert.equal((await read(id)).body, "All of them.");
  }

  await pickEverything(4);
  await page.click("#picked button:has-text('Delete')");
  await asking(page, save);
  assert.deepEqual(sent.at(-1), ["/api/articles/query/delete", { filters: { title: { $contains: marker } }, expected: 4 }]);
  assert.equal((await ask("GET", `articles/${made[3]}`)).status, 404);
});

// Rule b1066.
test("what is counted for all that match is forgotten once the list asks for others", async () => {
  page = await visit(here("&pagination[pageSize]=2"));
  await pickEverything(3);
  const type = (text) => page.evaluate((words) => {
    const search = document.querySelector("#search");
    search.value = words;
    search.dispatchEvent(new Event("input"));
    return document.querySelector("#picked [role=status]").textContent;
  }, text);
  const told = await asking(page, async () => assert.equal(await type("first"), "2 selected", "before the answer"));
  assert.equal(told.status(), 200);

  // The number comes after the answer to what was typed meanwhile.
  let count;
  const counted = new Promise((resolve) => {
    count = resolve;
  });
  await page.route(/\/api\/articles\?/, async (route) => {
    if (decodeURIComponent(route.request().url()).includes("pagination[count]=exact")) {
      await counted;
      await route.continue();
      return;
    }
    const response = await route.fetch();
    const json = await response.json();
    json.meta.pagination.totalIsExact = false;
    await route.fulfill({ response, json });
  });
  await page.goto(here("&pagination[pageSize]=2"));
  await settled(page);
  await page.check("[aria-label='Select all rows of this page']");
  const asked = page.waitForRequest((request) => decodeURIComponent(request.url()).includes("pagination[count]=exact"));
  await page.click("#picked >> text=Select all that match");
  const response = (await asked).response();
  await asking(page, () => type("first"));
  count();
  await (await response).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const left = await page.locator(".pick:checked:not([value=''])").count();
  assert.equal(await page.textContent("#picked [role=status]"), left > 0 ? `${left} selected` : "");
});

// Rule b1066.
test("a wrong value for all that match is told at its field", async () => {
  page = await visit(here("&pagination[pageSize]=2"));
  await pickEverything(3);
  await page.click("#picked button:has-text('Change')");
  await set("title", "");
  await save();
  await page.waitForSelector("dialog .many-field .problem");
  assert.match(await page.textContent("dialog .many-field .problem"), /^title must not be empty/);
  assert.equal(await page.textContent("dialog [role=alert]"), "", "it is told once");
});

// Rule b1066.
test("without a filter, and with a search, the rows of a page are all that can be picked", async () => {
  page = await visit("/explorer/articles");
  await page.check("[aria-label='Select all rows of this page']");
  await page.waitForSelector("#picked >> text=To select all that match, filter the list.");
  assert.equal(await page.locator("[data-key=everything]").count(), 0);
  await page.goto("/explorer/articles?search=the&filters[views][$gt]=1");
  await settled(page);
  await page.check("[aria-label='Select all rows of this page']");
  await page.waitForSelector("#picked >> text=without a search");
});

for (const [name, options] of [["light", {}], ["dark", { scheme: "dark" }], ["on a phone", { width: 390, height: 844 }]]) {
  test(`axe-core finds nothing wrong with picked rows, ${name}`, async () => {
    page = await visit(here(), options);
    await page.check(box(made[0]));
    await page.waitForSelector("#picked:not([hidden])");
    assert.deepEqual(await violations(page), []);
    await page.click("#picked button:has-text('Change')");
    await set("title", "");
    await save();
    await page.waitForSelector("dialog .many-records .problem");
    assert.deepEqual(await violations(page), [], "dialog");
  });
}
