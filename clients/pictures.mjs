// Takes the pictures of the explorer that the documents show, from a running blog: `node pictures.mjs ../docs/pictures`.

import { join } from "node:path";

import { leave, visit } from "./browser.mjs";

const [, , folder] = process.argv;
const VIEW = "fields=title,views,rating,is_active&populate=author,tags&filters[author][country][$in][]=DE&filters[author][country][$in][]=BR&filters[$or][0][views][$gt]=50000&filters[$or][1][rating][$gte]=4&sort=views:desc";

const pictures = [
  { name: "explorer-light", options: { width: 1200, height: 780 }, at: `/explorer/articles?${VIEW}`, open: "tbody tr:nth-child(3) .related" },
  { name: "explorer-dark", options: { width: 1200, height: 780, scheme: "dark" }, at: `/explorer/articles?${VIEW}`, open: "#columns" },
  { name: "explorer-facets", options: { width: 1360, height: 860 }, at: "/explorer/articles?fields=title,views,rating&filters[author_id][$in][]=1&filters[author_id][$in][]=3&filters[author_id][$in][]=8&sort=views:desc&facets[created_at]=true&facets[author_id][limit]=8&facets[views]=true&totals[views]=sum,avg,max&totals[rating]=avg", open: null },
  { name: "explorer-groups", options: { width: 1200, height: 780 }, at: "/explorer/articles/_groups?by=created_at:quarter,is_active&pagination[pageSize]=100&totals[views]=max#chart=bars", open: null },
  { name: "explorer-phone", options: { width: 390, height: 780 }, at: "/explorer/articles?populate=author,tags&search=trains", open: null },
];

for (const { name, options, at, open } of pictures) {
  const page = await visit(at, { ...options, scale: 1.5 });
  await page.evaluate(() => document.fonts.ready);
  if (open) {
    await page.click(open);
    await page.mouse.move(0, 0);
  }
  await page.waitForTimeout(800); // Until what moves has come to rest.
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await leave(page);
}
process.exit();
