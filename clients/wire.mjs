// In: requests of any client in this process. Out: what really goes over the wire, as Node itself reports it.
//
// No client is wrapped or patched for it: Node announces each request of its `http` module and of `fetch`.

import { subscribe } from "node:diagnostics_channel";

const sent = [];
const note = ({ request }) => sent.push({ method: request.method, path: request.path });
subscribe("http.client.request.start", note);
subscribe("undici:request:create", note);

/** The query string of the last request, without its `?`. */
export function lastQuery() {
  const path = sent.at(-1)?.path ?? "";
  const at = path.indexOf("?");
  return at < 0 ? "" : path.slice(at + 1);
}

/** Method and path of the last request, without the query string. */
export function lastTarget() {
  const { method, path } = sent.at(-1) ?? {};
  return `${method} ${path?.split("?")[0]}`;
}
