// What compiles and what does not: `tsc` is the test. Every line after `@ts-expect-error` must be an error.

import { createClient } from "./blog.js";
import type { FiltersOf, Listing, Resource } from "./blog.js";

const client = createClient({ baseUrl: "http://127.0.0.1" });

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<T extends true>(_?: T): void {}

type Listed = { id: number; title: string; slug: string; is_active: boolean; views: number; created_at: string };
type Writer = { id: number; name: string; country: string };

export async function itemsAreNarrowed() {
  const plain = await client.articles.list();
  is<Same<(typeof plain.data)[number], Listed>>();

  const chosen = await client.articles.list({ fields: ["title", "rating"], populate: ["author", "tags"] });
  is<
    Same<
      (typeof chosen.data)[number],
      { id: number; title: string; rating: string | null; author: Writer | null; tags: { id: number; name: string }[] }
    >
  >();

  const nested = await client.articles.list({
    fields: ["title"],
    populate: {
      author: { fields: ["country"], populate: ["articles"] },
      comments: { count: true },
      seo: true,
      tags: false,
    },
  });
  is<
    Same<
      (typeof nested.data)[number],
      {
        id: number;
        title: string;
        author: { id: number; country: string; articles: Listed[] } | null;
        comments: { count: number };
        seo: { id: number; meta_title: string; meta_description: string } | null;
      }
    >
  >();

  // A default relation comes by itself, and not where others are named.
  const comments = await client.comments.list({ fields: ["body"] });
  is<Same<(typeof comments.data)[number], { id: number; body: string; article: Listed | null }>>();
  const bare = await client.comments.list({ fields: ["body"], populate: [] });
  is<Same<(typeof bare.data)[number], { id: number; body: string }>>();

  const least = await client.articles.list({ fields: [], populate: { author: { fields: [] } } });
  is<Same<(typeof least.data)[number], { id: number; author: { id: number } | null }>>();

  const everything = await client.tags.list({ fields: "*" });
  is<Same<(typeof everything.data)[number], { id: number; name: string; articles_count: number }>>();

  const record = await client.authors.show(1);
  is<Same<typeof record.data, { id: number; name: string; country: string; joined_at: string }>>();
  const part = await client.articles.show(1, { fields: ["body"], populate: ["author"] });
  is<Same<typeof part.data, { id: number; body: string | null; author: Writer | null }>>();
  is<Same<typeof part.meta.ignored, (typeof plain.meta)["ignored"]>>();
  is<Same<typeof part.meta.relations, (typeof plain.meta)["relations"]>>();

  for await (const item of client.articles.all({ fields: ["views"] })) {
    is<Same<typeof item, { id: number; views: number }>>();
  }
  const created = await client.articles.store({ title: "a", slug: "a", is_active: true });
  is<Same<typeof created.data, { id: number }>>();
}

type Facet<K, Rest> = ({ key: K; timedOut?: never } & Rest) | { key: K; values: null; timedOut: true };
type Value = { value: string; label: string; count: number; selected: boolean };

// Rule b920.
export async function numbersAreNarrowed() {
  const page = await client.articles.list({
    fields: ["title"],
    facets: ["is_active", "views"],
    totals: { views: ["sum", "avg"], rating: "max" },
  });
  is<Same<(typeof page.data)[number], { id: number; title: string }>>();
  for (const facet of page.meta.facets) {
    if (facet.timedOut) is<Same<typeof facet.values, null>>();
    else if (facet.key === "views") is<Same<typeof facet.max, number | null>>();
    else is<Same<typeof facet.values, Value[]>>();
    is<Same<typeof facet.key, "is_active" | "views">>();
  }
  const { views, rating } = page.meta.totals;
  is<Same<typeof views.sum, number | string | null>>();
  is<Same<typeof views.avg, string | null>>();
  is<Same<typeof rating.max, string | null>>();

  const alone = await client.articles.facets({
    facets: { created_at: { unit: "week", offset: "+02:00" }, tags: true, is_active: false },
    filters: { is_active: true },
    search: "trains",
  });
  is<Same<typeof alone.data, null>>();
  is<Same<(typeof alone.meta.facets)[number]["key"], "created_at" | "tags">>();
  const [calendar] = alone.meta.facets.filter((facet) => facet.key === "created_at");
  if (calendar && !calendar.timedOut) is<Same<(typeof calendar.values)[number], { value: string; from: string; to: string; count: number }>>();
  const all = await client.authors.list({ facets: "*" });
  is<Same<(typeof all.meta.facets)[number]["key"], "country">>();

  const groups = await client.articles.groups({
    by: ["author_id", "created_at:month"],
    totals: { views: ["sum"] },
    having: { count: { $gte: 2 }, "views.sum": { $lt: 1000 } },
    sort: ["views.sum:desc", "created_at"],
    pagination: { page: 1, pageSize: 5 },
  });
  const [group] = groups.data;
  is<Same<typeof group.author_id, { value: string | null; label: string | null }>>();
  is<Same<typeof group.created_at, string | null>>();
  is<Same<typeof group.count, number>>();
  is<Same<typeof group.totals.views.sum, number | string | null>>();
}

