// Changes or deletes the picked rows, or all that match, in one request: all of them or none.

import { asked } from "./asked.js";
import { labelIn, short } from "./cell.js";
import { facetTitle, wordsOf } from "./description.js";
import { dialog } from "./dialog.js";
import { h, iconButton, select } from "./element.js";
import { fieldControl, firstWrong } from "./field.js";
import { linksControl } from "./links.js";
import { objectOf } from "./members.js";
import { problemLine } from "./notices.js";
import { toast } from "./popover.js";
import { keepTag, readRecord, recordPath } from "./record.js";
import { ask } from "./service.js";
import { style } from "./style.js";

await style("many.css");

/** Requests at a time, where there has to be one for each record. */
const TOGETHER = 6;

/** The same values for all of them. */
export function changeMany(explorer, chosen) {
  const list = shownNow(explorer);
  const { patch, update } = list.listing.operations;
  const { payload = [], links = [] } = patch ?? update ?? {};
  // In an item these two say which record is meant.
  const fields = payload.filter(({ name }) => !["id", "etag"].includes(name));
  // What a filter finds takes values alone.
  const known = [...fields.map((field) => [field.name, wordsOf(field.name)]), ...(chosen.everything ? [] : links.map(({ name }) => [name, facetTitle(name)]))];
  const place = h("div", { class: "form" });
  const controls = [];
  const add = select([], "", (name) => {
    const field = fields.find((one) => one.name === name);
    // What is chosen here is always sent. Links are added to those that a record has.
    const control = field ? fieldControl({ ...field, required: true }, { isUnread: false }, explorer) : linksControl(links.find((one) => one.name === name), [], explorer);
    const line = h("div", { class: "many-field" }, control.element, iconButton("close", `Do not change ${wordsOf(name)}`, () => {
      controls.splice(controls.indexOf(control), 1);
      line.remove();
      offer();
    }));
    controls.push(control);
    place.append(line);
    offer();
    control.focus();
  }, { "aria-label": "Change", data: { key: "add" } });
  const offer = () => {
    const free = known.filter(([name]) => !controls.some((one) => one.name === name));
    add.replaceChildren(...[["", controls.length > 0 ? "and…" : "Choose a field…"], ...free].map(([value, text]) => h("option", { value }, text)));
    add.value = "";
    add.hidden = free.length === 0;
  };
  offer();
  return many(explorer, chosen, { verb: "Change", content: [place, add],
    refused: () => {
      const wrong = controls.length === 0 ? add : firstWrong(controls);
      wrong?.focus();
      return Boolean(wrong);
    },
    controlOf: (name) => controls.find((one) => one.name === name),
    send: (items) => {
      const values = controls.map((one) => [one.name, one.json()]);
      return items
        ? bulk(list, "update", items.map((item) => objectOf([...members(item), ...values])))
        : byFilter(list, "queryUpdate", chosen, [["set", objectOf(values)]]);
    } });
}

export function deleteMany(explorer, chosen) {
  const list = shownNow(explorer);
  const soft = Boolean(list.listing.operations.restore);
  const they = (chosen.everything?.count ?? chosen.items.length) === 1 ? "It" : "They";
  return many(explorer, chosen, { verb: "Delete", isDanger: true,
    content: [h("p", {}, soft ? `${they} can be restored later.` : "This cannot be undone.")],
    send: (items) => (items ? bulk(list, "delete", items.map((item) => objectOf(members(item)))) : byFilter(list, "queryDelete", chosen, [])),
    undo: (items) => soft && items && { text: "Undo", run: () => restoreMany(explorer, list.listing, items) } });
}

/** The list that the dialog is about: another one can be shown when it ends. */
const shownNow = ({ listing, view, description, reply }) => ({ listing, view, description, reply });

const members = ({ id, etag }) => [["id", JSON.stringify(id)], ...(etag ? [["etag", JSON.stringify(etag)]] : [])];

const bulk = ({ listing }, name, items) => ask(listing.operations.bulk.path, { method: "POST", body: objectOf([[name, `[${items.join(",")}]`]]) });

function byFilter({ listing, view, description }, operation, { everything }, more) {
  const filters = JSON.stringify(asked(view, listing, description).filters);
  const body = objectOf([["filters", filters], ...more, ["expected", String(everything.count)]]);
  return ask(listing.operations[operation].path, { method: "POST", body });
}

