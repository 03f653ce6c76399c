// The TypeScript files of this folder, compiled by `tsc --strict`, which is a test of its own.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the files are. */
export const folder = fileURLToPath(new URL("typescript/", import.meta.url));
const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", import.meta.url));

/** Compiles a project; what `tsc` says is the error. */
export function compile(project, ...options) {
  try {
    return execFileSync(process.execPath, [tsc, "-p", project, ...options], { encoding: "utf8" });
  } catch (error) {
    throw new Error(error.stdout || error.message);
  }
}

/** Written after `tsc` found no error, so that the next test file need not ask again. */
const done = join(folder, "built/done");

/** A compiled file of `typescript/`. Another test file may have compiled it already. */
export async function built(name) {
  const changed = Math.max(...readdirSync(folder).map((file) => (file === "built" ? 0 : statSync(join(folder, file)).mtimeMs)));
  if (!existsSync(done) || statSync(done).mtimeMs < changed) {
    compile(folder);
    writeFileSync(done, "");
  }
  return import(new URL(`typescript/built/${name}.js`, import.meta.url));
}
