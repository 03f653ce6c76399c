// One field of a form: its control, its value as JSON, and what is wrong with it.

import { wordsOf } from "./description.js";
import { h, select, uniqueId } from "./element.js";
import { problemLine } from "./notices.js";
import { singleInput } from "./value.js";

/** Types of which the empty text is a value, and not the absence of one. */
const TEXTS = ["string", "binary", "bits", "any"];

/**
 * `given` is the JSON text of the value that the record has, and is sent as it is unless somebody changes it. `isUnread`: the record has
 * a value that cannot be read, so that it cannot be sent back either. `proposed` is the JSON text of a change that begins the form.
 */
export function fieldControl(field, { given, isUnread, proposed }, explorer) {
  const id = uniqueId("field");
  const isText = TEXTS.includes(field.type) && !field.enum && !field.references;
  // What is not sent stays as it is; of a field that can be null, nobody knows whether it does.
  const staysAsItIs = !field.required && !field.nullable;
  const before = { text: shownOf(given, field), isNull: given === "null" };
  let { text, isNull } = proposed === undefined ? before : { text: shownOf(proposed, field), isNull: proposed === "null" };
  let isTouched = proposed !== undefined;
  const change = (value) => {
    text = value;
    isNull = false;
    isTouched = true;
    if (nothing) {
      nothing.checked = false;
    }
  };
  const described = { id, "aria-describedby": `${isUnread ? `${id}-note ` : ""}${id}-problems`, "aria-required": field.required ? "true" : null };

  const build = () => {
    if (field.type === "boolean" && (field.nullable || isUnread || before.isNull || isNull)) {
      return select([["", field.nullable && !isUnread ? "—" : "choose…"], ["true", "yes"], ["false", "no"]], text, change, described);
    }
    if (field.type === "boolean") {
      return h("input", { type: "checkbox", class: "switch", checked: text === "true", ...described, on: { change: (event) => change(String(event.target.checked)) } });
    }
    if (field.type === "string" && isText && (field.maxLength === undefined || field.maxLength > 255)) {
      return h("textarea", { rows: "6", value: text, ...described, on: { input: (event) => change(event.target.value) } });
    }
    return singleInput({ type: field, value: text, label: wordsOf(field.name), key: id, change, description: explorer.description, properties: { ...described, placeholder: "" } });
  };
  const hasNothing = field.nullable && (isText || field.enum || isUnread);
  const nothing = hasNothing ? h("input", { type: "checkbox", id: `${id}-null`, checked: isNull, on: { change: () => {
    isNull = nothing.checked;
    isTouched = true;
    if (isNull) {
      text = "";
      const empty = build();
      input.replaceWith(empty);
      input = empty;
    }
  } } }) : null;
  if (field.type === "boolean" && field.required && given === undefined && !isUnread && !isTouched) {
    text = "true"; // A new record's.
  }
  let input = build();

  const target = () => (input.matches("input, select, textarea") ? input : input.querySelector("input"));
  const isAsBefore = () => given !== undefined && text === before.text && (!nothing || isNull === before.isNull);
  const isEmpty = () => text === "" && !isNull;
  const isSent = () => (isUnread ? !(staysAsItIs && isEmpty()) : given !== undefined || field.required || isTouched);
  const becomesNull = () => isNull || (text === "" && field.nullable && !isText);
  const problem = () => {
    if ([input, ...input.querySelectorAll("input")].some((one) => one.validity?.badInput)) {
      return "This is incomplete.";
    }
    if (isUnread && isEmpty() && !staysAsItIs) {
      return `The current value cannot be read, and so it cannot be kept. Fill it in${nothing ? ", or choose that it has no value" : ""}.`;
    }
    const isWrong = isSent() && !isAsBefore() && !becomesNull() && isJson(field) && !parses(text);
    return isWrong ? "This is not JSON. Texts are in quotes." : null;
  };
  const hint = [field.required ? null : "optional", field.maxLength ? `at most ${field.maxLength} characters` : null, field.unique ? "unique" : null].filter(Boolean).join(", ");
  const unread = staysAsItIs ? "This cannot be read. It stays as it is unless you fill it in." : "This cannot be read, and saving replaces it: fill it in again.";
  const notes = h("div", { class: "problems", id: `${id}-problems` });
  return {
    name: field.name,
    element: h("div", { class: input.type === "checkbox" ? "field inline-field" : "field" },
      h("label", { for: input.id || null }, wordsOf(field.name), hint && h("span", { class: "muted note" }, hint)), input,
      nothing && h("label", { class: "nothing-box", for: nothing.id }, nothing, h("span", { class: "muted" }, "no value (null)", h("span", { class: "offscreen" }, ` for ${wordsOf(field.name)}`))),
      isUnread && h("p", { class: "muted", id: `${id}-note` }, unread), notes),
    focus: () => target()?.focus(),
    isSent,
    json: () => (isAsBefore() ? given : becomesNull() ? "null" : typed(text, field)),
    problem,
    complain: (messages) => {
      notes.replaceChildren(...messages.map(problemLine));
      target()?.setAttribute("aria-invalid", String(messages.length > 0));
    },
  };
}

/** Says at each control what is wrong with it before anything is sent; the first of these. */
export function firstWrong(controls) {
  const problems = controls.map((one) => one.problem());
  controls.forEach((one, at) => one.complain(problems[at] ? [problems[at]] : []));
  return controls.find((_, at) => problems[at]) ?? null;
}

const isJson = (field) => field.type === "json" || field.type === "array";

function parses(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A value as people change it: texts without their quotes, except in JSON, where `"5"` is not `5`. */
function shownOf(given, field) {
  if (given === undefined || given === "null") {
    return "";
  }
  return given.startsWith('"') && !isJson(field) ? JSON.parse(given) : given;
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/** What was typed, as JSON with every digit of it; the service says what is wrong with it. */
function typed(text, field) {
  if (isJson(field) || (field.type === "boolean" && text !== "") || (field.type === "number" && NUMBER.test(text))) {
    return text;
  }
  if (field.type === "integer" && /^-?\d+$/.test(text)) {
    return String(BigInt(text));
  }
  if (field.type === "number" && text !== "" && Number.isFinite(Number(text))) {
    return String(Number(text));
  }
  if (field.type === "datetime" && /^\d{4}-\d\d-\d\d$/.test(text)) {
    return `"${text}T00:00:00Z"`;
  }
  return JSON.stringify(text);
}
