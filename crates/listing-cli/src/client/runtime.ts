// What every client has: the types that narrow a request and its answer, and the code that sends it.

/** One record, or none. */
export interface ToOne<L> {
  readonly toOne: L;
}

/** Several records. */
export interface ToMany<L> {
  readonly toMany: L;
}

/** What a listing allows, as types. */
export interface Listing {
  fields: { id: unknown };
  defaults: string;
  record: object;
  relations: object;
  defaultRelations: string;
  filters: object;
  related: object;
  sorts: string;
  search: boolean;
  facets: object;
  totals: object;
  trashed: string;
  links: string;
  bulk: string;
  keyed: string;
}

type $Target<R> = R extends ToOne<infer L> ? $AsListing<L> : R extends ToMany<infer L> ? $AsListing<L> : never;
type $AsListing<L> = L extends Listing ? L : never;
type $Text<K> = K & string;
type $Show<T> = { [K in keyof T]: T[K] } & {};

/** The fields that can be asked for. */
export type FieldsOf<L extends Listing> = "*" | readonly ($Text<keyof L["fields"]> | "*")[];

/** A sort, ascending unless it says otherwise. */
export type SortOf<L extends Listing> = L["sorts"] | `${L["sorts"]}:asc` | `${L["sorts"]}:desc`;

/** Operators, or a value where the filter has `$eq`; inside a JSON column, names that lead to filters. */
export type ConditionOf<O> = (O extends { $eq: infer V } ? V : never) | ($Conditions<O> & { $not?: $Conditions<O> });
type $Conditions<O> = { [K in keyof O]?: K extends `$${string}` ? O[K] : ConditionOf<O[K]> };

type $Inside<R> = R extends ToMany<unknown>
  ? FiltersOf<$Target<R>> & {
      $some?: FiltersOf<$Target<R>>;
      $none?: FiltersOf<$Target<R>>;
      $every?: FiltersOf<$Target<R>>;
      $null?: boolean;
      $notNull?: boolean;
    }
  : FiltersOf<$Target<R>> & { $null?: boolean; $notNull?: boolean };

/** Conditions, which must all hold. */
export type FiltersOf<L extends Listing> = {
  [K in keyof L["filters"]]?: ConditionOf<L["filters"][K]>;
} & { [K in keyof L["related"]]?: $Inside<L["related"][K]> } & {
  $and?: readonly FiltersOf<L>[];
  $or?: readonly FiltersOf<L>[];
  $not?: FiltersOf<L>;
};

/** What is asked of a populated relation. */
export interface OptionsOf<L extends Listing> {
  fields?: FieldsOf<L>;
  sort?: SortOf<L> | readonly SortOf<L>[];
  filters?: FiltersOf<L>;
  populate?: PopulateOf<L>;
  pagination?: { limit: number };
  /** The number of records instead of the records. */
  count?: boolean;
}

/** Relations by name, or each with options. */
export type PopulateOf<L extends Listing> = [keyof L["relations"]] extends [never]
  ? readonly never[]
  :
      | "*"
      | readonly $Text<keyof L["relations"]>[]
      | { readonly [K in keyof L["relations"]]?: boolean | OptionsOf<$Target<L["relations"][K]>> };

/** Which part of a list. */
export type AskedPagination =
  | { page?: number; pageSize?: number; withCount?: boolean; count?: "exact" }
  | { start?: number; limit?: number; withCount?: boolean; count?: "exact" }
  | { cursor: string; pageSize?: number; withCount?: boolean; count?: "exact" };

/** A list request. */
export interface QueryOf<L extends Listing, F, P> {
  fields?: F;
  populate?: P & $OnlyKnownRelations<L, P>;
  filters?: FiltersOf<L>;
  search?: L["search"] extends true ? string : never;
  sort?: SortOf<L> | readonly SortOf<L>[];
  pagination?: AskedPagination;
  trashed?: L["trashed"];
}

/** What is asked of a facet. */
export type FacetOptionsOf<D> = D extends { kind: "values" | "relation" }
  ? { limit?: number; sort?: "count" | "label" | "value" | `${"count" | "label" | "value"}:${"asc" | "desc"}`; search?: string }
  : D extends { kind: "calendar" }
    ? { unit?: CalendarUnit; offset?: string }
    : never;

