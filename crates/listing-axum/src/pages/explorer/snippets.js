// The request in the languages that people paste it into, to be copied.

import { currentToken } from "./service.js";
import { asked } from "./asked.js";
import { h } from "./element.js";
import { toast } from "./popover.js";
import { isWhole } from "./request.js";

/** The languages, as buttons that copy the request. */
export function menu(panel, explorer, close) {
  panel.classList.add("menu");
  panel.append(...snippets(explorer).map(([name, text]) =>
    h("button", { type: "button", class: "menu-item", on: { click: async () => { close(); await copied(text, name); } } }, name)));
}

function snippets(explorer) {
  const url = new URL(explorer.address, location.href).href;
  const readable = url.replaceAll("%5B", "[").replaceAll("%5D", "]");
  const token = currentToken() !== "";
  return [
    ["Link to this page", location.href],
    ["URL", readable],
    ["curl", `curl -g ${shell(readable)}${token ? ' \\\n  -H "Authorization: Bearer $TOKEN"' : ""}`],
    ["fetch", fetchCode(readable, token)],
    // What only the text says, these could not say.
    ...(isWhole(explorer.view) ? [
      ["TypeScript client", clientCode(explorer, token)],
      ["JSON body", JSON.stringify(asked(explorer.view, explorer.listing, explorer.description), null, 2)],
    ] : []),
  ];
}

const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function fetchCode(url, token) {
  const options = token ? ", {\n  headers: { authorization: `Bearer ${token}` },\n}" : "";
  return `const response = await fetch(${JSON.stringify(url)}${options});\nif (!response.ok) throw new Error((await response.json()).message);\nconst { data, meta } = await response.json();\n`;
}

/** For the client that `listing client ts` writes. */
function clientCode(explorer, token) {
  const { listing } = explorer;
  const request = asked(explorer.view, listing, explorer.description);
  const options = literal({ baseUrl: location.origin }, 0).replace(" }", token ? ", token }" : " }");
  const name = listing.name.replace(/[_-]+(\w)/g, (_, letter) => letter.toUpperCase());
  const query = Object.keys(request).length > 0 ? literal(request, 0) : "";
  return `import { createClient } from "./client";\n\nconst client = createClient(${options});\nconst { data, meta } = await client.${name}.list(${query});\n`;
}

/** JSON as people write it in code: names without quotes where they need none. */
export function literal(value, depth) {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${keyOf(name)}: ${literal(one, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const line = open + parts.join(", ") + close;
  if (line.length + depth * 2 <= 76) {
    return line;
  }
  const indent = "  ".repeat(depth + 1);
  return `${open.trim()}\n${parts.map((part) => indent + part).join(",\n")},\n${"  ".repeat(depth)}${close.trim()}`;
}

/** In a literal, `__proto__` alone would not be a name like others. */
function keyOf(name) {
  const quoted = JSON.stringify(name);
  return name === "__proto__" ? `[${quoted}]` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted;
}

export async function copied(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${name} copied`);
  } catch {
    const area = h("textarea", { class: "offscreen", value: text, "aria-hidden": "true" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    toast(done ? `${name} copied` : "The browser does not let this page copy");
  }
}
