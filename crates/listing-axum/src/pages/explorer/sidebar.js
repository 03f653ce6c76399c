// The lists that there are, and the views that were saved.

import { fill, h, icon, iconButton } from "./element.js";
import { pageLink } from "./related.js";
import { forgetView, savedViews } from "./views.js";

/** With more lists than this, there is a box to find one. */
const MANY = 12;

export function sidebar(region, explorer) {
  let shown;
  const render = () => {
    if (!explorer.description) {
      return;
    }
    const { listings } = explorer.description;
    const item = (listing) => {
      const link = pageLink(explorer, listing, "", {}, icon("table"), h("span", { class: "clip", title: listing.title.many }, listing.title.many));
      if (listing === explorer.listing) {
        link.setAttribute("aria-current", "page");
      }
      link.dataset.key = `list ${listing.name}`;
      return h("li", { "data-words": `${listing.title.many} ${listing.name}`.toLowerCase() }, link);
    };
    const views = savedViews().filter((view) => explorer.description.listing(view.listing)?.path);
    fill(region,
      h("h2", { id: "lists" }, "Lists"),
      groupsOf(listings).map(([name, members]) => name === null
        ? h("ul", { "aria-labelledby": "lists" }, members.map(item))
        : h("section", { "aria-label": name }, h("h3", {}, name), h("ul", {}, members.map(item)))),
      views.length > 0 && h("h2", { id: "views" }, "Saved views"),
      views.length > 0 && h("ul", { "aria-labelledby": "views" }, views.map((view) => {
        const listing = explorer.description.listing(view.listing);
        const link = pageLink(explorer, listing, view.query, { as: view.as, grouped: view.grouped }, icon("bookmark"), h("span", { class: "clip" }, view.name));
        if (listing === explorer.listing && view.query === explorer.query && Boolean(view.grouped) === explorer.isGrouped) {
          link.setAttribute("aria-current", "true");
        }
        return h("li", {}, link, iconButton("close", `Forget the view ${view.name}`, () => { forgetView(view); explorer.tell("saved"); }));
      })));
    if (listings.length > MANY) {
      import("./findlist.js").then(({ finder }) => finder(region));
    }
    if (shown !== explorer.listing) {
      shown = explorer.listing;
      region.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
    }
    document.title = explorer.listing ? `${explorer.listing.title.many} · ${explorer.description.title}` : explorer.description.title;
  };
  explorer.on("described replaced changed saved", render);
  explorer.on("replaced", () => region.closest("[popover]")?.matches(":popover-open") && region.closest("[popover]").hidePopover());
}

/** The lists by their groups, in the order in which they come; those without a group are first. */
function groupsOf(listings) {
  const groups = new Map();
  for (const listing of listings) {
    const name = listing.group ?? null;
    groups.set(name, [...(groups.get(name) ?? []), listing]);
  }
  return [...groups].sort(([a], [b]) => (a !== null) - (b !== null));
}
