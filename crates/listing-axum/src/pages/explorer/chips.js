// Several values as chips: typed one after another, or chosen from a list that a search fills.

import { h, icon, uniqueId } from "./element.js";
import { style } from "./style.js";

await style("builder.css");

/**
 * `values` are texts; `change(values)` is told of every new list. `textOf(value)` is what a chip shows. With `suggest(text, signal)`,
 * which gives `[{ id, label }]`, values are chosen; without it they are typed.
 */
export function chips({ label, values, change, textOf = (value) => value, suggest = null, most = Infinity, type = "text", key }) {
  let current = [...values];
  let options = [];
  let active = -1;
  let pending = null;
  /** Whether options for what was typed are on their way, and whether one of them has been chosen already by Enter. */
  let isComing = false;
  let isEntered = false;
  const list = h("ul", { class: "options", role: "listbox", id: uniqueId("options"), "aria-label": label, popover: "manual" });
  const input = h("input", {
    type,
    class: "chip-input",
    "aria-label": label,
    placeholder: suggest ? "Search…" : "Add…",
    autocomplete: "off",
    data: { key },
    ...(suggest ? { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id } : {}),
  });
  const box = h("div", { class: "chips" }, input, list);

  const update = (next) => {
    current = next;
    change(next);
    show();
  };
  const add = (value) => {
    input.value = "";
    close();
    if (value !== "" && !current.includes(value)) {
      update([...current, value]);
    }
  };
  const remove = (value) => {
    update(current.filter((one) => one !== value));
    input.focus();
  };
  const show = () => {
    box.querySelectorAll(".chip").forEach((chip) => chip.remove());
    input.before(...current.map((value) =>
      h("span", { class: "chip" }, h("span", { class: "chip-text" }, textOf(value)),
        h("button", { type: "button", "aria-label": `Remove ${textOf(value)}`, on: { click: () => remove(value) } }, icon("close")))));
    input.hidden = current.length >= most;
  };

  const close = () => {
    pending?.abort();
    isComing = isEntered = false;
    active = -1;
    if (list.matches(":popover-open")) {
      list.hidePopover();
    }
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (at) => {
    active = at;
    [...list.children].forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
    const option = list.children[at];
    option?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option?.id ?? "");
  };
  const offer = async () => {
    pending?.abort();
    pending = new AbortController();
    const { signal } = pending;
    isComing = true;
    isEntered = false;
    let found;
    try {
      await new Promise((resolve) => setTimeout(resolve, 120));
      if (signal.aborted) {
        return;
      }
      found = (await suggest(input.value.trim(), signal)).filter((one) => !current.includes(one.id));
    } catch {
      found = []; // Typed on meanwhile, or the list does not answer.
    }
    if (signal.aborted || document.activeElement !== input) {
      return;
    }
    options = found;
    isComing = false;
    list.replaceChildren(...options.map((one, at) =>
      h("li", { role: "option", id: uniqueId("option"), "aria-selected": "false", on: { pointerdown: (event) => { event.preventDefault(); add(one.id); }, pointermove: () => mark(at) } },
        h("span", {}, one.label), h("span", { class: "muted" }, one.id === one.label ? "" : one.id))));
    if (options.length === 0) {
      list.append(h("li", { class: "nothing", role: "option", "aria-disabled": "true", "aria-selected": "false" }, "Nothing found"));
    }
    const place = input.getBoundingClientRect();
    if (!list.matches(":popover-open")) {
      list.showPopover();
    }
    Object.assign(list.style, { left: `${place.left}px`, top: `${place.bottom + 4}px`, minWidth: `${Math.max(place.width, 220)}px` });
    input.setAttribute("aria-expanded", "true");
    mark(options.length > 0 ? 0 : -1);
    if (isEntered) {
      enter();
    }
  };
  /** Takes what is marked. Options that are on their way are waited for: what is marked until then is of what was typed before. */
  const enter = () => add(suggest ? (options[active]?.id ?? input.value.trim()) : input.value);

  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (isComing) {
        isEntered = true;
      } else {
        enter();
      }
    } else if (event.key === "Backspace" && input.value === "" && current.length > 0) {
      remove(current.at(-1));
    } else if (suggest && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      if (input.getAttribute("aria-expanded") === "true" && options.length > 0) {
        mark((active + (event.key === "ArrowDown" ? 1 : options.length - 1)) % options.length);
      } else {
        offer();
      }
    } else if (event.key === "Escape" && input.getAttribute("aria-expanded") === "true") {
      event.stopPropagation();
      event.preventDefault();
      close();
    }
  });
  input.addEventListener("paste", (event) => {
    const lines = event.clipboardData.getData("text").split(/\r?\n|\t/).map((line) => line.trim()).filter(Boolean);
    if (!suggest && lines.length > 1) {
      event.preventDefault();
      update([...new Set([...current, ...lines])].slice(0, most));
    }
  });
  if (suggest) {
    input.addEventListener("input", offer);
    input.addEventListener("click", offer);
    input.addEventListener("blur", close);
  } else {
    input.addEventListener("blur", () => input.value !== "" && add(input.value));
  }
  show();
  /** The names of values may have come meanwhile. The chips stay, so that none goes away under a press or with the focus. */
  const refresh = () => box.querySelectorAll(".chip").forEach((chip, at) => {
    const text = textOf(current[at]);
    chip.firstChild.textContent = text;
    chip.lastChild.setAttribute("aria-label", `Remove ${text}`);
  });
  return Object.assign(box, { refresh });
}