/** By what a calendar counts. */
export type CalendarUnit = "year" | "quarter" | "month" | "week" | "day" | "hour";

/** Facets by name, or each with options. */
export type FacetsOf<L extends Listing> = [keyof L["facets"]] extends [never]
  ? readonly never[]
  :
      | "*"
      | readonly $Text<keyof L["facets"]>[]
      | { readonly [K in keyof L["facets"]]?: boolean | FacetOptionsOf<L["facets"][K]> };

/** Functions of fields: one, or several. */
export type TotalsOf<L extends Listing> = [keyof L["totals"]] extends [never]
  ? Record<string, never>
  : { readonly [K in keyof L["totals"]]?: keyof L["totals"][K] | readonly (keyof L["totals"][K])[] };

/** Which rows are counted: those of the list, whatever its page. */
export type RowsOf<L extends Listing> = Pick<QueryOf<L, undefined, undefined>, "filters" | "search" | "trashed">;

/** The numbers about these rows. */
export interface NumbersOf<L extends Listing, C, T> {
  facets?: C & $OnlyKnownFacets<L, C>;
  totals?: T & $OnlyKnownKeys<L["totals"], T>;
}

/** What rows can be grouped by; a calendar by its unit, and by month without one. */
export type GroupKeyOf<L extends Listing> = $Keys<L["facets"], "values"> | $Calendar<$Keys<L["facets"], "calendar">>;
type $Keys<D, W> = { [K in keyof D]: D[K] extends { kind: W } ? $Text<K> : never }[keyof D];
type $Calendar<K extends string> = K | `${K}:${CalendarUnit}`;

type $NumberOf<L extends Listing> =
  | "count"
  | { [K in keyof L["totals"]]: `${$Text<K>}.${$Text<keyof L["totals"][K]>}` }[keyof L["totals"]];
type $GroupSort<N extends string> = N | `${N}:asc` | `${N}:desc`;
type $Compared = string | number | Date;

/** A request for groups. Those who sort or choose by a total ask for it, too. */
export interface GroupsQueryOf<L extends Listing, B, T> extends RowsOf<L> {
  by: B;
  totals?: T & $OnlyKnownKeys<L["totals"], T>;
  sort?: $GroupSortOf<L> | readonly $GroupSortOf<L>[];
  having?: {
    readonly [N in $NumberOf<L>]?: $Compared | { [O in "$eq" | "$ne" | "$lt" | "$lte" | "$gt" | "$gte"]?: $Compared };
  };
  pagination?: { page?: number; pageSize?: number } | { start?: number; limit?: number };
}
type $GroupSortOf<L extends Listing> = $GroupSort<$NumberOf<L> | $Keys<L["facets"], "values" | "calendar">>;

// A type parameter takes any further key: these say which keys there are.
type $OnlyKnownKeys<S, V> = { [K in keyof V]: K extends keyof S ? V[K] : never };
type $OnlyKnownFacets<L extends Listing, C> = C extends string | readonly unknown[]
  ? C
  : {
      [K in keyof C]: K extends keyof L["facets"]
        ? C[K] extends boolean
          ? C[K]
          : $OnlyKnownKeys<FacetOptionsOf<L["facets"][K]>, C[K]>
        : never;
    };
type $OnlyKnownReturning<L extends Listing, R> = R extends boolean
  ? R
  : { [K in keyof R]: K extends "populate" ? $OnlyKnownRelations<L, R[K]> : K extends "fields" ? R[K] : never };
type $OnlyKnownRelations<L extends Listing, P> = P extends string | readonly unknown[]
  ? P
  : {
      [K in keyof P]: K extends keyof L["relations"]
        ? $OnlyKnownOptions<$Target<L["relations"][K]>, P[K]>
        : never;
    };
type $OnlyKnownOptions<L extends Listing, O> = O extends boolean
  ? O
  : {
      [K in keyof O]: K extends "populate"
        ? $OnlyKnownRelations<L, O[K]>
        : K extends "filters"
          ? $OnlyKnown<FiltersOf<L>, O[K]>
          : K extends keyof OptionsOf<L>
            ? O[K]
            : never;
    };
