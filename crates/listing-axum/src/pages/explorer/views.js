// Views that a person has named, kept in this browser.

const PLACE = "listing-explorer-views";

export function savedViews() {
  try {
    const views = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(views) ? views.filter((view) => typeof view?.name === "string" && typeof view.listing === "string") : [];
  } catch {
    return [];
  }
}

/** A view of the same name and list is replaced. */
export function saveView(view) {
  keep([...savedViews().filter((one) => one.name !== view.name || one.listing !== view.listing), view]);
}

export function forgetView(view) {
  keep(savedViews().filter((one) => one.name !== view.name || one.listing !== view.listing));
}

function keep(views) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(views));
  } catch {
    // A browser that stores nothing forgets them.
  }
}
