// What both data providers do with a client; the only file of the three that names it.

import { ListingError } from "./blog.js";

export { ListingError };

/** What a provider needs of each resource of a client. What a resource does not allow, the service refuses. */
export interface AnyResource {
  list(query?: object, options?: object): Promise<{ data: any[]; meta: { pagination: { total?: number; hasMore?: boolean; pageSize?: number } } }>;
  all(query?: object): AsyncIterable<any>;
  show(id: any, query?: object, options?: object): Promise<{ data: any }>;
  store(record: any): Promise<{ data: { id: any } }>;
  update(id: any, record: any): Promise<unknown>;
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

/** The records with these ids. */
export function recordsOf(resource: AnyResource, ids: readonly any[], selection: object): Promise<any[]> {
  // A list that does not allow this filter still shows each record.
  const each = () => Promise.all(ids.map(async (id) => (await resource.show(id, selection)).data));
  return listed(resource, ids, selection).catch((error) => (error.status === 400 ? each() : Promise.reject(error)));
}

/** The same from the list, in requests of as many as one page has room for. */
async function listed(resource: AnyResource, ids: readonly any[], selection: object): Promise<any[]> {
  const found: any[] = [];
  let size = 100;
  for (let at = 0; at < ids.length; ) {
    const query = { ...selection, filters: { id: { $in: ids.slice(at, at + size) } }, pagination: { pageSize: size } };
    const { data, meta } = await resource.list(query);
    const most = meta.pagination.pageSize ?? size;
    if (most < size) size = most;
    else {
      found.push(...data);
      at += size;
    }
  }
  return found;
}
