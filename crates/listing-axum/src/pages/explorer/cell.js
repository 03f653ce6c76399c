// One value of an answer as people read it.

import { h } from "./element.js";

/** What a record itself has under a name; every object has a `constructor`, which is not one of its fields. */
export const own = (item, name) => (Object.hasOwn(item, name) ? item[name] : undefined);

export function cell(value, field) {
  if (value === null || value === undefined) {
    return h("span", { class: "null" }, value === null ? "null" : "");
  }
  if (typeof value === "boolean") {
    return h("span", { class: value ? "flag on" : "flag" }, value ? "yes" : "no");
  }
  if (typeof value === "object") {
    return h("code", { class: "clip" }, JSON.stringify(value));
  }
  if (field?.type === "datetime") {
    return h("time", { datetime: value, title: value }, moment(value));
  }
  if (typeof value === "number" && Number.isInteger(value) && field?.type === "integer" && !/(^id$|_id$|Id$|year)/.test(field.name)) {
    return h("span", { title: String(value) }, value.toLocaleString("en"));
  }
  const text = String(value);
  if (UUID.test(text)) {
    return h("span", { title: text }, short(text));
  }
  return text.length > 60 ? h("span", { class: "clip", title: text.slice(0, 600) }, text.slice(0, 200)) : text;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The first digits of a UUID; they tell it apart from its neighbours. */
export const short = (id) => (UUID.test(id) ? `${id.slice(0, 8)}…` : String(id));

/** `2025-12-27T15:31:25.295162Z` as `2025-12-27 15:31`, in UTC as the filters are. */
export const moment = (text) => String(text).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, "$1 $2");

export const isNumber = (field) => ["integer", "bigint", "number", "decimal"].includes(field?.type) && field.name !== "id";

/** A record in one word: its label, or its id. */
export function labelIn(item, related) {
  const label = related?.label && own(item, related.label);
  return String(label ?? Object.values(item).find((value) => typeof value === "string") ?? item.id ?? "record");
}
