// Signs in with a token, which is kept for as long as the tab is open.

import { h } from "./element.js";
import { problemLine } from "./notices.js";
import { dialog } from "./dialog.js";
import { toast } from "./popover.js";
import { ask, currentToken, TOKEN, useToken } from "./service.js";

/** Keeps a token for as long as this tab is open; an empty one is forgotten. */
function setToken(text) {
  const token = text.trim().replace(/^bearer\s+/i, "");
  useToken(token);
  try {
    if (token) {
      sessionStorage.setItem(TOKEN, token);
    } else {
      sessionStorage.removeItem(TOKEN);
    }
  } catch {
    // A browser that stores nothing still has it until the page is left.
  }
}

export function signIn(explorer) {
  const input = h("input", { type: "password", id: "token", autocomplete: "off", value: currentToken(), spellcheck: "false", "aria-describedby": "token-problem" });
  const problem = h("div", { class: "problems", id: "token-problem", role: "alert" });
  let isAsking = false;
  const use = async (text) => {
    if (isAsking) {
      return; // Pressed again: the token that is tried is not the one to go back to.
    }
    const before = currentToken();
    setToken(text);
    isAsking = true;
    const reply = await ask(explorer.describe);
    isAsking = false;
    // A token that the service does not take would make every request fail.
    if (reply.status === 401 && currentToken()) {
      setToken(before);
      problem.replaceChildren(problemLine(reply.problem));
      input.setAttribute("aria-invalid", "true");
      input.focus();
      return;
    }
    box.close();
    toast(currentToken() ? "Signed in" : "Signed out");
    explorer.start();
  };
  const box = dialog({ title: "Sign in" },
    h("form", { class: "form", on: { submit: (event) => { event.preventDefault(); use(input.value); } } },
      h("div", { class: "field" }, h("label", { for: "token" }, "Token"), input, problem,
        h("p", { class: "muted" }, "Sent as ", h("code", {}, "Authorization: Bearer …"), " with every request of this tab, and forgotten when the tab is closed."),
        explorer.description?.authentication === null && h("p", { class: "muted" }, "This service does not say that it knows any tokens; one may have no effect.")),
      h("div", { class: "dialog-actions" },
        currentToken() && h("button", { type: "button", on: { click: () => use("") } }, "Sign out"),
        h("button", { type: "submit", class: "primary" }, "Sign in"))));
  input.focus();
}
