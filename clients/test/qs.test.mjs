// Query strings as `qs` writes them: each of its array formats, each way to encode brackets, and the short spellings.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import qs from "qs";

import { allArticles, ask, ids } from "../blog.mjs";
import { ordered } from "../order.mjs";

let articles;

before(async () => {
  articles = await allArticles();
});

async function list(query) {
  const { status, body } = await ask("GET", `articles?${query}`);
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
  return body;
}

const REQUEST = {
  fields: ["title", "views"],
  populate: ["author", "tags"],
  filters: { author_id: { $in: [1, 2, 3, 4, 5, 6, 7] }, views: { $between: [50, 90_000] }, is_active: { $eq: true } },
  sort: ["rating:desc", "views:asc"],
  pagination: { page: 2, pageSize: 15 },
};

function expected() {
  const matching = articles.filter(
    (a) => a.author_id >= 1 && a.author_id <= 7 && a.views >= 50 && a.views <= 90_000 && a.is_active,
  );
  return { total: matching.length, ids: ids(ordered(matching, "rating:desc,views:asc").slice(15, 30)) };
}

/** How each format writes the first two fields, so that a change in `qs` does not go unnoticed. */
const FORMATS = {
  indices: "fields[0]=title&fields[1]=views",
  brackets: "fields[]=title&fields[]=views",
  repeat: "fields=title&fields=views",
};
const ENCODINGS = {
  "every bracket encoded": {},
  "values encoded": { encodeValuesOnly: true },
  "nothing encoded": { encode: false },
  "spaces as +": { format: "RFC1738" },
};

for (const [arrayFormat, fields] of Object.entries(FORMATS)) {
  describe(`arrayFormat ${arrayFormat}`, () => {
    for (const [name, options] of Object.entries(ENCODINGS)) {
      test(name, async () => {
        const query = qs.stringify(REQUEST, { arrayFormat, ...options });
        const brackets = "encode" in options || "encodeValuesOnly" in options;
        const start = brackets ? fields : fields.replaceAll("[", "%5B").replaceAll("]", "%5D");
        assert.ok(query.startsWith(start), query);
        const { data, meta } = await list(query);
        const { total, ids: wanted } = expected();
        assert.deepEqual(ids(data), wanted);
        assert.equal(wanted.length, 15);
        assert.equal(meta.pagination.total, total);
        assert.deepEqual(Object.keys(data[0]), ["id", "title", "views", "author", "tags"]);
        assert.equal(meta.filters.length, 7 + 2 + 1);
      });
    }

    test("a list of one value, and one of many", async () => {
      for (const wanted of [[articles[5].id], ids(articles).slice(10, 70)]) {
        const request = { filters: { id: { $in: wanted } }, sort: ["id"], pagination: { limit: 100 } };
        const { data } = await list(qs.stringify(request, { arrayFormat }));
        assert.deepEqual(ids(data), wanted);
      }
    });

    test("texts with signs of every kind", async () => {
      const titles = [
        "100% wool, 0% regret",
        "<b>Not bold</b> & not markup",
        "C:\\temp and other places where files rest",
        '"Quoted" from start to end',
      ];
      for (const title of titles) {
        for (const format of ["RFC3986", "RFC1738"]) {
          const query = qs.stringify({ filters: { title } }, { arrayFormat, format });
          assert.deepEqual((await list(query)).data.map((row) => row.title), [title], query);
        }
      }
    });
  });
}

