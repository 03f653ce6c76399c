// On the explorer, filters inside JSON columns stand in one another, and arrays are asked for several values.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { leave, visit } from "../browser.mjs";

// The blog has no such column: the page's own modules are asked about a list that has some.
let page;
beforeEach(async () => {
  page = await visit("/explorer/articles");
});
afterEach(async () => {
  assert.deepEqual(page.faults, []);
  await leave(page);
});

const places = {
  name: "places",
  path: "/api/places",
  filters: [
    { name: "name", type: "string", operators: ["$eq"] },
    { name: "data.address.city", path: ["data", "address", "city"], type: "string", operators: ["$eq"] },
    { name: "data.beds", path: ["data", "beds"], type: "integer", operators: ["$gte"] },
    { name: "tags", type: "string", array: true, operators: ["$contains"] },
  ],
};

// Rules d149, b963.
test("a column that is looked into leads to its filters as a relation does", async () => {
  const seen = await page.evaluate(async (list) => {
    const { described } = await import(new URL("description.js", document.querySelector("script[src$='app.js']").src).href);
    const description = described({ operators: [{ name: "$contains", takes: "text" }], listings: [list] });
    const [listing] = description.listings;
    const data = description.inside(listing.relatedFilters[0]);
    return {
      filters: listing.filters.map(({ name }) => name),
      inside: data.filters.map(({ name, type }) => [name, type]),
      deeper: description.inside(data.relatedFilters[0]).filters.map(({ name }) => name),
      ofArray: description.takes("$contains", listing.filters[1]),
      ofText: description.takes("$contains", listing.filters[0]),
    };
  }, places);
  assert.deepEqual(seen, { filters: ["name", "tags"], inside: [["beds", "integer"]], deeper: ["city"], ofArray: "list", ofText: "text" });
});

// Rules d149, b963.
test("such filters are read and written again", async () => {
  for (const query of [
    "filters[data][address][city][$eq]=Graz&filters[data][beds][$gte]=2",
    "filters[tags][$contains]=sea",
    "filters[tags][$contains][]=sea&filters[tags][$contains][]=quiet",
  ]) {
    const again = await page.evaluate(async (text) => {
      const from = (name) => import(new URL(name, document.querySelector("script[src$='app.js']").src).href);
      const [{ readFilters, writeFilters }, { pairsOf, textOf, treeOf }] = [await from("filters.js"), await from("text.js")];
      return textOf(writeFilters(readFilters(treeOf(pairsOf(text)).children.get("filters")), "filters"));
    }, query);
    assert.equal(again, query);
  }
});
