// The answer: as a table, as cards or as JSON, or why there is none.

import { fill, h, icon } from "./element.js";
import { learnFilters } from "./labels.js";
import { sentence } from "./notices.js";
import { rangeText } from "./pages.js";
import { table, walksRows } from "./table.js";

const narrow = matchMedia("(max-width: 640px)");

/** How the answer is shown: as it was chosen, or as the width asks for. */
export const shownAs = (explorer) => (explorer.isGrouped && explorer.look.as !== "json" ? "groups" : (explorer.look.as ?? (narrow.matches ? "cards" : "table")));

export function results(region, status, explorer) {
  let shownFor = null;
  const render = () => {
    const { reply, listing } = explorer;
    region.setAttribute("aria-busy", String(explorer.isLoading));
    if (!reply || reply.listing !== listing || reply.isGrouped !== explorer.isGrouped) {
      region.replaceChildren(listing ? h("p", { class: "empty" }, "Loading…") : noList(explorer));
      status.textContent = listing ? "" : region.textContent;
      return;
    }
    // What is fetched first is shown if it is still wanted then.
    const later = (as, fetched) => {
      region.setAttribute("aria-busy", "true");
      fetched.then((draw) => explorer.reply === reply && shownAs(explorer) === as && fill(region, draw())).finally(() => region.setAttribute("aria-busy", String(explorer.isLoading)));
    };
    if (shownAs(explorer) === "json") {
      later("json", import("./raw.js").then(({ raw }) => () => raw(reply)));
    } else if (!reply.ok) {
      fill(region, failure(explorer));
    } else if (reply.items.length === 0) {
      fill(region, nothing(explorer));
    } else if (shownAs(explorer) === "groups") {
      later("groups", import("./groups.js").then(({ groups }) => () => groups(explorer)));
    } else if (shownAs(explorer) === "cards") {
      later("cards", import("./cards.js").then(({ cards }) => () => cards(explorer, actionsOf(explorer))));
    } else {
      const started = performance.now();
      fill(region, table(explorer, actionsOf(explorer)));
      performance.measure("listing-explorer:render", { start: started });
    }
    if (reply.ok && reply.meta?.totals) {
      import("./totals.js").then(({ totals }) => explorer.reply === reply && totals(region, explorer, shownAs(explorer)));
    }
    if (shownFor !== reply) {
      shownFor = reply;
      status.textContent = reply.ok ? `${listing.title.many}${reply.isGrouped ? ", groups" : ""}: ${rangeText(explorer)}` : reply.problem;
    }
  };
  explorer.on("replied", () => {
    if (explorer.reply.ok) {
      learnFilters(explorer.listing, explorer.reply.meta?.filters);
    }
    render();
  });
  explorer.on("replaced looked", render);
  explorer.on("loading", () => region.setAttribute("aria-busy", "true"));
  narrow.addEventListener("change", render);
  walksRows(region);
  const presses = [];
  region.addEventListener("click", async ({ target: { classList, value, checked }, shiftKey }) => {
    if (classList.contains("pick")) {
      // They wait together while the file is on its way: each alone would reset the boxes of those that come after it.
      presses.push({ listing: explorer.listing, value, isOn: checked, withShift: shiftKey });
      (await import("./picked.js")).pick(explorer, region, presses.splice(0).filter(({ listing }) => listing === explorer.listing));
    }
  });
}

/** In place of a list that is not there for this caller. */
function noList(explorer) {
  const { missing } = explorer;
  return h("div", { class: "empty" },
    h("h1", {}, missing === null ? "There is no list that you may see." : ["There is no list ", h("code", {}, missing), " that you may see."]),
    missing !== null && h("p", {}, "It does not exist, or it is not for everybody. Nothing was asked for."),
    h("button", { type: "button", class: "primary", on: { click: async () => (await explorer.pressed(import("./signin.js")))?.signIn(explorer) } }, "Sign in"));
}

/** What the caller may do with one record of the list. */
function actionsOf(explorer) {
  const { listing, listing: { operations } } = explorer;
  const trashed = explorer.view.trashed === "only";
  const many = operations.bulk?.bulk?.items ?? [];
  const of = (item) => [
    ...(operations.update?.payload && !trashed ? [["edit", "Edit", async () => (await explorer.pressed(import("./form.js")))?.editRecord(explorer, item.id)]] : []),
    ...(operations.restore && trashed ? [["undo", "Restore", async () => (await import("./record.js")).restore(explorer, item.id, listing)]] : []),
    ...(operations.destroy && !trashed ? [["trash", "Delete", async () => (await explorer.pressed(import("./record.js")))?.destroy(explorer, item.id)]] : []),
  ];
  return { any: of({}).length > 0, of, picks: !trashed && (many.includes("update") || many.includes("delete")) };
}

function nothing(explorer) {
  const filtered = explorer.view.filters.items.length > 0 || explorer.view.search !== "";
  const narrowed = filtered || explorer.view.trashed !== "" || explorer.reply.meta?.filters?.length > 0;
  const { paging } = explorer.view;
  const past = paging.mode === "page" && Number(paging.page) > 1;
  return h("div", { class: "empty" }, h("p", {}, past ? "This page is past the end." : narrowed ? "Nothing matches." : `There are no ${explorer.listing.title.many.toLowerCase()} yet.`),
    past && h("button", { type: "button", on: { click: () => explorer.rebuild((view) => { view.paging.page = 1; }) } }, "First page"),
    !past && filtered && h("button", { type: "button", on: { click: () => explorer.rebuild((view) => { view.filters.items = []; view.search = ""; }) } }, "Clear filters and search"));
}

function failure(explorer) {
  const { reply } = explorer;
  const elsewhere = explorer.problems.some((problem) => problem.place !== "whole");
  return h("div", { class: "empty" },
    h("p", { class: "failure" }, icon("warning"), elsewhere ? "The request was refused; the reason is at its control above." : sentence(reply.problem)),
    reply.status === 401 && h("button", { type: "button", class: "primary", on: { click: async () => (await explorer.pressed(import("./signin.js")))?.signIn(explorer) } }, "Sign in"),
    (reply.status === 0 || reply.status >= 500) && h("button", { type: "button", on: { click: () => explorer.run() } }, "Try again"));
}
