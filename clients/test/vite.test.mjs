// The generated TypeScript client in a fresh Vite project, and in Node.js without a compiler.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { transformSync } from "amaro";

import { api } from "../blog.mjs";
import { compile } from "../built.mjs";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const source = here("typescript/blog.ts");
const baseUrl = api.replace(/\/api$/, "");
const folder = mkdtempSync(join(tmpdir(), "listing-vite-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** A file that uses the client. */
const use = (client) => `import { createClient, ListingError, type Article } from ${JSON.stringify(client)};

const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)} });
const page = await client.articles.list({ fields: ["title"], sort: "id", pagination: { pageSize: 1 } });
const first: Pick<Article, "id" | "title"> | undefined = page.data[0];
const missing = await client.articles.show(999_999).catch((error: unknown) => error);
console.log(JSON.stringify([first?.id, missing instanceof ListingError && [missing.name, missing.status, missing.code]]));
`;
const said = [1, ["ListingError", 404, "not_found"]];

/** Runs a program of npm's in a folder; what it says is the error. */
function run(cwd, path, ...options) {
  try {
    return execFileSync(process.execPath, [here(`node_modules/${path}`), ...options], { cwd, encoding: "utf8" });
  } catch (error) {
    throw new Error(error.stdout + error.stderr);
  }
}

// Rule b641.
test("a fresh Vite project builds it, as its template is and with every strict option", () => {
  run(folder, "create-vite/index.js", "app", "--template", "vanilla-ts", "--no-interactive");
  const app = join(folder, "app");
  symlinkSync(here("node_modules"), join(app, "node_modules"));
  copyFileSync(source, join(app, "src/client.ts"));
  writeFileSync(join(app, "src/main.ts"), use("./client"));
  // The template's own `build`: `tsc && vite build`.
  const config = readFileSync(join(app, "tsconfig.json"), "utf8");
  assert.match(config, /"erasableSyntaxOnly": true/);
  assert.match(config, /"verbatimModuleSyntax": true/);
  compile(app);
  run(app, "vite/bin/vite.js", "build", "--logLevel", "error", "--target", "esnext");

  const strict = ["strict", "exactOptionalPropertyTypes", "noUncheckedIndexedAccess", "noPropertyAccessFromIndexSignature", "noImplicitOverride", "noImplicitReturns", "noUncheckedSideEffectImports", "isolatedModules"];
  compile(app, ...strict.flatMap((option) => [`--${option}`, "true"]));
});

// Rule b641.
test("Node.js runs it with its types erased", async () => {
  // amaro is what erases types in Node.js 22.18 and newer.
  const erased = (text) => transformSync(text, { mode: "strip-only" }).code;
  writeFileSync(join(folder, "client.mjs"), erased(readFileSync(source, "utf8")));
  writeFileSync(join(folder, "use.mjs"), erased(use("./client.mjs")));
  const told = execFileSync(process.execPath, [join(folder, "use.mjs")], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(told), said);
  assert.throws(() => erased("class A { constructor(readonly a: string) {} }"), (error) => error.code === "UnsupportedSyntax");
  if (!process.features.typescript) return;
  // This one does it itself.
  copyFileSync(source, join(folder, "client.ts"));
  writeFileSync(join(folder, "use.ts"), use("./client.ts"));
  assert.deepEqual(JSON.parse(execFileSync(process.execPath, [join(folder, "use.ts")], { encoding: "utf8" })), said);
});