// Rule b920.
export async function whatCannotBeCountedDoesNotCompile() {
  // @ts-expect-error there is no such facet
  await client.articles.list({ facets: ["titel"] });
  // @ts-expect-error a filter that is no facet
  await client.articles.list({ facets: ["title"] });
  // @ts-expect-error nor next to one that there is
  await client.articles.list({ facets: { is_active: true, title: true } });
  // @ts-expect-error an option that the facet does not have
  await client.articles.list({ facets: { is_active: { unit: "week" } } });
  // @ts-expect-error nor next to one that it has
  await client.articles.list({ facets: { is_active: { limit: 5, unit: "week" } } });
  // @ts-expect-error there is no such unit
  await client.articles.list({ facets: { created_at: { unit: "century" } } });
  // @ts-expect-error a range has no options
  await client.articles.list({ facets: { views: { limit: 5 } } });
  // @ts-expect-error a list without facets
  await client.comments.list({ facets: "*" });
  // @ts-expect-error and so without their addresses
  await client.comments.facets({});
  // @ts-expect-error a list without totals
  await client.authors.list({ totals: "*" });
  // @ts-expect-error nothing is summed up there
  await client.articles.list({ totals: { title: "sum" } });
  // @ts-expect-error nor next to what is
  await client.articles.list({ totals: { views: "sum", title: "sum" } });
  // @ts-expect-error a function that is not allowed
  await client.articles.list({ totals: { rating: "sum" } });
  // @ts-expect-error nor among those that are
  await client.articles.list({ totals: { rating: ["avg", "sum"] } });
  // @ts-expect-error a hidden column
  await client.authors.facets({ facets: ["email"] });
  // @ts-expect-error there is no such facet
  await client.articles.groups({ by: ["title"] });
  // @ts-expect-error a range makes no groups
  await client.articles.groups({ by: ["views"] });
  // @ts-expect-error a relation makes none either
  await client.articles.groups({ by: ["tags"] });
  // @ts-expect-error only calendars have units
  await client.articles.groups({ by: ["author_id:month"] });
  // @ts-expect-error there are at most three keys
  await client.articles.groups({ by: ["author_id", "is_active", "created_at:year", "created_at:month"] });
  // @ts-expect-error and one at least
  await client.articles.groups({ by: [] });
  // @ts-expect-error there is no such number
  await client.articles.groups({ by: ["is_active"], sort: "title:desc" });
  // @ts-expect-error nor here
  await client.articles.groups({ by: ["is_active"], having: { "rating.sum": 5 } });
  // @ts-expect-error only comparisons
  await client.articles.groups({ by: ["is_active"], having: { count: { $in: [5] } } });
  // @ts-expect-error a facet that was not asked for
  (await client.articles.list({ facets: ["is_active"] })).meta.facets.find((facet) => facet.key === "views");
  // @ts-expect-error a total that was not asked for
  (await client.articles.list({ totals: { views: "sum" } })).meta.totals.views.avg;
  // @ts-expect-error numbers that were not asked for
  (await client.articles.list()).meta.totals;
}

// Rule b921.
export async function whatAWriteReturnsIsNarrowed() {
  const article = { title: "a", slug: "a", is_active: true, tags: { set: [1, { id: 2 }] } };
  const stored = await client.articles.store(article, { returning: true });
  is<Same<typeof stored.data.id, number>>();
  is<Same<typeof stored.data.title, string | undefined>>();
  is<Same<typeof stored.etag, string | undefined>>();
  const plain = await client.articles.patch(1, { is_active: false });
  is<Same<keyof typeof plain, "message" | "meta">>();
  const changed = await client.articles.patch(
    1,
    { tags: { connect: [3], disconnect: [1] } },
    { ifMatch: stored.etag, returning: { fields: ["title"], populate: { tags: { fields: ["name"] } } } },
  );
  is<Same<typeof changed.data, { id: number; title: string; tags: { id: number; name: string }[] } | undefined>>();
  const restored = await client.articles.restore(1, { returning: true });
  is<Same<NonNullable<typeof restored.data>["body"], string | null>>();

  // @ts-expect-error there is no such field
  await client.articles.patch(1, { title: "x" }, { returning: { fields: ["titel"] } });
  // @ts-expect-error there is no such relation
  await client.articles.update(1, article, { returning: { populate: { tags: true, autor: true } } });
  // @ts-expect-error a record is not sorted
  await client.articles.store(article, { returning: { fields: ["title"], sort: "title" } });
  // @ts-expect-error a relation that nobody writes
  await client.articles.patch(1, { comments: [1] });
  // @ts-expect-error `set` and `connect` at once: one of them would be lost
  await client.articles.patch(1, { tags: { set: [1], connect: [2] } });
  // @ts-expect-error a field that was not returned
  (await client.articles.patch(1, { title: "x" }, { returning: { fields: ["slug"] } })).data?.title;
}

