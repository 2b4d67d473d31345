/**
 * Turns an explore's counts into a request to the table, and the table's counts into the answer's
 * form.
 *
 *     ExplorePlan ──► ExploreRequest ──► table ──► ExploreResult ──► Counts, with labels
 *
 * Labels are those of the related documents at the frontier, where the counts are too. A condition
 * on a field without counts restricts all counts alike, so it becomes part of the search.
 */

import type {
  ExploreRequest,
  ExploreResult,
  FacetRequest,
  FacetResult,
  HistogramRequest,
  PageRequest,
  Query,
  RowCondition,
} from '../../textindex/index.ts';
import { type Resource, typeOfField } from '../definition/definition.ts';
import {
  type Buckets,
  bucketsFor,
  type Counts,
  countedValue,
  type Facet,
  histogramOf,
} from '../explore/counts.ts';
import { relatedLabel } from '../explore/pipeline.ts';
import {
  BY_VALUES,
  type Condition,
  type ExplorePlan,
  type FacetPlan,
  type HistogramPlan,
} from '../explore/plan.ts';
import { keyTypeOf, type RelationKey } from '../rows/relatedRows.ts';
import type { Tables } from './tables.ts';

export class IndexCounts {
  readonly request: ExploreRequest;
  readonly #plan: ExplorePlan;
  readonly #tables: Pick<Tables, 'shownBy'>;
  #buckets: Buckets | undefined;
  #refusal: unknown;

  constructor(plan: ExplorePlan, page: PageRequest, tables: Pick<Tables, 'shownBy'>) {
    this.#plan = plan;
    this.#tables = tables;
    const { resource, conditions, facets, histogram } = plan;
    const counted = new Set([resource.key, histogram?.field, ...facets.map(({ field }) => field)]);
    const beside: RowCondition[] = [];
    const looked: Query[] = [];
    for (const one of conditions) {
      const { field: column } = one;
      if (one.op !== 'in' || counted.has(column)) beside.push(conditionOf(resource, one));
      else looked.push({ op: 'equals', column, values: one.values });
    }
    this.request = {
      ...page,
      ...(looked.length > 0 && { where: { op: 'and', of: [...partsOf(page.where), ...looked] } }),
      conditions: beside,
      facets: facets.map((facet) => facetOf(resource, facet)),
      ...(histogram && { histogram: this.#histogramOf(histogram) }),
    };
  }

  /** @throws AppError 400 `TooManyBuckets` */
  of(result: ExploreResult): Counts {
    if (this.#refusal) throw this.#refusal;
    const { histogram, resource } = this.#plan;
    const facets = this.#plan.facets.map(({ field }, i) => this.#facet(field, result.facets[i]!));
    if (!histogram) return { facets };
    const { counts, missing, by } = result.histogram!;
    const type = histogram.by === undefined ? undefined : typeOfField(resource, histogram.by);
    const split = by && {
      by: { ...by, values: by.values.map((value) => countedValue(value, type)) },
    };
    return {
      facets,
      histogram: histogramOf(histogram, this.#buckets!, { counts, missing, ...split }),
    };
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

  #facet(field: string, { values, distinct, rest }: FacetResult): Facet {
    const { resource } = this.#plan;
    const related = relatedLabel(resource, field);
    const type = typeOfField(resource, field);
    const shown = values.map(({ value, count }) => {
      const counted = countedValue(value, type);
      const isKey = related && keyTypeOf(value) === related.keyType;
      const label = isKey ? this.#tables.shownBy(related, value as RelationKey) : undefined;
      return label === undefined ? { value: counted, count } : { value: counted, label, count };
    });
    return { field, values: shown, distinct, rest };
  }
}

const partsOf = (where: Query): readonly Query[] => (where.op === 'and' ? where.of : [where]);

function conditionOf({ key }: Resource, condition: Condition): RowCondition {
  if (condition.op === 'range') {
    const { field: column, from, to } = condition;
    const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return { op: 'range', column, ...bounds };
  }
  const { op, field, values } = condition;
  return field === key ? { op: 'ids', ids: values } : { op, column: field, values };
}

function facetOf(
  resource: Resource,
  { field, limit, contains, labelled }: FacetPlan,
): FacetRequest {
  if (contains === undefined) return { column: field, limit };
  const related = relatedLabel(resource, field);
  const label = Object.keys(resource.fields).find((name) => resource.fields[name] === related);
  return {
    column: field,
    limit,
    having: {
      text: contains,
      ...(related && label !== undefined && { label }),
      ...(labelled && { values: labelled }),
    },
  };
}