type $KeysOf<S> = S extends readonly unknown[] ? never : S extends object ? keyof S : never;
type $ValueOf<S, K> = S extends object ? (K extends keyof S ? NonNullable<S[K]> : never) : never;
type $OnlyKnown<S, V> = V extends readonly (infer E)[]
  ? readonly $OnlyKnown<S extends readonly (infer T)[] ? T : never, E>[]
  : V extends Date
    ? V
    : V extends object
      ? { [K in keyof V]: K extends $KeysOf<S> ? $OnlyKnown<$ValueOf<S, K>, V[K]> : never }
      : V;

type $Chosen<L extends Listing, F> = F extends "*"
  ? L["fields"]
  : F extends readonly (infer N)[]
    ? "*" extends N
      ? L["fields"]
      : Pick<L["fields"], Extract<"id" | N, keyof L["fields"]>>
    : Pick<L["fields"], Extract<"id" | L["defaults"], keyof L["fields"]>>;

type $Wanted<L extends Listing, P> = P extends "*"
  ? { [K in keyof L["relations"]]: true }
  : P extends readonly (infer N)[]
    ? { [K in Extract<N, keyof L["relations"]>]: true }
    : { -readonly [K in keyof P as P[K] extends false ? never : K]: P[K] };

type $RelatedItem<R, O> = O extends { count: true }
  ? { count: number }
  : R extends ToMany<unknown>
    ? $OptionItem<$Target<R>, O>[]
    : $OptionItem<$Target<R>, O> | null;
type $OptionItem<L extends Listing, O> = ItemOf<
  L,
  O extends { fields: infer F } ? F : undefined,
  O extends { populate: infer P } ? P : readonly []
>;

/** An item with the fields and relations that were asked for; without them it has the default ones. */
export type ItemOf<L extends Listing, F = undefined, P = undefined> = $Show<
  $Chosen<L, F> & $RelationsOf<L, [P] extends [undefined] ? readonly L["defaultRelations"][] : P>
>;
type $RelationsOf<L extends Listing, P> = {
  [K in keyof $Wanted<L, P>]: K extends keyof L["relations"]
    ? $RelatedItem<L["relations"][K], $Wanted<L, P>[K]>
    : never;
};

/** One record: what the service shows of it, unless fields were asked for. */
export type RecordOf<L extends Listing, F = undefined, P = undefined> = [F] extends [undefined]
  ? $Show<L["record"] & $RelationsOf<L, [P] extends [undefined] ? readonly [] : P>>
  : ItemOf<L, F, [P] extends [undefined] ? readonly [] : P>;

/** A value of a facet, and how many rows have it. */
export interface FacetValue {
  /** What a filter takes. */
  value: string;
  label: string;
  count: number;
  selected: boolean;
}

/** A unit of a calendar. `from` and `to` are what a filter takes: `$gte` and `$lt`. */
export interface CalendarValue {
  value: string;
  from: string;
  to: string;
  count: number;
}

/** A facet of an answer; one that took too long has no values. */
export type FacetOf<K, D> = D extends { kind: "range"; value: infer V }
  ? { key: K; min: V | null; max: V | null; timedOut?: never } | $TimedOut<K>
  : D extends { kind: "calendar" }
    ? { key: K; unit: CalendarUnit; offset: string; values: CalendarValue[]; missing: number; timedOut?: never } | $TimedOut<K>
    : { key: K; values: FacetValue[]; missing: number; others: number; truncated: boolean; timedOut?: never } | $TimedOut<K>;
type $TimedOut<K> = { key: K; values: null; timedOut: true };

type $AskedFacets<L extends Listing, C> = C extends "*"
  ? keyof L["facets"]
  : C extends readonly (infer N)[]
    ? N
    : { [K in keyof C]: C[K] extends false ? never : K }[keyof C];
type $Facets<L extends Listing, N> = { [K in Extract<N, keyof L["facets"]>]: FacetOf<K, L["facets"][K]> };
type $Functions<A> = A extends readonly (infer F)[] ? F : A;

/** The totals that were asked for; null where they took too long. */
export type TotalsIn<L extends Listing, T> = {
  -readonly [K in keyof T & keyof L["totals"]]: {
    [F in Extract<$Functions<T[K]>, keyof L["totals"][K]>]: L["totals"][K][F] | null;
  } & { timedOut?: true };
};

