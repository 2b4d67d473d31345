/**
 * The public interface of a text index: a table of rows that answers "which rows match, how many,
 * and which of them stand on this page". The answers are exact while rows come, change and go.
 *
 *     define columns ──► put / remove rows ──► search(query) ──► { total, page, ids }
 *                        relate labels to values
 *
 * The library knows nothing of where rows come from. Two implementations hold this interface and
 * pass one suite: the index, and a scan that only tests use: slow and obviously right.
 */

import type { RestText } from './rests/restText.ts';

/**
 * A value of a type without a representation of its own: an object, an ObjectId, an array inside an
 * array. It equals another one with the same `typeOrder` and `key`, and never matches text. It
 * orders by `typeOrder`, then by `key` as a string of UTF-16 code units.
 *
 * Type orders are MongoDB's canonical type order, `TYPE_ORDER` in typeOrder.ts. The other scalars
 * have their places there too: null 5, numbers 10, strings 15, booleans 40, dates 45. An object
 * (20), an array inside an array (25), binary (30) and an ObjectId (35, its key has a unit for each of
 * 12 bytes) come between strings and booleans. A timestamp (47) or a regular expression (50) comes after dates. Any finite number is
 * valid except those five and 0, the place of `[]`; but a `Decimal` has that of numbers, and
 * `NOTHING` that of null.
 */
export interface Odd {
  readonly typeOrder: number;
  readonly key: string;
}

/**
 * A decimal that no double equals, by its exact digits: see decimal.ts, which makes them. Its place
 * in the order is among the numbers.
 */
export interface Decimal extends Odd {
  /** The nearest double. */
  readonly near: number;
}

/**
 * One stored value. `null` stands for null and for missing alike. `bigint`: integers past 2^53; a
 * bigint that a number holds exactly equals that number. Lone surrogates in strings count as
 * U+FFFD, an Invalid Date as the epoch: BSON writes them so.
 */
export type Scalar = null | number | bigint | string | boolean | Date | Odd | Decimal;

/**
 * The content of one row in one column: one value, or an array of values (the empty array too).
 * Contains and equals hold when any element matches. Ascending order takes the least element,
 * descending the greatest. `[]` comes before everything, null included, except an `Odd` of a
 * negative type order (MongoDB's MinKey). A single element can equal a value; an array as a whole
 * equals none.
 */
export type Cell = Scalar | readonly Scalar[];

/** How a column's values tend to look. A hint for the layout only: answers never depend on it. */
export type Expect =
  | 'uuid' /** mostly one UUID a row, mostly unique */
  | 'objectId' /** mostly one ObjectId a row, mostly unique; for columns `ofIds` */
  | 'number'
  | 'date'
  | 'any';

export interface ColumnDefinition {
  readonly name: string;
  readonly expect: Expect;
  /**
   * It holds ObjectIds: `contains` looks at their lower-case hexadecimal texts and at no strings, and
   * counts by value list them.
   */
  readonly ofIds?: boolean;
  /** Supports `contains`. */
  readonly contains?: boolean;
  /** Supports `equals`. */
  readonly equals?: boolean;
  /** Rows can be sorted by it. */
  readonly sort?: boolean;
  /** Rows can be counted by its values. */
  readonly facet?: boolean;
  /**
   * Supports selection by a range of its numbers or dates, as `expect` says. A column of dates that
   * is sorted by can also be counted by time.
   */
  readonly range?: boolean;
  /** Names of labels: texts attached to this column's values by `relate`, asked with `contains`. */
  readonly labels?: readonly string[];
}

/** A column, or a label, that is searched together with others. */
export interface Together {
  readonly column: string;
  readonly label?: string;
}

export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  /** The columns that a free text is sought in at once, by an `or`. A hint for the layout only. */
  readonly together?: readonly Together[];
}

/** The key of a row. Rows with equal sort values are ordered by it, as by a scalar. */
export type RowId = Scalar;

export interface Row {
  readonly id: RowId;
  /** One cell a column, in the order of the definition. */
  readonly cells: readonly Cell[];
  /**
   * The members shown of the row besides its cells, as UTF-8; the table keeps them while it has
   * room.
   */
  readonly rest?: Uint8Array | undefined;
}

/** The content of a row, to be shown. */
export interface ShownRow {
  /** The one value in each requested column. */
  readonly values: readonly Scalar[];
  readonly rest: StoredRest;
}

/** The bytes put in with a row besides its cells, as they were at the request. */
export interface StoredRest {
  read(to: RestText): void;
}

