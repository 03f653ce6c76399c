// On the explorer, two people who have changed one record see both versions, and choose from them.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { ask, draft } from "../blog.mjs";
import { asking, leave, violations, visit } from "../browser.mjs";

let page;
let id;

beforeEach(async () => {
  id = (await ask("POST", "articles", draft({ title: "As it was" }))).body.data.id;
});

afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
  await ask("DELETE", `articles/${id}?force=true`);
});

const read = async () => (await ask("GET", `articles/${id}`)).body.data;
const field = (at) => `dialog .form > .field:nth-of-type(${at})`;

/** Opens the form, lets somebody else write `theirs`, and fills in a title of our own. */
async function meanwhile(theirs, options) {
  page = await visit(`/explorer/articles?filters[id][$eq]=${id}`, options);
  await page.click(`[aria-label='Edit ${id}']`);
  await page.waitForSelector("dialog form");
  await ask("PATCH", `articles/${id}`, theirs);
  await page.fill(`${field(2)} input`, "As I want it");
}

async function collide() {
  await page.click("dialog .form [type=submit]");
  await page.waitForSelector("dialog .many");
}

/** Every field that differs, with its versions and the chosen one. A dialog that is closed may still be there. */
const shown = () => page.$$eval("dialog[open] .conflict", (all) => all.map((one) => [
  one.querySelector("legend").firstChild.textContent,
  [...one.querySelectorAll(".version")].map((line) => line.lastChild.textContent),
  one.querySelector(":checked")?.parentElement.children[1].textContent ?? null,
]));

const choose = (name, whose) => page.check(`.conflict:has(legend:has-text('${name}')) .version:has-text('${whose}') input`);

// Rule b1068.
test("what each of us has changed is shown next to what was there before, and is chosen from", async () => {
  await meanwhile({ title: "As they want it", body: null });
  await page.uncheck("dialog .switch");
  await collide();
  assert.deepEqual(await shown(), [
    ["Title", ["As it was", "As they want it", "As I want it"], null],
    ["Body", ["To be written.", "null", "To be written."], "Theirs"],
    ["Is active", ["yes", "yes", "no"], "Yours"],
  ]);
  await page.click("dialog .many [type=submit]");
  assert.match(await page.textContent("dialog .many [role=alert]"), /Choose a value for Title\./);
  assert.equal((await read()).title, "As they want it", "nothing is written yet");
  await choose("Title", "Yours");
  await asking(page, () => page.click("dialog .many [type=submit]"));
  const { title, body, is_active } = await read();
  assert.deepEqual({ title, body, is_active }, { title: "As I want it", body: null, is_active: false });
  await page.waitForSelector("dialog", { state: "detached" });
});

// Rule b1068.
test("their version can be taken, and what they change while we choose is not lost either", async () => {
  await meanwhile({ title: "As they want it" });
  await collide();
  await choose("Title", "Yours");
  await ask("PATCH", `articles/${id}`, { title: "As they want it now" });
  await page.click("dialog .many [type=submit]");
  await page.waitForSelector(".version:has-text('As they want it now')");
  assert.deepEqual(await shown(), [["Title", ["As they want it", "As they want it now", "As I want it"], null]]);
  await choose("Title", "Theirs");
  await asking(page, () => page.click("dialog .many [type=submit]"));
  assert.equal((await read()).title, "As they want it now");
});

// Rule b1068.
test("one can go back to the form, which is as it was, and a value that is refused is told there", async () => {
  await meanwhile({ body: "Theirs." });
  await page.fill(`${field(2)} input`, "   ");
  await collide();
  await page.click("dialog .many >> text=Back");
  assert.equal(await page.inputValue(`${field(2)} input`), "   ");
  await collide();
  await page.click("dialog .many [type=submit]");
  await page.waitForSelector(`${field(2)} .problem`);
  // A busy browser fires the `close` events that remove the others a little later.
  await page.waitForFunction(() => document.querySelectorAll("dialog").length === 1);
  assert.equal(await page.inputValue(`${field(4)} textarea`), "Theirs.");
  await page.fill(`${field(2)} input`, "Better");
  await asking(page, () => page.click("dialog .form [type=submit]"));
  const { title, body } = await read();
  assert.deepEqual({ title, body }, { title: "Better", body: "Theirs." });
});

// Rule b1068.
test("links that both of us have changed are both kept", async () => {
  await ask("PATCH", `articles/${id}`, { tags: [1, 2] });
  await meanwhile({ tags: { connect: [3] }, body: "Theirs." });
  await page.click("dialog [role=group] .chip button >> nth=0");
  await collide();
  await asking(page, () => page.click("dialog .many [type=submit]"));
  const { body } = await ask("GET", `articles/${id}?populate=tags`);
  assert.deepEqual(body.data.tags.map((tag) => tag.id).sort(), [2, 3]);
});

// Rule b1068.
test("a record that is gone meanwhile is told", async () => {
  await meanwhile({ title: "As they want it" });
  await ask("DELETE", `articles/${id}`);
  await page.click("dialog .form [type=submit]");
  await page.waitForSelector("dialog .form [role=alert] .problem");
});

for (const [name, options] of [["light", {}], ["dark", { scheme: "dark" }], ["on a phone", { width: 390, height: 844 }]]) {
  test(`axe-core finds nothing wrong with two versions, ${name}`, async () => {
    await meanwhile({ title: "As they want it", body: "Their text.\nOf two lines." }, options);
    await collide();
    assert.deepEqual(await violations(page), []);
  });
}