/** The numbers in the `meta` of an answer: those that were asked for. */
export type NumbersIn<L extends Listing, C, T> = ([C] extends [undefined | readonly []]
  ? unknown
  : { facets: $Facets<L, $AskedFacets<L, C>>[Extract<$AskedFacets<L, C>, keyof L["facets"]>][] }) &
  ([T] extends [undefined] ? unknown : { totals: TotalsIn<L, T> });

/** A group of rows: the keys, how many rows there are, and their totals. */
export type GroupOf<L extends Listing, B, T> = $Show<
  $GroupKeys<L, B extends readonly (infer K)[] ? K : never> & { count: number } & ([T] extends [undefined]
      ? unknown
      : { totals: TotalsIn<L, T> })
>;
type $GroupKeys<L extends Listing, K> = {
  [N in K as N extends `${infer M}:${CalendarUnit}` ? M : $Text<N>]: $IsCalendar<L, N> extends true
    ? string | null
    : { value: string | null; label: string | null };
};
type $IsCalendar<L extends Listing, N> = N extends $Calendar<$Keys<L["facets"], "calendar">> ? true : false;

/** A page of groups. */
export interface Groups<Item> {
  message: string | null;
  data: Item[];
  meta: Pick<Page<Item>["meta"], "code" | "message" | "filters" | "pagination" | "ignored">;
}

/** A change of a record, with the fields that it has changed. Before it a new record had none, and `old` is null. */
export interface ChangeOf<L extends Listing> {
  /** Of the changes that are shown, the first one has the number 1. */
  number: number;
  operation: "store" | "update" | "destroy" | "restore";
  at: string;
  caller: string | null;
  old: Partial<L["fields"] & L["record"]> | null;
  new: Partial<L["fields"] & L["record"]> | null;
  /** The relations whose links were written. */
  linked: string[];
}

/** A page of the changes of a record, the newest first. */
export interface History<L extends Listing> {
  message: string | null;
  data: ChangeOf<L>[];
  meta: Pick<Page<never>["meta"], "code" | "message" | "pagination">;
}

/** Numbers without rows. */
export interface Numbers<N> {
  message: string | null;
  data: null;
  meta: Pick<Page<never>["meta"], "code" | "message" | "filters" | "ignored"> & N;
}

/** A filter that was applied. */
export interface AppliedFilter {
  key: string;
  value: string;
  label: string;
  operator: string;
  path?: string;
}

/** Which part of a list was given: by page, by offset or by cursor, as it was asked. */
export interface Pagination {
  page?: number;
  pageSize?: number;
  pageCount?: number;
  start?: number;
  limit?: number;
  nextCursor?: string | null;
  prevCursor?: string | null;
  total?: number;
  totalIsExact?: boolean;
  hasMore?: boolean;
}

/** A page of a list, with the numbers that were asked for. */
export interface Page<Item, N = unknown> {
  message: string | null;
  data: Item[];
  meta: {
    code: number;
    message: string | null;
    filters: AppliedFilter[];
    pagination: Pagination;
    relations?: Record<string, { limit: number; truncated: boolean }>;
    ignored?: Partial<Record<"fields" | "sort" | "populate" | "facets" | "parameters", string[]>>;
    /** What may be wrong with the request, where it found nothing. */
    hints?: string[];
  } & N;
}

/** An answer with data. */
export interface Answer<Data> {
  message: string | null;
  data: Data;
  meta: { code: number; message: string | null };
}

/** One record. */
export interface Shown<Data> extends Answer<Data> {
  meta: Answer<Data>["meta"] & Pick<Page<Data>["meta"], "relations" | "ignored">;
  /** What `ifMatch` takes; there if the record was read without `fields` and `populate`. */
  etag?: string;
}

/** An answer without data. */
export interface Done {
  message: string | null;
  meta: { code: number; message: string | null };
}

/** What a write answers that returns the record; it has none where the caller may not read what was written. */
export interface Written<Data> extends Done {
  data?: Data;
  /** What `ifMatch` takes; there if the record was returned without `fields` and `populate`. */
  etag?: string;
}

