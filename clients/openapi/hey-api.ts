// Asks through the client of `@hey-api/openapi-ts`.

import { getArticle, listArticles } from "./client";

export async function ask(baseUrl: string, since: Date) {
  const { data } = await listArticles({
    baseUrl,
    query: {
      fields: ["title", "views"],
      "filters[views][$gte]": 90_000,
      "filters[created_at][$gte]": since.toISOString(),
      "filters[author][country]": { $eq: "DE" },
      sort: ["views:desc"],
    },
  });
  const { error } = await getArticle({ baseUrl, path: { id: 999_999 } });
  return { items: data?.data.map(({ id, title, views }) => ({ id, title, views })), missing: error?.error.code };
}
