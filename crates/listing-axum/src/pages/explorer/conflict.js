// Two people have changed one record: their values and mine next to each other, to be chosen from.

import { cell } from "./cell.js";
import { wordsOf } from "./description.js";
import { dialog } from "./dialog.js";
import { h, uniqueId } from "./element.js";
import { problemLine } from "./notices.js";
import { style } from "./style.js";

await style("many.css");

/**
 * `base`, `theirs` and `mine` are JSON texts by name: as I read the record, as it is now, and as I want it. Resolves with the texts to save,
 * or with `null`.
 */
export function settle({ title, payload, base, theirs, mine }) {
  const rows = payload.filter(({ name }) => theirs.has(name) && mine.has(name) && !isSame(mine.get(name), theirs.get(name)))
    .map((field) => row(field, base.get(field.name), theirs.get(field.name), mine.get(field.name)));
  const both = rows.filter((one) => one.isBoth).length;
  return new Promise((resolve) => {
    let result = null;
    const summary = h("div", { role: "alert" });
    const save = (event) => {
      event.preventDefault();
      const open = rows.find((one) => one.chosen() === null);
      if (open) {
        summary.replaceChildren(problemLine(`Choose a value for ${wordsOf(open.name)}.`));
        open.focus();
        return;
      }
      result = new Map([...mine, ...rows.map((one) => [one.name, one.chosen()])]);
      box.close();
    };
    const form = h("form", { class: "many", on: { submit: save } },
      h("p", {}, "Somebody else has changed this record since you opened it. ", rows.length === 0 ? "What you save is what they have saved."
        : both > 0 ? "Choose where both of you have changed the same field." : "You have changed other fields than they have; both can be kept."),
      summary, rows.map((one) => one.element),
      h("div", { class: "dialog-actions" }, h("button", { type: "button", on: { click: () => box.close() } }, "Back"), h("button", { type: "submit", class: "primary" }, "Save")));
    const box = dialog({ title, side: true }, form);
    box.addEventListener("close", () => resolve(result));
    (form.querySelector("input:checked, input") ?? form.querySelector("[type=submit]")).focus();
  });
}

/** One field. What only one of us has changed is chosen already. */
function row(field, base, theirs, mine) {
  const group = uniqueId("conflict");
  const [wasMine, wasTheirs] = [isSame(base, mine), isSame(base, theirs)];
  const isBoth = !wasMine && !wasTheirs;
  const one = (value, words, isChosen) => {
    const input = value === null ? null : h("input", { type: "radio", name: group, checked: isChosen });
    return { input, element: h(input ? "label" : "div", { class: "version" }, input ?? h("span", {}), h("span", { class: "muted" }, words), shown(value ?? base, field)) };
  };
  const versions = [one(null, "Before"), one(theirs, "Theirs", wasMine), one(mine, "Yours", wasTheirs && !wasMine)];
  return {
    name: field.name,
    isBoth,
    element: h("fieldset", { class: isBoth ? "conflict both" : "conflict" }, h("legend", {}, wordsOf(field.name), isBoth && h("span", { class: "badge" }, "both changed")),
      versions.filter(({ input }) => input || base !== undefined).map(({ element }) => element)),
    chosen: () => (versions[1].input.checked ? theirs : versions[2].input.checked ? mine : null),
    focus: () => versions[1].input.focus(),
  };
}

/** A JSON text as people read it; numbers keep their digits. */
function shown(text, field) {
  const value = /^-?\d/.test(text) ? text : JSON.parse(text);
  return value === "" ? h("span", { class: "null" }, "empty") : h("span", { class: "long" }, typeof value === "string" && field.type !== "datetime" ? value : cell(value, field));
}

/** Whether two texts say the same value, however it is written. */
function isSame(a, b) {
  return a === b || (a !== undefined && b !== undefined && !/\d{16}/.test(a + b) && JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b)));
}