/** What is returned of a record: all that `show` shows, or these fields and relations. */
export type ReturningOf<L extends Listing> = boolean | Pick<OptionsOf<L>, "fields" | "populate">;

type $Returned<L extends Listing, R> = RecordOf<
  L,
  R extends { fields: infer F } ? F : undefined,
  R extends { populate: infer P } ? P : undefined
>;
type $AfterChange<L extends Listing, R> = [R] extends [undefined | false] ? Done : Written<$Returned<L, R>>;
type $AfterStore<L extends Listing, R> = [R] extends [undefined | false]
  ? Answer<{ id: L["fields"]["id"] }>
  : Answer<$Show<{ id: L["fields"]["id"] } & Partial<$Returned<L, R>>>> & { etag?: string };

/** The service refused: `code` is stable, `errors` says what is wrong with each field. */
export class ListingError extends Error {
  override readonly name = "ListingError";
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetails;
  readonly errors: Record<string, string[]>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: ErrorDetails = {},
    errors: Record<string, string[]> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.errors = errors;
  }
}

/** Where a request is wrong, and what is allowed there. */
export interface ErrorDetails {
  parameter?: string;
  token?: string;
  allowed?: string[];
  nearest?: string | null;
}

export interface ClientOptions {
  /** Where the service is: `https://example.com`. */
  baseUrl: string;
  /** A bearer token, or what gives one. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Sent with every request. */
  headers?: Record<string, string>;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** The `etag` of the record as `show` read it: refuse to write if it has changed since. */
  ifMatch?: string;
}

/** Asks for the record as it is after the write. */
export interface Returning<L extends Listing, R> {
  returning?: R & $OnlyKnownReturning<L, R>;
}

/** A new one for each request: a request that comes again with its key is carried out once, and gets the first answer. */
export interface Keyed<L extends Listing, M extends string> {
  idempotencyKey?: M extends L["keyed"] ? string : never;
}

/** What one request writes, all of it or nothing: records to create, to change, to find by their key, and to delete. */
export interface BulkOf<L extends Listing & { store: unknown; update: unknown }> {
  create?: readonly L["store"][];
  update?: readonly (Partial<L["update"]> & Versioned & { id: L["fields"]["id"] })[];
  upsert?: readonly (L["store"] & Versioned)[];
  delete?: readonly (L["fields"]["id"] | (Versioned & { id: L["fields"]["id"] }))[];
}

/** Which version of a record is meant, as `ifMatch` says it. */
export interface Versioned {
  etag?: string;
}

/** What was written, in the order of the items. */
export interface BulkDone<L extends Listing> {
  create: { id: L["fields"]["id"] }[];
  update: { id: L["fields"]["id"] }[];
  upsert: { id: L["fields"]["id"]; result: "created" | "updated" | "unchanged" }[];
  delete: { id: L["fields"]["id"] }[];
}

/** The records that filters match, and how many they are: with another number nothing is written. */
export interface Matching<L extends Listing> {
  filters: FiltersOf<L>;
  expected: number;
}

/** The rows that a record is to be linked with: all of them, or which of them change. */
export type Links<Id> =
  | readonly $Row<Id>[]
  | { set: readonly $Row<Id>[]; connect?: never; disconnect?: never }
  | { connect?: readonly $Row<Id>[]; disconnect?: readonly $Row<Id>[]; set?: never };
type $Row<Id> = Id | { id: Id };

/** What a resource knows by name. */
export interface ResourceNames {
  defaultRelations?: readonly string[];
  store?: readonly string[];
  update?: readonly string[];
  /** What of that names related rows. */
  links?: readonly string[];
  /** What of `bulk` there is. */
  bulk?: readonly string[];
  /** Every change must name a version. */
  ifMatch?: true;
  /** Its rows have no key, and so no cursors. */
  keyless?: true;
}

/** The list and the records of one resource. */
export class Resource<L extends Listing & { store: unknown; update: unknown }> {
  private readonly client: ClientOptions;
  private readonly path: string;
  /** Relations that come by themselves, and what is sent, where it is known. */
  readonly names: ResourceNames;

  constructor(client: ClientOptions, path: string, names: ResourceNames = {}) {
    this.client = client;
    this.path = path;
    this.names = names;
  }

