// What the page is about: which list, which view of it, and the answer. Controls change it here and hear of changes from here.

import { described } from "./description.js";
import { forget } from "./labels.js";
import { isWhole, plainView, queryOf, readView, sentFor } from "./request.js";
import { ask, unanswered } from "./service.js";
import { textOf } from "./text.js";

/** How long a person may go on typing before the list is asked for. */
const TYPING = 250;

/** A longer query string is sent as a body: services and proxies refuse long addresses. */
const LONGEST = 6000;

/**
 * Events: `described` (the description came), `replaced` (another view as a whole: every control shows itself anew), `changed`
 * (a control changed the view), `loading`, `replied`, `looked` (table, cards or JSON; the record that is open).
 */
export class Explorer extends EventTarget {
  constructor({ describe, base }) {
    super();
    Object.assign(this, { describe, base, description: null, listing: null, missing: null, view: plainView(), reply: null, problems: [], isLoading: false, picked: new Set() });
    this.look = { as: null, record: null, chart: null, value: null };
    addEventListener("popstate", () => this.#arrive());
  }

  tell(name) {
    this.dispatchEvent(new Event(name));
  }

  on(names, listener, options) {
    for (const name of names.split(" ")) {
      this.addEventListener(name, listener, options);
    }
  }

  /** Asks what there is for this caller, then shows what the address says. */
  async start() {
    const reply = await ask(this.describe);
    forget();
    this.failure = reply.ok ? null : reply.problem;
    this.description = reply.ok ? described(reply.json) : null;
    this.tell("described");
    if (this.description) {
      await this.#arrive({ replace: true });
    }
  }

  /** The address decides, at the start and when somebody goes back. A list that it names and that is not there is told, never replaced. */
  #arrive() {
    const { name, grouped } = placeIn(location.pathname.slice(this.base.length));
    const { listings } = this.description;
    const listing = (name === "" ? listings[0] : listings.find((one) => one.name === name)) ?? null;
    const look = new URLSearchParams(location.hash.slice(1));
    this.look = { as: look.get("view"), record: listing && look.get("record"), chart: look.get("chart"), value: look.get("value") };
    this.listing = listing;
    this.missing = listing || name === "" ? null : name;
    if (!listing) {
      this.#stop();
      Object.assign(this, { view: plainView(), reply: null, problems: [], isLoading: false });
      this.tell("replaced");
      this.tell("looked");
      return null;
    }
    this.view = readView(location.search.slice(1), listing, { grouped });
    this.#remember(true);
    this.tell("replaced");
    this.tell("looked");
    return this.run();
  }

  /** Shows a list as its definition has it, or as a query string says. */
  go(listing, query = "", look = {}, { grouped = false } = {}) {
    Object.assign(this, { listing, missing: null });
    this.view = readView(query, listing, { grouped });
    this.look = { as: this.look.as, record: null, chart: null, value: null, ...look };
    this.#remember(false);
    this.tell("replaced");
    this.tell("looked");
    return this.run();
  }

  /** Changes the view. Unless it is about pages, the first page is shown again. */
  change(change, { typing = false, keepPage = false } = {}) {
    change(this.view);
    this.view.asked = null;
    if (!keepPage) {
      Object.assign(this.view.paging, { page: 1, start: 0, cursor: "" });
    }
    const moved = this.#remember(typing && this.wasTyping);
    this.wasTyping = typing;
    this.tell("changed");
    if (!moved) {
      return;
    }
    if (typing) {
      this.#load();
      this.timer = setTimeout(() => this.run(), TYPING);
    } else {
      this.run();
    }
  }

  /** The same, and every control shows itself anew. */
  rebuild(change, options) {
    this.change(change, options);
    this.tell("replaced");
  }

  /** Another way to look at the same list. */
  lookAt(look) {
    Object.assign(this.look, look);
    this.#remember(false);
    this.tell("looked");
  }

  /** What a press waits for; nothing if something else was pressed, or another list is shown, before it is here. */
  async pressed(coming) {
    const { listing } = this;
    const mine = (this.lastPress = {});
    const part = await coming;
    return this.lastPress === mine && this.listing === listing ? part : null;
  }

