/**
 * Tables of your own, over any collection: the service's description of them, and the types of
 * their requests and answers. `table-search types orders` writes the type of a record.
 */
import type {
  AuditExport,
  AuditFacetRequest,
  AuditHistogramRequest,
  Facet,
  Histogram,
  Operations,
  PageRequest,
  Pagination,
  Stats,
  TableDescription,
  TableField,
  ViewDescription,
} from './contract.ts';

/** A record whose fields nobody has described to the compiler. */
export type AnyRecord = Readonly<Record<string, unknown>>;

type Value = string | number | boolean | null;

type Order = 'asc' | 'desc';

interface Sort<R> {
  readonly sort_by?: (keyof R & string) | undefined;
  readonly sort_order?: Order | undefined;
}

interface Search<R> {
  readonly filters?: Readonly<Record<string, string | null>> | undefined;
  readonly select?: readonly Select<R>[] | undefined;
  readonly sorting?: Sort<R> | undefined;
  readonly pagination?: PageRequest | undefined;
}

export type SingleSelect<R> = {
  readonly field?: (keyof R & string) | undefined;
  readonly in?: readonly Value[] | undefined;
  readonly not_in?: readonly Value[] | undefined;
  readonly from?: string | number | undefined;
  readonly to?: string | number | undefined;
  readonly contains?: string | undefined;
  readonly not_contains?: string | undefined;
  readonly text?: string | undefined;
  readonly not_text?: string | undefined;
};

export type Select<R> = SingleSelect<R> & {
  readonly any?: readonly SingleSelect<R>[] | undefined;
};

/** One sort, or a list of up to three: the most significant first. */
type Sorting<R> = Sort<R> | readonly (Sort<R> & { readonly sort_by: keyof R & string })[];

interface Explore<R> extends Omit<Search<R>, 'sorting'> {
  readonly sorting?: Sorting<R> | undefined;
  readonly stats?: readonly { readonly field: keyof R & string }[] | undefined;
  readonly facets?: readonly Counts<AuditFacetRequest, R>[] | undefined;
  readonly baseline?: readonly Select<R>[] | undefined;
  readonly histogram?: Counts<AuditHistogramRequest, R> | undefined;
}

/** The request for counts of a built-in table, with fields of a record. */
type Counts<T, R> = Omit<T, 'field' | 'by'> & {
  readonly field: keyof R & string;
  readonly by?: (keyof R & string) | undefined;
};

interface AppliedSort {
  readonly sort_by: string;
  readonly sort_order: Order;
}

interface Meta<R> {
  readonly pagination: Pagination;
  readonly sorting: AppliedSort;
  readonly applied_filters: Readonly<Record<string, unknown>>;
  readonly applied_select: readonly Select<R>[];
}

interface Answer<R> {
  readonly data: readonly R[];
  readonly meta: Meta<R>;
}

interface Explored<R> {
  readonly data: readonly R[];
  readonly meta: Meta<R> & { readonly applied_sorting: readonly AppliedSort[] };
  readonly facets?: readonly Facet[];
  readonly histogram?: Histogram;
  readonly stats?: readonly Stats[];
}

/** The common members of the types of any table. */
export interface ViewTypes {
  readonly record: unknown;
  readonly search: Paged;
  readonly answer: {
    readonly meta: { readonly pagination: { readonly next_page_num: number | null } };
  };
  readonly explore: Paged & { readonly facets?: readonly { readonly field: string }[] | undefined };
  readonly explored: { readonly facets?: readonly unknown[] };
  readonly export: { readonly columns?: readonly PropertyKey[] | undefined };
}

interface Paged {
  readonly pagination?: { readonly page?: number | undefined } | undefined;
}

/** The types of a table of your own; `R`: one record of it. */
export interface OwnTypes<R = AnyRecord> {
  readonly record: R;
  readonly search: Search<R>;
  readonly answer: Answer<R>;
  readonly explore: Explore<R>;
  readonly explored: Explored<R>;
  readonly export: Omit<Search<R>, 'sorting'> & {
    readonly sorting?: Sorting<R> | undefined;
    readonly columns?: readonly (keyof R & string)[] | undefined;
    readonly formulas?: AuditExport['formulas'];
  };
}

export type OwnField = TableField;

/** A table as far as the caller may search and see it. */
export type OwnTable = TableDescription;

/** The answer of `GET /api/v2/tables`. */
export type OwnTables = Operations['listTables']['answer'];

type Kind = ViewDescription['columns'][string];

/** Kinds of values by the types of fields. */
export const KINDS: Readonly<Record<OwnField['type'], Kind>> = {
  string: 'text',
  number: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  objectId: 'text',
  uuid: 'text',
  mixed: 'json',
  seconds: 'number',
};

/** Fields whose numbers may have more digits than a double. */
export function exactFields(fields: OwnTable['fields']) {
  const ofTypes = (...types: readonly string[]) =>
    Object.keys(fields).filter((name) => types.includes(fields[name]!.type));
  return { digits: ofTypes('number', 'decimal'), decimals: ofTypes('decimal') };
}

/** A table of your own as the built-in ones are described. */
export function viewOf(own: OwnTable): ViewDescription {
  const { path, sorts, orders, select, values, ranges, contains, facets, times, stats } = own;
  const { filters, fields, key, text } = own;
  const meanings = filters.map((filter) => {
    const where = filter === 'q' ? `any of ${text.join(', ')}` : filter;
    return [filter, { takes: 'text', meaning: `Contained in ${where}; case-insensitive.` }];
  });
  const kindOf = (name: string, { type, several }: OwnField): Kind => {
    if (name === key) return 'id';
    return several ? 'json' : KINDS[type];
  };
  const shown = Object.entries(fields).filter(([, { uses }]) => uses.includes('show'));
  return {
    ...{ path, ofProject: false, sorts, orders, conditions: select, values, ranges, contains },
    ...{ facets, times, stats, searched: text },
    filters: Object.fromEntries(meanings),
    columns: Object.fromEntries(shown.map(([name, field]) => [name, kindOf(name, field)])),
  };
}