/** Selects rows, as plain data. `Value`: the type of the values that rows are compared with. */
export type Query<Value = Scalar> =
  | { readonly op: 'all' }
  | { readonly op: 'none' }
  | { readonly op: 'and'; readonly of: readonly Query<Value>[] }
  | { readonly op: 'or'; readonly of: readonly Query<Value>[] }
  /**
   * Case-insensitive, literal. With `label`, the text is sought in that label of the values. The
   * empty text is in every string (and in no number).
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
   * The rows that count at all; left out, all do. While they are few, the time of a search depends
   * on these rows alone, and not on the contents of others.
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
 * A condition on rows besides the search. `column`: counts of this column ignore the condition.
 * `in` compares as `equals` does. A range, `from` inclusive and `to` exclusive, holds for a value of
 * the column's type, number or date, and of an array for any one element; never for NaN. `nothing`
 * holds for null and for a row without any value, of an array for an element that is null. The column
 * of both supports ranges, or is `id`, for ids that are numbers.
 */
export type RowCondition<Value = Scalar> =
  | { readonly op: 'ids'; readonly column?: string; readonly ids: readonly Scalar[] }
  | { readonly op: 'in'; readonly column: string; readonly values: readonly Scalar[] }
  | {
      readonly op: 'range';
      readonly column: string;
      readonly from?: Bound;
      readonly to?: Bound;
    }
  | { readonly op: 'nothing'; readonly column: string }
  | { readonly op: 'matches'; readonly column?: string; readonly query: Query<Value> }
  /** It holds for every other row. Its column is that of the other condition. */
  | { readonly op: 'not'; readonly of: RowCondition<Value> }
  /** One of them holds. Its column is the one that all of them are on, if there is one. */
  | { readonly op: 'any'; readonly of: readonly RowCondition<Value>[] };

/** An end of a range: a number of any type, never NaN, or a date. */
export type Bound = number | bigint | Decimal | Date;

/** Counts by value; conditions on the same column do not count. */
export interface FacetRequest {
  readonly column: string;
  /** How many values are listed. */
  readonly limit: number;
  /** Left out, values are listed by `count`. */
  readonly order?: FacetOrder;
  /** Only values that contain this text, or have it in this label, or are one of these. */
  readonly having?: {
    readonly text: string;
    readonly label?: string;
    readonly values?: readonly Scalar[];
  };
  /** The column by whose most frequent values, at most `limit`, each listed value is split. */
  readonly by?: { readonly column: string; readonly limit: number };
}

/**
 * `count`: most frequent first; `value`: in the order of values; `lift`: most over-represented first,
 * by `lift` in explore/lift.ts, with at least `minCount` rows. Ties in the order of values.
 */
export type FacetOrder =
  | { readonly by: 'count' | 'value' }
  | { readonly by: 'lift'; readonly minCount: number };

/** Counts by time; conditions on the same column do not count. Moments are ms since the epoch. */
export interface HistogramRequest {
  readonly column: string;
  /** Only dates from this moment on, and before that one, are counted. */
  readonly from?: number;
  readonly to?: number;
  /**
   * The start of each bucket, in ascending order, then the end of the last one. They must hold the
   * least and the greatest date counted, which are undefined when there is none. Must not throw.
   */
  readonly boundaries: (first?: number, last?: number) => readonly number[];
  /** The column whose most frequent values are counted in each bucket, at most `limit`. */
  readonly by?: { readonly column: string; readonly limit: number };
}

/** A part of an order that is made on request. */
export interface SortKey {
  /** Any column, or 'id' for the row id unless there is `labelOf`. Nothing inside of an array counts, unless it is all. */
  readonly column: string;
  readonly descending: boolean;
  /** Rows are ordered by this of their value; of several values it is null. Must not throw. */
  readonly labelOf?: (value: Scalar) => Scalar;
}

/** Statistics of a column's numbers, or dates, over the rows of the page's search. */
export interface StatsRequest {
  /** Supports selection by a range. */
  readonly column: string;
  /** The ranks, from 0 and ascending, of the wanted values among so many of them, at least one. */
  readonly ranks: (count: number) => readonly number[];
}

export interface ExploreRequest extends PageRequest {
  /** The order in place of `sortBy`, if it is not kept. Ties go by id, in the last direction. */
  readonly order?: readonly SortKey[];
  readonly conditions: readonly RowCondition[];
  /** Facets are counted once more with these conditions in place of the others. */
  readonly baseline?: readonly RowCondition[];
  readonly facets: readonly FacetRequest[];
  readonly histogram?: HistogramRequest;
  readonly stats?: readonly StatsRequest[];
}

export interface ValueCount {
  readonly value: Scalar;
  readonly count: number;
  /** With a baseline: the count under its conditions. */
  readonly baseline?: number;
  /** With `by`: the rows with each of `by.values`. */
  readonly counts?: readonly number[];
}

/**
 * A row counts once for each distinct element of its cell; `EMPTY_ARRAY` among them is none. Strings,
 * booleans, null and finite numbers
 * are values that can be listed.
 */
