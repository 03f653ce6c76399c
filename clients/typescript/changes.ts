// How both data providers write with a client: what is sent, of the record that a form has, and with which tag.

import { type AnyResource, recordOf } from "./provider.js";

/** What can be sent of a record: a form has all that was read, and a strict service refuses what it does not know. */
function sendable(record: object, fields?: readonly string[]): object {
  return fields ? Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name))) : record;
}

/** Of related rows, as populate shows them, the ids. */
function linked(record: object, links?: readonly string[]): object {
  const rows = ([name, value]: [string, unknown]) => [name, links?.includes(name) && Array.isArray(value) ? value.map(idOf) : value];
  return Object.fromEntries(Object.entries(record).map(rows));
}

/** What is sent to create a record. */
const created = ({ names }: AnyResource, record: object) => sendable(linked(record, names?.links), names?.store);

/** Creates a record. */
export function create(resource: AnyResource, record: object) {
  return resource.store(created(resource, record));
}

/** Creates records, and answers with their ids: all of them or none, where the resource writes many at once. */
export async function createMany(resource: AnyResource, records: readonly object[]): Promise<{ id: any }[]> {
  if (records.length > 0 && resource.names?.bulk?.includes("create")) {
    const { data } = await resource.bulk({ create: records.map((record) => created(resource, record)) });
    return data.create;
  }
  const made: { id: any }[] = [];
  for (const record of records) made.push((await create(resource, record)).data);
  return made;
}

/** Changes the same fields of records. One by one where each of them has to be read first: for its tag, or for what is in an object. */
export async function changeMany(resource: AnyResource, ids: readonly any[], changes: object): Promise<void> {
  const { bulk, ifMatch, update, links } = resource.names ?? {};
  const isLinks = (name: string) => links?.includes(name);
  const isRead = Object.entries(changes).some(([name, value]) => isPlain(value) && !isLinks(name));
  if (ids.length > 0 && bulk?.includes("update") && !ifMatch && !isRead) {
    const fields = sendable(linked(changes, links), update);
    await resource.bulk({ update: ids.map((id) => ({ ...fields, id })) });
  } else {
    for (const id of ids) await change(resource, id, changes);
  }
}

/** Deletes records: all of them or none, where the resource writes many at once. */
export async function destroyMany(resource: AnyResource, ids: readonly any[]): Promise<void> {
  const { bulk, ifMatch } = resource.names ?? {};
  if (ids.length > 0 && bulk?.includes("delete") && !ifMatch) await resource.bulk({ delete: ids });
  else for (const id of ids) await resource.destroy(id);
}

/** Changes a record by PATCH with its tag, and answers with what is known of it then. What `before` has already is not sent. */
export async function change(resource: AnyResource, id: any, changes: object, before: any = {}, tag?: string): Promise<object> {
  const { update: fields, links } = resource.names ?? {};
  // A member that is `undefined` is not sent, and must not hide what is there.
  const said = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const known = tag ?? said.etag ?? before.etag;
  // What an application's own handler takes is not known: all of it is sent.
  if (!fields) return after(said, before, await resource.update(id, said, { ifMatch: known }));
  const changed = sendable(differences(said, before, links), fields);
  const isThere = ([name, value]: [string, unknown]) => !isPlain(value) || links?.includes(name) || name in before;
  const current = known && Object.entries(changed).every(isThere) ? undefined : await recordOf(resource, id);
  const was = { ...current?.data, ...before };
  const patch = Object.entries(changed).map(([name, value]) => [name, links?.includes(name) ? value : merged(value, was[name])]);
  const options = { ifMatch: known ?? current?.etag, returning: true } as const;
  return after(said, before, await resource.patch(id, Object.fromEntries(patch), options));
}

function after(said: object, before: object, { data, etag }: { data?: object; etag?: string }) {
  return { ...before, ...said, ...data, etag };
}

/** PATCH merges an object with the one that is there: of a member that is gone it is told null. */
function merged(value: any, was: any): any {
  if (!isPlain(value) || !isPlain(was)) return value;
  const gone = Object.keys(was).filter((name) => !(name in value)).map((name) => [name, null]);
  return Object.fromEntries([...gone, ...Object.entries(value).map(([name, inner]) => [name, merged(inner, was[name])])]);
}

/** What differs from the record as it was read; of relations, which links begin and end. */
function differences(said: Record<string, any>, before: Record<string, any>, links: readonly string[] = []): Record<string, any> {
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(said).filter(differs).flatMap(([name, value]) => {
    if (!links.includes(name) || !Array.isArray(value)) return [[name, value]];
    const [rows, read] = [value.map(idOf), before[name]];
    // Rows that were read without it being known when: they are what is shown, and not a wish.
    if (!Array.isArray(read)) return value.some((row) => isPlain(row)) ? [] : [[name, rows]];
    const were = read.map(idOf);
    const [connect, disconnect] = [without(rows, were), without(were, rows)];
    return connect.length + disconnect.length > 0 ? [[name, { connect, disconnect }]] : [];
  }));
}

const without = (ids: readonly any[], others: readonly any[]) => ids.filter((id) => !others.some((other) => String(other) === String(id)));
const isPlain = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
const idOf = (row: any) => (isPlain(row) ? row.id : row);
