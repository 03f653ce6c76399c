// `listing client ts --from`: the client of a service that runs, without its sources.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { transformSync } from "amaro";

import { api } from "../blog.mjs";
import { compile } from "../built.mjs";
import { command, whileServed } from "../served.mjs";

const folder = mkdtempSync(join(tmpdir(), "listing-command-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

const clientOf = (url) => execFileSync(command, ["client", "ts", "-", "--from", url], { encoding: "utf8" });

// Rule b640.
test("the client of the running blog is that of its definitions, byte for byte, but for what needs a caller", () => {
  const told = clientOf(api.replace(/\/api$/, ""));
  const version = /^\/\/ The client of Blog (\S+)\. /.exec(told)[1];
  const kept = readFileSync(new URL("../typescript/blog.ts", import.meta.url), "utf8");
  // Deleted articles are for callers who are known, and nobody is known here.
  const forEverybody = kept.replace('trashed: "with" | "only";', "trashed: never;");
  assert.equal(told, forEverybody.replace("Blog 0.0.0.", `Blog ${version}.`));
});

// What clients and documents use themselves, or what is easily taken for it.
const names = ["as", "target", "client", "error", "request", "response", "promise", "record", "partial", "pick", "page", "listing", "resource", "date", "object", "text", "item", "data", "constructor"];

// Rules b640, b642.
test("tables of every awkward name have a client that compiles and works", async () => {
  const sql = names.map((name) => `CREATE TABLE "${name}" (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO "${name}" VALUES (1, '${name}');`);
  await whileServed(sql.join("\n"), async (url) => {
    const source = clientOf(url);
    writeFileSync(join(folder, "client.ts"), source);
    const compilerOptions = { strict: true, noEmit: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true, noUnusedLocals: true, target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"], types: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["client.ts"] }));
    compile(folder);
    writeFileSync(join(folder, "client.mjs"), transformSync(source, { mode: "strip-only" }).code);
    const { createClient } = await import(pathToFileURL(join(folder, "client.mjs")));
    const client = createClient({ baseUrl: url });
    for (const name of names) {
      assert.ok(Object.hasOwn(client, name), name);
      assert.deepEqual((await client[name].list({ fields: ["name"] })).data, [{ id: 1, name }]);
    }
  });
});

// Rules d152, b640.
test("rows without a key are walked through by the numbers of their pages", async () => {
  const rows = Array.from({ length: 7 }, (_, at) => `(${at % 3}, 'line ${at}')`);
  // A view has no key, and neither a number of its rows.
  const sql = `CREATE TABLE log (user_id INTEGER NOT NULL, msg TEXT); INSERT INTO log VALUES ${rows.join(", ")}; CREATE VIEW lines AS SELECT user_id, msg FROM log;`;
  await whileServed(sql, async (url) => {
    const source = clientOf(url);
    assert.match(source, /lines: new Resource<.*keyless: true/);
    assert.doesNotMatch(source, /log: new Resource<.*keyless: true/);
    writeFileSync(join(folder, "keyless.mjs"), transformSync(source, { mode: "strip-only" }).code);
    const { createClient } = await import(pathToFileURL(join(folder, "keyless.mjs")));
    const client = createClient({ baseUrl: url });
    for (const pagination of [{ pageSize: 3 }, { pageSize: 3, count: "exact", withCount: true }, { pageSize: 7 }]) {
      const seen = [];
      for await (const { msg } of client.lines.all({ pagination })) {
        seen.push(msg);
      }
      assert.deepEqual(seen.sort(), Array.from({ length: 7 }, (_, at) => `line ${at}`));
    }
    let pages = 0;
    for await (const page of client.log.pages({ pagination: { pageSize: 3 } })) {
      assert.ok(page.data.length > 0);
      pages += 1;
    }
    assert.equal(pages, 3);
  });
});
