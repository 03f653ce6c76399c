// A slider with two thumbs: two controls of the browser's own, one on the other, so that the keyboard works as everywhere.

import { h } from "./element.js";

/** Positions from 0 to `last`; `change(from, to)` is told when a thumb has come to rest, `move(from, to)` all the while. */
export function slider({ last, from, to, label, key, textOf, change, move = () => {} }) {
  const thumb = (value, name) => h("input", { type: "range", min: "0", max: String(last), step: "1", value: String(value), "aria-label": `${label}, ${name}`, data: { key: `${key} ${name}` } });
  const [low, high] = [thumb(from, "from"), thumb(to, "to")];
  low.value = String(from);
  high.value = String(to);
  const box = h("div", { class: "slider" }, h("span", { class: "track" }), low, high);
  const show = () => {
    const [a, b] = [Number(low.value), Number(high.value)];
    box.style.setProperty("--from", String(last > 0 ? a / last : 0));
    box.style.setProperty("--to", String(last > 0 ? b / last : 1));
    low.setAttribute("aria-valuetext", textOf(a, "from"));
    high.setAttribute("aria-valuetext", textOf(b, "to"));
    // Where both are at the end, the one that can still go back must be on top.
    low.classList.toggle("on-top", a >= last);
  };
  const moved = () => {
    show();
    move(Number(low.value), Number(high.value));
  };
  low.addEventListener("input", () => { low.value = String(Math.min(Number(low.value), Number(high.value))); moved(); });
  high.addEventListener("input", () => { high.value = String(Math.max(Number(low.value), Number(high.value))); moved(); });
  for (const one of [low, high]) {
    one.addEventListener("change", () => change(Number(low.value), Number(high.value)));
  }
  show();
  return Object.assign(box, { set: (a, b) => { low.value = String(a); high.value = String(b); moved(); } });
}
