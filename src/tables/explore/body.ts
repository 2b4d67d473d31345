/**
 * From the body of an explore to its plan: the search's members as in a search, then `select`,
 * `baseline`, `facets` and `histogram`.
 *
 *     body ──► schema (shape, bounds, known fields) ──► forms, types and order of values ──► plan
 *              422, all problems at once                422, all problems at once
 *
 * The resource's definition alone says which fields can be selected, counted and cut by time.
 */

import { closedObject, type JsonSchema } from '../definition/jsonSchema.ts';
import type { Json } from '../definition/record.ts';
import type { SearchView, Viewer } from '../definition/view.ts';
import { dateTime } from '../query/dateTime.ts';
import { type ParsedSearch, type ParseSettings, parseSearch } from '../query/parse.ts';
import {
  type AppliedSort,
  bodySchema,
  compileSchema,
  recordName,
  type SearchBody,
  searchText,
  typeName,
  type Validate,
  validationFailed,
} from '../query/schema.ts';
import { fieldsFor, timeFields } from './askable.ts';
import { INTERVALS, type Interval, isTimeZone, PLAIN_INTERVALS } from './calendar.ts';
import { labelsOfValues, relatedLabel } from './counts.ts';
import {
  BY_VALUES,
  type ExplorePlan,
  type FacetPlan,
  type HistogramPlan,
  MAX_BUCKETS,
} from './plan.ts';
import {
  type ConditionBody,
  ConditionReading,
  DATE_TIME_TEXT,
  fieldSchema,
  selectSchema,
} from './select.ts';
import { appliedSorts, exploreSorting, isSeveral, type SortingBody, sortsOf } from './sorting.ts';
import { type StatsBody, statsOf, statsSchema } from './stats.ts';

/** The facets that one request may ask for. */
export const MAX_FACETS = 20;
const MAX_FACET_VALUES = 1_000;
const DEFAULT_FACET_VALUES = 10;
const DEFAULT_BUCKETS = 60;
/** Rarer values are likely to be over-represented by chance. */
const DEFAULT_MIN_COUNT = 5;

interface FacetBody {
  readonly field: string;
  readonly limit?: number;
  readonly contains?: string;
  readonly by?: string;
  readonly order?: 'count' | 'value' | 'lift';
  readonly min_count?: number;
}

interface HistogramBody {
  readonly field: string;
  readonly interval?: Interval | 'auto';
  readonly min_buckets?: number;
  readonly max_buckets?: number;
  readonly time_zone?: string;
  readonly from?: string;
  readonly to?: string;
  readonly until?: string;
  readonly by?: string;
}

export interface ExploreBody extends Omit<SearchBody, 'sorting'> {
  readonly sorting?: SortingBody | undefined;
  readonly select?: readonly ConditionBody[];
  readonly baseline?: readonly ConditionBody[];
  readonly facets?: readonly FacetBody[];
  readonly histogram?: HistogramBody;
  readonly stats?: readonly StatsBody[];
}

export interface ParsedExplore extends ParsedSearch {
  readonly plan: ExplorePlan;
  /** The normalized conditions, as the answer repeats them. */
  readonly appliedSelect: readonly Json[];
  readonly appliedSorting: readonly AppliedSort[];
}

