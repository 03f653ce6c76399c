// What has changed in a record, when and by whom: its history, the newest first.

import { cell } from "./cell.js";
import { wordsOf } from "./description.js";
import { h } from "./element.js";
import { problemLine } from "./notices.js";
import { recordPath } from "./record.js";
import { ask } from "./service.js";
import { style } from "./style.js";

await style("many.css");

const OPERATIONS = new Map([["store", "Created"], ["update", "Changed"], ["destroy", "Deleted"], ["restore", "Restored"]]);

/** Fills a place with the latest changes, and a button for earlier ones. */
export function history(place, listing, id) {
  const list = h("ol", { class: "history" });
  const more = h("button", { type: "button", class: "quiet", on: { click: read } }, "Earlier");
  let page = 0;
  place.replaceChildren(list);
  return read();

  async function read() {
    more.remove();
    const reply = await ask(`${recordPath(listing, id, "history")}?pagination[page]=${page + 1}&pagination[pageSize]=10`);
    if (!list.isConnected) {
      return; // Opened anew meanwhile.
    }
    if (!reply.ok) {
      place.append(problemLine(reply.problem));
      return;
    }
    page += 1;
    const { data, meta } = reply.json;
    list.append(...data.map((change) => entry(change, listing)));
    if (list.childElementCount === 0) {
      place.append(h("p", { class: "muted" }, "No change is known."));
    } else if (page < meta.pagination.pageCount) {
      place.append(more);
    }
  }
}

function entry({ operation, at, caller, old, new: now, linked }, listing) {
  const field = (name) => [...listing.fields, ...listing.record].find((one) => one.name === name) ?? { name };
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const value = (tag, values, name) => values && Object.hasOwn(values, name) && h(tag, {}, values[name] === "" ? h("span", { class: "null" }, "empty") : cell(values[name], field(name)));
  return h("li", {},
    h("p", {}, h("strong", {}, OPERATIONS.get(operation) ?? operation), " ", cell(at, { type: "datetime" }), caller !== null && h("span", {}, ` by ${caller}`)),
    h("dl", {}, names.map((name) => [h("dt", {}, wordsOf(name)), h("dd", {}, value("del", old, name), value("ins", now, name))]),
      linked.map((name) => [h("dt", {}, wordsOf(name)), h("dd", { class: "muted" }, "Links were written.")])));
}