// Rule b1070.
export async function whatIsWrittenTogetherIsNarrowed() {
  const article = { title: "a", slug: "a", is_active: true, tags: [1] };
  const { data } = await client.articles.bulk(
    { create: [article], update: [{ id: 1, etag: '"x"', body: null, tags: { connect: [3] } }], upsert: [article], delete: [2, { id: 3, etag: '"x"' }] },
    { idempotencyKey: "k" },
  );
  is<Same<typeof data.create, { id: number }[]>>();
  is<Same<typeof data.upsert, { id: number; result: "created" | "updated" | "unchanged" }[]>>();
  const deleted = await client.articles.bulk({ delete: [1] });
  is<Same<typeof deleted.data, { delete: { id: number }[] }>>();
  // @ts-expect-error what was not sent is not answered
  deleted.data.create;
  const { data: changed } = await client.articles.updateWhere({ filters: { is_active: false }, set: { body: null }, expected: 3 });
  is<Same<typeof changed, { count: number }>>();
  await client.articles.destroyWhere({ filters: { author: { country: "DE" } }, expected: 3 }, { idempotencyKey: "k" });
  await client.articles.store(article, { idempotencyKey: "k" });
  await client.articles.patch(1, { body: null }, { idempotencyKey: "k" });

  // @ts-expect-error a required field is missing
  await client.articles.bulk({ create: [{ title: "a", slug: "a" }] });
  // @ts-expect-error a field that cannot be written
  await client.articles.bulk({ update: [{ id: 1, views: 5 }] });
  // @ts-expect-error which record?
  await client.articles.bulk({ update: [{ title: "a" }] });
  // @ts-expect-error ids are numbers
  await client.articles.bulk({ delete: ["1"] });
  // @ts-expect-error there is no such member
  await client.articles.bulk({ remove: [1] });
  // @ts-expect-error nobody writes tags
  await client.tags.bulk({ delete: [1] });
  // @ts-expect-error there is no such filter
  await client.articles.updateWhere({ filters: { titel: "a" }, set: { body: null }, expected: 1 });
  // @ts-expect-error a field that cannot be written
  await client.articles.updateWhere({ filters: { title: "a" }, set: { views: 5 }, expected: 1 });
  // @ts-expect-error links are written record by record
  await client.articles.updateWhere({ filters: { title: "a" }, set: { tags: [1] }, expected: 1 });
  // @ts-expect-error how many records are meant?
  await client.articles.destroyWhere({ filters: { title: "a" } });
  // @ts-expect-error `PUT` is the same however often it comes
  await client.articles.update(1, article, { idempotencyKey: "k" });
}

// Rule b1070. Not every resource does all of it.
interface Notes extends Listing {
  store: { text: string };
  update: { text: string };
  fields: { id: string };
  links: never;
  bulk: "create" | "delete";
  keyed: "store";
}

export async function whatAResourceDoesNotDoDoesNotCompile(notes: Resource<Notes>) {
  await notes.bulk({ create: [{ text: "a" }], delete: ["x"] });
  await notes.store({ text: "a" }, { idempotencyKey: "k" });
  // @ts-expect-error there is no `update` among them
  await notes.bulk({ update: [{ id: "x", text: "a" }] });
  // @ts-expect-error only `store` remembers keys
  await notes.bulk({ delete: ["x"] }, { idempotencyKey: "k" });
}

