// Says which filters hold by themselves, and lets a person take them over.

import { wordsOf } from "./description.js";
import { h } from "./element.js";
import { condition } from "./filters.js";

/** A line about the filters that the list applied without being asked. */
export function defaultFilters(explorer) {
  const line = h("p", { class: "told", hidden: true });
  explorer.on("replied", () => {
    const { reply, listing, description } = explorer;
    const asked = new Set(reply.sent.filter(({ item, name }) => item && name.startsWith("filters[")).map(({ item }) => item.key));
    const told = (reply.meta?.filters ?? []).filter(({ key, path, operator }) => !path && operator !== "$search" && !asked.has(key));
    line.hidden = told.length === 0;
    line.replaceChildren(...(told.length === 0 ? [] : ["By default: ", ...told.flatMap(({ key, operator, value, label }, at) => {
      const filter = listing.filters.find((one) => one.name === key);
      const words = `${wordsOf(key)} ${description.operatorTitle(operator, filter?.type)} ${label}`;
      const takeOver = () => explorer.rebuild((view) => view.filters.items.push(condition(key, operator, [value])));
      return [at > 0 ? ", " : "", filter?.operators.includes(operator)
        ? h("button", { type: "button", class: "quiet", title: "Change this filter", on: { click: takeOver } }, words)
        : h("span", {}, words)];
    })]));
  });
  return line;
}
