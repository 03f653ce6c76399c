// A data provider of Refine over the client: `<Refine dataProvider={refineProvider(createClient({ baseUrl }))} />`.

import type { CrudFilter, CrudOperators, DataProvider } from "@refinedev/core";

import { change, changeMany, create, createMany, destroyMany } from "./changes.js";
import { ListingError, numbersIn, numbersOf, part, recordsOf, resourcesOf, shown, together } from "./provider.js";

// There is no `containss` and no `ncontainss`: `$contains` does not tell upper and lower case apart.
const OPERATORS: Partial<Record<CrudOperators, string>> = {
  eq: "$eq",
  ne: "$ne",
  lt: "$lt",
  lte: "$lte",
  gt: "$gt",
  gte: "$gte",
  in: "$in",
  nin: "$notIn",
  contains: "$contains",
  ncontains: "$notContains",
  startswiths: "$startsWith",
  startswith: "$startsWithi",
  endswiths: "$endsWith",
  endswith: "$endsWithi",
  between: "$between",
  null: "$null",
  nnull: "$notNull",
};

/** One of Refine's filters as one of ours; `author.name` goes through a relation. */
function condition(filter: CrudFilter): object {
  if (!("field" in filter)) return { [`$${filter.operator}`]: filter.value.filter(saysSomething).map(condition) };
  const operator = OPERATORS[filter.operator];
  if (!operator) throw new Error(`The operator \`${filter.operator}\` is not supported.`);
  const value = NEEDS_NO_VALUE.includes(filter.operator) ? true : filter.value;
  return filter.field.split(".").reduceRight<object>((inner, name) => ({ [name]: inner }), { [operator]: value });
}

const NEEDS_NO_VALUE = ["null", "nnull"];

/** An empty field of a form is not a condition, nor is a group of such fields. */
function saysSomething(filter: CrudFilter): boolean {
  if (!("field" in filter)) return filter.value.some(saysSomething);
  return NEEDS_NO_VALUE.includes(filter.operator) || (filter.value !== undefined && filter.value !== "");
}

function filtersOf(filters: CrudFilter[] = []): object | undefined {
  return together(filters.filter(saysSomething).map(condition));
}

/** Refine shows `errors` next to the fields of a form. */
function asHttpError(error: unknown): never {
  if (!(error instanceof ListingError)) throw error;
  throw Object.assign(new Error(error.message), { statusCode: error.status, errors: error.errors, code: error.code });
}

/** A record after a change: what was sent, and what the service has returned. */
const written = (record: object): any => record;

export function refineProvider(client: object, apiUrl = ""): DataProvider {
  const of = resourcesOf(client);
  return {
    getApiUrl: () => apiUrl,
    async getList({ resource, pagination, sorters, filters, meta }) {
      const query = {
        fields: meta?.fields,
        populate: meta?.populate,
        filters: filtersOf(filters),
        sort: sorters?.map(({ field, order }) => `${field}:${order}`),
      };
      const numbers = numbersOf(meta);
      if ((pagination?.mode ?? "server") !== "server") {
        const everything = async () => {
          const data: any[] = [];
          for await (const item of of(resource).all({ ...query, pagination: { pageSize: 100 } })) data.push(item);
          const { meta: told = {} } = meta?.facets || meta?.totals ? await of(resource).facets({ filters: query.filters, ...numbers }) : {};
          return { data, total: data.length, ...numbersIn(told) };
        };
        return everything().catch(asHttpError);
      }
      const { currentPage = 1, pageSize = 10 } = pagination ?? {};
      const start = (currentPage - 1) * pageSize;
      const { data, total, least, ...numbered } = await part(of(resource), { ...query, ...numbers }, start, pageSize).catch(asHttpError);
      return { data, total: total ?? least, ...numbersIn(numbered.meta ?? {}) };
    },
    async getMany({ resource, ids, meta }) {
      const selection = { fields: meta?.fields, populate: meta?.populate };
      return { data: await recordsOf(of(resource), ids, selection).catch(asHttpError) };
    },
    async getOne({ resource, id, meta }) {
      return { data: await shown(of(resource), id, meta).catch(asHttpError) };
    },
    async create({ resource, variables }) {
      const { data } = await create(of(resource), variables as object).catch(asHttpError);
      return { data: written({ ...variables, ...data }) };
    },
    async createMany({ resource, variables }) {
      const made = await createMany(of(resource), variables as object[]).catch(asHttpError);
      return { data: variables.map((record, at) => written({ ...record, ...made[at] })) };
    },
    async update({ resource, id, variables, meta }) {
      const record = await change(of(resource), id, variables as object, {}, meta?.ifMatch).catch(asHttpError);
      return { data: written({ ...record, id }) };
    },
    async updateMany({ resource, ids, variables }) {
      await changeMany(of(resource), ids, variables as object).catch(asHttpError);
      return { data: ids.map((id) => written({ ...variables, id })) };
    },
    async deleteOne({ resource, id }) {
      await of(resource).destroy(id).catch(asHttpError);
      return { data: written({ id }) };
    },
    async deleteMany({ resource, ids }) {
      await destroyMany(of(resource), ids).catch(asHttpError);
      return { data: ids.map((id) => written({ id })) };
    },
  };
}
