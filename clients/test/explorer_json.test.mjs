// On the explorer, filters inside JSON columns stand in one another, and arrays are asked for several values.

import assert from "node:assert/strict";
import { test } from "node:test";

import { described } from "../../crates/listing-axum/src/pages/explorer/description.js";
import { readFilters, writeFilters } from "../../crates/listing-axum/src/pages/explorer/filters.js";
import { pairsOf, textOf, treeOf } from "../../crates/listing-axum/src/pages/explorer/text.js";

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
test("a column that is looked into leads to its filters as a relation does", () => {
  const description = described({ operators: [{ name: "$contains", takes: "text" }], listings: [places] });
  const [listing] = description.listings;
  assert.deepEqual(listing.filters.map(({ name }) => name), ["name", "tags"]);
  const data = description.inside(listing.relatedFilters[0]);
  assert.deepEqual(data.filters.map(({ name, type }) => [name, type]), [["beds", "integer"]]);
  assert.deepEqual(description.inside(data.relatedFilters[0]).filters.map(({ name }) => name), ["city"]);
  assert.equal(description.takes("$contains", listing.filters[1]), "list");
  assert.equal(description.takes("$contains", listing.filters[0]), "text");
});

// Rules d149, b963.
test("such filters are read and written again", () => {
  for (const query of [
    "filters[data][address][city][$eq]=Graz&filters[data][beds][$gte]=2",
    "filters[tags][$contains]=sea",
    "filters[tags][$contains][]=sea&filters[tags][$contains][]=quiet",
  ]) {
    const items = readFilters(treeOf(pairsOf(query)).children.get("filters"));
    assert.equal(textOf(writeFilters(items, "filters")), query);
  }
});
