/**
 * What a text index is to its users: a table of rows that answers "which rows match, how many, and
 * which of them stand on this page" exactly, while rows come, change and go.
 *
 *     define columns ──► put / remove rows ──► search(query) ──► { total, page, ids }
 *                        relate labels to values
 *
 * The library knows nothing of where rows come from. Two implementations hold this interface and
 * pass one suite: the index, and a scan that only tests use: slow and obviously right.
 */

import type { RestText } from './rests/restText.ts';

/**
 * A value of a type that the table has no special knowledge of: an object, an ObjectId, an array
 * inside an array … It equals another one with the same `typeOrder` and `key`, never matches text, and
 * orders by `typeOrder`, then by `key` as a string of UTF-16 code units.
 *
 * Type orders are MongoDB's canonical type order, `TYPE_ORDER` in scalars.ts, in which the other scalars have
 * their places too: null 5, numbers 10, strings 15, booleans 40, dates 45. So an object (20), an
 * array inside an array (25), binary (30) and an ObjectId (35) come between strings and booleans, a
 * timestamp (47) or a regular expression (50) after dates. Any finite number may be one, except
 * those five and 0, the place of `[]`.
 */
export interface Odd {
  readonly typeOrder: number;
  readonly key: string;
}

/**
 * One stored value. `null` stands for null and for missing alike. `bigint`: integers past 2^53; one
 * that a number holds exactly is the same as that number. Lone surrogates in strings count as
 * U+FFFD, an Invalid Date as the epoch: that is what BSON makes of them.
 */
export type Scalar = null | number | bigint | string | boolean | Date | Odd;

/**
 * What one row holds in one column: one value, or an array of them (the empty array too).
 * Contains and equals hold when any element matches; ascending order takes the least element,
 * descending the greatest, and `[]` comes before everything, null included (all but an `Odd` of a
 * negative type order, MongoDB's MinKey). An element equals a value, an array as a whole equals none.
 */
export type Cell = Scalar | readonly Scalar[];

/** How a column's values tend to look. A hint for the layout only: answers never depend on it. */
export type Expect =
  | 'uuid' /** mostly one UUID a row, mostly unique */
  | 'unique' /** mostly different texts or numbers */
  | 'repeating' /** some thousands of distinct values over many rows */
  | 'few' /** a handful of distinct values */
  | 'number'
  | 'date';

export interface ColumnDefinition {
  readonly name: string;
  readonly expect: Expect;
  /** Can be asked with `contains`. */
  readonly contains?: boolean;
  /** Can be asked with `equals`. */
  readonly equals?: boolean;
  /** Rows can be sorted by it. */
  readonly sort?: boolean;
  /** Rows can be counted by its values. */
  readonly facet?: boolean;
  /**
   * Rows can be selected by a range of its numbers or dates, as `expect` says; where it holds dates
   * and is sorted by, they can be counted by time.
   */
  readonly range?: boolean;
  /** Names of labels: texts attached to this column's values by `relate`, asked with `contains`. */
  readonly labels?: readonly string[];
}

/** A column, or a label, that is looked through together with others. */
export interface Together {
  readonly column: string;
  readonly label?: string;
  /** It is often looked through by itself too. */
  readonly alone?: boolean;
}

export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  /** What a free text is looked for in at once, by an `or`. A hint for the layout only. */
  readonly together?: readonly Together[];
}

/** The key of a row. Rows are ordered by it, as by a scalar, where the sort column ties. */
export type RowId = number | bigint | string | Odd | boolean | Date | null;

export interface Row {
  readonly id: RowId;
  /** One cell a column, in the order of the definition. */
  readonly cells: readonly Cell[];
  /** What is shown of the row besides its cells, as UTF-8; the table keeps it where it has room. */
  readonly rest?: Uint8Array | undefined;
}

