/**
 * From the body of an explore to its plan: the search's members as in a search, then `select`,
 * `facets` and `histogram`.
 *
 *     body ──► schema (shape, bounds, known fields) ──► forms, types and order of values ──► plan
 *              422, all problems at once                422, all problems at once
 *
 * The resource's definition alone says which fields can be selected, counted and cut by time.
 */

import type { ProblemDetail } from '../../errors.ts';
import { type Bound, compareScalars, isNumeric, scalarKey } from '../../textindex/index.ts';
import { type Resource, typeOfField, type Use } from '../definition/definition.ts';
import type { JsonSchema } from '../definition/jsonSchema.ts';
import type { Json } from '../definition/record.ts';
import type { SearchView, Viewer } from '../definition/view.ts';
import { dateTime } from '../query/dateTime.ts';
import { type ParsedSearch, type ParseSettings, parseSearch } from '../query/parse.ts';
import { shownValue } from '../query/plan.ts';
import {
  bodySchema,
  closedObject,
  compileBody,
  compileSchema,
  recordName,
  type SearchBody,
  searchText,
  typeName,
  type Validate,
  validationFailed,
} from '../query/schema.ts';
import { type JsonValue, mustBe, typedValue } from '../query/typedValue.ts';
import { fieldsFor, isAsked, timeFields, typeOf } from './askable.ts';
import { INTERVALS, type Interval, isTimeZone } from './calendar.ts';
import { labelsOfValues } from './counts.ts';
import type { Condition, ExplorePlan, FacetPlan, HistogramPlan, SelectedValue } from './plan.ts';
import { MAX_BUCKETS } from './plan.ts';

const MAX_CONDITIONS = 50;
const MAX_VALUES = 1_000;
const MAX_FACETS = 20;
const MAX_FACET_VALUES = 1_000;
const DEFAULT_FACET_VALUES = 10;
const DEFAULT_BUCKETS = 60;

type JsonOrNull = JsonValue | null;

export interface ConditionBody {
  readonly field: string;
  readonly in?: readonly JsonOrNull[];
  readonly not_in?: readonly JsonOrNull[];
  readonly from?: string | number;
  readonly to?: string | number;
}

interface FacetBody {
  readonly field: string;
  readonly limit?: number;
  readonly contains?: string;
}

interface HistogramBody {
  readonly field: string;
  readonly interval?: Interval | 'auto';
  readonly max_buckets?: number;
  readonly time_zone?: string;
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
}

export interface ExploreBody<R extends Resource = Resource, K extends string = string>
  extends SearchBody<R, K> {
  readonly select?: readonly ConditionBody[];
  readonly facets?: readonly FacetBody[];
  readonly histogram?: HistogramBody;
}

export interface ParsedExplore extends ParsedSearch {
  readonly plan: ExplorePlan;
  /** The normalized conditions, as the answer repeats them. */
  readonly appliedSelect: readonly Json[];
}

const DATE_TIME_TEXT = { type: 'string', maxLength: 64, format: 'date-time' } as const;

const value = { type: ['string', 'number', 'boolean', 'null'], wellFormed: true } as const;

/** One of these fields; a table may have none. */
const fieldSchema = (fields: readonly string[]): JsonSchema =>
  fields.length > 0 ? { enum: fields } : { not: {} };

/** The JSON Schema (draft-07) of the body of an explore. */
function exploreSchema(view: SearchView): JsonSchema {
  const { resource } = view;
  const facetFields = fieldSchema(fieldsFor(resource, 'facet'));
  return {
    title: `${typeName(view)}Explore`,
    ...closedObject({
      ...bodySchema(view).properties,
      select: selectSchema(resource),
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
            max_buckets: { type: 'integer', minimum: 1, maximum: MAX_BUCKETS },
            time_zone: {
              type: 'string',
              maxLength: 64,
              format: 'time-zone',
              description: 'The IANA name of a time zone; UTC by default.',
            },
            from: DATE_TIME_TEXT,
            to: DATE_TIME_TEXT,
            by: facetFields,
          },
          ['field'],
        ),
      },
    }),
  };
}

/** Takes every member of every form; `condition` says in sentences which of them fit together. */
export function selectSchema(resource: Resource): JsonSchema {
  const values = { type: 'array', minItems: 1, maxItems: MAX_VALUES, items: value };
  const bound = { type: ['string', 'number'] };
  const fields = fieldsFor(resource, 'facet', 'select', 'range');
  const condition = closedObject(
    { field: fieldSchema(fields), in: values, not_in: values, from: bound, to: bound },
    ['field'],
  );
  return {
    type: 'array',
    maxItems: MAX_CONDITIONS,
    items: {
      title: `${recordName(resource)}Condition`,
      ...condition,
      shownAs: conditionForms(resource, values),
    },
  };
}

