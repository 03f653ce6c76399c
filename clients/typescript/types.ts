// What compiles and what does not: `tsc` is the test. Every line after `@ts-expect-error` must be an error.

import { createClient } from "./blog.js";
import type { FiltersOf, Listing } from "./blog.js";

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