/** What is shown of a row. */
export interface ShownRow {
  /** Of each column asked for the one value of its cell. */
  readonly values: readonly Scalar[];
  /**
   * Of some of them a number, 0 for none: as long as no row changes, values of a column that have the same
   * number are the same. So what was made of a value is found by it, and is to be compared.
   */
  readonly ordinals?: readonly number[];
  readonly rest: StoredRest;
}

/** What is shown of a row's cells while it is put together, a place for each column. */
export interface ShownCells {
  readonly values: Scalar[];
  readonly ordinals: number[];
}

/** What was put in of a row besides its cells, as it was when it was asked for. */
export interface StoredRest {
  read(to: RestText): void;
}

/** Which rows: plain data. `Value`: what rows are compared with. */
export type Query<Value = Scalar> =
  | { readonly op: 'all' }
  | { readonly op: 'none' }
  | { readonly op: 'and'; readonly of: readonly Query<Value>[] }
  | { readonly op: 'or'; readonly of: readonly Query<Value>[] }
  /**
   * Case-insensitive, literal. With `label`, the text is looked for in that label of the values.
   * The empty text is in every string (and in no number).
   */
  | {
      readonly op: 'contains';
      readonly column: string;
      readonly label?: string;
      readonly text: string;
    }
  /** Any of the values, compared exactly: strings by code unit, numbers by value across types. */
  | { readonly op: 'equals'; readonly column: string; readonly values: readonly Value[] };

export interface PageRequest {
  readonly where: Query;
  /**
   * Which rows count at all; left out, all do. While they are few, the time of a search depends on
   * these rows alone, and not on what others hold.
   */
  readonly within?: Query;
  /** A sortable column, or 'id' for the row id alone. Ties go by id, in the same direction. */
  readonly sortBy: string;
  readonly descending: boolean;
  /** 1-based; past the end it means the last page. */
  readonly page: number;
  readonly perPage: number;
}

export interface PageResult {
  readonly total: number;
  /** The page these rows stand on after clamping; 1 when there are none. */
  readonly page: number;
  readonly ids: readonly RowId[];
}

/**
 * What rows must fulfil besides the search. `in` and `not_in` compare as `equals` does; `not_in` holds
 * for a row without any value. A range, `from` inclusive and `to` exclusive, holds for a value of the
 * column's type, number or date, and of an array for any one element; never for NaN.
 */
export type RowCondition =
  | { readonly op: 'ids'; readonly ids: readonly Scalar[] }
  | {
      readonly op: 'in' | 'not_in';
      readonly column: string;
      readonly values: readonly Scalar[];
    }
  | {
      readonly op: 'range';
      readonly column: string;
      readonly from?: number | Date;
      readonly to?: number | Date;
    };

/** Counts by value; conditions on the same column do not count. */
export interface FacetRequest {
  readonly column: string;
  /** How many values are listed. */
  readonly limit: number;
  /** All values are, in no order, whatever the limit is. */
  readonly whole?: boolean;
  /** Only values that contain this text, or have it in this label, or are one of these. */
  readonly having?: {
    readonly text: string;
    readonly label?: string;
    readonly values?: readonly Scalar[];
  };
}

/** Counts by time; conditions on the same column do not count. Moments are ms since the epoch. */
export interface HistogramRequest {
  readonly column: string;
  /** Only dates from this moment on, and before that one, are counted. */
  readonly from?: number;
  readonly to?: number;
  /**
   * Where each bucket begins, in ascending order, then where the last one ends; they must hold the
   * least and the greatest date counted, which are undefined when there is none. Must not throw.
   */
  readonly boundaries: (first?: number, last?: number) => readonly number[];
  /** The column whose most frequent values are counted in each bucket, at most `limit`. */
  readonly by?: { readonly column: string; readonly limit: number };
}

export interface ExploreRequest extends PageRequest {
  readonly conditions: readonly RowCondition[];
  readonly facets: readonly FacetRequest[];
  readonly histogram?: HistogramRequest;
}

