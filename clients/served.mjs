// In: LISTING_COMMAND, LISTING_PYTHON. Serves a new SQLite file by `listing serve`.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { LISTING_COMMAND: command, LISTING_PYTHON: python } = process.env;
if (!command || !python) {
  throw new Error("LISTING_COMMAND must name the built command `listing`, and LISTING_PYTHON a Python");
}

export { command };

/** Serves what these statements create, with these arguments, while `use(url)` runs. */
export async function whileServed(sql, use, ...options) {
  const folder = mkdtempSync(join(tmpdir(), "listing-served-"));
  const file = join(folder, "served.sqlite");
  let service;
  try {
    execFileSync(python, ["-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])", file, sql]);
    service = spawn(command, ["serve", `sqlite:${file}`, "--bind", "127.0.0.1:0", ...options], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "warn" } });
    let url;
    for await (const line of createInterface({ input: service.stdout })) {
      url = /http:\/\/[^/]+/.exec(line)?.[0];
      if (url) break;
    }
    await use(url);
  } finally {
    if (service?.exitCode === null) {
      service.kill();
      await once(service, "exit");
    }
    rmSync(folder, { recursive: true });
  }
}
