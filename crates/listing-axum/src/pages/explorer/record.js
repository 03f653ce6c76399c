// One record, at the side of the list: every field of it, and what can be done with it.

import { cell, own } from "./cell.js";
import { wordsOf } from "./description.js";
import { h, icon } from "./element.js";
import { membersOf } from "./members.js";
import { sentence } from "./notices.js";
import { confirmed, dialog } from "./dialog.js";
import { toast } from "./popover.js";
import { pageLink } from "./related.js";
import { ask } from "./service.js";
import { ensure } from "./lookup.js";
import { textOf } from "./text.js";

export const recordPath = (listing, id, operation = "show") => listing.operations[operation].path.replace("{id}", encodeURIComponent(id));

/**
 * The record as it is shown by itself, and what else lists can show of it. `columns` are the JSON texts of what can be written back: a
 * computed field is not what a column of the same name holds. `relations` are read along. `tag` is the one that a change is held against.
 */
export async function readRecord(listing, id, relations = []) {
  if (!listing.operations.show) {
    return { data: {}, columns: new Map(), tag: null };
  }
  const known = relations.filter((name) => listing.relations.some((one) => one.name === name));
  // Its tag comes first: what is read later can be newer than the tag, and is refused then, but never older.
  const plain = await ask(recordPath(listing, id));
  const whole = plain.ok ? await ask(`${recordPath(listing, id)}?fields=*${known.length > 0 ? `&populate=${known.join(",")}` : ""}`) : plain;
  if (!whole.ok) {
    return { problem: whole.problem };
  }
  const columnsOf = (reply, fields) => [...membersOf(membersOf(reply.text).get("data") ?? "")]
    .filter(([name]) => !fields.some((field) => field.name === name && field.computed));
  return {
    data: { ...whole.json.data, ...plain.json.data },
    columns: new Map([...columnsOf(whole, listing.fields), ...columnsOf(plain, listing.record)]),
    tag: plain.tag,
  };
}

/** Keeps the tag of a record that is among the rows shown: it says which version of it somebody has seen. */
export function keepTag(explorer, listing, id, { tag }) {
  if (tag && explorer.reply?.listing === listing) {
    (explorer.reply.tags ??= new Map()).set(String(id), tag);
  }
}

/** The record in a dialog, unless the page has moved on meanwhile. */
export async function show(explorer, id) {
  const { listing } = explorer;
  if (!listing.operations.show) {
    return null;
  }
  const record = await readRecord(listing, id);
  keepTag(explorer, listing, id, record);
  if (explorer.listing !== listing || explorer.look.record !== id) {
    return null;
  }
  const { operations, title } = listing;
  const body = record.problem ? h("p", { class: "failure" }, icon("warning"), sentence(record.problem)) : fieldList(record.data, explorer);
  const act = (action) => () => {
    box.close();
    action();
  };
  const box = dialog({ title: `${title.one} ${id}`, side: true, actions: record.problem ? [] : [
    operations.update?.payload && h("button", { type: "button", on: { click: act(async () => (await explorer.pressed(import("./form.js")))?.editRecord(explorer, id)) } }, icon("edit"), "Edit"),
    operations.destroy && h("button", { type: "button", class: "danger quiet", on: { click: act(() => destroy(explorer, id)) } }, icon("trash"), "Delete"),
  ].filter(Boolean) }, body, !record.problem && operations.history && changes(listing, id));
  return box;
}

/** The history of the record, which is asked for when it is opened. */
function changes(listing, id) {
  const place = h("div", {});
  return h("details", { class: "changes", on: { toggle: async ({ target }) => target.open && (await import("./history.js")).history(place, listing, id) } },
    h("summary", {}, "What changed, and by whom"), place);
}

function fieldList(item, explorer) {
  const { listing, description } = explorer;
  const known = [...listing.fields, ...listing.record.filter((field) => !listing.fields.some((one) => one.name === field.name))];
  // A handler of the application's own may show more than is described.
  const others = Object.keys(item).filter((name) => ![...known, ...listing.relations].some((one) => one.name === name));
  const fields = [...known.filter((field) => Object.hasOwn(item, field.name)), ...others.map((name) => ({ name }))];
  return h("dl", { class: "record" }, fields.map((field) => {
    const target = field.references && field.name !== "id" ? description.listing(field.references) : null;
    const value = own(item, field.name);
    const text = typeof value === "string" && field.type === "string" ? h("span", { class: "long" }, value) : cell(value, field);
    return [h("dt", {}, wordsOf(field.name), field.type && h("span", { class: "type" }, field.type)),
      h("dd", {}, target?.operations.show && value !== null ? reference(explorer, target, value) : text, sameValue(explorer, field, value))];
  }));
}

/** A way to the other records with the same value, where the list can be filtered by it. */
function sameValue(explorer, field, value) {
  const { listing } = explorer;
  const filter = listing.filters.find((one) => one.name === field.name && one.operators.includes("$eq"));
  if (!filter || field.name === "id" || value === null || String(value).length > 100) {
    return null;
  }
  const link = pageLink(explorer, listing, textOf([{ name: `filters[${field.name}][$eq]`, value: String(value) }]), {}, icon("filter"));
  link.classList.add("same");
  link.setAttribute("aria-label", `Records with the same ${wordsOf(field.name).toLowerCase()}`);
  link.title = link.getAttribute("aria-label");
  return link;
}

function reference(explorer, target, id) {
  const word = h("span", {}, String(id));
  ensure(target, String(id)).then((label) => { word.textContent = label && label !== String(id) ? `${label} (${id})` : String(id); });
  return pageLink(explorer, target, "", { record: String(id) }, word);
}

export async function destroy(explorer, id) {
  const { listing } = explorer;
  const soft = Boolean(listing.operations.restore);
  const name = `${listing.title.one.toLowerCase()} ${id}`;
  if (!(await confirmed(`Delete ${name}?`, soft ? "It can be restored later." : "This cannot be undone.", "Delete"))) {
    return;
  }
  const undo = soft && { text: "Undo", run: () => restore(explorer, id, listing) };
  await finish(explorer, await ask(recordPath(listing, id, "destroy"), { method: "DELETE" }), "Deleted", undo);
}

/** What is being restored, so that a second press does not ask for it again. */
const restoring = new Set();

export async function restore(explorer, id, listing) {
  const path = recordPath(listing, id, "restore");
  if (restoring.has(path)) {
    return;
  }
  restoring.add(path);
  try {
    await finish(explorer, await ask(path, { method: "POST" }), "Restored");
  } finally {
    restoring.delete(path);
  }
}

async function finish(explorer, reply, word, undo) {
  toast(reply.ok ? (reply.json.message ?? word) : reply.problem, reply.ok && undo);
  if (reply.ok) {
    await explorer.run();
  }
}
