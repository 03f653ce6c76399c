// What the service did not like or did not know, or takes for a mistake, each with the control that it belongs to and what would mend it.

import { nearest } from "./nearest.js";
import { stepsOf } from "./text.js";

/** `{ place, item, message, token, fix, without }`, where `fix` is `{ text, pairs }`: what to press, and the query that it leads to. */
export function problemsOf(reply, listing) {
  if (!reply.ok) {
    return [refused(reply)];
  }
  const { ignored = {}, hints = [] } = reply.meta ?? {};
  return [
    ...Object.entries(ignored).flatMap(([parameter, names]) => names.map((name) => unknown(parameter, name, reply.sent, listing))),
    ...hints.map((message) => ({ place: "filters", item: null, message, isHint: true })),
  ];
}

const PLACES = new Map([["fields", "columns"], ["populate", "columns"], ["sort", "sort"], ["search", "search"], ["_q", "search"], ["pagination", "paging"], ["filters", "filters"], ["facets", "facets"], ["totals", "totals"], ["by", "by"]]);

function refused(reply) {
  const { parameter = "", token = null, nearest: meant = null, allowed = [] } = reply.json?.error?.details ?? {};
  const root = stepsOf(parameter)[0];
  const same = (one) => sameParameter(one.name, parameter);
  const inside = (one) => parameter !== "" && one.name.startsWith(parameter);
  const around = (one) => one.name !== "" && parameter.startsWith(`${one.name}[`);
  const pair = reply.sent.find(same) ?? reply.sent.find(inside) ?? reply.sent.find(around);
  const place = PLACES.get(root) ?? (root === "" ? placeOf(token, reply.sent) : "query");
  const target = meant ?? (token && allowed.length === 1 ? allowed[0] : null);
  // What no control shows can only be taken away here.
  const stray = reply.sent.filter((one) => one.isRest);
  const blamed = [same, (one) => one.name === token, inside, around].map((is) => stray.filter(is)).find((found) => found.length > 0);
  return {
    place: reply.status === 0 || reply.status >= 500 || [401, 403, 404].includes(reply.status) ? "whole" : (place ?? "query"),
    status: reply.status,
    code: reply.json?.error?.code ?? null,
    item: pair?.item ?? null,
    message: reply.problem,
    token,
    fix: token && target ? { text: `Use ${target}`, pairs: renamed(reply.sent, (one) => !parameter || inside(one) || same(one) || around(one), token, target) } : null,
    without: !target && blamed ? reply.sent.filter((one) => !blamed.includes(one)) : null,
  };
}

/** `filters[id][$in][0]`, `filters[id][$in][]` and `filters[id][$in]` are one parameter. */
const sameParameter = (a, b) => a.replace(/(\[\d*\])+$/, "") === b.replace(/(\[\d*\])+$/, "");

function placeOf(token, sent) {
  const pair = token && sent.find((one) => one.name.includes(token));
  return pair ? PLACES.get(stepsOf(pair.name)[0]) : null;
}

function unknown(parameter, name, sent, listing) {
  const last = name.split(".").at(-1);
  const known = { fields: listing.fields, sort: listing.sorts, populate: listing.relations, facets: listing.facets }[parameter] ?? [];
  const inside = name.includes(".") ? listing.related?.(name.split(".")[0]) : null;
  const among = inside ? { fields: inside.fields, populate: inside.relations }[parameter] ?? [] : known;
  const meant = nearest(inside ? last : name, among.map((one) => one.name));
  const token = inside ? last : name;
  const what = { fields: "field", sort: "sort", populate: "relation", facets: "facet", parameters: "parameter" }[parameter] ?? parameter;
  const mine = (one) => (parameter === "parameters" ? stepsOf(one.name)[0] === name : ["fields", "sort", "populate", "facets"].includes(stepsOf(one.name)[0]));
  return {
    place: PLACES.get(parameter) ?? "query",
    item: null,
    message: `There is no ${what} \`${name}\`; it was ignored.`,
    token,
    fix: meant ? { text: `Use ${meant}`, pairs: renamed(sent, mine, token, meant) } : null,
    without: renamed(sent, mine, token, null),
    isIgnored: true,
  };
}

/** The pairs with one name in place of another, or without it. */
function renamed(sent, isMeant, token, name) {
  return sent.flatMap((pair) => {
    if (!isMeant(pair)) {
      return [pair];
    }
    const steps = stepsOf(pair.name);
    if (steps.includes(token)) {
      return name === null ? [] : [{ name: bracketed(steps.map((step) => (step === token ? name : step))), value: pair.value }];
    }
    const value = pair.value
      .split(",")
      .map((part) => replaced(part, token, name))
      .filter((part) => part !== null)
      .join(",");
    return value === "" && pair.value !== "" ? [] : [{ name: pair.name, value }];
  });
}

function replaced(part, token, name) {
  const [path, direction] = part.split(":");
  const full = path.trim() === token;
  const steps = path.trim().split(".");
  if (!full && !steps.includes(token)) {
    return part;
  }
  if (name === null) {
    return null;
  }
  const renamedPath = full ? name : steps.map((step) => (step === token ? name : step)).join(".");
  return direction === undefined ? renamedPath : `${renamedPath}:${direction}`;
}

const bracketed = ([first, ...rest]) => first + rest.map((step) => `[${step}]`).join("");