export interface ValueCount {
  readonly value: Scalar;
  readonly count: number;
}

/**
 * A row counts once for each distinct element of its cell; `EMPTY_ARRAY` among them is none. Strings,
 * booleans, null and finite numbers
 * are values that can be listed.
 */
export interface FacetResult {
  /** Most frequent first, ties in the order of values. */
  readonly values: readonly ValueCount[];
  /** How many values could be listed. */
  readonly distinct: number;
  /** The sum of the counts of all that are not listed. */
  readonly rest: number;
}

export interface HistogramResult {
  /** By bucket. */
  readonly counts: readonly number[];
  /** Elements that are no dates. */
  readonly missing: number;
  readonly by?: {
    readonly values: readonly Scalar[];
    /** By bucket, then by the place in `values`. */
    readonly split: readonly (readonly number[])[];
    /** By bucket: those that have none of `values`. */
    readonly rest: readonly number[];
  };
}

export interface ExploreResult extends PageResult {
  /** In the order asked for. */
  readonly facets: readonly FacetResult[];
  readonly histogram?: HistogramResult;
}

/** A step of a plan: what was expected of it, and what it came to. */
export interface PlanStep {
  /** As the physical plan prints it: for people, not for programs. */
  readonly does: string;
  /** About how many rows fulfil it; none is made where each row is tested. */
  readonly estimate?: number;
  /** How many rows fulfil it by itself; not counted where each row is tested. */
  readonly rows?: number;
  /** How many rows fulfil it and all steps before. */
  readonly left: number;
  /** How these are held. */
  readonly form: 'all' | 'none' | 'list' | 'bitmap';
}

/** How a search, or an explore, is answered now. */
export interface TableExplanation {
  /** Rows that are there. */
  readonly size: number;
  /** About how many rows the search finds, as it was planned. */
  readonly estimate: number;
  readonly steps: readonly PlanStep[];
  /** Of an explore: how conditions are asked and each of what is counted, a line each. */
  readonly counts: readonly string[];
}

export interface TextTable {
  readonly definition: TableDefinition;
  /** Rows that are there. */
  readonly size: number;
  /** Bytes reserved: array buffers and WebAssembly memory, used or not; heap objects estimated. */
  readonly bytes: number;
  /** Puts a row in, in place of the one with the same id if there is one. */
  put(row: Row): void;
  /** Takes a row out; false when there was none. */
  remove(id: RowId): boolean;
  /** Sets the label texts of one value (replacing those it had; [] takes them away). The value
   *  need not occur in any row yet: rows that get it later have the label at once. */
  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void;
  search(request: PageRequest): PageResult;
  /**
   * What a row holds in some columns, `[]` as the value that stands for it; undefined when there is no
   * such row. A column of which nothing can be asked is undefined.
   */
  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined;
  /**
   * The row's rest with what it holds in some columns, none of which must be an array; undefined when
   * there is no such row, or its rest is not kept.
   */
  shown(id: RowId, columns: readonly string[]): ShownRow | undefined;
  /** The same without the rest. The array of columns is to be the same one for each row. */
  shownValues(id: RowId, columns: readonly string[]): readonly Scalar[] | undefined;
  /** Bytes that rests take; part of `bytes`. */
  readonly restBytes: number;
  /** Keeps the rests of the rows written longest ago no longer; false when there are none. */
  dropOldestRests(): boolean;
  /** How it answers now: each step is run, by itself too. It takes as long as a search for each step. */
  explain(request: PageRequest | ExploreRequest): TableExplanation;
  /** A page of the rows that fulfil the search and all conditions, and counts beside it. */
  explore(request: ExploreRequest): ExploreResult;
  /** Does a slice of pending maintenance (merging, sorting) for about `budgetMs`; false when none is left. */
  maintain(budgetMs: number): boolean;
  /** Walks every invariant and throws at the first that does not hold. Slow; for tests and soaks. */
  check(): void;
}
