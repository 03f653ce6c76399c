// The TypeScript files of this folder, compiled by `tsc --strict`, which is a test of its own.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("typescript/", import.meta.url));
const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", import.meta.url));

/** Compiles a project; what `tsc` says is the error. */
export function compile(project, ...options) {
  try {
    return execFileSync(process.execPath, [tsc, "-p", project, ...options], { encoding: "utf8" });
  } catch (error) {
    throw new Error(error.stdout || error.message);
  }
}

let isBuilt = false;

/** A compiled file of `typescript/`. */
export async function built(name) {
  if (!isBuilt) compile(folder);
  isBuilt = true;
  return import(new URL(`typescript/built/${name}.js`, import.meta.url));
}
