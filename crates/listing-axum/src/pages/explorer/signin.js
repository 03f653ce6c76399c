// Signs in with a token, which is kept for as long as the tab is open.

import { h } from "./element.js";
import { dialog, toast } from "./popover.js";
import { currentToken, setToken } from "./service.js";

export function signIn(explorer) {
  const input = h("input", { type: "password", id: "token", autocomplete: "off", value: currentToken(), spellcheck: "false" });
  const use = (text) => {
    setToken(text);
    box.close();
    toast(currentToken() ? "Signed in" : "Signed out");
    explorer.start();
  };
  const box = dialog({ title: "Sign in" },
    h("form", { class: "form", on: { submit: (event) => { event.preventDefault(); use(input.value); } } },
      h("div", { class: "field" }, h("label", { for: "token" }, "Token"), input,
        h("p", { class: "muted" }, "Sent as ", h("code", {}, "Authorization: Bearer …"), " with every request of this tab, and forgotten when the tab is closed.")),
      h("div", { class: "dialog-actions" },
        currentToken() && h("button", { type: "button", on: { click: () => use("") } }, "Sign out"),
        h("button", { type: "submit", class: "primary" }, "Sign in"))));
  input.focus();
}
