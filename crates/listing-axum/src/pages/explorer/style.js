// Styles of parts that are not there at first, each fetched once.

const fetched = new Map();

/** Fetches a style; to be waited for by what would look wrong without it. */
export function style(name) {
  if (!fetched.has(name)) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL(`./${name}`, import.meta.url).href;
    fetched.set(name, new Promise((resolve) => ["load", "error"].forEach((event) => link.addEventListener(event, resolve))));
    document.head.append(link);
  }
  return fetched.get(name);
}
