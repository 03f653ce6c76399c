// Opens the explorer and the API reference in a real browser, and waits for what they show.

import axe from "axe-core";
import { chromium } from "playwright-core";
import { after } from "node:test";

const blog = process.env.LISTING_BLOG_URL?.replace(/\/+$/, "");
const program = process.env.LISTING_CHROMIUM ?? "/usr/bin/chromium";

/** Everything is on this machine. A container's user often may not make a sandbox, and its shared memory is small. */
const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });
after(() => browser.close());

const contexts = new Map();

/** One for each kind of window, so that the files of the page are fetched once. */
async function contextOf(options) {
  const key = JSON.stringify(options);
  if (!contexts.has(key)) {
    contexts.set(key, await browser.newContext({ baseURL: blog, permissions: ["clipboard-read", "clipboard-write"], ...options }));
  }
  return contexts.get(key);
}

/** A tab of its own, at a path of the service; what goes wrong in it is in `page.faults`. `until(page)` waits until it is shown. */
export async function visit(path, { width = 1280, height = 900, scheme = "light", scale = 1, until = settled } = {}) {
  const context = await contextOf({ viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: scale });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    // A refused request is told by the browser too; it is the page that must say so to people.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      page.faults.push(message.text());
    }
  });
  await page.goto(path);
  await until(page);
  return page;
}

/** Closes a tab, and forgets what it kept in the browser. */
export async function leave(page) {
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

/** The answer to the last request is shown, nothing is waiting to be asked, and the filters' controls have been fetched. */
export async function settled(page) {
  await page.waitForFunction(() => document.querySelector("#results")?.getAttribute("aria-busy") === "false" && !document.querySelector("#filters[aria-busy]"));
}

/** Single keys do something: the file that knows them comes after the page, and what is pressed before is lost. */
export async function listening(page) {
  await page.waitForSelector("#search[aria-keyshortcuts]", { state: "attached" });
}

/** Does something, and waits for the answer that it leads to. What was asked before can be answered meanwhile, and is not meant. */
export async function asking(page, act) {
  const asked = new Set();
  const note = (request) => asked.add(request);
  page.on("request", note);
  const answer = page.waitForResponse((response) => asked.has(response.request()) && /\/api\/[a-z]+(\?|$)/.test(response.url()) && response.request().method() === "GET");
  answer.catch(() => {}); // If the act itself fails, nobody waits for it.
  try {
    await act();
    const response = await answer;
    await settled(page);
    return response;
  } finally {
    page.off("request", note);
  }
}

/** *Undo* is offered for eight seconds, in which a busy machine may not get to press it: from now on it stays. */
export function undoStays(page) {
  return page.evaluate(() => {
    const { setTimeout } = window;
    window.setTimeout = (run, delay, ...more) => setTimeout(run, delay === 8000 ? 600_000 : delay, ...more);
  });
}

/** The query string that the page shows, without the path. */
export async function shownQuery(page) {
  const text = await page.inputValue("#query");
  const at = text.indexOf("?");
  return at < 0 ? "" : text.slice(at + 1);
}

/** The texts of one column of the table, by its heading. */
export function column(page, heading) {
  return page.$$eval(".main-table", ([table], name) => {
    const at = [...table.tHead.rows[0].cells].findIndex((cell) => cell.innerText.trim().split("\n")[0] === name);
    return [...table.tBodies[0].rows].filter((row) => !row.classList.contains("details")).map((row) => (row.cells[at]?.querySelector(".tag") ?? row.cells[at])?.innerText.trim());
  }, heading);
}

/** What axe-core finds wrong, in a few words. */
export async function violations(page) {
  // What fades is not read at its full contrast.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
  // Through the debugger's door: the page's own policy lets no other script in.
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], iframes: false, preload: false }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

export { blog };
