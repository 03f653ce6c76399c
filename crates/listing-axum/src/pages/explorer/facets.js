// The facets at the side of the results: how many rows there are for each value, and a press chooses it.

import { calendar } from "./calendar.js";
import { moment } from "./cell.js";
import { choose, chooseEnds, chooseMissing, chosenIn, endsIn, isForSeveral, isMissingChosen } from "./choose.js";
import { facetTitle } from "./description.js";
import { fill, h, icon, iconButton } from "./element.js";
import { problemSlot } from "./notices.js";
import { slider } from "./slider.js";
import { style } from "./style.js";
import { undisturbed } from "./undisturbed.js";

await style("numbers.css");

const narrow = matchMedia("(max-width: 900px)");

/** So many steps has a slider over numbers that are not whole, or over very many that are. */
const STEPS = 200;
const WIDE = 10_000;

const counted = (count) => Number(count).toLocaleString("en");

export function facets(region, explorer) {
  /** What a person has opened or closed. */
  const opened = new Map();
  const content = h("div", { class: "facet-list" });
  region.append(h("div", { class: "facets-head" }, h("h2", {}, "Facets"), h("span", { class: "fill" }),
    iconButton("close", "Hide facets", () => explorer.rebuild((view) => { view.facets = null; }, { keepPage: true }))), problemSlot(explorer, "facets"), content);
  const render = () => {
    const { reply, listing, view } = explorer;
    region.hidden = !view.facets || explorer.isGrouped || !listing;
    if (region.hidden || reply?.listing !== listing) {
      fill(content);
    } else if (reply.ok && reply.meta?.facets) {
      fill(content, reply.meta.facets.map((told) => section(told, explorer, opened)));
    }
  };
  explorer.on("replaced", render);
  explorer.on("replied", undisturbed(content, render));
  narrow.addEventListener("change", render);
  render();
}

function section(told, explorer, opened) {
  const { listing, view } = explorer;
  const facet = listing.facets.find((one) => one.name === told.key) ?? { name: told.key };
  const filter = listing.filters.find((one) => one.name === facet.name);
  const label = facetTitle(facet.name);
  const option = (name, value, options) => explorer.change((it) => ask(it, listing, facet.name, name, value), { keepPage: true, ...options });
  const clear = clearer(told, facet, explorer);
  const place = `${listing.name}/${facet.name}`;
  const details = h("details", { class: "facet", open: opened.get(place) ?? !narrow.matches, data: { facet: facet.name }, on: { toggle: () => opened.set(place, details.open) } },
    h("summary", { data: { key: `facet ${facet.name}` } }, icon("chevron"), h("span", { class: "clip" }, label), clear && h("span", { class: "dot" }, h("span", { class: "offscreen" }, "filtered"))),
    h("div", { class: "facet-body", role: "group", "aria-label": label },
      clear && h("button", { type: "button", class: "quiet clear", "aria-label": `Clear ${label}`, data: { key: `clear ${facet.name}` }, on: { click: () => explorer.rebuild(clear) } }, "Clear"),
      told.timedOut ? h("p", { class: "muted" }, "This took too long to count.") : bodyOf({ told, facet, filter, label, explorer, option }),
      told.values && !told.timedOut && facet.kind === "calendar" && told.missing > 0 && h("p", { class: "muted facet-line" }, h("span", {}, "No value"), h("span", { class: "facet-count" }, counted(told.missing)))));
  return details;
}

/** What takes the choice of a facet back; nothing where there is none. */
function clearer(told, facet, explorer) {
  const { view } = explorer;
  if (facet.kind === "range" || facet.kind === "calendar") {
    const { from, to } = endsIn(view, facet.name);
    return from === null && to === null ? null : (it) => chooseEnds(it, facet.name, {});
  }
  return chosenIn(view, facet) === null ? null : (it) => choose(it, facet, []);
}

/** Sets an option of one facet; where all are asked for, each has to be named then. */
function ask(view, listing, name, option, value) {
  const all = view.facets.some((one) => one.name === "*") ? listing.facets.map((one) => view.facets.find((asked) => asked.name === one.name) ?? { name: one.name, options: {} }) : view.facets;
  view.facets = all.map((one) => {
    const { [option]: _, ...others } = one.options;
    return one.name === name ? { name, options: value ? { ...others, [option]: value } : others } : one;
  });
}

function bodyOf(parts) {
  if (parts.told.values === undefined) {
    return rangeBody(parts);
  }
  return parts.facet.kind === "calendar" ? calendar(parts) : valuesBody(parts);
}

