// A chart of one number of groups, as bars or lines, drawn by hand.

import { drawn, h } from "./element.js";
import { digits } from "./totals.js";
import { following, named } from "./units.js";

const [WIDTH, HEIGHT] = [920, 260];
const PLACE = { left: 64, right: 12, top: 12, bottom: 30 };

/** More series no one can tell apart. */
const SERIES = 8;
/** More places between two units of a calendar are not filled. */
const PLACES = 400;

/** The first key is the axis; the others make series. */
export function chart({ items, keys, number, as, isAll }) {
  const [axis, ...others] = keys;
  const places = placesOf(items, axis, isAll && number.adds);
  const series = seriesOf(items, axis, others, number);
  const shown = number.adds ? joined(series) : series.slice(0, SERIES);
  const isStacked = as === "bars" && shown.length > 1;
  const values = shown.map((one) => places.map(({ value }) => one.values.get(value) ?? (isAll && number.adds ? 0 : null)));
  const sums = places.map((_, at) => values.reduce((sum, list) => sum + Math.max(0, list[at] ?? 0), 0));
  const all = isStacked ? sums : values.flat().filter((value) => value !== null);
  const [bottom, top, step] = scaleOf(Math.min(0, ...all), Math.max(0, ...all));
  const y = (value) => PLACE.top + (1 - (value - bottom) / (top - bottom)) * (HEIGHT - PLACE.top - PLACE.bottom);
  const wide = (WIDTH - PLACE.left - PLACE.right) / Math.max(1, places.length);
  const x = (at) => PLACE.left + at * wide + wide / 2;

  const parts = [...gridOf(bottom, top, step, y), ...labelsOf(places, wide, x)];
  if (as === "bars") {
    parts.push(...barsOf({ places, shown, values, isStacked, wide, x, y, number }));
  } else {
    parts.push(...linesOf({ places, shown, values, x, y, number }));
  }
  return [
    h("div", { class: "chart-scroll", tabIndex: 0, role: "region", "aria-label": "Chart" }, drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": inWords(axis, places, shown, values, number) }, ...parts)),
    shown.length > 1 && h("ul", { class: "legend" }, shown.map(({ text }, at) => h("li", {}, h("span", { class: `swatch series-${at}` }), text)),
      series.length > SERIES && !number.adds && h("li", { class: "muted" }, `and ${series.length - SERIES} more, in the table`)),
  ];
}

/** The places on the axis: of a calendar in the order of time, with empty units between where the groups are all there. */
function placesOf(items, axis, isFilled) {
  const found = new Map(items.map((group) => [axis.valueOf(group), axis.labelOf(group)]));
  const places = [...found].map(([value, text]) => ({ value, text }));
  if (!axis.isTime) {
    return places;
  }
  const times = places.filter(({ value }) => value !== null).sort((a, b) => (a.value < b.value ? -1 : 1));
  const filled = isFilled ? times.flatMap((place, at) => [place, ...between(place.value, times[at + 1]?.value, axis.unit)]) : times;
  return filled.length <= PLACES ? [...filled, ...places.filter(({ value }) => value === null)] : times;
}

function between(from, to, unit) {
  const empty = [];
  for (let value = to && following(from, unit); to && value < to && empty.length < PLACES; value = following(value, unit)) {
    empty.push({ value, text: named(value, unit) });
  }
  return empty;
}

/** `[{ text, values }]`, the largest first. */
function seriesOf(items, axis, others, number) {
  const series = new Map();
  for (const group of items) {
    const text = others.map((key) => key.labelOf(group)).join(", ") || number.text;
    const id = JSON.stringify(others.map((key) => key.valueOf(group)));
    const one = series.get(id) ?? { text, values: new Map(), size: 0 };
    const value = number.of(group);
    if (value !== null) {
      one.values.set(axis.valueOf(group), Number(value));
      one.size += Math.abs(Number(value));
    }
    series.set(id, one);
  }
  return [...series.values()].sort((a, b) => b.size - a.size);
}

/** The smallest series as one, where their numbers can be added. */
function joined(series) {
  const small = series.slice(SERIES - 1);
  if (small.length < 2) {
    return series;
  }
  const values = new Map();
  for (const [place, value] of small.flatMap((one) => [...one.values])) {
    values.set(place, (values.get(place) ?? 0) + value);
  }
  return [...series.slice(0, SERIES - 1), { text: `${small.length} others`, values }];
}

/** The ends of the axis and the distance of its lines, in round numbers. */
function scaleOf(least, most) {
  const raw = (most - least || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= raw) * power;
  return [Math.floor(least / step) * step, Math.max(Math.ceil(most / step), 1) * step, step];
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

function gridOf(bottom, top, step, y) {
  const lines = [];
  for (let at = 0; at <= Math.round((top - bottom) / step); at += 1) {
    const value = bottom + at * step;
    lines.push(drawn("line", { class: "grid", x1: PLACE.left, x2: WIDTH - PLACE.right, y1: y(value), y2: y(value) }),
      drawn("text", { class: "tick-text end", x: PLACE.left - 8, y: y(value) + 4 }, COMPACT.format(value)));
  }
  return lines;
}

/** As many words under the axis as there is room for. */
function labelsOf(places, wide, x) {
  const longest = Math.min(16, Math.max(4, ...places.map(({ text }) => String(text).length)));
  const each = Math.max(1, Math.ceil((longest * 6.6 + 8) / wide));
  const room = Math.max(3, Math.floor((wide * each - 6) / 6.4));
  return places.flatMap(({ text }, at) => (at % each === 0 ? [drawn("text", { class: "tick-text", x: x(at), y: HEIGHT - 10 }, shortened(String(text), room))] : []));
}

const shortened = (text, room) => (text.length > room ? `${text.slice(0, room - 1)}…` : text);

const titled = (element, text) => {
  element.append(drawn("title", {}, text));
  return element;
};

const words = (place, series, value, shown) => `${place.text}${shown.length > 1 ? `, ${series.text}` : ""}: ${digits(value)}`;

function barsOf({ places, shown, values, isStacked, wide, x, y }) {
  const width = Math.max(1, Math.min(48, wide * 0.72));
  const base = places.map(() => 0);
  return shown.flatMap((series, index) => places.flatMap((place, at) => {
    const value = values[index][at];
    if (!value) {
      return [];
    }
    const from = isStacked ? base[at] : 0;
    base[at] = from + value;
    const [high, low] = [y(Math.max(from, from + value)), y(Math.min(from, from + value))];
    return [titled(drawn("rect", { class: `bar series-${index}`, x: x(at) - width / 2, y: high, width, height: Math.max(1, low - high), rx: isStacked ? 0 : Math.min(3, width / 4) }), words(place, series, value, shown))];
  }));
}

function linesOf({ places, shown, values, x, y }) {
  return shown.flatMap((series, index) => {
    const list = values[index];
    let isDown = false;
    const path = list.map((value, at) => {
      const step = value === null ? "" : `${isDown ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      isDown = value !== null;
      return step;
    }).join("");
    const area = shown.length === 1 && !list.includes(null) && list.length > 1
      ? [drawn("path", { class: "area", d: `${path}L${x(list.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z` })] : [];
    const dots = places.flatMap((place, at) => (list[at] === null ? [] : [titled(drawn("circle", { class: `point series-${index}`, cx: x(at), cy: y(list[at]), r: places.length > 60 ? 1.5 : 3 }), words(place, series, list[at], shown))]));
    return [...area, drawn("path", { class: `stroke series-${index}`, d: path }), ...dots];
  });
}

/** What the chart says, for those who do not see it; the table below it has every number. */
function inWords(axis, places, shown, values, number) {
  const all = shown.flatMap((series, index) => places.flatMap((place, at) => (values[index][at] === null ? [] : [{ text: words(place, series, values[index][at], shown), value: values[index][at] }])));
  if (all.length === 0) {
    return `${number.text} by ${axis.text}: no values`;
  }
  const most = all.reduce((a, b) => (b.value > a.value ? b : a));
  const least = all.reduce((a, b) => (b.value < a.value ? b : a));
  return `${number.text} by ${axis.text}: ${places.length} places${shown.length > 1 ? `, ${shown.length} series` : ""}. Largest, ${most.text}. Smallest, ${least.text}. The table below has all of them.`;
}
