// Asks through the client of `orval`, which was told the address when it was generated.

import { getArticle, listArticles } from "./client";

export async function ask(_: string, since: Date) {
  const list = await listArticles({
    fields: ["title", "views"],
    "filters[views][$gte]": 90_000,
    "filters[created_at][$gte]": since.toISOString(),
    "filters[author][country]": { $eq: "DE" },
    sort: ["views:desc"],
  });
  const items = list.status === 200 ? list.data.data.map(({ id, title, views }) => ({ id, title, views })) : [];
  const one = await getArticle(999_999);
  return { items, missing: one.status === 404 ? one.data.error.code : undefined };
}
