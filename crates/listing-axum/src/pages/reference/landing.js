// Says how to begin: what a list takes, first requests to try, and where else to look. All of it is made from the document.

const element = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter(Boolean));
  return made;
};
const code = (text) => element("code", {}, text);
const link = (href, text = href) => element("a", { href }, text);

/** The first page of the reference. */
export function landing(description, { document: address, explorer }) {
  const lists = Object.entries(description.paths).flatMap(([path, { get }]) => (get?.operationId.startsWith("list") ? [{ path, operation: get }] : []));
  const [first] = lists;
  return element("section", { id: "begin", slot: "overview" },
    ...(first ? beginning(first, lists) : [element("p", {}, "There is nothing here that you may ask for.")]),
    element("h2", {}, "Where else to look"),
    element("p", {}, ...(explorer ? ["The ", link(explorer, "explorer"), " finds, filters and edits records on a page, and shows each request that it sends. "] : []),
      "This page is made from the ", link(address, "OpenAPI document"), ", which client generators read. ",
      description.components?.securitySchemes && explorer ? "It shows what everybody may do, and what you may do once you have signed in to the explorer in this tab." : ""));
}

function beginning({ path, operation }, lists) {
  const what = operation.summary.replace(/^List /, "");
  return [
    element("h2", {}, "How to begin"),
    element("p", {}, "Every list is one address that takes the same parameters, and answers with ", code("data"), ", the records, and ", code("meta"), ", the pages. ",
      lists.length > 1 ? `There are ${lists.length} lists; these requests ask the first of them, ${what}. ` : "", "Each can be opened as it is:"),
    element("ul", {}, ...requests(path, operation).map(([text, query]) => element("li", {}, text, link(query ? `${path}?${query}` : path, `GET ${query ? `${path}?${query}` : path}`)))),
    element("p", {}, "To send a request from here, choose an operation and press ", element("strong", {}, "TRY"), ". What is left empty is not sent; the example of a body is a request that works."),
    element("h2", {}, "What a list takes"),
    element("dl", {}, ...taken(operation).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)])),
    element("p", {}, "What is wrong with a request is in ", code("error"), " of its answer, with what is allowed instead."),
  ];
}

/** Requests that this list answers, each with what it asks for. */
function requests(path, { parameters }) {
  const at = (name) => parameters.find((one) => one.name === name);
  const choices = (name) => (at(name)?.schema.items?.enum ?? []).filter((one) => one !== "*");
  const [relation] = choices("populate");
  const order = at("sort")?.schema.default?.[0] ?? choices("sort").find((one) => one.endsWith(":desc"));
  const condition = conditionAmong(parameters);
  return [
    ["The first page, as the list defines it:", ""],
    ["Five records, in an order:", [order && `sort=${order}`, "pagination[pageSize]=5"].filter(Boolean).join("&")],
    condition && [`Only some of them. ${condition.description.replaceAll("`", "")}`, `${condition.name}=${condition.value}`],
    relation && [`With their ${relation}:`, `populate=${relation}`],
  ].filter(Boolean);
}

/** A filter that can be shown without knowing the data, and what it could be compared with. */
function conditionAmong(parameters) {
  const filters = parameters.filter(({ name }) => /^filters\[(?!id\])[^\]]*\]\[/.test(name));
  const compared = (operator, type, value) => {
    const found = filters.find((one) => one.name.endsWith(`[${operator}]`) && one.schema.type === type && !one.schema.format?.includes("date"));
    return found && { ...found, value };
  };
  return compared("$contains", "string", "a") ?? compared("$gt", "integer", "0") ?? compared("$eq", "boolean", "true") ?? compared("$notNull", "boolean", "true");
}

/** The kinds of parameters, as far as this list has them. */
function taken({ parameters }) {
  const has = (start) => parameters.some(({ name }) => name.startsWith(start));
  return [
    ["fields", "which fields to show; * is all of them", "fields"],
    ["populate", "related records to bring along", "populate"],
    ["filters[field][$operator]", "which records: $eq, $in, $gt, $contains and others, by field", "filters["],
    ["filters[$or][0]…", "groups: $or, $and, $not", "filters["],
    ["search", "words that must occur", "search"],
    ["sort", "the order, such as title:asc", "sort"],
    ["pagination[page]", "the page; pagination[pageSize] is how many records it has", "pagination["],
  ].filter(([, , start]) => has(start));
}