function valuesBody({ told, facet, filter, label, explorer, option }) {
  const { view } = explorer;
  const several = isForSeveral(facet);
  const current = chosenIn(view, facet) ?? told.values.filter(({ selected }) => selected).map(({ value }) => value);
  const turn = (value, isOn) => explorer.rebuild((it) => choose(it, facet, several ? (isOn ? [...current, value] : current.filter((one) => one !== value)) : isOn ? [value] : []));
  const most = Math.max(...told.values.map(({ count }) => count), told.missing, 1);
  const asked = view.facets.find((one) => one.name === facet.name)?.options ?? {};
  const missing = told.missing > 0 || isMissingChosen(view, facet);
  const row = ({ text, count, isOn, key, change }) => {
    const box = change && h("input", { type: "checkbox", checked: isOn, data: { key }, on: { change: () => change(box.checked) } });
    const bar = h("span", { class: "facet-bar", "aria-hidden": "true" });
    bar.style.setProperty("--part", String(count / most));
    return h("li", {}, h("label", { class: isOn ? "facet-value chosen" : "facet-value" }, box, h("span", { class: "facet-text", title: text }, text), h("span", { class: "facet-count" }, counted(count)), bar));
  };
  return [
    (told.truncated || asked.search) && h("input", { type: "search", class: "facet-search", placeholder: "Find", "aria-label": `Find in ${label}`, value: asked.search ?? "", data: { key: `find ${facet.name}` },
      on: { input: (event) => option("search", event.target.value, { typing: true }) } }),
    h("ul", { class: "facet-values" },
      // Until the answer is here a box says what was pressed, or a second press would choose the value twice.
      told.values.map(({ value, label: text, count, selected }) => row({ text: text ?? value, count, isOn: explorer.isLoading ? current.includes(value) : selected, key: `choose ${facet.name} ${value}`, change: facet.choose && ((isOn) => turn(value, isOn)) })),
      missing && row({ text: "No value", count: told.missing, isOn: isMissingChosen(view, facet), key: `missing ${facet.name}`,
        change: facet.kind !== "relation" && filter?.operators.includes("$null") && ((isOn) => explorer.rebuild((it) => chooseMissing(it, facet, isOn))) })),
    told.values.length === 0 && h("p", { class: "muted" }, "Nothing found"),
    told.truncated && h("div", { class: "facet-line muted" }, h("span", {}, `Others: ${counted(told.others)}`),
      h("button", { type: "button", class: "quiet", data: { key: `more ${facet.name}` }, "aria-label": `More values of ${label}`, on: { click: () => option("limit", String(Math.min(1000, told.values.length + 30))) } }, "More")),
  ].filter(Boolean);
}

/** With two digits that tell something. */
const rounded = (number) => Number(number.toPrecision(2));

/** A number or a moment as a place on a line. */
const placeOf = (value, isTime) => (isTime ? Date.parse(value) : Number(value));

function rangeBody({ told, facet, filter, label, explorer }) {
  if (told.min === null || told.min === told.max) {
    return h("p", { class: "muted" }, told.min === null ? "No rows have a value." : String(told.min));
  }
  const type = filter?.type;
  const isTime = type === "date" || type === "datetime";
  const [min, max] = [placeOf(told.min, isTime), placeOf(told.max, isTime)];
  const isFine = type === "integer" && max - min <= STEPS;
  const last = isFine ? max - min : STEPS;
  // One row far from the others must not take the whole slider: each step of a wide one is as much more as the one before it.
  const isWide = !isTime && max - min > WIDE;
  const partOf = (distance) => (isWide ? Math.log1p(Math.max(0, distance)) / Math.log1p(max - min) : distance / (max - min));
  /** The value at a step; the ends are what the service said they are. */
  const valueAt = (step) => {
    if (step === 0 || step === last) {
      return String(step === 0 ? told.min : told.max);
    }
    const value = isWide ? rounded(min + Math.expm1((step / last) * Math.log1p(max - min))) : min + ((max - min) * step) / last;
    return isTime ? new Date(value).toISOString().replace(/\.\d+Z$/, "Z").slice(0, type === "date" ? 10 : 20) : type === "integer" ? String(Math.round(value)) : value.toFixed(2);
  };
  const stepOf = (value) => Math.max(0, Math.min(last, Math.round(partOf(placeOf(value, isTime) - min) * last)));
  const ends = endsIn(explorer.view, facet.name);
  const [from, to] = [ends.from === null ? 0 : stepOf(ends.from), ends.to === null ? last : stepOf(ends.to)];
  const allows = (operator) => filter?.operators.includes(operator);
  const change = (least, most, options) => explorer.rebuild((view) => chooseEnds(view, facet.name,
    least === null && most === null ? {}
      : least !== null && most !== null && allows("$between") ? { $between: [least, most] }
        : allows("$gte") && allows("$lte") ? { $gte: least, $lte: most } : { $between: [least ?? String(told.min), most ?? String(told.max)] }), options);
  const box = (name, value, given) => h("input", { type: isTime ? "text" : "number", step: type === "integer" ? "1" : "any", value: value ?? "", placeholder: isTime ? moment(given) : String(given), "aria-label": `${label}, ${name}`, data: { key: `${name} ${facet.name}` },
    on: { change: () => change(low.value.trim() || null, high.value.trim() || null) } });
  const low = box("at least", ends.from, told.min);
  const high = box("at most", ends.to, told.max);
  return [
    slider({ last, from, to, label, key: `range ${facet.name}`, textOf: valueAt,
      move: (a, b) => {
        // A thumb that nobody moved leaves what was typed as it is.
        low.value = a === from ? (ends.from ?? "") : a === 0 ? "" : valueAt(a);
        high.value = b === to ? (ends.to ?? "") : b === last ? "" : valueAt(b);
      },
      change: () => change(low.value || null, high.value || null, { typing: true }) }),
    h("div", { class: "facet-ends" }, low, h("span", { class: "muted" }, "to"), high),
  ];
}
