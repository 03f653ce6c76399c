// How both data providers read with a client; the only file of theirs that names it.

import { ListingError } from "./blog.js";

export { ListingError };

/** What a provider needs of each resource of a client. What a resource does not allow, the service refuses. */
export interface AnyResource {
  /** What is sent, and what of it names related rows; not there where it is not known. What many records can be sent for at once. */
  names?: { store?: readonly string[]; update?: readonly string[]; links?: readonly string[]; bulk?: readonly string[]; ifMatch?: true };
  list(query?: object, options?: object): Promise<{ data: any[]; meta: Numbers & { pagination: { limit?: number; total?: number; hasMore?: boolean } } }>;
  all(query?: object): AsyncIterable<any>;
  facets(query: object): Promise<{ meta: Numbers }>;
  show(id: any, query?: object, options?: object): Promise<{ data: any; etag?: string }>;
  store(record: any): Promise<{ data: { id: any } }>;
  update(id: any, record: any, options?: { ifMatch?: string; returning?: true }): Promise<{ data?: object; etag?: string }>;
  patch(id: any, record: any, options?: { ifMatch?: string; returning?: true }): Promise<{ data?: object; etag?: string }>;
  destroy(id: any): Promise<unknown>;
  bulk(items: object): Promise<{ data: Record<string, { id: any }[]> }>;
}

/** What an answer has next to its rows, where it was asked for. */
interface Numbers {
  facets?: any[];
  totals?: object;
}

/** All of these conditions. Those on a field stand at the top, where the facet of that field leaves them out. */
export function together(conditions: readonly object[]): object | undefined {
  const top: Record<string, any> = {};
  const others: object[] = [];
  for (const one of conditions) {
    const [[name, inside] = ["$", {}], ...more] = Object.entries(one);
    const isNew = (operator: string) => operator.startsWith("$") && !(operator in top[name]);
    if (more.length > 0 || name.startsWith("$")) others.push(one);
    else if (!(name in top)) top[name] = inside;
    else if (areOperators(top[name]) && areOperators(inside) && Object.keys(inside).every(isNew)) top[name] = { ...top[name], ...inside };
    else others.push(one);
  }
  const all = Object.keys(top).length > 0 ? [top, ...others] : others;
  return all.length > 1 && all[0] === top ? { ...top, $and: others } : all.length > 1 ? { $and: all } : all[0];
}

const areOperators = (inside: unknown): inside is object =>
  typeof inside === "object" && inside !== null && !(inside instanceof Date) && Object.keys(inside).every((name) => name.startsWith("$"));

/** The facets and totals that `meta` asks for. */
export const numbersOf = (meta?: any): object => ({ facets: meta?.facets, totals: meta?.totals });

/** Those of an answer. */
export function numbersIn({ facets, totals }: Numbers): { meta?: Numbers } {
  return facets || totals ? { meta: { ...(facets && { facets }), ...(totals && { totals }) } } : {};
}

/** The resources of a client by name. */
export function resourcesOf(client: object): (name: string) => AnyResource {
  return (name) => {
    const found = (client as Record<string, AnyResource>)[name];
    if (!found) throw new Error(`There is no resource \`${name}\`.`);
    return found;
  };
}

/** Rows of a list from `start` on, `size` of them if there are, in as many requests as its largest page makes necessary.
 * `least` is how many rows there are at the least, for a list that does not count them. */
export async function part(resource: AnyResource, query: object, start: number, size: number, options?: object) {
  const data: any[] = [];
  let first: Awaited<ReturnType<AnyResource["list"]>>["meta"] | undefined;
  for (;;) {
    const rest = { start: start + data.length, limit: size - data.length };
    // What is known of all rows is asked for once.
    const further = { pagination: { ...rest, withCount: false }, facets: undefined, totals: undefined };
    const { data: rows, meta } = await resource.list({ ...query, ...(first ? further : { pagination: rest }) }, options);
    const { limit = size, hasMore } = meta.pagination;
    first ??= meta;
    data.push(...rows);
    if (data.length >= size || rows.length < limit || hasMore === false) {
      const counts = counted(first.pagination.total, start, data.length, hasMore);
      return { data, hasMore: hasMore ?? false, ...counts, ...numbersIn(first) };
    }
  }
}

function counted(total: number | undefined, start: number, length: number, hasMore = false) {
  const least = start + length + (hasMore ? 1 : 0);
  // A total that stops somewhere must not hide the rows after it.
  return { least, total: total !== undefined && length > 0 ? Math.max(total, least) : total };
}

/** The records with these ids; what is not there, or may not be seen, is left out. */
export async function recordsOf(resource: AnyResource, ids: readonly any[], selection: object, options?: object): Promise<any[]> {
  const wanted = new Map(ids.map((id) => [String(id), id]));
  const found = await fromList(resource, [...wanted.values()], selection, options);
  found.forEach(({ id }) => wanted.delete(String(id)));
  // A list that does not allow this filter still shows each record, and so does one with a default filter that hides some of them.
  for (const some of parts([...wanted.values()], 10)) {
    const shown = await Promise.all(some.map((id) => recordOf(resource, id, selection, options)));
    found.push(...shown.flatMap((one) => (one ? [one.data] : [])));
  }
  return found;
}

/** A hundred at a time: there is a limit to what a filter can hold. None where the list has no filter by `id`. */
async function fromList(resource: AnyResource, ids: readonly any[], selection: object, options?: object): Promise<any[]> {
  const found: any[] = [];
  try {
    for (const some of parts(ids, 100)) {
      const query = { ...selection, filters: { id: { $in: some } } };
      found.push(...(await part(resource, query, 0, some.length, options)).data);
    }
  } catch (error: any) {
    if (error.status !== 400) throw error;
  }
  return found;
}

function* parts(ids: readonly any[], size: number): Generator<any[]> {
  for (let at = 0; at < ids.length; at += size) yield ids.slice(at, at + size);
}

/** One record, if it is there, the caller may see it, and the service shows single records. */
export function recordOf(resource: AnyResource, id: any, selection?: object, options?: object) {
  return resource.show(id, selection, options).catch((error) => {
    if (!isNotShown(error)) throw error;
  });
}

const isNotShown = (error: any) => [403, 404, 405].includes(error.status);

/** One record, with its tag as `etag`: a change that sends it back is refused if somebody else has changed the record since. */
export async function shown(resource: AnyResource, id: any, meta?: any, options?: object) {
  const { data, etag } = await resource.show(id, { fields: meta?.fields, populate: meta?.populate }, options);
  return etag && !("etag" in data) ? { ...data, etag } : data;
}