export async function whatTheWhitelistAllowsCompiles() {
  await client.articles.list({
    filters: {
      title: { $contains: "a", $not: { $eq: "b" } },
      views: { $between: [1, 2] },
      rating: { $gte: "4.50", $notNull: true },
      created_at: { $gte: new Date(), $lt: "2026-01-01" },
      slug: { $in: ["a", "b"] },
      is_active: true,
      author: { country: { $in: ["DE"] }, $notNull: true },
      comments: { $none: { author_name: "Bot" } },
      seo: { meta_title: { $startsWith: "A" } },
      $or: [{ title: "x" }, { $not: { views: { $gt: 1 } } }],
    },
    populate: { comments: { filters: { author_name: { $contains: "a" } }, sort: "created_at:desc", pagination: { limit: 2 } } },
    sort: ["views:desc", "author.name"],
    search: "trains",
    trashed: "with",
    pagination: { cursor: "", pageSize: 5 },
  });
  client.articles.pages({ pagination: { cursor: "saved", pageSize: 5 } });
}

export async function whatItDoesNotAllowDoesNotCompile() {
  // @ts-expect-error there is no such field
  await client.articles.list({ fields: ["titel"] });
  // @ts-expect-error a hidden column
  await client.authors.list({ fields: ["email"] });
  // @ts-expect-error there is no such relation
  await client.articles.list({ populate: ["autor"] });
  // @ts-expect-error nor next to one that there is
  await client.articles.list({ populate: { author: true, autor: true } });
  // @ts-expect-error a field that the related listing does not have
  await client.articles.list({ populate: { author: { fields: ["email"] } } });
  // @ts-expect-error there is no such option
  await client.articles.list({ populate: { author: { feilds: ["name"] } } });
  // @ts-expect-error a filter that the related listing does not have
  await client.articles.list({ populate: { author: { filters: { name: "a", email: "x" } } } });
  // @ts-expect-error a relation that only shows fields
  await client.articles.list({ populate: { seo: { populate: ["article"] } } });
  // @ts-expect-error there is no such filter
  await client.articles.list({ filters: { titel: "x" } });
  // @ts-expect-error an operator that is not allowed
  await client.articles.list({ filters: { title: { $startsWith: "x" } } });
  // @ts-expect-error a value without `$eq`
  await client.articles.list({ filters: { body: "x" } });
  // @ts-expect-error a value of the wrong type
  await client.articles.list({ filters: { views: { $gt: "5" } } });
  // @ts-expect-error one value of two
  await client.articles.list({ filters: { views: { $between: [1] } } });
  // @ts-expect-error there is no such filter inside a group
  await client.articles.list({ filters: { $or: [{ titel: "x" }] } });
  // @ts-expect-error nor through a relation
  await client.articles.list({ filters: { author: { email: "x" } } });
  // @ts-expect-error quantifiers are for relations to many
  await client.articles.list({ filters: { author: { $some: { name: "x" } } } });
  // @ts-expect-error there is no such sort
  await client.articles.list({ sort: "body" });
  // @ts-expect-error there is no such direction
  await client.articles.list({ sort: "views:down" });
  // @ts-expect-error a list without a search
  await client.comments.list({ search: "x" });
  // @ts-expect-error there is no such key
  await client.articles.list({ pagination: { size: 5 } });
  // @ts-expect-error nobody writes comments
  await client.comments.store({ body: "x" });
  // @ts-expect-error a required field is missing
  await client.articles.store({ title: "x", slug: "x" });
  // @ts-expect-error a field that cannot be written
  await client.articles.update(1, { title: "x", slug: "x", is_active: true, views: 5 });
  await client.articles.patch(1, { body: null, tags: [1, 2] });
  // @ts-expect-error a field that cannot be written
  await client.articles.patch(1, { views: 5 });
  // @ts-expect-error ids of tags are numbers
  await client.articles.patch(1, { tags: { connect: ["a"] } });
  // @ts-expect-error a field that was not asked for
  (await client.articles.list({ fields: ["title"] })).data[0].views;
}

interface Places extends Listing {
  filters: {
    data: { $null: boolean } & { address: { city: { $eq: string; $in: readonly string[] } } };
    tags: { $contains: readonly string[] };
  };
  related: {};
}

export function whatLiesInsideJsonIsTyped(): FiltersOf<Places>[] {
  return [
    { data: { address: { city: "Graz" } } },
    { data: { address: { city: { $in: ["Graz", "Linz"] } } }, tags: { $contains: ["quiet"] } },
    { data: { $null: true, $not: { address: { city: "Graz" } } } },
    // @ts-expect-error nothing is opened there
    { data: { address: { street: "x" } } },
    // @ts-expect-error an operator that is not allowed
    { data: { address: { city: { $gt: "x" } } } },
    // @ts-expect-error a value of the wrong type
    { data: { address: { city: 5 } } },
    // @ts-expect-error an object is not a value
    { data: { address: "x" } },
  ];
}
