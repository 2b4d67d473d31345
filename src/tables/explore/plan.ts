/**
 * The plan of an explore: a search with conditions on fields, counts by value and counts by time.
 *
 *     orders where all by id desc, page 1 of 10
 *       select status in ["sent"], placed from 2026-11-20T00:00:00.000Z
 *       facet region (10)
 *       histogram placed by auto in Europe/Berlin, at most 60
 *
 * Conditions stand apart from the search's own predicate, most with a field. A facet and the
 * histogram ignore conditions on their own field, but never the predicate, which limits the rows to
 * the visible ones.
 */
import {
  type Bound,
  columnOfCondition,
  type FacetRequest,
  type RowCondition,
} from '../../textindex/index.ts';
import {
  type Predicate,
  printPredicate,
  printValue,
  shownValue,
  type Value,
} from '../definition/predicate.ts';
import { type Plan, printPlan } from '../query/plan.ts';
import type { Interval } from './calendar.ts';

/**
 * A condition, in the shape that the text index takes. Its column is the field that it names, which
 * may be a label.
 */
export type Condition = RowCondition<Value>;

/** Counts by value, in the shape that the text index takes. Its columns are fields. */
export type FacetPlan = FacetRequest;

export interface HistogramPlan {
  readonly field: string;
  readonly interval: Interval | 'auto';
  /** With `auto`: the fewest buckets for which a plain interval does, and the most. */
  readonly minBuckets?: number;
  readonly maxBuckets: number;
  readonly timeZone: string;
  readonly from?: Date;
  readonly to?: Date;
  /** The millisecond that holds the beginning, where `from` is the next one: it may lie in an earlier bucket. */
  readonly begin?: Date;
  /** Without `to`, buckets reach at least this moment, and further where a row has a later date. */
  readonly until?: Date;
  /** The field whose most frequent values are counted in each bucket. */
  readonly by?: string;
}

export interface ExplorePlan extends Plan {
  readonly conditions: readonly Condition[];
  /** Facets are counted once more with these conditions in place of the others. */
  readonly baseline?: readonly Condition[];
  readonly facets: readonly FacetPlan[];
  readonly histogram?: HistogramPlan;
  /** The fields of numbers or dates that have statistics. */
  readonly stats: readonly string[];
}

export const isExplore = (plan: Plan): plan is ExplorePlan => 'conditions' in plan;

/** Most buckets of an explicit interval. */
export const MAX_BUCKETS = 500;

/** How many values of `by` a histogram or a facet counts. */
export const BY_VALUES = 10;

/** The conditions that counts of this field obey: those on other fields. */
export const conditionsBeside = (
  conditions: readonly Condition[],
  field: string,
): readonly Condition[] => conditions.filter((condition) => columnOfCondition(condition) !== field);

/** The conditions with other predicates in place of their own, replaced one after the other. */
export async function withQueries(
  conditions: readonly Condition[],
  replace: (query: Predicate) => Promise<Predicate>,
): Promise<readonly Condition[]> {
  const all: Condition[] = [];
  for (const one of conditions) {
    if (one.op === 'any') all.push({ ...one, of: await withQueries(one.of, replace) });
    else if (one.op === 'not') {
      const [of] = await withQueries([one.of], replace);
      all.push({ ...one, of: of! });
    } else all.push('query' in one ? { ...one, query: await replace(one.query) } : one);
  }
  return all;
}

export function printExplore(plan: ExplorePlan): string {
  const { conditions, baseline, facets, histogram, stats } = plan;
  const lines = [printPlan(plan)];
  if (conditions.length > 0) lines.push(`select ${conditions.map(printCondition).join(', ')}`);
  if (baseline) lines.push(`baseline ${baseline.map(printCondition).join(', ') || 'all'}`);
  for (const facet of facets) lines.push(printFacet(facet));
  if (histogram) lines.push(printHistogram(histogram));
  if (stats.length > 0) lines.push(`stats ${stats.join(', ')}`);
  return lines.join('\n  ');
}

export function printCondition(condition: Condition): string {
  switch (condition.op) {
    case 'ids':
    case 'in': {
      const values = 'ids' in condition ? condition.ids : condition.values;
      return `${condition.column} in [${values.map(printValue).join(',')}]`;
    }
    case 'range':
      return `${condition.column}${printRange(condition)}`;
    case 'nothing':
      return `${condition.column} in [null]`;
    case 'matches':
      return printPredicate(condition.query);
    case 'not':
      return `not ${printCondition(condition.of)}`;
    case 'any':
      return `(${condition.of.map(printCondition).join(' or ')})`;
  }
}

function printFacet({ column, limit, having, order, by }: FacetPlan): string {
  const containing = having === undefined ? '' : ` ~ ${JSON.stringify(having.text)}`;
  const most = order?.by === 'lift' ? `, at least ${order.minCount} each` : '';
  const ordered = order === undefined ? '' : ` by ${order.by}${most}`;
  const split = by === undefined ? '' : `, split by ${by.column}`;
  return `facet ${column}${containing} (${limit})${ordered}${split}`;
}

function printHistogram(histogram: HistogramPlan): string {
  const { field, interval, minBuckets, maxBuckets, timeZone, until, by } = histogram;
  const least = minBuckets === undefined ? '' : `${minBuckets} to `;
  const most = interval === 'auto' ? `, ${least || 'at most '}${maxBuckets}` : '';
  const split = by === undefined ? '' : `, split by ${by}`;
  const reach = until === undefined ? '' : ` until ${shownValue(until)}`;
  return `histogram ${field}${printRange(histogram)}${reach} by ${interval} in ${timeZone}${most}${split}`;
}

function printRange({ from, to }: { readonly from?: Bound; readonly to?: Bound }) {
  const side = (word: string, value: Bound | undefined) =>
    value === undefined ? '' : ` ${word} ${shownValue(value)}`;
  return `${side('from', from)}${side('to', to)}`;
}
