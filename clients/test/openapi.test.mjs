// The OpenAPI document: it is valid, and public generators make code from it that compiles.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Validator } from "@seriousme/openapi-schema-validator";

import { api } from "../blog.mjs";
import { compile } from "../built.mjs";

const folder = fileURLToPath(new URL("../generated/", import.meta.url));
const bin = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
const document = await (await fetch(`${api}/openapi.json`)).json();
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}openapi.json`, JSON.stringify(document));
const options = { strict: true, noEmit: true, target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"], types: [], skipLibCheck: true };

test("the document is OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(document.openapi, "3.1.0");
});

test("openapi-typescript reads it, and its types compile", () => {
  execFileSync(process.execPath, [bin("openapi-typescript/bin/cli.js"), `${folder}openapi.json`, "-o", `${folder}types.ts`]);
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions: options, files: ["types.ts"] }));
  compile(folder);
});

test("@hey-api/openapi-ts reads it, and its client compiles", () => {
  execFileSync(process.execPath, [bin("@hey-api/openapi-ts/bin/run.js"), "-i", `${folder}openapi.json`, "-o", `${folder}hey`], { cwd: folder, stdio: "ignore" });
  writeFileSync(`${folder}hey/tsconfig.json`, JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] }));
  compile(`${folder}hey`);
});
