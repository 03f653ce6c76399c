// Creates and edits a record, with what is wrong at each field.

import { h, icon } from "./element.js";
import { fieldControl } from "./field.js";
import { linksControl } from "./links.js";
import { objectOf } from "./members.js";
import { sentence } from "./notices.js";
import { dialog } from "./dialog.js";
import { toast } from "./popover.js";
import { readRecord, recordPath } from "./record.js";
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

export async function editRecord(explorer, id) {
  const { listing } = explorer;
  const { payload, links = [] } = listing.operations.update;
  const record = await readRecord(listing, id, links.map(({ name }) => name));
  if (record.problem) {
    toast(record.problem);
    return null;
  }
  return recordForm(explorer, {
    title: `Edit ${listing.title.one.toLowerCase()} ${id}`, payload, links, values: record.columns, data: record.data, action: "Save",
    send: (body) => ask(recordPath(listing, id, "update"), { method: "PUT", body, headers: record.tag ? { "if-match": record.tag } : {} }),
    done: () => {},
  });
}

/** `values` are those that the record has, as JSON texts; none for a new record. */
function recordForm(explorer, { title, payload, links, values, data, action, send, done }) {
  const controls = payload.map((field) => fieldControl(field, { given: values?.get(field.name), isUnread: values !== null && !values.has(field.name) }, explorer));
  controls.push(...links.map((link) => linksControl(link, values && (data[link.name] ?? []).map((one) => String(one.id)), explorer)));
  const summary = h("div", { role: "alert" });
  const submit = h("button", { type: "submit", class: "primary" }, action);
  const form = h("form", { class: "form", novalidate: true, on: { submit: save } }, summary, controls.map((one) => one.element),
    h("div", { class: "dialog-actions" }, h("button", { type: "button", on: { click: () => box.close() } }, "Cancel"), submit));
  const box = dialog({ title, side: true }, form);
  controls[0]?.focus();

  async function save(event) {
    event.preventDefault();
    summary.replaceChildren();
    const problems = controls.map((one) => one.problem());
    controls.forEach((one, at) => one.complain(problems[at] ? [problems[at]] : []));
    if (problems.some(Boolean)) {
      controls[problems.findIndex(Boolean)].focus();
      return;
    }
    submit.disabled = true;
    let reply;
    try {
      reply = await send(objectOf(controls.filter((one) => one.isSent()).map((one) => [one.name, one.json()])));
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
      const texts = unplaced.length > 0 ? unplaced.flatMap(([, messages]) => messages) : [reply.status === 412 ? "Somebody else has changed this record meanwhile. Close, and open it again." : reply.problem];
      summary.append(...texts.map((text) => h("p", { class: "problem" }, icon("warning"), h("span", {}, sentence(text)))));
    }
    controls.find((one) => [...errors.keys()].some((path) => isOf(one, path)))?.focus();
  }
  return box;
}