  /** One page, and the facets and totals that are asked for. */
  async list<
    const F extends FieldsOf<L> | undefined = undefined,
    const P extends PopulateOf<L> | undefined = undefined,
    const C extends FacetsOf<L> | undefined = undefined,
    const T extends TotalsOf<L> | undefined = undefined,
  >(
    query: QueryOf<L, F, P> & NumbersOf<L, C, T> = {},
    options: CallOptions = {},
  ): Promise<Page<ItemOf<L, F, P>, NumbersIn<L, C, T>>> {
    return this.read("", spell(query, this.names.defaultRelations), options);
  }

  /** Facets and totals without rows. */
  async facets<const C extends FacetsOf<L> | undefined = undefined, const T extends TotalsOf<L> | undefined = undefined>(
    query: RowsOf<L> & NumbersOf<L, C, T>,
    options: CallOptions = {},
  ): Promise<Numbers<NumbersIn<L, C, T>>> {
    return this.read("/_facets", spell(query), options);
  }

  /** Groups of rows, with their counts and totals. */
  async groups<
    const B extends readonly [GroupKeyOf<L>, GroupKeyOf<L>?, GroupKeyOf<L>?],
    const T extends TotalsOf<L> | undefined = undefined,
  >(query: GroupsQueryOf<L, B, T>, options: CallOptions = {}): Promise<Groups<GroupOf<L, B, T>>> {
    return this.read("/_groups", spell(query), options);
  }

  /** Every page, one after another, by cursor, or by number where rows have no key; those from `pagination.cursor` on, if it is given. */
  async *pages<const F extends FieldsOf<L> | undefined = undefined, const P extends PopulateOf<L> | undefined = undefined>(
    query: QueryOf<L, F, P> & { pagination?: { pageSize?: number } } = {},
    options: CallOptions = {},
  ): AsyncGenerator<Page<ItemOf<L, F, P>>, void, undefined> {
    if (this.names.keyless) {
      for (let page = 1, more = true; more; page += 1) {
        const pagination: AskedPagination = { withCount: false, ...query.pagination, page };
        const found: Page<ItemOf<L, F, P>> = await this.list<F, P>({ ...query, pagination }, options);
        yield found;
        more = found.meta.pagination.hasMore ?? page < (found.meta.pagination.pageCount ?? 0);
      }
      return;
    }
    const given = (query.pagination as { cursor?: string | null } | undefined)?.cursor;
    // `null` is the `nextCursor` of the last page: nothing follows.
    let cursor: string | null | undefined = given === undefined ? "" : given;
    while (typeof cursor === "string") {
      const pagination: AskedPagination = { ...query.pagination, cursor };
      const page: Page<ItemOf<L, F, P>> = await this.list<F, P>({ ...query, pagination }, options);
      yield page;
      cursor = page.meta.pagination.nextCursor;
    }
  }

