/**
 * The plan of a search: its condition, order and page. A plan is plain data, says nothing of how it
 * is run, and prints itself.
 *
 *     orders where (state in ["open","sent"] and email ~ "ana") by id desc, page 1, rows a page: 10
 *     shops within owner_ids = 7 where name ~ "ana" by id desc, page 1, rows a page: 10
 *
 * Two executors take it: the aggregation pipeline and the in-memory index.
 */

import { type Resource, tableName } from '../definition/definition.ts';
import { type Predicate, printPredicate } from '../definition/predicate.ts';

/** A part of an order: the field that rows are ordered by, and the direction. */
export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

export interface Plan {
  readonly resource: Resource;
  /**
   * The rows that the caller may see, as far as the view limits them. Executors begin with these.
   */
  readonly within: Predicate;
  readonly where: Predicate;
  /** For pipelines: the start of the resource's window at the moment that they read. */
  readonly since?: Date;
  /** The most significant first; the key decides ties, in the direction of the last. */
  readonly sorting: readonly [Sort, ...Sort[]];
  /** 1-based, at least 1; past the end it means the last page. */
  readonly page: number;
  readonly perPage: number;
}

export function printPlan(plan: Plan): string {
  const order = plan.sorting.map(({ by, descending }) => `${by} ${descending ? 'desc' : 'asc'}`);
  const within = plan.within.op === 'all' ? '' : `within ${printPredicate(plan.within)} `;
  return (
    `${tableName(plan.resource.name)} ${within}where ${printPredicate(plan.where)} ` +
    `by ${order.join(', ')}, page ${plan.page}, rows a page: ${plan.perPage}`
  );
}
