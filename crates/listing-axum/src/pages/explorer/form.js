// Creates and edits a record, with what is wrong at each field.

import { h } from "./element.js";
import { fieldControl, firstWrong } from "./field.js";
import { linksControl } from "./links.js";
import { objectOf } from "./members.js";
import { problemLine } from "./notices.js";
import { dialog } from "./dialog.js";
import { toast } from "./popover.js";
import { keepTag, readRecord, recordPath } from "./record.js";
import { ask } from "./service.js";

export function createRecord(explorer) {
  const { listing } = explorer;
  const { store } = listing.operations;
  if (!store?.payload) {
    return null;
  }
  return recordForm(explorer, {
    title: `New ${listing.title.one.toLowerCase()}`, payload: store.payload, links: store.links ?? [], values: null, action: "Create",
    send: (body) => ask(store.path, { method: "POST", body }),
    done: (reply) => explorer.lookAt({ record: String(reply.json.data.id) }),
  });
}

/** Of several presses, the last one opens a form, unless the page has moved on meanwhile: the records are read first. */
export async function editRecord(explorer, id) {
  const { listing } = explorer;
  const record = await explorer.pressed(readForForm(explorer, listing, id));
  return record && editForm(explorer, listing, id, record);
}

async function readForForm(explorer, listing, id) {
  const record = await readRecord(listing, id, (listing.operations.update.links ?? []).map(({ name }) => name));
  if (record.problem) {
    toast(record.problem);
    return null;
  }
  keepTag(explorer, listing, id, record);
  return record;
}

/** `proposed` are changes that begin the form, as JSON texts, and `linked` the controls that hold those of links. */
function editForm(explorer, listing, id, record, { proposed, linked } = {}) {
  const { payload, links = [] } = listing.operations.update;
  const title = `Edit ${listing.title.one.toLowerCase()} ${id}`;
  return recordForm(explorer, {
    title, payload, links, values: record.columns, data: record.data, action: "Save", proposed, linked,
    send: (body) => ask(recordPath(listing, id, "update"), { method: "PUT", body, headers: record.tag ? { "if-match": record.tag } : {} }),
    done: () => {},
    // Links are sent as what begins and what ends, and need no choice.
    stale: async (mine, linked) => {
      const now = await readForForm(explorer, listing, id);
      const chosen = now && await (await import("./conflict.js")).settle({ title, payload, base: record.columns, theirs: now.columns, mine });
      return chosen && editForm(explorer, listing, id, now, { proposed: chosen, linked });
    },
  });
}

/** `values` are those that the record has, as JSON texts; none for a new record. */
function recordForm(explorer, { title, payload, links, values, data, action, send, done, stale, proposed, linked }) {
  const controls = payload.map((field) => fieldControl(field, { given: values?.get(field.name), isUnread: values !== null && !values.has(field.name), proposed: proposed?.get(field.name) }, explorer));
  const linking = linked ?? links.map((link) => linksControl(link, values && (data[link.name] ?? []).map((one) => String(one.id)), explorer));
  controls.push(...linking);
  const summary = h("div", { role: "alert" });
  const submit = h("button", { type: "submit", class: "primary" }, action);
  const form = h("form", { class: "form", novalidate: true, on: { submit: save } }, summary, controls.map((one) => one.element),
    h("div", { class: "dialog-actions" }, h("button", { type: "button", on: { click: () => box.close() } }, "Cancel"), submit));
  const box = dialog({ title, side: true }, form);
  controls[0]?.focus();

  async function save(event) {
    event.preventDefault();
    summary.replaceChildren();
    const wrong = firstWrong(controls);
    if (wrong) {
      wrong.focus();
      return;
    }
    submit.disabled = true;
    let reply;
    try {
      const sent = controls.filter((one) => one.isSent()).map((one) => [one.name, one.json()]);
      reply = await send(objectOf(sent));
      if (reply.status === 412 && stale) {
        const merged = await stale(new Map(sent), linking);
        if (merged) {
          box.close();
          merged.querySelector("form").requestSubmit();
        }
        return;
      }
    } finally {
      submit.disabled = false;
    }
    if (reply.ok) {
      box.close();
      toast(reply.json.message ?? "Saved");
      await explorer.run();
      done(reply);
      return;
    }
    const errors = new Map(Object.entries(reply.json?.errors ?? {}));
    // An error inside a field has a longer path: `tags.connect.1`.
    const isOf = (one, path) => path === one.name || path.startsWith(`${one.name}.`);
    const unplaced = [...errors].filter(([path]) => !controls.some((one) => isOf(one, path)));
    controls.forEach((one) => one.complain([...errors].filter(([path]) => isOf(one, path)).flatMap(([, messages]) => messages)));
    if (errors.size === 0 || unplaced.length > 0) {
      const texts = unplaced.length > 0 ? unplaced.flatMap(([, messages]) => messages) : [reply.problem];
      summary.append(...texts.map(problemLine));
    }
    controls.find((one) => [...errors.keys()].some((path) => isOf(one, path)))?.focus();
  }
  return box;
}
