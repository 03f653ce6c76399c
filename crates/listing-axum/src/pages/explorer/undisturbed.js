// Parts of the page that are drawn anew with each reply, and in which people type.

/** Draws a region, but not while somebody types or drags in it what is told at the end: that would be lost. A search tells each letter. */
export function undisturbed(region, draw) {
  let using = null;
  let isLate = false;
  const redraw = () => {
    isLate = Boolean(using?.isConnected);
    if (!isLate) {
      draw();
    }
  };
  region.addEventListener("input", ({ target }) => { using = target.type === "search" ? null : target; });
  for (const end of ["change", "focusout"]) {
    region.addEventListener(end, () => {
      using = null;
      setTimeout(() => isLate && redraw());
    });
  }
  return redraw;
}
