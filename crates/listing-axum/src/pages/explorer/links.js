// The links of a record in a form: related records, found by their label.

import { facetTitle } from "./description.js";
import { h, uniqueId } from "./element.js";
import { problemLine } from "./notices.js";
import { conditionInput } from "./value.js";

/**
 * `linked` are the ids that the record is known to have; none for a new one. A list shows only so many related records, and others may link
 * some meanwhile, so that only what was changed here is sent.
 */
export function linksControl(link, linked, explorer) {
  const id = uniqueId("links");
  const label = facetTitle(link.name);
  const before = linked ?? [];
  let values = [...before];
  const added = () => values.filter((one) => !before.includes(one));
  const removed = () => before.filter((one) => !values.includes(one));
  const list = (ids) => `[${ids.map((one) => (link.type === "integer" && /^-?\d+$/.test(one) ? one : JSON.stringify(one))).join(",")}]`;
  const input = conditionInput({ filter: link, takes: "list", values, label, key: id, description: explorer.description, change: (next) => { values = next; } });
  const notes = h("div", { class: "problems", id });
  return {
    name: link.name,
    element: h("div", { class: "field", role: "group", "aria-label": label }, h("span", { class: "label" }, label), input, notes),
    focus: () => input.querySelector("input")?.focus(),
    isSent: () => (linked === null ? link.required || values.length > 0 : added().length + removed().length > 0),
    json: () => (linked === null ? list(values) : `{"connect":${list(added())},"disconnect":${list(removed())}}`),
    problem: () => null,
    complain: (messages) => notes.replaceChildren(...messages.map(problemLine)),
  };
}
