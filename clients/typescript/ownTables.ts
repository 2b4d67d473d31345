/**
 * Tables of your own, over any collection: what the service says of them, and the types of what they
 * take and answer. `table-search types orders` writes the type of a record.
 */
import type { ViewDescription } from './contract.ts';

/** A record whose fields nobody has described to the compiler. */
export type AnyRecord = Readonly<Record<string, unknown>>;

type Value = string | number | boolean | null;

interface Search<R> {
  readonly filters?: Readonly<Record<string, string | null>> | undefined;
  readonly select?: readonly Select<R>[] | undefined;
  readonly sorting?:
    | { readonly sort_by?: keyof R & string; readonly sort_order?: 'asc' | 'desc' }
    | undefined;
  readonly pagination?:
    | { readonly page?: number | undefined; readonly per_page?: number | undefined }
    | undefined;
}

interface Select<R> {
  readonly field: keyof R & string;
  readonly in?: readonly Value[];
  readonly not_in?: readonly Value[];
  readonly from?: string | number;
  readonly to?: string | number;
}

interface Explore<R> extends Search<R> {
  readonly facets?:
    | readonly {
        readonly field: keyof R & string;
        readonly limit?: number;
        readonly contains?: string;
      }[]
    | undefined;
  readonly histogram?: Readonly<Record<string, unknown>> | undefined;
}

interface Answer<R> {
  readonly data: readonly R[];
  readonly meta: {
    readonly pagination: {
      readonly total_items: number;
      readonly total_pages: number;
      readonly current_page: number;
      readonly per_page: number;
      readonly next_page_num: number | null;
      readonly prev_page_num: number | null;
    };
    readonly sorting: { readonly sort_by: string; readonly sort_order: 'asc' | 'desc' };
    readonly applied_filters: Readonly<Record<string, unknown>>;
  };
}

interface Explored<R> extends Answer<R> {
  readonly facets?: readonly {
    readonly field: string;
    readonly values: readonly {
      readonly value: Value;
      readonly label?: string;
      readonly count: number;
    }[];
    readonly distinct: number;
    readonly rest: number;
  }[];
  readonly histogram?: {
    readonly field: string;
    readonly interval: string;
    readonly buckets: readonly {
      readonly start: string;
      readonly end: string;
      readonly count: number;
    }[];
    readonly missing: number;
  };
}

/** What the types of any table have in common. */
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
  readonly export: Search<R> & { readonly columns?: readonly (keyof R & string)[] | undefined };
}

export type FieldUse = 'text' | 'filter' | 'facet' | 'sort' | 'range' | 'show';

/** How a field looks to people. */
export type FieldLook =
  | 'status'
  | 'code'
  | 'bytes'
  | 'seconds'
  | 'json'
  | { readonly link: string }
  | { readonly money: string };

export interface OwnField {
  readonly title: string;
  readonly type:
    | 'string'
    | 'number'
    | 'decimal'
    | 'boolean'
    | 'date'
    | 'objectId'
    | 'uuid'
    | 'mixed'
    | 'seconds';
  /** Whether a document may hold several values. */
  readonly several: boolean;
  readonly uses: readonly FieldUse[];
  readonly look: FieldLook | null;
  /** Of a label: the table that it comes from, if the caller may see that table. */
  readonly label_of: { readonly table: string; readonly through: string } | null;
}

/** What the caller may ask of a table, and see of it. */
export interface OwnTable {
  readonly name: string;
  readonly title: string;
  /** Rows that the caller may see; null while the index loads. */
  readonly count: number | null;
  readonly path: string;
  /** The field that names a row. */
  readonly key: string;
  readonly fields: Readonly<Record<string, OwnField>>;
  /** Fields that `q` looks in. */
  readonly text: readonly string[];
  /** Members of `filters`. */
  readonly filters: readonly string[];
  /** Fields that conditions can be on. */
  readonly select: readonly string[];
  readonly ranges: ViewDescription['ranges'];
  readonly facets: readonly string[];
  readonly times: readonly string[];
  readonly sorts: readonly string[];
  readonly default_sort: { readonly sort_by: string; readonly sort_order: 'asc' | 'desc' };
  readonly columns: readonly string[];
  /** Whether the whole document may be read. */
  readonly documents: boolean;
}

/** The answer of `GET /api/v2/tables`. */
export interface OwnTables {
  readonly data: readonly OwnTable[];
  readonly meta: {
    /** Whether the service has the built-in tables as well. */
    readonly built_in_tables: boolean;
  };
}
