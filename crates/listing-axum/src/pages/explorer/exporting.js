// All rows that match as a file: how many there are, in which format, and what the service has against it.

import { countRows } from "./counting.js";
import { wordsOf } from "./description.js";
import { fill, h, icon, select } from "./element.js";
import { problemLine } from "./notices.js";
import { toast } from "./popover.js";
import { plainView, writeView } from "./request.js";
import { ask, currentToken, hasPositions } from "./service.js";
import { style } from "./style.js";
import { textOf } from "./text.js";

await style("many.css");

const FORMATS = new Map([["csv", "CSV"], ["ndjson", "Lines of JSON"], ["xlsx", "Excel"]]);

/** What each format takes, as `[parameter, words, values]`; values that are not sent come first. One that is not known takes nothing. */
const HEADER = ["header", "Headings", [["", "Names, as in requests"], ["titles", "Titles"], ["none", "None"]]];
const LABELS = ["labels", "Labels", [["", "None"], ["true", "Next to their values"]]];
const OPTIONS = new Map([
  ["csv", [HEADER, ["delimiter", "Between values", [["", "Comma"], [";", "Semicolon"], ["tab", "Tab"]]], ["bom", "Byte order mark", [["", "None"], ["true", "UTF-8, for Excel"]]], LABELS]],
  ["ndjson", [LABELS]],
  ["xlsx", [HEADER, LABELS]],
]);

/** Formats in which rows have their related rows, as in the list; the others have one line for each row. */
const NESTED = new Set(["ndjson"]);

/** What was chosen last, until the page is left. */
const chosen = { format: null, options: new Map() };

export function exportPanel(panel, explorer, close) {
  const { listing } = explorer;
  const { formats } = listing.operations.export;
  if (!formats.includes(chosen.format)) {
    [chosen.format] = formats;
  }
  const told = h("p", { class: "export-count", role: "status" }, "Counting…");
  const limit = h("input", { type: "number", min: "1", class: "small", id: "export-limit", on: { input: () => say() } });
  const options = h("div", { class: "export-options" });
  const note = h("p", { class: "muted" });
  const problems = h("div", { class: "problems", role: "alert" });
  const start = h("button", { type: "submit", class: "primary" }, icon("download"), "Download");
  let counted = null;

  const say = () => {
    const maxRows = mostOf(listing.operations.export);
    const wanted = limit.value === "" ? Infinity : Number(limit.value);
    const rows = counted?.count === undefined ? wanted : Math.min(counted.count, wanted);
    const isTooMany = counted !== null && rows > maxRows && Number.isFinite(rows);
    start.disabled = isTooMany || limit.validity.badInput || wanted < 1;
    told.textContent = counted === null ? "Counting…" : [
      Number.isFinite(rows) ? `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}` : `All rows that match; how many there are is not known (${counted.problem})`,
      Number.isFinite(rows) && rows < counted.count ? ` of ${counted.count.toLocaleString("en")}` : "",
      isTooMany ? `, and a file has at most ${maxRows.toLocaleString("en")}. Filter the list, or take the first ones.` : ".",
    ].join("");
  };
  const showFormat = () => {
    fill(options, ...(OPTIONS.get(chosen.format) ?? []).map(([name, words, values]) =>
      h("label", {}, h("span", {}, words), select(values, chosen.options.get(name) ?? "", (value) => chosen.options.set(name, value), { data: { key: name } }))));
    const few = NESTED.has(chosen.format) ? [] : relationsToMany(explorer);
    note.hidden = few.length === 0;
    note.textContent = `For ${few.map(wordsOf).join(", ")}, the file has the number of rows instead of the rows.`;
    say();
  };

  const download = async (event) => {
    event.preventDefault();
    problems.replaceChildren();
    start.disabled = true;
    const found = await addressOf(explorer, limit.value);
    start.disabled = false;
    if (found.problem) {
      problems.replaceChildren(problemLine(found.problem));
      return;
    }
    const link = h("a", { href: found.address, download: "" });
    panel.append(link);
    link.click();
    link.remove();
    close();
    toast("The browser downloads the file");
  };
  panel.append(
    h("div", { class: "panel-head" }, h("h2", {}, "Export")),
    h("form", { class: "export", novalidate: true, on: { submit: download } }, told,
      h("label", {}, h("span", {}, "Format"), select(formats.map((one) => [one, FORMATS.get(one) ?? one.toUpperCase()]), chosen.format, (format) => { chosen.format = format; showFormat(); }, { data: { key: "format" } })),
      h("label", {}, h("span", {}, "At most"), h("span", { class: "inline" }, limit, "rows")),
      options, note, problems, h("div", { class: "dialog-actions" }, start)));
  showFormat();
  countRows(explorer).then((found) => {
    counted = found;
    say();
  });
}

/** The most rows of a file: some formats have a number of their own, `xlsxMaxRows`. */
const mostOf = (described) => described[`${chosen.format}MaxRows`] ?? described.maxRows;

/** The address of the file, once the service has nothing against its first row: what a browser downloads, it does not show. */
async function addressOf(explorer, limit) {
  const path = explorer.listing.operations.export.path.replace("{format}", chosen.format);
  const address = (rows) => {
    const query = textOf(pairsOf(explorer, rows));
    return query ? `${path}?${query}` : path;
  };
  // Both of the list as it is now: another one may be shown by the time the first is answered.
  const [first, wanted] = [address("1"), address(limit)];
  const tried = await ask(first);
  if (tried.status !== 200) {
    return tried;
  }
  // A browser that downloads sends neither a token nor positions; where there are none, nothing is asked for.
  if (currentToken() === "" && !hasPositions()) {
    return { address: wanted };
  }
  const ticket = await ask(explorer.describe.replace(/_describe$/, "_tickets"), { method: "POST", body: { path: wanted } });
  return ticket.ok ? { address: ticket.json.data.path } : ticket;
}

/** The request of the list as one of a file. */
function pairsOf({ view, listing }, limit) {
  const options = (OPTIONS.get(chosen.format) ?? []).map(([name]) => ({ name, value: chosen.options.get(name) ?? "" }));
  const plain = { facets: null, totals: null, asked: null, paging: plainView().paging };
  return [
    ...writeView({ ...view, ...plain, populate: NESTED.has(chosen.format) ? view.populate : view.populate && counts(view.populate, listing) }, listing),
    ...options.filter(({ value }) => value !== ""),
    ...(limit === "" ? [] : [{ name: "pagination[limit]", value: limit }]),
  ];
}

const isToMany = (listing, { name }) => listing?.relations.find((one) => one.name === name)?.kind === "toMany";

/** Where there is one line for each row, relations to many are counts. */
function counts(populate, listing) {
  return populate.map((want) => {
    const related = listing?.related(want.name);
    return isToMany(listing, want) ? { ...want, count: true, fields: null, sort: null, limit: null, populate: null } : { ...want, populate: want.populate && counts(want.populate, related) };
  });
}

/** The relations that become counts, though the list shows their rows. */
function relationsToMany({ view, listing }) {
  const inside = (populate, of, before) => (populate ?? []).flatMap((want) => {
    const name = `${before}${want.name}`;
    return isToMany(of, want) ? (want.count ? [] : [name]) : inside(want.populate, of?.related(want.name), `${name}.`);
  });
  return inside(view.populate, listing, "");
}
