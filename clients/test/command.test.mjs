// `listing client ts --from`: the client of a service that runs, without its sources.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { transformSync } from "amaro";

import { api } from "../blog.mjs";
import { compile } from "../built.mjs";

const { LISTING_COMMAND: command, LISTING_PYTHON: python } = process.env;
if (!command || !python) {
  throw new Error("LISTING_COMMAND must name the built command `listing`, and LISTING_PYTHON a Python");
}

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
  const file = join(folder, "awkward.sqlite");
  const sql = names.map((name) => `CREATE TABLE "${name}" (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO "${name}" VALUES (1, '${name}');`);
  execFileSync(python, ["-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])", file, sql.join("\n")]);
  const service = spawn(command, ["serve", `sqlite:${file}`, "--bind", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let url;
    for await (const line of createInterface({ input: service.stdout })) {
      url = /http:\/\/[^/]+/.exec(line)?.[0];
      if (url) break;
    }
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
  } finally {
    service.kill();
    await once(service, "exit");
  }
});
