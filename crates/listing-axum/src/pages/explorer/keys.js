// What single keys do while nothing is being typed.

import { h } from "./element.js";
import { neighbours, turn } from "./pages.js";
import { shownAs } from "./results.js";

const KEYS = [
  ["/", "search", () => document.getElementById("search")],
  ["f", "add a filter", () => document.getElementById("add-filter")],
  ["c", "choose columns", () => document.getElementById("columns")],
  ["o", "choose the order", () => document.getElementById("order")],
  ["a", "show or hide facets", () => document.getElementById("show-facets")],
  ["q", "edit the request", () => document.getElementById("query")],
  ["n", "create a record", () => document.getElementById("create")],
  ["s", "save this view", () => document.getElementById("save-view")],
  ["v", "show as table, cards or JSON", null],
  ["[", "previous page", null],
  ["]", "next page", null],
  ["↑ ↓", "from row to row; Enter opens one", null],
  ["?", "this list", null],
];

export function keys(explorer) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog, [popover]:popover-open") || !explorer.listing) {
      return;
    }
    const known = KEYS.find(([key]) => key === event.key);
    if (!known) {
      return;
    }
    event.preventDefault();
    const target = known[2]?.();
    if (target?.matches("input, textarea")) {
      target.focus();
      target.select();
    } else if (target) {
      target.click();
    } else if (event.key === "v") {
      const looks = ["table", "cards", "json"];
      explorer.lookAt({ as: looks[(looks.indexOf(shownAs(explorer)) + 1) % looks.length] });
    } else if (event.key === "[" || event.key === "]") {
      turn(explorer, neighbours(explorer)[event.key === "[" ? "before" : "after"]);
    } else if (event.key === "?") {
      keyList(explorer);
    }
  });
  // What reads the page aloud can name them with their controls. From here on they work.
  for (const [key, , control] of KEYS) {
    control?.()?.setAttribute("aria-keyshortcuts", key);
  }
}

export async function keyList(explorer) {
  (await explorer.pressed(import("./dialog.js")))?.dialog({ title: "Keys" }, h("dl", { class: "keys" }, KEYS.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])));
}
