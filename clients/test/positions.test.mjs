// The generated client and the explorer carry how far the database was that they have read or written.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";

import { built } from "../built.mjs";
import { leave, settled, visit } from "../browser.mjs";

const { createClient } = await built("blog");

// Rule b1138.
test("the client replaces the positions that it sent by the one that it was told", async () => {
  const asked = [];
  const server = createServer((request, response) => {
    const answer = (position) => {
      response.writeHead(200, { "content-type": "application/json", ...(position && { "listing-position": position }) });
      response.end('{"message":null,"data":[],"meta":{"code":200,"message":null,"pagination":{}}}');
    };
    asked.push({ brought: request.headers["listing-position"], answer });
    server.emit("asked");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { articles, tags } = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
  const next = async (send) => {
    const sent = send();
    await once(server, "asked");
    return { sent, ...asked.at(-1) };
  };
  const done = async ({ sent, answer }, position) => {
    answer(position);
    await sent;
  };
  try {
    const first = await next(() => articles.list());
    assert.equal(first.brought, undefined);
    await done(first, "pg.1.1.a");
    // Two requests under way bring the same, and none of their answers is lost, whichever comes first.
    const one = await next(() => articles.list());
    const two = await next(() => tags.list());
    assert.deepEqual([one.brought, two.brought], ["pg.1.1.a", "pg.1.1.a"]);
    await done(two, "pg.1.1.c");
    await done(one, "pg.1.1.b");
    const both = await next(() => articles.list());
    assert.deepEqual(both.brought.split(",").sort(), ["pg.1.1.b", "pg.1.1.c"]);
    await done(both, "pg.1.1.d");
    const last = await next(() => articles.list());
    assert.equal(last.brought, "pg.1.1.d");
    // An answer without one leaves things as they are.
    await done(last);
    const again = await next(() => articles.list());
    assert.equal(again.brought, "pg.1.1.d");
    await done(again, "pg.1.1.e");
    // More than the service takes: the primary has reached them all.
    const many = [];
    for (let at = 0; at < 65; at += 1) many.push(await next(() => articles.list()));
    for (const [at, one] of many.entries()) await done(one, `pg.1.2.${at}`);
    const most = await next(() => articles.list());
    assert.equal(most.brought, "primary");
    await done(most, "pg.1.3.1");
    const few = await next(() => articles.list());
    assert.equal(few.brought, "pg.1.3.1");
    await done(few, "pg.1.3.1");
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

// Rule b1138.
test("the explorer sends the position back that it was told", async () => {
  const page = await visit("/explorer/articles");
  const brought = [];
  await page.route("**/api/articles*", async (route) => {
    brought.push(await route.request().headerValue("listing-position"));
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "listing-position": `pg.1.1.${brought.length}` } });
  });
  const place = await page.evaluate(() => document.querySelector("script[type=module]").src.replace("app.js", "service.js"));
  const ask = () => page.evaluate(async (module) => (await (await import(module)).ask("/api/articles")).status, place);
  for (const _ of [1, 2, 3]) assert.equal(await ask(), 200);
  await settled(page);
  assert.deepEqual(brought.slice(0, 3), [null, "pg.1.1.1", "pg.1.1.2"]);
  assert.deepEqual(page.faults, []);
  await leave(page);
});