/** The forms that a condition may have, one by one, for readers of the schema. */
function conditionForms(resource: Resource, values: JsonSchema): JsonSchema {
  const some = (fields: readonly string[], members: Readonly<Record<string, JsonSchema>>) =>
    fields.length === 0 ? [] : [{ ...closedObject({ field: { enum: fields }, ...members }) }];
  const named = (fields: readonly string[], member: 'in' | 'not_in') =>
    some(fields, { [member]: values }).map((form) => ({ ...form, required: ['field', member] }));
  const ranged = (type: 'date' | 'number', bound: JsonSchema) => {
    const fields = fieldsFor(resource, 'range').filter((name) => typeOf(resource, name) === type);
    // One bound at least.
    const more = { required: ['field'], minProperties: 2 };
    return some(fields, { from: bound, to: bound }).map((form) => ({ ...form, ...more }));
  };
  return {
    anyOf: [
      ...named(fieldsFor(resource, 'facet', 'select'), 'in'),
      ...named(fieldsFor(resource, 'facet'), 'not_in'),
      ...ranged('date', DATE_TIME_TEXT),
      ...ranged('number', { type: hasDecimals(resource) ? ['number', 'string'] : 'number' }),
    ],
  };
}

/** Whether bounds of numbers may be the digits of a decimal. */
const hasDecimals = ({ fields }: Resource): boolean =>
  Object.values(fields).some((field) => field.kind === 'stored' && field.type !== undefined);

/** The body of a search, with `select` where its view takes that. */
export function compileSearch<R extends Resource, K extends string>(
  view: SearchView<R, K>,
): Validate<SearchBody<R, K> & Pick<ExploreBody, 'select'>> {
  if (!view.select) return compileBody(view);
  const { title, properties } = bodySchema(view as unknown as SearchView);
  return compileSchema({
    title,
    ...closedObject({ ...properties, select: selectSchema(view.resource) }),
  });
}

export function compileExplore<R extends Resource, K extends string>(
  view: SearchView<R, K>,
): Validate<ExploreBody<R, K>> {
  return compileSchema(exploreSchema(view as unknown as SearchView));
}

/** @throws AppError 422 for conditions, facets or a histogram that cannot be; as `parseSearch`. */
export function parseExplore<R extends Resource, K extends string>(
  view: SearchView<R, K>,
  body: ExploreBody<R, K>,
  viewer: Viewer,
  settings: ParseSettings,
): ParsedExplore {
  const reading = new ExploreReading(view.resource, settings);
  const conditions = (body.select ?? []).map((one, i) => reading.condition(one, `/select/${i}`));
  const facets = reading.facets(body.facets ?? []);
  const histogram = body.histogram && reading.histogram(body.histogram, '/histogram');
  if (reading.problems.length > 0) throw validationFailed(reading.problems);
  const parsed = parseSearch(view, body, viewer, settings);
  return {
    ...parsed,
    plan: Object.freeze({
      ...parsed.plan,
      conditions: conditions.filter((one) => one !== undefined),
      facets,
      ...(histogram && { histogram }),
    }),
    appliedSelect: conditions.flatMap((one) => (one ? [shown(one)] : [])),
  };
}

/** One pass over rules that a schema cannot express; collects the errors. */
class ExploreReading {
  readonly problems: ProblemDetail[] = [];
  readonly #resource: Resource;
  readonly #settings: ParseSettings;

  constructor(resource: Resource, settings: ParseSettings) {
    this.#resource = resource;
    this.#settings = settings;
  }

