// Asks through `openapi-fetch` with the types of `openapi-typescript`.

import createClient from "openapi-fetch";

import type { paths } from "./client";

export async function ask(baseUrl: string, since: Date) {
  const client = createClient<paths>({ baseUrl });
  const { data } = await client.GET("/api/articles", {
    params: {
      query: {
        fields: ["title", "views"],
        "filters[views][$gte]": 90_000,
        "filters[created_at][$gte]": since.toISOString(),
        "filters[author][country]": { $eq: "DE" },
        sort: ["views:desc"],
      },
    },
  });
  const { error } = await client.GET("/api/articles/{id}", { params: { path: { id: 999_999 } } });
  return { items: data?.data.map(({ id, title, views }) => ({ id, title, views })), missing: error?.error.code };
}
