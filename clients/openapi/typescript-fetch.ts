// Asks through the client of OpenAPI Generator's `typescript-fetch`, which renames the schema `Error` to `ModelError`.

import { ArticlesApi, Configuration, ModelErrorFromJSON, ResponseError } from "./client";

export async function ask(basePath: string, since: Date) {
  const articles = new ArticlesApi(new Configuration({ basePath }));
  const { data } = await articles.listArticles({
    fields: ["title", "views"],
    filtersViews$gte: 90_000,
    filtersCreatedAt$gte: since,
    filtersAuthorCountry: { $eq: "DE" },
    sort: ["views:desc"],
  });
  const missing = await articles.getArticle({ id: 999_999 }).catch(async (error: unknown) => {
    if (!(error instanceof ResponseError)) throw error;
    return ModelErrorFromJSON(await error.response.json()).error.code;
  });
  return { items: data.map(({ id, title, views }) => ({ id, title, views })), missing };
}