  /** Every item of every page. */
  async *all<const F extends FieldsOf<L> | undefined = undefined, const P extends PopulateOf<L> | undefined = undefined>(
    query: QueryOf<L, F, P> & { pagination?: { pageSize?: number } } = {},
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<L, F, P>, void, undefined> {
    for await (const page of this.pages<F, P>(query, options)) yield* page.data;
  }

  /** One record. */
  async show<const F extends FieldsOf<L> | undefined = undefined, const P extends PopulateOf<L> | undefined = undefined>(
    id: L["fields"]["id"],
    query: Pick<QueryOf<L, F, P>, "fields" | "populate"> = {},
    options: CallOptions = {},
  ): Promise<Shown<RecordOf<L, F, P>>> {
    const text = toQueryString(query);
    return send(this.client, "GET", text ? `${this.of(id)}?${text}` : this.of(id), options, undefined, tagged(text));
  }

  /** A new record. */
  store<const R extends ReturningOf<L> | undefined = undefined>(
    record: L["store"],
    options: CallOptions & Keyed<L, "store"> & Returning<L, R> = {},
  ): Promise<$AfterStore<L, R>> {
    return this.write("POST", this.path, options, record);
  }

  /** A changed record. */
  update<const R extends ReturningOf<L> | undefined = undefined>(
    id: L["fields"]["id"],
    record: L["update"],
    options: WriteOptions & Returning<L, R> = {},
  ): Promise<$AfterChange<L, R>> {
    return this.write("PUT", this.of(id), options, record);
  }

  /** A record of which some fields are changed; `null` clears a field, and what is left out stays as it is. */
  patch<const R extends ReturningOf<L> | undefined = undefined>(
    id: L["fields"]["id"],
    record: Partial<L["update"]>,
    options: WriteOptions & Keyed<L, "patch"> & Returning<L, R> = {},
  ): Promise<$AfterChange<L, R>> {
    return this.write("PATCH", this.of(id), options, record);
  }

  /** A deleted record; with `force` it is deleted for good where it would only be marked. */
  destroy(id: L["fields"]["id"], options: WriteOptions & { force?: boolean } = {}): Promise<Done> {
    return send(this.client, "DELETE", options.force ? `${this.of(id)}?force=true` : this.of(id), options);
  }

  /** A deleted record, brought back. */
  restore<const R extends ReturningOf<L> | undefined = undefined>(
    id: L["fields"]["id"],
    options: WriteOptions & Keyed<L, "restore"> & Returning<L, R> = {},
  ): Promise<$AfterChange<L, R>> {
    return this.write("POST", `${this.of(id)}/restore`, options);
  }

  /** The changes of a record, the newest first. */
  history(
    id: L["fields"]["id"],
    query: { pagination?: { page?: number; pageSize?: number } | { start?: number; limit?: number } } = {},
    options: CallOptions = {},
  ): Promise<History<L>> {
    const text = toQueryString(query);
    const path = `${this.of(id)}/_history`;
    return send(this.client, "GET", text ? `${path}?${text}` : path, options);
  }

  /** Many records are written by one request, all of them or none. */
  bulk<K extends keyof BulkOf<L> & L["bulk"]>(
    items: Pick<BulkOf<L>, K>,
    options: CallOptions & Keyed<L, "bulk"> = {},
  ): Promise<Answer<Pick<BulkDone<L>, K>>> {
    return send(this.client, "POST", `${this.path}/_bulk`, options, items);
  }

  /** The same fields of all records that filters match; `null` clears a field, and links cannot be set. */
  updateWhere(
    records: Matching<L> & { set: Partial<Omit<L["update"], L["links"]>> },
    options: CallOptions & Keyed<L, "updateWhere"> = {},
  ): Promise<Answer<{ count: number }>> {
    return send(this.client, "POST", `${this.path}/query/update`, options, records);
  }

  /** All records that filters match, deleted. */
  destroyWhere(records: Matching<L>, options: CallOptions & Keyed<L, "destroyWhere"> = {}): Promise<Answer<{ count: number }>> {
    return send(this.client, "POST", `${this.path}/query/delete`, options, records);
  }

  // A long query string is refused, and there is what only JSON can say: the same request can be sent as a body.
  private read<T>(end: "" | "/_facets" | "/_groups", asked: any, options: CallOptions): Promise<T> {
    const text = onlyJsonSays(asked) === undefined ? toQueryString(asked) : undefined;
    const path = `${this.path}${end}`;
    if (text !== undefined && text.length <= 4000) return send(this.client, "GET", text ? `${path}?${text}` : path, options);
    return end ? send(this.client, "QUERY", path, options, asked) : send(this.client, "POST", `${path}/query`, options, asked);
  }

  private write<T>(method: string, path: string, options: WriteOptions & { returning?: unknown }, record?: unknown): Promise<T> {
    const { returning } = options;
    if (!returning) return send(this.client, method, path, options, record);
    const text = isObject(returning) ? toQueryString(returning) : "";
    const preferring = { ...options, prefer: "return=representation" };
    return send(this.client, method, text ? `${path}?${text}` : path, preferring, record, tagged(text));
  }

  private of(id: unknown): string {
    return `${this.path}/${encodeURIComponent(String(id))}`;
  }
}

/** The tag of a record next to the answer, unless a query has chosen what is shown of it. */
function tagged(query: string) {
  return (answer: any, response: Response) => {
    const etag = response.headers.get("etag");
    return etag && !query ? { ...answer, etag } : answer;
  };
}

// How far each client has seen its service come, where the service reads from replicas: it goes back with every request, so that
// no later read is older. There are as many positions as there were requests under way at the same time.
const positions = new WeakMap<ClientOptions, Set<string>>();

async function send<T>(
  client: ClientOptions,
  method: string,
  path: string,
  options: WriteOptions & { prefer?: string; idempotencyKey?: string },
  body?: unknown,
  read: (answer: any, response: Response) => T = (answer) => answer,
): Promise<T> {
  const token = typeof client.token === "function" ? await client.token() : client.token;
  const headers: Record<string, string> = { accept: "application/json", ...client.headers };
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (options.ifMatch) headers["if-match"] = options.ifMatch;
  if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
  if (options.prefer) headers["prefer"] = options.prefer;
  if (body !== undefined) headers["content-type"] = "application/json";
  const seen = positions.get(client) ?? new Set<string>();
  positions.set(client, seen);
  const brought = [...seen];
  // More are refused, and the primary has reached them all.
  if (brought.length) headers["listing-position"] = brought.length > 64 ? "primary" : brought.join(",");
  const response = await (client.fetch ?? fetch)(client.baseUrl.replace(/\/+$/, "") + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const told = response.headers.get("listing-position");
  if (told) {
    // It includes what was brought.
    for (const one of brought) seen.delete(one);
    seen.add(told);
  }
  const answer: any = await response.json().catch((error) => {
    // What is not JSON is not from the service. A cancelled request or a broken connection is no answer at all.
    if (error?.name !== "SyntaxError") throw error;
  });
  if (response.ok && answer !== undefined) return read(answer, response);
  const error = answer?.error ?? {};
  throw new ListingError(
    response.status,
    error.code ?? "error",
    error.message ?? `The service answered with ${response.status}.`,
    error.details,
    answer?.errors,
  );
}

/** The query string of a request, with brackets; a `TypeError` where only JSON can say what is meant. */
export function toQueryString(query: object): string {
  const asked = spell(query);
  const place = onlyJsonSays(asked);
  if (place !== undefined) {
    throw new TypeError(`\`${place}\` has no value. A query string cannot say that, and without it more would be found.`);
  }
  const pairs: string[] = [];
  const put = (key: string, value: unknown): void => {
    if (value === undefined) return;
    if (value instanceof Date) pairs.push(`${key}=${encodeURIComponent(value.toISOString())}`);
    else if (Array.isArray(value)) value.forEach((one, at) => put(`${key}[${at}]`, one));
    else if (isObject(value)) {
      for (const [name, one] of Object.entries(value)) put(key ? `${key}[${encodeURIComponent(name)}]` : name, one);
    }
    else pairs.push(`${key}=${encodeURIComponent(String(value))}`);
  };
  put("", asked);
  return pairs.join("&");
}

// An empty parameter counts as not sent: no fields are written as the id alone, no relations as the default ones left out.
function spell(query: any, defaultRelations: readonly string[] = []): any {
  const asked: any = { ...query };
  for (const name of ["filters", "sort", "pagination", "facets", "totals", "having"]) if (isEmpty(asked[name])) delete asked[name];
  if (isEmpty(asked.fields)) asked.fields = ["id"];
  if (isEmpty(asked.populate)) {
    delete asked.populate;
    if (defaultRelations.length > 0) asked.populate = Object.fromEntries(defaultRelations.map((name) => [name, false]));
  } else if (isObject(asked.populate) && !Array.isArray(asked.populate)) {
    const relations = Object.entries(asked.populate).map(([name, wish]) => {
      const options = isObject(wish) ? spell(wish) : wish;
      return [name, isEmpty(options) ? true : options];
    });
    asked.populate = Object.fromEntries(relations);
  }
  return asked;
}

// Where there is something that a query string would leave out, and find more: a list or condition without content, or null.
function onlyJsonSays(value: unknown, place = ""): string | undefined {
  if (value === null || (place && isEmpty(value))) return place;
  if (!isObject(value)) return undefined;
  // JSON has no undefined: it is null in a list, and left out of an object.
  const inside = Array.isArray(value) ? Array.from(value, (one, at) => [at, one ?? null]) : Object.entries(value);
  for (const [name, one] of inside) {
    const found = onlyJsonSays(one, place ? `${place}[${name}]` : `${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every((one) => one === undefined);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
