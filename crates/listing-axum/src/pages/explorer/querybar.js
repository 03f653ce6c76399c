// The request as it will be sent: live, to be copied, edited and pasted into.

import { h, icon } from "./element.js";
import { problemSlot } from "./notices.js";
import { opens, toast } from "./popover.js";
import { taken } from "./text.js";

const GROUPS = /\/_groups\/?$/;
const isOfGroups = (path) => GROUPS.test(path);

export function queryBar(region, explorer) {
  const input = h("textarea", {
    id: "query", rows: "1", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "soft",
    "aria-label": "The request; paste a query string, an address or a curl command here",
    title: "Edit, or paste a query string, an address or a curl command",
  });
  const fit = () => {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight}px`;
  };
  const method = h("span", { class: "method" }, "GET");
  const drawn = h("div", { class: "query-drawn", "aria-hidden": "true" });
  const show = () => {
    if (explorer.listing) {
      input.value = explorer.address;
      drawn.replaceChildren(...coloured(explorer.address));
      method.textContent = explorer.method;
      method.title = explorer.method === "POST" ? "Too long for an address: sent as a body of JSON" : "";
      fit();
    }
  };
  const apply = () => {
    const { path, query } = taken(input.value);
    const listing = path === null ? explorer.listing : explorer.description.atPath(path.replace(GROUPS, ""));
    if (!listing) {
      toast(`There is no list at ${path}`);
      return;
    }
    explorer.go(listing, query, {}, { grouped: path === null ? explorer.isGrouped : isOfGroups(path) });
    show();
  };
  input.addEventListener("input", fit);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      apply();
    } else if (event.key === "Escape") {
      show();
      input.blur();
    }
  });
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    const whole = input.selectionStart === 0 && input.selectionEnd === input.value.length;
    // A whole request takes the place of this one, wherever the cursor is.
    if (whole || /^\s*(curl\s|https?:\/\/|\/|GET\s|\?)/.test(text)) {
      event.preventDefault();
      input.value = text;
      apply();
    }
  });
  input.addEventListener("blur", () => input.value.trim() !== explorer.address && explorer.listing && apply());

  const copy = h("button", { type: "button", class: "quiet" }, icon("copy"), "Copy", icon("chevron-down"));
  const menu = opens(copy, "Copy the request", async (panel) => {
    (await import("./snippets.js")).menu(panel, explorer, () => menu.close());
  });
  region.append(h("div", { class: "query-line" }, method, h("div", { class: "query-text" }, input, drawn), copy), problemSlot(explorer, "query"));
  explorer.on("replaced changed", show);
  addEventListener("resize", fit);
}

/** The request with its parts in colour; it lies on the text until that is edited. */
function coloured(address) {
  const [path, query = ""] = address.split(/\?(.*)/s);
  const part = (name, text) => h("span", { class: `q-${name}` }, text);
  const pairs = query === "" ? [] : query.split("&").flatMap((pair, at) => {
    const [name, value] = pair.split(/=(.*)/s);
    const [root, ...steps] = name.split("[");
    return [part("mark", at === 0 ? "?" : "&"), part("root", root),
      ...steps.flatMap((step) => [part("mark", "["), part(step.startsWith("$") ? "operator" : "name", step.slice(0, -1)), part("mark", "]")]),
      part("mark", "="), part("value", value ?? ""), h("wbr")];
  });
  return [part("path", path), h("wbr"), ...pairs];
}