  get query() {
    return this.listing ? queryOf(this.view, this.listing) : "";
  }

  /** The address of the list itself. */
  get address() {
    return this.addressOf(this.listing, this.query, { grouped: this.isGrouped });
  }

  /** Whether groups are shown, and not the rows themselves. */
  get isGrouped() {
    return this.view.by !== null;
  }

  addressOf(listing, query, { grouped = false } = {}) {
    const path = grouped ? (listing.operations.groups?.path ?? `${listing.path}/_groups`) : listing.path;
    return query ? `${path}?${query}` : path;
  }

  /** The address of this page with a view, to be shared. */
  pageOf(listing, query = "", look = {}, { grouped = false } = {}) {
    const fragment = new URLSearchParams();
    for (const [name, value] of [["view", look.as], ["record", look.record], ["chart", look.chart], ["value", look.value]]) {
      if (value !== null && value !== undefined && value !== "") {
        fragment.set(name, value);
      }
    }
    return `${this.base}/${encodeURIComponent(listing.name)}${grouped ? "/_groups" : ""}${query ? `?${query}` : ""}${fragment.size ? `#${fragment}` : ""}`;
  }

  /** Writes the view into the address; whether that was new. */
  #remember(replace) {
    const page = this.pageOf(this.listing, this.query, this.look, { grouped: this.isGrouped });
    const current = location.pathname + location.search + location.hash;
    if (new URL(page, location.href).href === location.href || page === current) {
      return false;
    }
    history[replace ? "replaceState" : "pushState"](null, "", page);
    return true;
  }

  /** Nothing is asked any more. */
  #stop() {
    clearTimeout(this.timer);
    this.pending?.abort();
  }

  /** What is shown is no longer what the view says. */
  #load() {
    this.#stop();
    this.isLoading = true;
    this.tell("loading");
  }

  /** Asks the list for what the view says. */
  async run() {
    this.#load();
    const pending = new AbortController();
    this.pending = pending;
    const { listing } = this;
    const sent = sentFor(this.view, listing);
    const { isGrouped } = this;
    let reply;
    try {
      reply = await (this.method === "POST" ? this.#askByBody(pending.signal) : ask(this.address, { signal: pending.signal }));
    } catch (error) {
      // A part of the page did not come, for example.
      reply = unanswered(`The page could not send this request: ${error.message}`);
    }
    reply = { ...reply, listing, isGrouped, sent, items: reply.json?.data ?? null, meta: reply.json?.meta ?? null };
    const problems = await problemsIn(reply, listing);
    if (pending.signal.aborted) {
      return; // Another request takes its place.
    }
    // What was picked among other rows is not shown any more.
    const ids = this.reply?.listing === listing ? reply.items?.map(({ id }) => String(id)) : null;
    this.picked = new Set(ids?.filter((id) => this.picked.has(id)));
    Object.assign(this, { isLoading: false, reply, problems });
    this.tell("replied");
  }

  /** How the list is asked: a long request goes into a body, unless it has something that only its text says. */
  get method() {
    return this.query.length > LONGEST && !this.isGrouped && this.listing.operations.query && isWhole(this.view) ? "POST" : "GET";
  }

  async #askByBody(signal) {
    const { view, listing, description } = this;
    const { asked } = await import("./asked.js");
    return ask(listing.operations.query.path, { method: "POST", body: asked(view, listing, description), signal });
  }

  problemsAt(place) {
    return this.problems.filter((problem) => problem.place === place);
  }
}

/** What was refused or ignored, and hints; most answers have nothing of it, and then nothing has to be fetched that would know it. */
async function problemsIn(reply, listing) {
  if (reply.ok && !reply.meta?.ignored && !reply.meta?.hints) {
    return [];
  }
  try {
    return (await import("./problems.js")).problemsOf(reply, listing);
  } catch {
    return [{ place: "whole", item: null, message: reply.problem }];
  }
}

/** The name of the list in what follows the page's own address, and whether its groups are meant. */
function placeIn(path) {
  const [, name = "", below = ""] = path.split("/");
  const grouped = below === "_groups";
  try {
    return { name: decodeURIComponent(name), grouped };
  } catch {
    return { name, grouped };
  }
}
