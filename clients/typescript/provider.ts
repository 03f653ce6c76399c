// What both data providers do with a client; the only file of the three that names it.

import { ListingError } from "./blog.js";

export { ListingError };

/** What a provider needs of each resource of a client. What a resource does not allow, the service refuses. */
export interface AnyResource {
  /** What is sent; not there where it is not known. */
  names?: { store?: readonly string[]; update?: readonly string[] };
  list(query?: object, options?: object): Promise<{ data: any[]; meta: { pagination: { limit?: number; total?: number; hasMore?: boolean } } }>;
  all(query?: object): AsyncIterable<any>;
  show(id: any, query?: object, options?: object): Promise<{ data: any; etag?: string }>;
  store(record: any): Promise<{ data: { id: any } }>;
  update(id: any, record: any, options?: { ifMatch?: string }): Promise<unknown>;
  destroy(id: any): Promise<unknown>;
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
  let total: number | undefined;
  for (;;) {
    const rest = { start: start + data.length, limit: size - data.length };
    const pagination = data.length > 0 ? { ...rest, withCount: false } : rest;
    const { data: rows, meta } = await resource.list({ ...query, pagination }, options);
    const { limit = size, hasMore } = meta.pagination;
    total ??= meta.pagination.total;
    data.push(...rows);
    if (data.length >= size || rows.length < limit || hasMore === false) {
      return { data, hasMore: hasMore ?? false, ...counted(total, start, data.length, hasMore) };
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
function recordOf(resource: AnyResource, id: any, selection?: object, options?: object) {
  return resource.show(id, selection, options).catch((error) => {
    if (!isNotShown(error)) throw error;
  });
}

const isNotShown = (error: any) => [403, 404, 405].includes(error.status);

/** What can be sent of a record: a form has all that was read, and a strict service refuses what it does not know. */
export function sendable(record: object, names?: readonly string[]): object {
  return names ? Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name))) : record;
}

/** Changes a record. `PUT` sends all of it, so what `changes` leave out is read, and `before` has what is shown nowhere. */
export async function change(resource: AnyResource, id: any, changes: object, before?: object): Promise<void> {
  // A member that is `undefined` is not sent, and must not hide what is there.
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { record, ifMatch } = await whole(resource, id, said, before);
  await resource.update(id, sendable(record, resource.names?.update), { ifMatch });
}

async function whole(resource: AnyResource, id: any, changes: object, before?: object): Promise<{ record: object; ifMatch?: string }> {
  const names = resource.names?.update ?? [];
  const isWhole = (record: Record<string, unknown>) => names.every((name) => record[name] !== undefined);
  if (isWhole({ ...changes })) return { record: changes };
  try {
    const { data, etag } = await resource.show(id);
    // What is shown in lists only. It is read after the tag, so that what is sent is never older than that.
    const listed = isWhole({ ...data, ...changes }) ? undefined : await recordOf(resource, id, { fields: "*" });
    return { record: { ...before, ...listed?.data, ...data, ...changes }, ifMatch: etag };
  } catch (error) {
    if (!isNotShown(error)) throw error;
    const [listed] = await fromList(resource, [id], { fields: "*" });
    const record = { ...before, ...listed, ...changes };
    if (!isWhole(record)) throw error;
    return { record };
  }
}
