// Says what the service refused, ignored or has a hint about, with the nearest match to press.

import { h, icon } from "./element.js";
import { textOf } from "./text.js";

/** A sentence of the service in which `names` are marked as names. */
export function sentence(text) {
  return text.split(/`([^`]*)`/).map((part, at) => (at % 2 === 1 ? h("code", {}, part) : part));
}

/** What is wrong with one thing. */
export const problemLine = (text) => h("p", { class: "problem" }, icon("warning"), h("span", {}, sentence(text)));

export function problemText(problem, explorer) {
  const apply = (pairs) => explorer.go(explorer.listing, textOf(pairs), {}, { grouped: explorer.isGrouped });
  return h("p", { class: problem.isIgnored || problem.isHint ? "problem ignored" : "problem", role: "alert" }, icon("warning"),
    h("span", {}, sentence(problem.message)),
    problem.fix && h("button", { type: "button", class: "fix", on: { click: () => apply(problem.fix.pairs) } }, problem.fix.text),
    problem.without && h("button", { type: "button", class: "fix", on: { click: () => apply(problem.without) } }, "Remove it"));
}

/** Keeps what belongs to one control next to it. */
export function problemSlot(explorer, place) {
  const slot = h("div", { class: "problems", data: { place } });
  explorer.on("replied", () => {
    const problems = explorer.problemsAt(place).filter((problem) => place !== "filters" || !problem.item);
    slot.replaceChildren(...problems.map((problem) => problemText(problem, explorer)));
  });
  explorer.on("described", () => slot.replaceChildren());
  return slot;
}
