/**
 * Turns an explore's counts into a request to the table, and the table's counts into the answer's
 * form.
 *
 *     ExplorePlan ──► ExploreRequest ──► table ──► ExploreResult ──► Counts, with labels
 *
 * Labels are those of the related documents at the frontier, where the counts are too. Without a
 * baseline, a condition on a field without counts restricts all counts alike, so it becomes part of
 * the search.
 */

import {
  columnOfCondition,
  type ExploreRequest,
  type ExploreResult,
  type HistogramRequest,
  type PageRequest,
  type Query,
  type Scalar,
  type SortKey,
} from '../../textindex/index.ts';
import type { RelatedField } from '../definition/definition.ts';
import { keyTypeOf, type RelationKey } from '../definition/relationKey.ts';
import {
  type Buckets,
  bucketsFor,
  type Counts,
  facetOf,
  histogramOf,
  relatedLabel,
} from '../explore/counts.ts';
import {
  BY_VALUES,
  type Condition,
  type ExplorePlan,
  type HistogramPlan,
} from '../explore/plan.ts';
import { ranksOf, shownStats } from '../explore/stats.ts';
import { isKeptOrder } from '../query/order.ts';
import type { Sort } from '../query/plan.ts';
import type { Relations } from './relations.ts';

export class IndexCounts {
  readonly request: ExploreRequest;
  readonly #plan: ExplorePlan;
  readonly #relations: Pick<Relations, 'shownBy'>;
  #buckets: Buckets | undefined;
  #refusal: unknown;

  constructor(plan: ExplorePlan, page: PageRequest, relations: Pick<Relations, 'shownBy'>) {
    this.#plan = plan;
    this.#relations = relations;
    const { resource, sorting, conditions, baseline, facets, histogram, stats } = plan;
    const counted = new Set<string | undefined>(facets.map(({ column }) => column));
    if (histogram) counted.add(histogram.field);
    const beside: Condition[] = [];
    const looked: Query[] = [];
    for (const one of conditions) {
      const query = baseline || counted.has(columnOfCondition(one)) ? undefined : queryOf(one);
      if (query) looked.push(...partsOf(query));
      else beside.push(one);
    }
    this.request = {
      ...page,
      ...(looked.length > 0 && { where: { op: 'and', of: [...partsOf(page.where), ...looked] } }),
      conditions: beside,
      ...(baseline && { baseline }),
      facets,
      ...(histogram && { histogram: this.#histogramOf(histogram) }),
      ...(!isKeptOrder(resource, sorting) && { order: sorting.map((one) => this.#keyOf(one)) }),
      stats: stats.map((column) => ({ column, ranks: ranksOf })),
    };
  }

  /** @throws AppError 400 `TooManyBuckets` */
  of(result: ExploreResult): Counts {
    if (this.#refusal) throw this.#refusal;
    const { histogram, resource } = this.#plan;
    const facets = this.#plan.facets.map((facet, i) =>
      facetOf(resource, facet, result.facets[i]!, this.#labelsOf(facet.column)),
    );
    const stats = this.#plan.stats.map((field, i) => {
      const { values, ...counts } = result.stats[i]!;
      return shownStats(resource, field, counts, values);
    });
    if (!histogram) return { facets, stats };
    const shown = histogramOf(resource, histogram, this.#buckets!, result.histogram!);
    return { facets, stats, histogram: shown };
  }

  #keyOf({ by, descending }: Sort): SortKey {
    const field = this.#plan.resource.fields[by];
    if (field?.kind !== 'related') {
      return { column: by === this.#plan.resource.key ? 'id' : by, descending };
    }
    return {
      column: field.through,
      descending,
      labelOf: (value) => this.#labelOf(field, value) ?? null,
    };
  }

  #labelOf(related: RelatedField, value: Scalar): string | undefined {
    const isKey = keyTypeOf(value) === related.keyType;
    return isKey ? this.#relations.shownBy(related, value as RelationKey) : undefined;
  }

  #histogramOf(plan: HistogramPlan): HistogramRequest {
    const { field, from, to, by } = plan;
    return {
      column: field,
      ...(from && { from: from.getTime() }),
      ...(to && { to: to.getTime() }),
      boundaries: (first, last) => this.#boundaries(plan, first, last),
      ...(by !== undefined && { by: { column: by, limit: BY_VALUES } }),
    };
  }

  /** A refusal waits until the table has answered, which may not be interrupted. */
  #boundaries(plan: HistogramPlan, first?: number, last?: number): readonly number[] {
    try {
      const extent = first === undefined || last === undefined ? undefined : { first, last };
      this.#buckets = bucketsFor(plan, extent);
      return this.#buckets.boundaries;
    } catch (error) {
      this.#refusal = error;
      return [];
    }
  }

  /** The labels that a field's values have in another resource's documents. */
  #labelsOf(field: string): (value: Scalar) => string | undefined {
    const { resource } = this.#plan;
    const label = relatedLabel(resource, field);
    if (label === undefined) return () => undefined;
    return (value) => this.#labelOf(resource.fields[label] as RelatedField, value);
  }
}

const partsOf = (where: Query): readonly Query[] => (where.op === 'and' ? where.of : [where]);

/** The condition as a part of the search; undefined for one that no search can hold. */
function queryOf(condition: Condition): Query | undefined {
  switch (condition.op) {
    case 'in':
      return { op: 'equals', column: condition.column, values: condition.values };
    case 'matches':
      return condition.query;
    case 'any': {
      const of = condition.of.map(queryOf);
      return of.every((part) => part !== undefined) ? { op: 'or', of } : undefined;
    }
    default:
      return undefined;
  }
}
