/**
 * The plan of an explore: a search with conditions on fields, counts by value and counts by time.
 *
 *     orders where all by id desc, page 1 of 10
 *       select status in ["sent"], placed from 2026-11-20T00:00:00.000Z
 *       facet region (10)
 *       histogram placed by auto in Europe/Berlin, at most 60
 *
 * Conditions stand apart from the search's own predicate, each with its field. A facet and the
 * histogram ignore conditions on their own field, but never the predicate, which limits the rows to
 * the visible ones.
 */
import type { Bound } from '../../textindex/index.ts';
import { type Plan, printPlan, printValue, shownValue, type Value } from '../query/plan.ts';
import type { Interval } from './calendar.ts';

/** A value that a field is compared with; null stands for null and for missing. */
export type SelectedValue = Value | null;

export type Condition =
  | {
      readonly op: 'in' | 'not_in';
      readonly field: string;
      readonly values: readonly SelectedValue[];
    }
  /**
   * `from` inclusive, `to` exclusive, at least one of them; of one type, which matching values
   * share.
   */
  | {
      readonly op: 'range';
      readonly field: string;
      readonly from?: Bound;
      readonly to?: Bound;
    };

export interface FacetPlan {
  readonly field: string;
  /** How many values are listed. */
  readonly limit: number;
  /** Only values whose text or label contains this. */
  readonly contains?: string;
  /** The values whose label contains it, if the application labels them. */
  readonly labelled?: readonly string[];
}

export interface HistogramPlan {
  readonly field: string;
  readonly interval: Interval | 'auto';
  /** With `auto`: the most buckets. */
  readonly maxBuckets: number;
  readonly timeZone: string;
  readonly from?: Date;
  readonly to?: Date;
  /** The field whose most frequent values are counted in each bucket. */
  readonly by?: string;
}

export interface ExplorePlan extends Plan {
  readonly conditions: readonly Condition[];
  readonly facets: readonly FacetPlan[];
  readonly histogram?: HistogramPlan;
}

export const isExplore = (plan: Plan): plan is ExplorePlan => 'conditions' in plan;

/** Most buckets of an explicit interval. */
export const MAX_BUCKETS = 500;

/** How many values of `by` a histogram counts. */
export const BY_VALUES = 10;

/** The conditions that counts of this field obey: those on other fields. */
export function conditionsBeside(plan: ExplorePlan, field: string): readonly Condition[] {
  return plan.conditions.filter((condition) => condition.field !== field);
}

export function printExplore(plan: ExplorePlan): string {
  const { conditions, facets, histogram } = plan;
  const lines = [printPlan(plan)];
  if (conditions.length > 0) lines.push(`select ${conditions.map(printCondition).join(', ')}`);
  for (const { field, limit, contains } of facets) {
    const having = contains === undefined ? '' : ` ~ ${JSON.stringify(contains)}`;
    lines.push(`facet ${field}${having} (${limit})`);
  }
  if (histogram) lines.push(printHistogram(histogram));
  return lines.join('\n  ');
}

export function printCondition(condition: Condition): string {
  const { op, field } = condition;
  if (op !== 'range')
    return `${field} ${op.replace('_', ' ')} [${condition.values.map(printValue).join(',')}]`;
  return `${field}${printRange(condition)}`;
}

function printHistogram(histogram: HistogramPlan): string {
  const { field, interval, maxBuckets, timeZone, by } = histogram;
  const most = interval === 'auto' ? `, at most ${maxBuckets}` : '';
  const split = by === undefined ? '' : `, split by ${by}`;
  return `histogram ${field}${printRange(histogram)} by ${interval} in ${timeZone}${most}${split}`;
}

function printRange({ from, to }: { readonly from?: Bound; readonly to?: Bound }) {
  const side = (word: string, value: Bound | undefined) =>
    value === undefined ? '' : ` ${word} ${shownValue(value)}`;
  return `${side('from', from)}${side('to', to)}`;
}
