// On the explorer of `listing serve`, a list is found among many, by its name and by its schema.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asking, leave, settled, violations, visit } from "../browser.mjs";
import { whileServed } from "../served.mjs";

const long = "thetablewhosenameislongerthananylistbesideitandthananysidebarcouldshow";
const fillers = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `filler${letter}`);
const names = ["employeehistory", "pricehistory", ...fillers, long, "zone"];
const sql = names.map((name) => `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ${name}value INTEGER); INSERT INTO ${name} VALUES (1, '${name} 1', 7);`).join("\n");

/** SQLite has one schema: the description is told as if these tables were in two. */
const groupOf = (name) => (name === "pricehistory" || name === "zone" ? "sales" : "staff");

/** The page of a list, with its tables in groups. */
async function opened(url, path, options) {
  const page = await visit("about:blank", { ...options, until: () => {} });
  await page.route("**/api/_describe", async (route) => {
    const response = await route.fetch();
    const description = await response.json();
    for (const listing of description.listings) {
      listing.group = groupOf(listing.name);
    }
    await route.fulfill({ response, json: description });
  });
  await page.goto(url + path);
  await settled(page);
  return page;
}

const shown = (page, selector) => page.$$eval(selector, (all) => all.filter((one) => one.checkVisibility()).map((one) => one.innerText.trim()));
const lists = (page) => shown(page, "nav li");
const groups = (page) => shown(page, "nav h3");
/** Waits for it: what comes later moves what is there, and the browser scrolls after it a frame later. */
const waitForInView = (page, selector) => page.waitForFunction((wanted) => {
  const { top, bottom } = document.querySelector(wanted).getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}, selector);

const done = async (page) => {
  assert.deepEqual(page.faults, []);
  await page.goto("about:blank");
  await page.close();
};

// Rule b650.
test("among many tables one is found by a part of its name, and they are grouped by their schemas", async () => {
  await whileServed(sql, async (url) => {
    const page = await opened(url, "/explorer/zone");
    assert.deepEqual(await groups(page), ["staff", "sales"]);
    assert.equal((await lists(page)).length, names.length);
    await page.waitForSelector("#find-list");
    // The list that is shown; and the reference, however many lists there are.
    await waitForInView(page, "nav [aria-current=page]");
    await waitForInView(page, "#docs");
    assert.equal(await page.$("#sign-in"), null);
    assert.equal(await page.$eval("nav", (nav) => nav.scrollWidth - nav.clientWidth), 0);

    await page.fill("#find-list", " HISTORY ");
    assert.deepEqual(await lists(page), ["Employeehistory", "Pricehistory"]);
    await asking(page, () => page.click("nav >> text=Pricehistory"));
    assert.equal(new URL(page.url()).pathname, "/explorer/pricehistory");
    await page.waitForSelector("#find-list");
    assert.equal(await page.inputValue("#find-list"), " HISTORY ", "the next one can be chosen");
    assert.deepEqual(await lists(page), ["Employeehistory", "Pricehistory"]);

    await page.fill("#find-list", "zone");
    assert.deepEqual([await groups(page), await lists(page)], [["sales"], ["Zone"]]);
    await page.fill("#find-list", "absent");
    assert.deepEqual([await groups(page), await lists(page)], [[], []]);
    assert.equal(await page.isVisible("text=No list has this in its name."), true);
    await page.fill("#find-list", "");
    assert.equal((await lists(page)).length, names.length);
    await done(page);
  });
});

// Rule b650.
test("many tables are accessible in both schemes and on a phone", async () => {
  await whileServed(sql, async (url) => {
    for (const scheme of ["light", "dark"]) {
      const page = await opened(url, "/explorer/zone", { scheme });
      assert.deepEqual(await violations(page), []);
      await page.fill("#find-list", "absent");
      assert.deepEqual(await violations(page), []);
      await done(page);
    }
    const page = await opened(url, `/explorer/${long}`, { width: 390, height: 844 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the phone");
    await page.click("#menu");
    assert.deepEqual(await violations(page), []);
    await page.fill("#find-list", "zone");
    await asking(page, () => page.click("nav >> text=Zone"));
    assert.equal(await page.textContent("h1"), "Zone");
    assert.equal(await page.isVisible("#side"), false, "the menu closes");
    await done(page);
  });
});

// Rule b650.
test("where there are few lists there is nothing to find them by", async () => {
  const page = await visit("/explorer/articles");
  assert.equal(await page.$("#find-list"), null);
  await leave(page);
});
