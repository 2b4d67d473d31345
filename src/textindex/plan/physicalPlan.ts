/**
 * The physical plan of a search: the source of the first rows, and the residual conditions that
 * these rows must meet as well. The planner makes it, the evaluator keeps to its thresholds,
 * `table.explain` prints it. The values found for it are in scratch memory: a plan is valid until
 * that is reset, at the end of a search.
 *
 *     list up to 2048 of about 12 rows: shop 1 value
 *     probe up to 1024, else intersect about 900 rows: email 40 values | number UUID ~ 4f2a
 *
 * The number of rows left after each step is known only when it runs. So the plan has a number for
 * it: up to this many rows are probed one by one, more are intersected as bitmaps.
 */
import type { Query } from '../api.ts';
import type { NgramBitmap } from '../ngrams/ngramBitmaps.ts';
import type { ColumnMatch } from './columnLookup.ts';

/** Alternatives: an n-gram's bitmap, values of columns, and plans of their own. */
export interface Disjunction {
  readonly ngram: NgramBitmap | undefined;
  readonly matches: readonly ColumnMatch[];
  readonly plans: readonly Conjunction[];
  /** About how many rows match it; for an n-gram, rows that hold it outside of their UUID. */
  readonly estimate: number;
}

/** Where the first rows come from: a list of at most `listUpTo` rows, or a bitmap (0: at once). */
export interface Source {
  readonly any: Disjunction;
  readonly listUpTo: number;
}

/** A residual condition, which the rows found so far must meet as well. */
export interface Residual {
  readonly any: Disjunction;
  /** Up to this many rows are probed one by one; more are intersected with the disjunction's rows. */
  readonly probeUpTo: number;
}

/** Rows of a source that pass all residuals. */
export interface Conjunction {
  readonly op: 'and';
  readonly source: Source;
  readonly residuals: readonly Residual[];
}

/** Rows on each of which the query is tested, so that no other row's values are read. */
export interface Test {
  readonly op: 'test';
  readonly among: Conjunction;
  readonly query: Query;
}

export type PhysicalPlan = { readonly op: 'all' } | { readonly op: 'none' } | Conjunction | Test;

export const PLAN_OF_ALL = Object.freeze({ op: 'all' });
export const PLAN_OF_NONE = Object.freeze({ op: 'none' });

/** How many look-ups it takes to probe one row, at most. */
export function probesOf({ ngram, matches, plans }: Disjunction): number {
  return Math.max(1, (ngram ? 1 : 0) + matches.length + plans.length);
}

export function printSource({ any, listUpTo }: Source): string {
  return `${listUpTo > 0 ? `list up to ${listUpTo} of` : 'bitmap of'} ${printDisjunction(any)}`;
}

export const printTest = ({ query }: Test): string => `test each: ${printQuery(query)}`;

export const printResidual = ({ any, probeUpTo }: Residual): string =>
  `probe up to ${probeUpTo}, else intersect ${printDisjunction(any)}`;

function printDisjunction({ ngram, matches, plans, estimate }: Disjunction): string {
  const parts = [
    ...(ngram ? [`n-gram '${ngram.text}'`] : []),
    ...matches.map(printMatch),
    ...plans.map((plan) => `(${printConjunction(plan)})`),
  ];
  return `about ${Math.round(estimate)} rows: ${parts.join(' | ')}`;
}

const printConjunction = ({ source, residuals }: Conjunction): string =>
  [printSource(source), ...residuals.map(printResidual)].join('; ');

function printMatch({ column, n, infixes, pieces }: ColumnMatch): string {
  const { name } = column.definition;
  const values = n === 0 ? [] : [n === 1 ? '1 value' : `${n} values`];
  const texts = infixes.map(({ text }) => `infix '${text}'`);
  return [name, [...texts, ...values, ...pieces.map((piece) => `UUID ~ ${piece}`)].join(', ')].join(
    ' ',
  );
}

function printQuery(query: Query): string {
  switch (query.op) {
    case 'all':
    case 'none':
      return query.op;
    case 'and':
    case 'or':
      return `${query.op}(${query.of.map(printQuery).join(', ')})`;
    case 'contains':
      return `${[query.column, ...(query.label === undefined ? [] : [query.label])].join('.')} ~ ${query.text}`;
    case 'equals':
      return `${query.column} = ${query.values.map(String).join(' or ')}`;
  }
}