/** The dialog of both: what to do, with which records, and what is wrong with them. */
function many(explorer, { items, everything, done }, { verb, isDanger = false, content, refused = () => false, controlOf = () => null, send, undo = () => false }) {
  const { listing, reply: { tags } } = explorer;
  const count = everything?.count ?? items.length;
  const title = (count === 1 ? listing.title.one : listing.title.many).toLowerCase();
  const lines = new Map(items.map((item) => [String(item.id), h("li", {}, h("span", {}, labelIn(item, listing)), listing.label !== "id" && h("span", { class: "muted" }, ` #${short(item.id)}`), h("div", { class: "problems" }))]));
  const summary = h("div", { role: "alert" });
  const submit = h("button", { type: "submit", class: isDanger ? "danger" : "primary" }, `${verb} ${count.toLocaleString("en")}`);
  const form = h("form", { class: "many", novalidate: true, on: { submit: save } }, summary, content,
    everything ? h("p", { class: "muted" }, "All records that the filters of the list find, on all of its pages. If there is another number of them by then, nothing is written.")
      : h("ul", { class: "many-records", tabIndex: 0, "aria-label": "Selected" }, [...lines.values()]),
    h("div", { class: "dialog-actions" }, h("button", { type: "button", on: { click: () => box.close() } }, "Cancel"), submit));
  const box = dialog({ title: `${verb} ${count.toLocaleString("en")} ${title}`, side: true }, form);
  form.querySelector("select, .dialog-actions [type=submit]").focus();

  async function save(event) {
    event.preventDefault();
    summary.replaceChildren();
    lines.forEach((line) => line.lastChild.replaceChildren());
    if (refused()) {
      return;
    }
    submit.disabled = true;
    let reply;
    try {
      const known = everything ? null : await withTags(explorer, listing, tags, items);
      reply = known?.problem ? known : await send(known);
    } finally {
      submit.disabled = false;
    }
    if (reply.ok) {
      box.close();
      done();
      toast(reply.json.message, undo(everything ? null : items));
      await explorer.run();
    } else {
      fail(reply);
    }
  }

  /** What is wrong with a record is told at the record, what is wrong with a value at its control, and the rest above. */
  function fail(reply) {
    const rest = [];
    for (const { at, field, text } of problemsIn(reply)) {
      const line = at === null ? null : lines.get(String(items[at]?.id));
      const control = field === null ? null : controlOf(field);
      if (line) {
        line.lastChild.append(problemLine(text));
      } else if (control) {
        control.complain([text]);
      } else {
        rest.push(text);
      }
    }
    summary.append(...rest.map(problemLine));
    if ([404, 409, 412].includes(reply.status)) {
      summary.append(h("button", { type: "button", on: { click: () => { box.close(); explorer.run(); } } }, "Look again"));
    }
    [...lines.values()].find((line) => line.lastChild.firstChild)?.scrollIntoView({ block: "nearest" });
  }
  return box;
}

/** `{ at, field, text }`: `update.3.title must not be empty.` is about the fourth item, `set.title …` about a value, and `update.0: …` about the first. */
function problemsIn(reply) {
  const errors = Object.values(reply.json?.errors ?? {}).flat();
  return (errors.length > 0 ? errors : [reply.problem]).map((message) => {
    const [, at, text] = /^(?:update|delete)\.(\d+)[.:]\s*(.*)$/s.exec(message) ?? [];
    const [, field] = /^set\.([^\s.:]+)/.exec(message) ?? [];
    return { at: at ? Number(at) : null, field: field ?? null, text: text ?? message.replace(/^set\./, "") };
  });
}

/** The ids of records with the tags that are known; where a change must name one, the records without are read first. */
async function withTags(explorer, listing, tags = new Map(), items) {
  const { update, destroy, show } = listing.operations;
  const unknown = show && (update?.requires_if_match || destroy?.requires_if_match) ? items.filter(({ id }) => !tags.has(String(id))) : [];
  const read = await inTurn(unknown, async ({ id }) => {
    const record = await readRecord(listing, String(id));
    keepTag(explorer, listing, id, record);
    return [String(id), record.tag];
  });
  const known = new Map([...tags, ...read]);
  return items.map(({ id }) => ({ id, etag: known.get(String(id)) }));
}

/** A few at a time, and what each of them came to. */
async function inTurn(items, act) {
  const results = [];
  for (let at = 0; at < items.length; at += TOGETHER) {
    results.push(...await Promise.all(items.slice(at, at + TOGETHER).map(act)));
  }
  return results;
}

/** There is no one request for this. */
async function restoreMany(explorer, listing, items) {
  const replies = await inTurn(items, ({ id }) => ask(recordPath(listing, String(id), "restore"), { method: "POST" }));
  const failed = replies.filter(({ ok }) => !ok);
  toast(failed.length > 0 ? `${failed.length} of ${items.length} were not restored: ${failed[0].problem}` : `${items.length} restored`);
  await explorer.run();
}