export interface FacetResult {
  /** In the order asked for. */
  readonly values: readonly ValueCount[];
  /** How many values could be listed. */
  readonly distinct: number;
  /** The sum of the counts of all that are not listed. */
  readonly rest: number;
  /** With a baseline: the rows counted, and the rows of the baseline. */
  readonly total?: number;
  readonly baselineTotal?: number;
  /** With `by`: its most frequent values among the rows counted, as facets list them. */
  readonly by?: readonly Scalar[];
}

export interface HistogramResult {
  /** Counts by bucket. */
  readonly counts: readonly number[];
  /** Elements that are no dates. */
  readonly missing: number;
  readonly by?: {
    readonly values: readonly Scalar[];
    /** Counts by bucket, then by the place in `values`. */
    readonly split: readonly (readonly number[])[];
    /** Counts by bucket of elements with none of `values`. */
    readonly rest: readonly number[];
  };
}

/** A row counts once for each distinct element of its cell. */
export interface StatsResult {
  /** Finite numbers, or dates. */
  readonly count: number;
  /** Elements that are neither. */
  readonly missing: number;
  /** The values at the requested ranks; none without a value. */
  readonly values: readonly Scalar[];
}

export interface ExploreResult extends PageResult {
  /** In the order asked for. */
  readonly facets: readonly FacetResult[];
  readonly histogram?: HistogramResult;
  readonly stats: readonly StatsResult[];
}

/** A step of a plan: the estimate and the outcome. */
export interface PlanStep {
  /** As the physical plan prints it: for people, not for programs. */
  readonly does: string;
  /** The estimated number of rows that match the step; left out if each row is tested. */
  readonly estimate?: number;
  /** The number of rows that match the step by itself; not counted if each row is tested. */
  readonly rows?: number;
  /** The number of rows that match this step and all before. */
  readonly left: number;
  /** The form of these rows' set. */
  readonly form: 'all' | 'none' | 'list' | 'bitmap';
}

/** How a search, or an explore, is answered now. */
export interface TableExplanation {
  /** Rows that are there. */
  readonly size: number;
  /** The planner's estimate of the rows found. */
  readonly estimate: number;
  readonly steps: readonly PlanStep[];
  /** For an explore, how its conditions are tested, its order and each count made, a line each. */
  readonly counts: readonly string[];
}

/** The content of a table's partition as bytes. Until it is closed the table may be searched, and must not change. */
export interface TableImage {
  /** The chunks of its state, in order; a step takes some microseconds, and most have none. */
  state(): Iterable<readonly Uint8Array[]>;
  /** The bytes of its memory, valid until something else runs. */
  readonly memory: Uint8Array;
  close(): void;
}

export interface TextTable {
  readonly definition: TableDefinition;
  /** Rows that are there. */
  readonly size: number;
  /** Bytes reserved: array buffers and WebAssembly memory, used or not; heap objects estimated. */
  readonly bytes: number;
  /** Puts a row in, replacing a row with the same id. */
  put(row: Row): void;
  /** Takes a row out; false when there was none. */
  remove(id: RowId): boolean;
  /** Sets the label texts of one value (replacing those it had; [] takes them away). The value
   *  need not occur in any row yet: rows that get it later have the label at once. */
  relate(column: string, value: Scalar, label: string, texts: readonly string[]): void;
  search(request: PageRequest): PageResult;
  /**
   * A row's values in some columns, with a value that stands for `[]`; undefined when there is no
   * such row. A column without any use is undefined.
   */
  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined;
  /**
   * The row's rest with its values in some columns, none of which may hold an array. Undefined when
   * there is no such row, or its rest is not kept.
   */
  shown(id: RowId, columns: readonly string[]): ShownRow | undefined;
  /** Bytes that rests take; part of `bytes`. */
  readonly restBytes: number;
  /** Drops the rests of the rows written longest ago; false when there are none. */
  dropOldestRests(): boolean;
  /** How it answers now: each step is run, by itself too. It takes as long as a search for each step. */
  explain(request: PageRequest | ExploreRequest): TableExplanation;
  /** A page of the rows that match the search and all conditions, and counts beside it. */
  explore(request: ExploreRequest): ExploreResult;
  /**
   * Sorts the rows of a load for about `budgetMs`; false when all are sorted. Before the first
   * question, which else sorts them in one step.
   */
  sort(budgetMs: number): boolean;
  /** Does a slice of pending maintenance (merging, sorting) for about `budgetMs`; false when none is left. */
  maintain(budgetMs: number): boolean;
  /**
   * Its content as bytes, an image for each partition, when no maintenance is left; `createIndex`
   * makes a table of them again. Left out by tables that cannot be kept.
   */
  images?(): readonly TableImage[];
  /** Walks every invariant and throws at the first that does not hold. Slow; for tests and soaks. */
  check(): void;
}
