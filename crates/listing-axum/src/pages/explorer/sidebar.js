// The lists that there are, and the views that were saved.

import { fill, h, icon, iconButton } from "./element.js";
import { pageLink } from "./related.js";
import { forgetView, savedViews } from "./views.js";

export function sidebar(region, explorer) {
  const render = () => {
    if (!explorer.description) {
      return;
    }
    const { listings } = explorer.description;
    const views = savedViews().filter((view) => explorer.description.listing(view.listing)?.path);
    fill(region,
      h("h2", { id: "lists" }, "Lists"),
      h("ul", { "aria-labelledby": "lists" }, listings.map((listing) => {
        const link = pageLink(explorer, listing, "", {}, icon("table"), listing.title.many);
        if (listing === explorer.listing) {
          link.setAttribute("aria-current", "page");
        }
        link.dataset.key = `list ${listing.name}`;
        return h("li", {}, link);
      })),
      views.length > 0 && h("h2", { id: "views" }, "Saved views"),
      views.length > 0 && h("ul", { "aria-labelledby": "views" }, views.map((view) => {
        const listing = explorer.description.listing(view.listing);
        const link = pageLink(explorer, listing, view.query, { as: view.as }, icon("bookmark"), h("span", { class: "clip" }, view.name));
        if (listing === explorer.listing && view.query === explorer.query) {
          link.setAttribute("aria-current", "true");
        }
        return h("li", {}, link, iconButton("close", `Forget the view ${view.name}`, () => { forgetView(view); explorer.tell("saved"); }));
      })));
    document.title = explorer.listing ? `${explorer.listing.title.many} · ${explorer.description.title}` : explorer.description.title;
  };
  explorer.on("described replaced changed saved", render);
  explorer.on("replaced", () => region.closest("[popover]")?.matches(":popover-open") && region.closest("[popover]").hidePopover());
}
