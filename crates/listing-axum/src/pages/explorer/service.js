// Sends requests to the service, with the caller's token, and measures the answers.

export const TOKEN = "listing-explorer-token";

let token = remembered();

function remembered() {
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

export const currentToken = () => token;

export const useToken = (text) => {
  token = text;
};

/** Whom the token is about, if it says so. */
export function signedInAs() {
  const [, payload] = token.split(".");
  try {
    const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return String(claims.name ?? claims.email ?? claims.sub ?? "");
  } catch {
    return "";
  }
}

/** How far the database was; later reads see as much. */
let positions = [];

export const hasPositions = () => positions.length > 0;

/** In place of an answer that did not come, or not as a whole. */
export const unanswered = (problem, started = performance.now()) => ({ ok: false, status: 0, json: null, text: "", milliseconds: performance.now() - started, bytes: 0, problem });

/** An answer: its status, its JSON, and what it took. A body that is a text is JSON already. */
export async function ask(path, { method = "GET", body, headers = {}, signal } = {}) {
  const started = performance.now();
  const brought = positions;
  let response;
  let text;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(brought[0] && { "listing-position": brought.join() }),
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    text = await response.text();
    const told = response.headers.get("listing-position");
    // It includes what was brought.
    positions = told ? [told, ...positions.filter((one) => !brought.includes(one))] : positions;
  } catch (error) {
    if (error.name === "AbortError") {
      throw error;
    }
    return unanswered(response ? "The connection broke before the whole answer was here." : "The service does not answer.", started);
  }
  const milliseconds = performance.now() - started;
  let json = null;
  try {
    json = /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
  } catch {
    // Something in front of the service answered.
  }
  return {
    ok: response.ok && json !== null,
    status: response.status,
    json,
    text,
    milliseconds,
    bytes: new Blob([text]).size,
    onWire: bytesOnWire(path),
    tag: response.headers.get("etag"),
    timings: timingsOf(response.headers.get("server-timing")),
    problem: json?.error?.message ?? json?.message ?? `The answer was ${response.status} ${response.statusText}.`,
  };
}

/** An integer that a number of JavaScript cannot hold stays text, where the browser tells how it was written. */
function exact(_, value, context) {
  const isLost = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "");
  return isLost ? context.source : value;
}

/** Bytes on the wire, which compression makes fewer. */
function bytesOnWire(path) {
  const entry = performance.getEntriesByName(new URL(path, location.href).href).at(-1);
  // The browser notes so many, and then no more.
  if (performance.getEntriesByType("resource").length > 200) {
    performance.clearResourceTimings();
  }
  return entry?.encodedBodySize || null;
}

/** What a `Server-Timing` header tells: `sql;desc="3 statements";dur=1.2` is `3 statements 1.2 ms`. */
function timingsOf(header) {
  return (header?.match(/(?:[^,"]|"[^"]*")+/g) ?? []).map((metric) => {
    const [name] = metric.trim().split(";");
    const [, said] = /desc=(?:"([^"]*)"|[^;]*)/.exec(metric) ?? [];
    const [, took] = /dur=([\d.]+)/.exec(metric) ?? [];
    return `${said || name}${took ? ` ${took} ms` : ""}`;
  });
}