  condition(given: ConditionBody, pointer: string): Condition | undefined {
    const { field, in: among, not_in: except } = given;
    const ranged = given.from !== undefined || given.to !== undefined;
    const forms = [among, except, ranged || undefined].filter((form) => form !== undefined);
    if (forms.length !== 1) {
      const detail = 'A condition has exactly one of "in", "not_in" and a range ("from", "to").';
      return this.#wrong(pointer, detail);
    }
    if (ranged) return this.#range(given, pointer);
    const op = among ? 'in' : 'not_in';
    const uses: readonly Use[] = op === 'in' ? ['facet', 'select'] : ['facet'];
    if (!uses.some((use) => this.#uses(field).includes(use))) {
      return this.#wrong(`${pointer}/${op}`, `The field ${field} cannot be selected by "${op}".`);
    }
    const values = this.#values(field, among ?? except ?? [], `${pointer}/${op}`);
    return Object.freeze({ op, field, values });
  }

  facets(given: readonly FacetBody[]): readonly FacetPlan[] {
    const seen = new Set<string>();
    return given.map(({ field, limit = DEFAULT_FACET_VALUES, contains }, i) => {
      if (seen.has(field)) {
        this.#wrong(`/facets/${i}/field`, `The field ${field} has a facet already.`);
      }
      seen.add(field);
      const text = contains?.trim() || undefined;
      if (text === undefined) return Object.freeze({ field, limit });
      const labelled = this.#valuesLabelled(field, text);
      return Object.freeze({ field, limit, contains: text, ...(labelled && { labelled }) });
    });
  }

  histogram(given: HistogramBody, pointer: string): HistogramPlan {
    const { field, interval = 'auto', time_zone: timeZone = 'UTC', by } = given;
    if (given.time_zone !== undefined && !isTimeZone(timeZone)) {
      const detail = 'This must be the IANA name of a time zone, such as Europe/Berlin.';
      this.#wrong(`${pointer}/time_zone`, detail);
    }
    const { from, to } = this.#bounds(given, 'date', pointer) as { from?: Date; to?: Date };
    return Object.freeze({
      field,
      interval,
      maxBuckets: given.max_buckets ?? DEFAULT_BUCKETS,
      timeZone,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(by !== undefined && { by }),
    });
  }

  #range(given: ConditionBody, pointer: string): Condition | undefined {
    const { field } = given;
    const type = typeOf(this.#resource, field);
    if (!this.#uses(field).includes('range') || type === undefined) {
      const member = given.from === undefined ? 'to' : 'from';
      return this.#wrong(`${pointer}/${member}`, `The field ${field} cannot be asked for a range.`);
    }
    const { from, to } = this.#bounds({ ...given, field }, type, pointer);
    const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return Object.freeze({ op: 'range', field, ...bounds });
  }

  #bounds(
    given: {
      readonly field: string;
      readonly from?: string | number;
      readonly to?: string | number;
    },
    type: 'date' | 'number',
    pointer: string,
  ): { from: Bound | undefined; to: Bound | undefined } {
    const { field } = given;
    const from = this.#bound(field, given.from, type, `${pointer}/from`);
    const to = this.#bound(field, given.to, type, `${pointer}/to`);
    if (from !== undefined && to !== undefined && compareScalars(from, to) >= 0) {
      this.#wrong(`${pointer}/from`, 'The beginning must be before the end ("to").');
    }
    return { from, to };
  }

  #bound(
    name: string,
    given: string | number | undefined,
    type: 'date' | 'number',
    pointer: string,
  ): Bound | undefined {
    if (given === undefined) return undefined;
    const isTyped = typeOfField(this.#resource, name) !== undefined;
    const value = isTyped ? typedValue(this.#resource.fields[name], given) : given;
    if (type === 'number') {
      if (value !== undefined && isNumeric(value)) return value;
      return this.#wrong(pointer, isTyped ? mustBe('number') : 'This must be a number.');
    }
    const date = typeof value === 'string' ? dateTime(value) : value;
    return date instanceof Date ? date : this.#wrong(pointer, mustBe('date'));
  }

  /** The values of a condition, each once; those that its field cannot have are problems. */
  #values(name: string, given: readonly JsonOrNull[], pointer: string): readonly SelectedValue[] {
    const field = this.#resource.fields[name];
    const values = new Map<string, SelectedValue>();
    for (const [i, one] of given.entries()) {
      const value = one === null ? null : typedValue(field, one);
      if (value !== undefined) values.set(scalarKey(value), value);
      else this.#wrong(`${pointer}/${i}`, mustBe(typeOfField(this.#resource, name)!));
    }
    return [...values.values()];
  }

  #uses(name: string): readonly Use[] {
    const field = this.#resource.fields[name];
    return isAsked(field) ? field.uses : [];
  }

  /** The values whose label contains the text, if the field's values have labels. */
  #valuesLabelled(name: string, text: string): readonly string[] | undefined {
    const { labels, fold } = this.#settings;
    return labelsOfValues(this.#resource, name, labels)?.containing(text, fold);
  }

  #wrong(pointer: string, detail: string): undefined {
    this.problems.push({ pointer, detail });
    return undefined;
  }
}

/** A condition as the answer's `applied_select` shows it. */
function shown(condition: Condition): Json {
  if (condition.op !== 'range') {
    return { field: condition.field, [condition.op]: condition.values.map(shownValue) };
  }
  const { field, from, to } = condition;
  return {
    field,
    ...(from !== undefined && { from: shownValue(from) }),
    ...(to !== undefined && { to: shownValue(to) }),
  };
}
