// The control for the value of a condition or of a payload's field, by its type.

import { chips } from "./chips.js";
import { h, select } from "./element.js";
import { labelOf } from "./labels.js";
import { ensureAll, lookUp } from "./lookup.js";

/** The control for the values of a condition; `change(values, typing)` is told of new ones. */
export function conditionInput({ filter, takes, values, change, label, key, description }) {
  const one = (at, name) => singleInput({ type: filter, value: values[at] ?? "", label: name, key: `${key} ${at}`, text: takes === "text", description,
    change: (value, typing) => {
      values[at] = value;
      change(takes === "range" ? [...values] : value === "" ? [] : [value], typing);
    } });
  switch (takes) {
    case "boolean":
      return yesNo(values[0] ?? "", [["true", "yes"], ["false", "no"]], label, key, (value) => change([value]));
    case "range":
      return h("span", { class: "range" }, one(0, `${label}, from`), h("span", { class: "muted" }, "and"), one(1, `${label}, to`));
    case "list":
      return listInput({ filter, values, change, label, key, description });
    default:
      return one(0, label);
  }
}

/** One value: `type` is a filter, or a field of a payload. */
export function singleInput({ type, value, change, label, key, text = false, description, properties = {} }) {
  const options = optionsOf(type);
  if (options && !text) {
    return choice(options, value, label, key, change, properties);
  }
  const target = !text && type.references && description?.listing(type.references);
  if (target?.path && target.lookup) {
    return recordInput({ target, values: value === "" ? [] : [value], most: 1, change: ([one = ""]) => change(one), label, key });
  }
  if (type.type === "datetime" && !text) {
    const moment = parts(value);
    if (moment) {
      return momentInput({ ...moment, change, label, key });
    }
  }
  const kind = text ? "text" : { integer: "number", number: "number", decimal: "number", date: "date", time: "time" }[type.type] ?? "text";
  const input = h("input", {
    type: kind, value, "aria-label": label, data: { key }, autocomplete: "off", spellcheck: "false",
    step: kind === "number" ? (type.type === "integer" ? "1" : "any") : kind === "time" ? "1" : null,
    placeholder: kind === "text" ? "value" : kind === "number" ? "number" : null,
    ...properties,
    on: { input: () => change(input.value, true) },
  });
  return input;
}

function optionsOf(type) {
  if (type.options?.length) {
    return type.options.map(({ value, label }) => [String(value), label ?? String(value)]);
  }
  if (type.enum?.length) {
    return type.enum.map((value) => [String(value), String(value)]);
  }
  return type.type === "boolean" ? [["true", "yes"], ["false", "no"]] : null;
}

/** A closed set; a value outside it is shown, so that the service can refuse it. */
function choice(options, value, label, key, change, properties) {
  const known = options.some(([one]) => one === value);
  const all = [...(value === "" ? [["", "choose…"]] : []), ...(known || value === "" ? [] : [[value, `${value} (unknown)`]]), ...options];
  return select(all, value, (chosen) => change(chosen), { "aria-label": label, data: { key }, ...properties });
}

function yesNo(value, options, label, key, change) {
  return choice(options, value, label, key, change, {});
}

function listInput({ filter, values, change, label, key, description }) {
  const options = optionsOf(filter);
  if (options) {
    const names = new Map(options);
    return chips({ label, values, change, key, textOf: (value) => names.get(value) ?? value,
      suggest: async (text) => options.filter(([, name]) => name.toLowerCase().includes(text.toLowerCase())).map(([id, name]) => ({ id, label: name })) });
  }
  const target = filter.references && description.listing(filter.references);
  if (target?.path && target.lookup) {
    return recordInput({ target, values, most: Infinity, change, label, key });
  }
  return chips({ label, values, change, key, textOf: (value) => {
    const name = filter.labels && labelOf(`filter ${filter.name}`, value);
    return name ? `${value} · ${name}` : value;
  } });
}

/** Records chosen by searching their label. */
function recordInput({ target, values, most, change, label, key }) {
  const box = chips({ label, values, most, key, change: (next) => change(next), textOf: (id) => labelOf(target.name, id) ?? id,
    suggest: (text, signal) => lookUp(target, text, signal) });
  ensureAll(target, values).then(() => box.refresh());
  return box;
}

/** A date, and a time if one is wanted: a date alone stands for the whole day. */
function momentInput({ date, time, change, label, key }) {
  const tell = (typing) => change(day.value === "" ? "" : hour.value === "" ? day.value : `${day.value}T${hour.value.length === 5 ? `${hour.value}:00` : hour.value}Z`, typing);
  const day = h("input", { type: "date", value: date, "aria-label": `${label}, day`, data: { key }, on: { input: () => tell(true) } });
  const hour = h("input", { type: "time", step: "1", value: time, "aria-label": `${label}, time in UTC; empty for the whole day`, title: "Time in UTC; empty for the whole day", on: { input: () => tell(true) } });
  return h("span", { class: "moment" }, day, hour);
}

/** The day and the time of a moment in UTC; none where the text is not a moment. */
function parts(text) {
  if (text === "" || /^\d{4}-\d\d-\d\d$/.test(text)) {
    return { date: text, time: "" };
  }
  const moment = /^\d{4}-\d\d-\d\dT/.test(text) ? new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`) : NaN;
  if (Number.isNaN(Number(moment))) {
    return null;
  }
  const iso = moment.toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, 19) };
}
