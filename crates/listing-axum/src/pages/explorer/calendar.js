// A facet over time: a bar for each unit, brushed by the pointer or chosen by two thumbs.

import { drawn, h, select } from "./element.js";
import { chooseEnds, endsIn } from "./choose.js";
import { slider } from "./slider.js";
import { named, unitsOf } from "./units.js";

const [WIDTH, HEIGHT] = [200, 56];

export function calendar({ told, facet, filter, label, explorer, option }) {
  const { values, unit } = told;
  const chosenUnit = select(unitsOf(filter?.type).map((one) => [one, `by ${one}`]), unit, (value) => option("unit", value), { "aria-label": `Unit of ${label}`, data: { key: `unit ${facet.name}` } });
  if (values.length === 0) {
    return [h("p", { class: "muted" }, "No rows have a value."), chosenUnit];
  }
  const last = values.length - 1;
  const most = Math.max(...values.map(({ count }) => count), 1);
  const wide = WIDTH / values.length;
  const bars = values.map(({ count }, at) => drawn("rect", { x: at * wide, y: HEIGHT - Math.max(count > 0 ? 1.5 : 0, (count / most) * HEIGHT), width: Math.max(0.6, wide - Math.min(1.5, wide * 0.2)), height: Math.max(count > 0 ? 1.5 : 0, (count / most) * HEIGHT) }));
  const top = values.find(({ count }) => count === most);
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const chart = drawn("svg", { class: "brush", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${label} by ${unit}: ${total.toLocaleString("en")} rows from ${values[0].value} to ${values[last].value}${top ? `, most in ${top.value}: ${most.toLocaleString("en")}` : ""}` }, ...bars);

  const ends = endsIn(explorer.view, facet.name);
  const reached = (text) => Date.parse(text);
  const first = ends.from === null ? 0 : Math.max(0, values.findLastIndex(({ from }) => reached(from) <= reached(ends.from)));
  const after = ends.to === null ? -1 : values.findIndex(({ to }) => reached(to) >= reached(ends.to));
  const until = after < 0 ? last : after;
  const isChosen = ends.from !== null || ends.to !== null;
  const words = h("span", {});
  const span = (a, b) => (a === b ? named(values[a].value, unit) : `${named(values[a].value, unit)} – ${named(values[b].value, unit)}`);
  const mark = (a, b) => {
    bars.forEach((bar, at) => bar.classList.toggle("out", at < a || at > b));
    const rows = values.slice(a, b + 1).reduce((sum, { count }) => sum + count, 0);
    words.textContent = `${span(a, b)} · ${rows.toLocaleString("en")}`;
  };
  const change = (a, b, typing) => {
    const isAll = a === 0 && b === last;
    explorer.rebuild((view) => chooseEnds(view, facet.name, isAll ? {} : { $gte: brief(values[a].from), $lt: brief(values[b].to) }), { typing });
  };
  const canChoose = ["$gte", "$lt"].every((operator) => filter?.operators.includes(operator));
  const thumbs = canChoose && slider({ last, from: first, to: Math.max(first, until), label, key: `calendar ${facet.name}`, move: mark, change: (a, b) => change(a, b, true),
    textOf: (at) => `${values[at].value}, ${values[at].count.toLocaleString("en")} rows` });
  mark(first, Math.max(first, until));
  if (thumbs) {
    brushed(chart, values.length, thumbs, change);
  }
  return [chart, thumbs, h("div", { class: "facet-line wraps" }, words, chosenUnit), !canChoose && isChosen && h("p", { class: "muted" }, "Filtered")].filter(Boolean);
}

/** A moment without a fraction of which every digit is 0. */
const brief = (moment) => moment.replace(/\.0+(?=\D|$)/, "");

/** A drag over the bars chooses those from where it began to where it ended; a press chooses one. */
function brushed(chart, count, thumbs, change) {
  const at = (event) => {
    const place = chart.getBoundingClientRect();
    return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - place.left) / place.width) * count)));
  };
  let began = null;
  const sorted = (event) => [began, at(event)].sort((a, b) => a - b);
  chart.addEventListener("pointerdown", (event) => {
    began = at(event);
    chart.setPointerCapture(event.pointerId);
    thumbs.set(began, began);
  });
  chart.addEventListener("pointermove", (event) => began !== null && thumbs.set(...sorted(event)));
  chart.addEventListener("pointerup", (event) => {
    if (began !== null) {
      const ends = sorted(event);
      began = null;
      change(...ends);
    }
  });
  chart.addEventListener("pointercancel", () => { began = null; });
}