describe("short spellings", () => {
  test("sort as a comma string, encoded or not", async () => {
    const wanted = ids(ordered(articles, "rating:desc,views:asc").slice(0, 25));
    for (const options of [{}, { encode: false }]) {
      const query = qs.stringify({ sort: "rating:desc,views:asc" }, options);
      assert.deepEqual(ids((await list(query)).data), wanted);
    }
  });

  test("arrayFormat comma for fields, populate and sort", async () => {
    const { fields, populate, sort } = REQUEST;
    const comma = qs.stringify({ fields, populate, sort }, { arrayFormat: "comma" });
    assert.ok(comma.startsWith("fields=title%2Cviews&"), comma);
    const indices = qs.stringify({ fields, populate, sort });
    assert.deepEqual(await list(comma), await list(indices));
  });

  test("arrayFormat comma for the values of a filter is refused, not half understood", async () => {
    const query = qs.stringify({ filters: { id: { $in: [1, 2] } } }, { arrayFormat: "comma" });
    const { status, body } = await ask("GET", `articles?${query}`);
    assert.equal(status, 400);
    assert.equal(body.error.details.token, "1,2");
  });

  test("a filter without operator means equal, $containsi is $contains", async () => {
    const { meta } = await list(qs.stringify({ filters: { is_active: false, title: { $containsi: "A" } } }));
    const expected = articles.filter((a) => !a.is_active && /a/i.test(a.title));
    assert.equal(meta.pagination.total, expected.length);
    assert.deepEqual(meta.filters.map((f) => f.operator).sort(), ["$contains", "$eq"]);
  });

  test("stray separators are nothing", async () => {
    const query = qs.stringify(REQUEST, { encodeValuesOnly: true });
    const plain = await list(query);
    for (const stray of [`${query}&`, `&${query}`, query.replaceAll("&", "&&")]) {
      assert.deepEqual(await list(stray), plain);
    }
  });

  test("what is undefined or an empty list is not sent", async () => {
    const request = { ...REQUEST, locale: undefined, filters: { ...REQUEST.filters, id: { $in: [] } } };
    assert.equal(qs.stringify(request), qs.stringify(REQUEST));
  });

  test("null is an empty value: as if not sent for lists, true for $null", async () => {
    const query = qs.stringify({ fields: null, sort: null, populate: null, filters: { rating: { $null: null } } });
    const { data, meta } = await list(query);
    assert.equal(meta.pagination.total, articles.filter((a) => a.rating === null).length);
    assert.deepEqual(Object.keys(data[0]), ["id", "title", "slug", "is_active", "views", "created_at"]);
  });
});

describe("nested objects", () => {
  const NESTED = {
    fields: ["title", "views"],
    filters: {
      is_active: true,
      $or: [{ title: { $contains: "wool" } }, { $and: [{ views: { $gte: 50_000 } }, { rating: { $notNull: true } }] }],
      $not: { author_id: { $in: [1, 2] } },
    },
    populate: {
      author: { fields: ["name"], populate: { articles: { fields: ["title"], pagination: { limit: 2 } } } },
      comments: { count: true },
      tags: false,
    },
    sort: { views: "desc" },
    pagination: { pageSize: 100 },
  };
  const wanted = () =>
    articles.filter(
      (a) =>
        a.is_active &&
        (a.title.toLowerCase().includes("wool") || (a.views >= 50_000 && a.rating !== null)) &&
        ![1, 2].includes(a.author_id),
    );

  for (const [name, options] of Object.entries(ENCODINGS)) {
    test(`groups and a populate tree, ${name}`, async () => {
      const { data, meta } = await list(qs.stringify(NESTED, options));
      const expected = ordered(wanted(), "views:desc");
      assert.ok(expected.length > 0 && expected.length < articles.length);
      assert.equal(meta.pagination.total, expected.length);
      assert.deepEqual(ids(data), ids(expected.slice(0, 100)));
      assert.deepEqual(Object.keys(data[0]), ["id", "title", "views", "author", "comments"]);
      const { author } = data.find((row) => row.author !== null);
      assert.deepEqual(Object.keys(author), ["id", "name", "articles"]);
      assert.ok(author.articles.length <= 2);
      assert.equal(typeof data[0].comments.count, "number");
      assert.deepEqual(Object.keys(meta.relations), ["author.articles"]);
    });
  }

  test("the same as a JSON body", async () => {
    const { data } = await list(qs.stringify(NESTED));
    const { status, body } = await ask("POST", "articles/query", NESTED);
    assert.equal(status, 200);
    assert.deepEqual(body.data, data);
  });

  test("objects in a list without numbers are refused, not mixed up", async () => {
    const query = qs.stringify({ filters: { $or: [{ id: 1 }, { id: 2 }] } }, { arrayFormat: "brackets" });
    const { status, body } = await ask("GET", `articles?${query}`);
    assert.equal(status, 400);
    assert.equal(body.error.code, "index_needed");
  });
});
