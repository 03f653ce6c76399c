// The answer as cards, which fit a phone.

import { cell, labelIn, own, short } from "./cell.js";
import { wordsOf } from "./description.js";
import { h, iconButton } from "./element.js";
import { relatedCell } from "./related.js";
import { relatedBlock } from "./relatedblock.js";
import { shown } from "./shown.js";
import { style } from "./style.js";
import { pickBox } from "./table.js";

await style("opened.css");

export function cards(explorer, actions) {
  const { listing } = explorer;
  const columns = shown(explorer.view, listing);
  return h("ul", { class: "cards" }, explorer.reply.items.map((item) => card(explorer, item, columns, actions)));
}

function card(explorer, item, columns, actions) {
  const { listing } = explorer;
  const title = short(labelIn(item, listing));
  return h("li", { class: "card" },
    h("div", { class: "card-head" }, actions.picks && pickBox(explorer, item),
      h("h2", {}, listing.operations.show
        ? h("button", { type: "button", class: "open", data: { key: `open ${item.id}` }, on: { click: () => explorer.lookAt({ record: String(item.id) }) } }, title)
        : title),
      listing.label !== "id" && item.id !== undefined && h("span", { class: "muted" }, `#${short(item.id)}`), h("span", { class: "fill" }),
      actions.of(item).map(([name, label, act]) => iconButton(name, `${label} ${item.id}`, act))),
    h("dl", {}, columns.fields.filter((field) => field.name !== "id" && field.name !== listing.label).map((field) => [h("dt", {}, wordsOf(field.name)), h("dd", {}, cell(own(item, field.name), field))]),
      columns.relations.map((column) => {
        const place = h("dd", {});
        let block = null;
        const button = relatedCell(own(item, column.relation.name), column, () => {
          button.setAttribute("aria-expanded", String(!block));
          if (block) {
            block.remove();
            block = null;
          } else {
            block = relatedBlock(own(item, column.relation.name), column, { listing, id: item.id }, explorer);
            place.append(block);
          }
        }, false);
        place.append(button);
        return [h("dt", {}, wordsOf(column.relation.name)), place];
      })));
}
