// Finds a list by its name, where there are many.

import { h } from "./element.js";

let sought = "";

/** Puts a box above the lists, which shows those with a text in their names. */
export function finder(region) {
  const find = h("input", { type: "search", id: "find-list", placeholder: "Find a list", "aria-label": "Find a list", autocomplete: "off", spellcheck: "false", value: sought,
    on: { input: () => { sought = find.value; narrow(); } } });
  const none = h("p", { class: "none-found", hidden: true }, "No list has this in its name.");
  /** Hides the lists that are not sought, and the groups of which nothing is left. */
  const narrow = () => {
    const word = sought.trim().toLowerCase();
    const items = [...region.querySelectorAll("li[data-words]")];
    for (const item of items) {
      item.hidden = !item.dataset.words.includes(word);
    }
    for (const group of region.querySelectorAll("section")) {
      group.hidden = !group.querySelector("li:not([hidden])");
    }
    none.hidden = items.some((item) => !item.hidden);
  };
  region.querySelectorAll(".find-list, .none-found").forEach((old) => old.remove());
  region.querySelector("#lists").after(h("div", { class: "find-list" }, find), none);
  narrow();
}
