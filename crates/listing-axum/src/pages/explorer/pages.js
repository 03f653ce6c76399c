// The foot of the list: pages or cursors, how many rows, and what the answer took.

import { fill, h, icon, select } from "./element.js";
import { problemSlot } from "./notices.js";

export function pages(region, explorer) {
  const line = h("div", { class: "foot-line" });
  region.append(problemSlot(explorer, "paging"), line);
  const render = () => {
    if (explorer.listing) {
      fill(line, walk(explorer), size(explorer), mode(explorer), h("span", { class: "fill" }), cost(explorer));
    }
  };
  let renderReply = render;
  import("./undisturbed.js").then(({ undisturbed }) => { renderReply = undisturbed(line, render); });
  explorer.on("replaced", render);
  explorer.on("replied", () => renderReply());
}

/** Where the page before and the page after are; none where there is none. */
export function neighbours(explorer) {
  const { paging } = explorer.view;
  const told = explorer.reply?.meta?.pagination;
  if (!told) {
    return { before: null, after: null };
  }
  if (paging.mode === "cursor") {
    const to = (cursor) => (cursor ? { cursor } : null);
    return { before: to(told.prevCursor), after: to(told.nextCursor) };
  }
  if (paging.mode === "offset") {
    const more = told.hasMore ?? told.start + told.limit < told.total;
    return { before: told.start > 0 ? { start: Math.max(0, told.start - told.limit) } : null, after: more ? { start: told.start + told.limit } : null };
  }
  const more = told.hasMore ?? told.page < told.pageCount;
  return { before: told.page > 1 ? { page: told.page - 1 } : null, after: more ? { page: told.page + 1 } : null };
}

export function turn(explorer, to) {
  if (to) {
    explorer.change((view) => Object.assign(view.paging, to), { keepPage: true });
    document.getElementById("results").scrollIntoView({ block: "nearest" });
  }
}

function walk(explorer) {
  const { before, after } = neighbours(explorer);
  const told = explorer.reply?.meta?.pagination ?? {};
  const { paging } = explorer.view;
  const button = (to, name, text) => h("button", { type: "button", class: "icon-button", disabled: !to, "aria-label": text, title: text, data: { key: name }, on: { click: () => turn(explorer, to) } }, icon(name === "previous" ? "left" : "chevron"));
  return h("nav", { class: "walk", "aria-label": "Pages" },
    button(before, "previous", "Previous page"),
    paging.mode === "page" && told.page !== undefined && h("label", {}, h("span", { class: "offscreen" }, "Page"),
      h("input", { type: "number", min: "1", class: "small", value: String(told.page), data: { key: "page" }, on: { change: (event) => turn(explorer, { page: event.target.value || 1 }) } }),
      told.pageCount !== undefined && h("span", { class: "muted" }, ` of ${told.pageCount.toLocaleString("en")}`)),
    button(after, "next", "Next page"),
    h("span", { class: "muted range-text" }, rangeText(explorer)));
}

/** `488`, `more than 10,000` where counting stopped there, or `about 12,345`. */
export function totalText(told, listing) {
  const stops = /^(auto|capped)/.test(listing.pagination?.count ?? "") || (told.page !== undefined && told.pageCount === undefined);
  const about = told.totalIsExact === false ? (stops ? "more than " : "about ") : "";
  return `${about}${told.total.toLocaleString("en")}`;
}

/** `1–25 of 488` */
export function rangeText(explorer) {
  const told = explorer.reply?.meta?.pagination;
  const items = explorer.reply?.items;
  if (!told || !items) {
    return "";
  }
  const first = told.page !== undefined ? (told.page - 1) * told.pageSize + 1 : told.start !== undefined ? told.start + 1 : null;
  const total = told.total === undefined ? "" : ` of ${totalText(told, explorer.listing)}`;
  if (items.length === 0) {
    return told.total ? `none${total}` : "no rows";
  }
  return first === null ? `${items.length} rows${total}` : `${first.toLocaleString("en")}–${(first + items.length - 1).toLocaleString("en")}${total}`;
}

function size(explorer) {
  const { pageSize, maxPageSize } = explorer.listing.pagination ?? { pageSize: 25, maxPageSize: 100 };
  const current = explorer.view.paging.size ?? String(pageSize);
  const sizes = [...new Set([10, 25, 50, 100, pageSize, maxPageSize].filter((one) => one <= maxPageSize).map(String).concat(String(current)))].sort((a, b) => a - b);
  return h("label", { class: "inline muted" }, select(sizes.map((one) => [one, one]), String(current), (chosen) => explorer.change((view) => { view.paging.size = chosen === String(pageSize) ? null : chosen; }), { data: { key: "size" }, "aria-label": "Rows per page" }), "per page");
}

function mode(explorer) {
  const names = { page: "pages", cursor: "cursor", offset: "offset" };
  const modes = (explorer.listing.pagination?.modes ?? ["page"]).filter((one) => one !== "offset" || explorer.view.paging.mode === "offset");
  return modes.length > 1 && !explorer.isGrouped && h("label", { class: "inline muted" }, "by", select(modes.map((one) => [one, names[one] ?? one]), explorer.view.paging.mode, (chosen) => explorer.change((view) => { view.paging.mode = chosen; }), { data: { key: "mode" }, "aria-label": "How pages are walked" }));
}

function cost(explorer) {
  const { reply } = explorer;
  if (!reply || reply.listing !== explorer.listing) {
    return null;
  }
  const parts = [`${reply.milliseconds < 10 ? reply.milliseconds.toFixed(1) : Math.round(reply.milliseconds)} ms`, bytes(reply.bytes)];
  if (reply.onWire && reply.onWire < reply.bytes * 0.9) {
    parts.push(`${bytes(reply.onWire)} sent`);
  }
  parts.push(...(reply.timings ?? []));
  return h("span", { class: "muted cost", title: "Time until the whole answer was here, its size, what was sent of it after compression, and what the service tells of its own time" }, `${reply.status || "no answer"} · ${parts.join(" · ")}`);
}

const bytes = (count) => (count < 1024 ? `${count} B` : `${(count / 1024).toFixed(1)} KB`);
