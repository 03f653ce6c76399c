// Puts the page together.

import { fill, h, icon, iconButton } from "./element.js";
import { Explorer } from "./explorer.js";
import { sentence } from "./notices.js";
import { pages } from "./pages.js";
import { records } from "./panel.js";
import { toast } from "./popover.js";
import { queryBar } from "./querybar.js";
import { results } from "./results.js";
import { currentToken, signedInAs } from "./service.js";
import { sidebar } from "./sidebar.js";
import { toolbar } from "./toolbar.js";

let built = null;

/** The filters' rows, fetched when there are any; until they have come, their place says that it is busy. */
function filters() {
  if (!built) {
    const place = at("filters");
    place.setAttribute("aria-busy", "true");
    built = import("./builder.js").then(({ builder }) => builder(place, explorer)).catch((error) => {
      built = null; // The next press tries again.
      throw error;
    }).finally(() => place.removeAttribute("aria-busy"));
  }
  return built;
}

const said = (name) => document.querySelector(`meta[name="${name}"]`).content;
const at = (id) => document.getElementById(id);

const explorer = new Explorer({ describe: said("describe"), base: said("explorer") });

sidebar(at("lists-and-views"), explorer);
toolbar(at("head"), at("toolbar"), explorer, async () => (await filters()).add());
queryBar(at("request"), explorer);
results(at("results"), at("status"), explorer);
pages(at("foot"), explorer);
/** What numbers need is fetched when they are asked for first. */
const once = (isWanted, region, load) => {
  let loaded = null;
  explorer.on("replaced changed", () => {
    if (isWanted() && !loaded) {
      loaded = load().then((build) => build(at(region), explorer), (error) => {
        loaded = null;
        throw error;
      });
    }
  });
};
once(() => explorer.view.facets, "facets", () => import("./facets.js").then(({ facets }) => facets));
once(() => explorer.isGrouped, "grouping", () => import("./grouping.js").then(({ grouping }) => grouping));
records(explorer);
import("./keys.js").then(({ keys }) => keys(explorer));

explorer.on("replaced", () => explorer.view.filters.items.length > 0 && filters());
// Without a list there is nothing to search, to filter and to turn.
explorer.on("replaced", () => document.querySelector("main").classList.toggle("without-list", !explorer.listing));
explorer.on("described", () => {
  at("service").textContent = explorer.description?.title ?? "Explorer";
  const reference = said("docs") && h("a", { href: said("docs"), id: "docs" }, icon("book"), "API reference");
  // Where nobody can be known there is nothing to sign in to.
  fill(at("account"), reference, said("sign-in") === "yes" && account(), iconButton("keyboard", "Keys", async () => (await import("./keys.js")).keyList(explorer)), iconButton(isDark() ? "sun" : "moon", "Light or dark", turnTheme, { id: "theme" }));
  if (explorer.failure) {
    at("results").setAttribute("aria-busy", "false");
    fill(at("results"), h("div", { class: "empty" }, h("p", { class: "failure" }, icon("warning"), sentence(explorer.failure)),
      h("button", { type: "button", on: { click: () => explorer.start() } }, "Try again"),
      h("button", { type: "button", class: "primary", on: { click: signIn } }, "Sign in")));
  }
});

const signIn = async () => (await explorer.pressed(import("./signin.js")))?.signIn(explorer);

function account() {
  const name = signedInAs();
  return h("button", { type: "button", class: "quiet", id: "sign-in", on: { click: signIn } }, icon("key"), currentToken() ? (name ? `Signed in as ${name}` : "Signed in") : "Sign in");
}

const root = document.documentElement;
const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function turnTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("listing-explorer-theme", root.dataset.theme);
  } catch {
    // Then it holds for this page alone.
  }
  at("theme").replaceChildren(icon(isDark() ? "sun" : "moon"));
}

// A press that leads to nothing is told, for example when a panel or a form cannot be fetched.
addEventListener("unhandledrejection", ({ reason }) => reason?.name !== "AbortError" && toast(`This did not work: ${reason?.message ?? reason}`));

explorer.start();
