// The members of a JSON object as they are written. Read as values of JavaScript, large numbers would lose digits.

/** Each member's name with the JSON text of its value: `{"a": 1.0}` gives `a` with `1.0`. The text must be JSON. */
export function membersOf(text) {
  const members = new Map();
  let depth = 0;
  let string = "";
  let name = null;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && name === null) {
        string = text.slice(at, end);
      }
      at = end - 1;
    } else if (mark === "{" || mark === "[") {
      depth += 1;
    } else if (depth === 1 && mark === ":") {
      name = JSON.parse(string);
      from = at + 1;
    } else if (mark === "}" || mark === "]" || mark === ",") {
      if (depth === 1 && name !== null) {
        members.set(name, text.slice(from, at).trim());
        name = null;
      }
      depth -= mark === "," ? 0 : 1;
    }
  }
  return members;
}

/** Where the string is over that begins with the quote at that place. */
function endOfString(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

/** The object with these members. */
export const objectOf = (members) => `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
