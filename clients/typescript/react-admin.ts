// A data provider of react-admin over the client: `<Admin dataProvider={adminProvider(createClient({ baseUrl }))}>`.

import type { DataProvider, GetListParams } from "ra-core";

import { change, changeMany, create, destroyMany } from "./changes.js";
import { ListingError, numbersIn, numbersOf, part, recordsOf, resourcesOf, shown, together } from "./provider.js";

type Entry = [key: string, value: unknown];

/** The query of a list; `q` is the search, and `extra` a further filter. */
function asked({ sort, filter = {}, meta }: GetListParams, extra: object = {}): object {
  const { q, ...rest } = filter;
  return {
    fields: meta?.fields,
    populate: meta?.populate,
    search: q || undefined,
    filters: conditions([...Object.entries(rest), ...Object.entries(extra)]),
    sort: sort?.field ? `${sort.field}:${sort.order.toLowerCase()}` : undefined,
    ...numbersOf(meta),
  };
}

function conditions(entries: Entry[]): unknown {
  return together(entries.map(condition).filter((one) => one !== undefined));
}

/** `title: "a"`, `"views:$gt": 5`, `"author.country": ["DE"]`, and `author: {country: ["DE"]}`, as forms nest what has a dot. */
function condition([key, value]: Entry): object | undefined {
  const path = key.split(/[.:]/);
  const inside = path.at(-1)?.startsWith("$") ? value : operand(value);
  return inside === undefined ? undefined : (path.reduceRight((inner, name) => ({ [name]: inner }), inside) as object);
}

function operand(value: unknown): unknown {
  if (Array.isArray(value)) return { $in: value };
  return isNested(value) ? conditions(Object.entries(value)) : value;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null && !(value instanceof Date);

/** React-admin shows `body.errors` next to the fields of a form. */
function asHttpError(error: unknown): never {
  if (!(error instanceof ListingError)) throw error;
  const errors = Object.fromEntries(Object.entries(error.errors).map(([field, texts]) => [field, texts.join(" ")]));
  throw Object.assign(new Error(error.message), { name: "HttpError", status: error.status, body: { errors, code: error.code } });
}

export function adminProvider(client: object): DataProvider {
  const of = resourcesOf(client);
  const list = async (resource: string, params: GetListParams, extra?: object) => {
    const { page, perPage } = params.pagination ?? { page: 1, perPage: 100 };
    const rows = part(of(resource), asked(params, extra), (page - 1) * perPage, perPage, { signal: params.signal });
    const { data, total, hasMore, ...numbered } = await rows.catch(asHttpError);
    const numbers = numbersIn(numbered.meta ?? {});
    return total === undefined ? { data, pageInfo: { hasNextPage: hasMore, hasPreviousPage: page > 1 }, ...numbers } : { data, total, ...numbers };
  };
  const update = async (resource: string, { id, data, previousData, meta }: { id: any; data: any; previousData?: any; meta?: any }) => {
    const record = await change(of(resource), id, data, previousData, meta?.ifMatch).catch(asHttpError);
    return { data: { ...record, id } as any };
  };
  const remove = async (resource: string, { id, previousData }: { id: any; previousData?: any }) => {
    await of(resource).destroy(id).catch(asHttpError);
    return { data: previousData ?? { id } };
  };
  return {
    supportAbortSignal: true,
    getList: (resource, params) => list(resource, params),
    getOne: async (resource, { id, meta, signal }) => ({
      data: await shown(of(resource), id, meta, { signal }).catch(asHttpError),
    }),
    getMany: async (resource, { ids, meta, signal }) => {
      const selection = { fields: meta?.fields, populate: meta?.populate };
      return { data: await recordsOf(of(resource), ids, selection, { signal }).catch(asHttpError) };
    },
    getManyReference: (resource, { target, id, ...params }) => list(resource, params, { [target]: id }),
    create: async (resource, { data }) => {
      const created = await create(of(resource), data).catch(asHttpError);
      return { data: { ...data, ...created.data } as any };
    },
    update,
    updateMany: async (resource, { ids, data }) => {
      await changeMany(of(resource), ids, data).catch(asHttpError);
      return { data: ids };
    },
    delete: remove,
    deleteMany: async (resource, { ids }) => {
      await destroyMany(of(resource), ids).catch(asHttpError);
      return { data: ids };
    },
  };
}
