// Which totals are asked for.

import { wordsOf } from "./description.js";
import { h } from "./element.js";
import { style } from "./style.js";
import { functionTitle } from "./totals.js";

await style("opened.css");

export function totalsPanel(panel, explorer) {
  const { listing } = explorer;
  const turn = (field, name, isOn) => explorer.rebuild((view) => {
    const totals = new Map(view.totals ?? []);
    const asked = totals.get(field.name) ?? [];
    const functions = field.functions.filter((one) => (one === name ? isOn : asked.includes(one)));
    totals.set(field.name, functions);
    const kept = [...totals].filter(([, names]) => names.length > 0);
    if (!isOn && view.by) {
      // Groups cannot be ordered by what is not asked for.
      view.sort = view.sort?.filter((one) => one.name !== `${field.name}.${name}`) ?? null;
    }
    view.totals = kept.length > 0 ? new Map(kept) : null;
  }, { keepPage: true });
  panel.append(h("div", { class: "panel-head" }, h("h2", {}, explorer.isGrouped ? "Totals of each group" : "Totals of all rows that match")),
    ...listing.totals.map((field) => h("fieldset", { class: "totals-of" }, h("legend", {}, wordsOf(field.name)),
      h("div", { class: "ticks" }, field.functions.map((name) => {
        const box = h("input", { type: "checkbox", checked: explorer.view.totals?.get(field.name)?.includes(name) ?? false, on: { change: () => turn(field, name, box.checked) } });
        return h("label", { class: "tick" }, box, h("span", {}, functionTitle(name)));
      })))));
}
