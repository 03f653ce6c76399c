// Creates and edits a record, with what is wrong at each field.

import { wordsOf } from "./description.js";
import { h, icon, select, uniqueId } from "./element.js";
import { sentence } from "./notices.js";
import { dialog, toast } from "./popover.js";
import { recordPath } from "./record.js";
import { ask } from "./service.js";
import { singleInput } from "./value.js";

export function createRecord(explorer) {
  const { listing } = explorer;
  const { store } = listing.operations;
  if (!store?.payload) {
    return null;
  }
  return recordForm(explorer, {
    title: `New ${listing.title.one.toLowerCase()}`, payload: store.payload, values: {}, action: "Create",
    send: (body) => ask(store.path, { method: "POST", body }),
    done: (reply) => explorer.lookAt({ record: String(reply.json.data.id) }),
  });
}

export async function editRecord(explorer, id) {
  const { listing } = explorer;
  // The tag of the record as it is without parameters is the one that a change is held against.
  const [whole, plain] = await Promise.all([ask(`${recordPath(listing, id)}?fields=*`), ask(recordPath(listing, id))]);
  if (!whole.ok || !plain.ok) {
    toast(whole.ok ? plain.problem : whole.problem);
    return null;
  }
  return recordForm(explorer, {
    title: `Edit ${listing.title.one.toLowerCase()} ${id}`, payload: listing.operations.update.payload, values: whole.json.data, action: "Save",
    send: (body) => ask(recordPath(listing, id, "update"), { method: "PUT", body, headers: plain.tag ? { "if-match": plain.tag } : {} }),
    done: () => {},
  });
}

function recordForm(explorer, { title, payload, values, action, send, done }) {
  const controls = payload.map((field) => control(field, values[field.name], explorer));
  const summary = h("div", { role: "alert" });
  const submit = h("button", { type: "submit", class: "primary" }, action);
  const form = h("form", { class: "form", novalidate: true, on: { submit: save } }, summary, controls.map((one) => one.element),
    h("div", { class: "dialog-actions" }, h("button", { type: "button", on: { click: () => box.close() } }, "Cancel"), submit));
  const box = dialog({ title, side: true }, form);
  controls[0]?.focus();

  async function save(event) {
    event.preventDefault();
    submit.disabled = true;
    const body = Object.fromEntries(controls.filter((one) => one.isGiven()).map((one) => [one.name, one.value()]));
    const reply = await send(body);
    submit.disabled = false;
    summary.replaceChildren();
    controls.forEach((one) => one.complain([]));
    if (reply.ok) {
      box.close();
      toast(reply.json.message ?? "Saved");
      await explorer.run();
      done(reply);
      return;
    }
    const errors = reply.json?.errors ?? {};
    const unplaced = Object.entries(errors).filter(([name]) => !controls.some((one) => one.name === name));
    controls.forEach((one) => one.complain(errors[one.name] ?? []));
    if (Object.keys(errors).length === 0 || unplaced.length > 0) {
      const texts = unplaced.length > 0 ? unplaced.flatMap(([, messages]) => messages) : [reply.status === 412 ? "Somebody else has changed this record meanwhile. Close, and open it again." : reply.problem];
      summary.append(...texts.map((text) => h("p", { class: "problem" }, icon("warning"), h("span", {}, sentence(text)))));
    }
    controls.find((one) => errors[one.name])?.focus();
  }
  return box;
}

/** One field of a payload: its control, its value as JSON, and what is wrong with it. */
function control(field, given, explorer) {
  const id = uniqueId("field");
  const notes = h("div", { class: "problems", id: `${id}-problems` });
  let text = given === null || given === undefined ? "" : typeof given === "object" ? JSON.stringify(given) : String(given);
  let touched = given !== undefined;
  const change = (value) => {
    text = value;
    touched = true;
  };
  const described = { id, "aria-describedby": `${id}-problems`, "aria-required": field.required ? "true" : null };
  const input = field.type === "boolean" && field.nullable
    ? select([["", "—"], ["true", "yes"], ["false", "no"]], text, change, described)
    : field.type === "boolean" ? h("input", { type: "checkbox", class: "switch", checked: text === "" ? field.required : text === "true", ...described, on: { change: (event) => change(String(event.target.checked)) } })
    : field.type === "string" && !field.enum && !field.references && (field.maxLength === undefined || field.maxLength > 255)
      ? h("textarea", { rows: "6", value: text, ...described, on: { input: (event) => change(event.target.value) } })
      : singleInput({ type: field, value: text, label: wordsOf(field.name), key: id, change, description: explorer.description, properties: { ...described, placeholder: "" } });
  if (input.type === "checkbox" && text === "" && field.required) {
    change(String(input.checked));
  }
  const target = input.matches("input, select, textarea") ? input : input.querySelector("input");
  const hint = [field.required ? null : "optional", field.maxLength ? `at most ${field.maxLength} characters` : null, field.unique ? "unique" : null].filter(Boolean).join(", ");
  return {
    name: field.name,
    element: h("div", { class: input.type === "checkbox" ? "field inline-field" : "field" }, h("label", { for: input.id || null }, wordsOf(field.name), hint && h("span", { class: "muted note" }, hint)), input, notes),
    focus: () => target?.focus(),
    isGiven: () => field.required || touched,
    value: () => asJson(text, field),
    complain: (messages) => {
      notes.replaceChildren(...messages.map((message) => h("p", { class: "problem" }, icon("warning"), h("span", {}, sentence(message)))));
      target?.setAttribute("aria-invalid", String(messages.length > 0));
    },
  };
}

/** What was typed, as the payload wants it; the service says what is wrong with it. */
function asJson(text, field) {
  if (text === "" && field.nullable) {
    return null;
  }
  if (field.type === "boolean") {
    return text === "true";
  }
  if (field.type === "integer" && /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) {
    return Number(text);
  }
  if (field.type === "number" && text !== "" && Number.isFinite(Number(text))) {
    return Number(text);
  }
  if (field.type === "datetime" && /^\d{4}-\d\d-\d\d$/.test(text)) {
    return `${text}T00:00:00Z`;
  }
  if (field.type === "json" || field.type === "array") {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}