/** The JSON Schema (draft-07) of the body of an explore. */
function exploreSchema(view: SearchView): JsonSchema {
  const { resource } = view;
  const facetFields = fieldSchema(fieldsFor(resource, 'facet'));
  return {
    title: `${typeName(view)}Explore`,
    ...closedObject({
      ...bodySchema(view).properties,
      sorting: exploreSorting(view),
      select: selectSchema(view),
      baseline: {
        ...selectSchema(view),
        description: 'Facets are counted once more with these conditions in place of `select`.',
      },
      facets: {
        type: 'array',
        maxItems: MAX_FACETS,
        items: {
          title: `${recordName(resource)}FacetRequest`,
          ...closedObject(
            {
              field: facetFields,
              limit: { type: 'integer', minimum: 1, maximum: MAX_FACET_VALUES },
              contains: searchText,
              by: {
                ...facetFields,
                description:
                  'Adds to each value its counts by the ten most frequent values of this field.',
              },
              order: {
                enum: ['count', 'value', 'lift'],
                description:
                  '`count` (the default): most frequent first. `value`: in the order of values. `lift`: most ' +
                  'over-represented against the baseline first, others left out.',
              },
              min_count: {
                type: 'integer',
                minimum: 1,
                maximum: Number.MAX_SAFE_INTEGER,
                description: 'With the order `lift`: the least count of a value, 5 by default.',
              },
            },
            ['field'],
          ),
        },
      },
      histogram: {
        title: `${recordName(resource)}HistogramRequest`,
        ...closedObject(
          {
            field: fieldSchema(timeFields(resource)),
            interval: { enum: [...INTERVALS, 'auto'] },
            min_buckets: {
              ...{ type: 'integer', minimum: 1, maximum: MAX_BUCKETS },
              description:
                `Where a plain interval (${PLAIN_INTERVALS.map((one) => `\`${one}\``).join(', ')}) ` +
                'needs fewer buckets, `auto` takes the shortest of all that fits.',
            },
            max_buckets: { type: 'integer', minimum: 1, maximum: MAX_BUCKETS },
            time_zone: {
              type: 'string',
              maxLength: 64,
              format: 'time-zone',
              description: 'The IANA name of a time zone; UTC by default.',
            },
            from: DATE_TIME_TEXT,
            to: DATE_TIME_TEXT,
            until: {
              ...DATE_TIME_TEXT,
              description:
                'Buckets reach this moment, and further where a row has a later date; with `to` they end there.',
            },
            by: facetFields,
          },
          ['field'],
        ),
      },
      stats: statsSchema(resource),
    }),
  };
}

/** The body of a search, with `select` where its view takes that. */
export function compileSearch(
  view: SearchView,
): Validate<SearchBody & Pick<ExploreBody, 'select'>> {
  const { title, properties } = bodySchema(view);
  const select = view.select && { select: selectSchema(view) };
  return compileSchema({ title, ...closedObject({ ...properties, ...select }) });
}

export const compileExplore = (view: SearchView): Validate<ExploreBody> =>
  compileSchema(exploreSchema(view));

/** @throws AppError 422 for conditions, facets or a histogram that cannot be; as `parseSearch`. */
export function parseExplore(
  view: SearchView,
  body: ExploreBody,
  viewer: Viewer,
  settings: ParseSettings,
): ParsedExplore {
  const reading = new ExploreReading(view, settings);
  const select = reading.conditions(body.select ?? [], '/select');
  const baseline = body.baseline && reading.conditions(body.baseline, '/baseline');
  const facets = reading.facets(body.facets ?? [], baseline !== undefined);
  const histogram = body.histogram && reading.histogram(body.histogram, '/histogram');
  const stats = statsOf(body.stats ?? [], reading.problems);
  const { sorting: given, ...search } = body;
  const [one, several] = isSeveral(given) ? [undefined, given] : [given];
  const sorts = several && sortsOf(several, view.resource.key, reading.problems);
  if (reading.problems.length > 0) throw validationFailed(reading.problems);
  const parsed = parseSearch(view, { ...search, sorting: one }, viewer, settings);
  const sorting = sorts ?? parsed.plan.sorting;
  const appliedSorting = appliedSorts(sorting);
  return {
    ...parsed,
    plan: Object.freeze({
      ...parsed.plan,
      sorting,
      conditions: select.map(({ condition }) => condition),
      ...(baseline && { baseline: baseline.map(({ condition }) => condition) }),
      facets,
      ...(histogram && { histogram }),
      stats,
    }),
    sorting: appliedSorting[0]!,
    appliedSorting,
    appliedSelect: select.map(({ shown }) => shown),
  };
}

/** One pass over rules that a schema cannot express; collects the errors. */
class ExploreReading extends ConditionReading {
  facets(given: readonly FacetBody[], hasBaseline: boolean): readonly FacetPlan[] {
    const seen = new Set<string>();
    return given.map((one, i) => {
      const { field, limit = DEFAULT_FACET_VALUES, by } = one;
      if (seen.has(field)) {
        this.wrong(`/facets/${i}/field`, `The field ${field} has a facet already.`);
      }
      seen.add(field);
      const order = this.#order(one, hasBaseline, `/facets/${i}`);
      const text = one.contains?.trim();
      return Object.freeze({
        ...{ column: field, limit },
        ...(order && { order }),
        ...(by !== undefined && { by: { column: by, limit: BY_VALUES } }),
        ...(text && { having: this.#having(field, text) }),
      });
    });
  }

  #order(
    { order = 'count', min_count: minCount }: FacetBody,
    hasBaseline: boolean,
    pointer: string,
  ): FacetPlan['order'] {
    if (order === 'lift' && !hasBaseline) {
      this.wrong(`${pointer}/order`, 'This order needs a "baseline".');
    }
    if (order !== 'lift' && minCount !== undefined) {
      this.wrong(`${pointer}/min_count`, 'This belongs to the order "lift".');
    }
    if (order === 'lift') return { by: order, minCount: minCount ?? DEFAULT_MIN_COUNT };
    return order === 'value' ? { by: order } : undefined;
  }

  histogram(given: HistogramBody, pointer: string): HistogramPlan {
    const { field, interval = 'auto', time_zone: timeZone = 'UTC', by } = given;
    if (given.time_zone !== undefined && !isTimeZone(timeZone)) {
      const detail = 'This must be the IANA name of a time zone, such as Europe/Berlin.';
      this.wrong(`${pointer}/time_zone`, detail);
    }
    const { from, to } = this.bounds(given, 'date', pointer) as { from?: Date; to?: Date };
    const begin = from && dateTime(given.from!);
    const until = this.bound(field, given.until, 'date', `${pointer}/until`) as Date | undefined;
    return Object.freeze({
      field,
      interval,
      ...(given.min_buckets !== undefined && { minBuckets: given.min_buckets }),
      maxBuckets: given.max_buckets ?? DEFAULT_BUCKETS,
      timeZone,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(begin && begin < from && { begin }),
      ...(until !== undefined && { until }),
      ...(by !== undefined && { by }),
    });
  }

  /** Values that contain the text, or have a label that does. */
  #having(name: string, text: string): NonNullable<FacetPlan['having']> {
    const { labels, fold } = this.settings;
    const label = relatedLabel(this.resource, name);
    const values = labelsOfValues(this.resource, name, labels)?.containing(text, fold);
    return { text, ...(label !== undefined && { label }), ...(values && { values }) };
  }
}
