/**
 * The conditions of a body: their schema, and their meaning.
 *
 *     {"field": "status", "in": ["FAILURE"]}     {"field": "worker", "not_contains": "gpu"}
 *     {"field": "retries", "from": 3}            {"text": "timeout"}      {"any": [ …, … ]}
 */

import type { ProblemDetail } from '../../errors.ts';
import { type Bound, compareScalars, isNumeric, scalarKey } from '../../textindex/index.ts';
import { type Resource, typeOfField, type Use } from '../definition/definition.ts';
import { closedObject, type JsonSchema } from '../definition/jsonSchema.ts';
import { type ShownValue, shownValue, type Value } from '../definition/predicate.ts';
import type { Json } from '../definition/record.ts';
import type { SearchView } from '../definition/view.ts';
import { millisecondFrom } from '../query/dateTime.ts';
import type { ParseSettings } from '../query/parse.ts';
import { NOT_BLANK, recordName, searchText, takes } from '../query/schema.ts';
import { freeText, freeTextFilter, textIn } from '../query/text.ts';
import { conditionValues, type JsonValue, mustBe, typedValue } from '../query/typedValue.ts';
import { askableFields, isAsked, textFields, typeOf } from './askable.ts';
import type { Condition } from './plan.ts';

const MAX_CONDITIONS = 50;
const MAX_VALUES = 1_000;
const MAX_ALTERNATIVES = 20;

type JsonOrNull = JsonValue | null;

interface SingleBody {
  readonly field?: string;
  readonly in?: readonly JsonOrNull[];
  readonly not_in?: readonly JsonOrNull[];
  readonly from?: string | number;
  readonly to?: string | number;
  readonly contains?: string;
  readonly not_contains?: string;
  readonly text?: string;
  readonly not_text?: string;
}

type Ranged = Pick<SingleBody, 'from' | 'to'> & { readonly field: string };

export interface ConditionBody extends SingleBody {
  readonly any?: readonly SingleBody[];
}

/** A condition, and how the answer's `applied_select` shows it. */
interface ReadCondition {
  readonly condition: Condition;
  readonly shown: Json;
}

export const DATE_TIME_TEXT = { type: 'string', maxLength: 64, format: 'date-time' } as const;

const VALUE = { type: ['string', 'number', 'boolean', 'null'], wellFormed: true } as const;
const VALUES = { type: 'array', minItems: 1, maxItems: MAX_VALUES, items: VALUE } as const;
/** All that a field with ranges alone can be compared with. */
const NOTHING = { ...VALUES, items: { type: 'null' } } as const;

/** One of these fields; a table may have none. */
export const fieldSchema = (fields: readonly string[]): JsonSchema =>
  fields.length > 0 ? { enum: fields } : { not: {} };

/** The fields that conditions of any form can name. */
function selectFields(resource: Resource): readonly string[] {
  const { select, contains } = askableFields(resource);
  return [...new Set([...select, ...contains])];
}

/**
 * Takes every member of every form; `ConditionReading` says in sentences which of them fit together.
 */
export function selectSchema(view: SearchView): JsonSchema {
  const { resource } = view;
  const name = recordName(resource);
  const bound = { type: ['string', 'number'] };
  const members = {
    field: fieldSchema(selectFields(resource)),
    ...{ in: VALUES, not_in: VALUES, from: bound, to: bound },
    ...{ contains: searchText, not_contains: searchText },
    ...(freeTextFilter(view) && { text: searchText, not_text: searchText }),
  };
  const alternatives = { type: 'array', minItems: 2, maxItems: MAX_ALTERNATIVES };
  const single = {
    title: `${name}SingleCondition`,
    ...closedObject(members),
    shownAs: { anyOf: singleForms(view) },
  };
  const any = { ...alternatives, description: 'One of these holds.', items: single };
  return {
    type: 'array',
    maxItems: MAX_CONDITIONS,
    conditions: MAX_CONDITIONS,
    items: {
      title: `${name}Condition`,
      ...closedObject({ ...members, any }),
      shownAs: { anyOf: [single, closedObject({ any }, ['any'])] },
    },
  };
}

/** The forms that a condition may have, one by one, for readers of the schema. */
function singleForms(view: SearchView): readonly JsonSchema[] {
  const { values: compared, ranges, contains: texts } = askableFields(view.resource);
  const some = (fields: readonly string[], members: Readonly<Record<string, JsonSchema>>) =>
    fields.length === 0 ? [] : [{ ...closedObject({ field: { enum: fields }, ...members }) }];
  const named = (fields: readonly string[], member: string, schema: JsonSchema) =>
    some(fields, { [member]: schema }).map((form) => ({ ...form, required: ['field', member] }));
  const ranged = (type: 'date' | 'number', bound: JsonSchema) => {
    const fields = Object.keys(ranges).filter((name) => ranges[name] === type);
    // One bound at least.
    const more = { required: ['field'], minProperties: 2 };
    return some(fields, { from: bound, to: bound }).map((form) => ({ ...form, ...more }));
  };
  const onlyRanged = Object.keys(ranges).filter((name) => !compared.includes(name));
  return [
    ...named(compared, 'in', VALUES),
    ...named(compared, 'not_in', VALUES),
    ...ranged('date', DATE_TIME_TEXT),
    ...ranged('number', { type: hasDecimals(view.resource) ? ['number', 'string'] : 'number' }),
    ...named(onlyRanged, 'in', NOTHING),
    ...named(onlyRanged, 'not_in', NOTHING),
    ...named(texts, 'contains', SOME_TEXT),
    ...named(texts, 'not_contains', SOME_TEXT),
    ...(freeTextFilter(view)
      ? ['text', 'not_text'].map((member) => closedObject({ [member]: SOME_TEXT }, [member]))
      : []),
  ];
}

/** A text that is not blank, and without NUL. */
const SOME_TEXT = {
  ...{ type: 'string', maxLength: searchText.maxLength },
  pattern: NOT_BLANK,
} as const;

/** Whether bounds of numbers may be the digits of a decimal. */
const hasDecimals = ({ fields }: Resource): boolean =>
  Object.values(fields).some((field) => field.kind === 'stored' && field.type !== undefined);

/** Whether conditions compare the field with values; others with ranges take null alone. */
const isCompared = (uses: readonly Use[]) => uses.includes('facet') || uses.includes('select');

const FORMS =
  'A condition has exactly one of "in", "not_in", "contains", "not_contains", "text", "not_text", ' +
  '"any" and a range ("from", "to").';

/** A condition, or in a form that begins with `not_` its opposite. */
const inForm = (form: string, condition: Condition): Condition =>
  Object.freeze(form.startsWith('not_') ? { op: 'not', of: condition } : condition);

/** Reads conditions by rules that a schema cannot express; collects the errors. */
export class ConditionReading {
  readonly problems: ProblemDetail[] = [];
  protected readonly resource: Resource;
  protected readonly settings: ParseSettings;
  readonly #view: SearchView;

  constructor(view: SearchView, settings: ParseSettings) {
    this.#view = view;
    this.resource = view.resource;
    this.settings = settings;
  }

  conditions(given: readonly ConditionBody[], pointer: string): readonly ReadCondition[] {
    return given.flatMap((one, i) => this.#condition(one, `${pointer}/${i}`) ?? []);
  }

  #condition(given: ConditionBody, pointer: string): ReadCondition | undefined {
    const { field, from, to, ...others } = given;
    const forms = Object.keys(others) as (keyof typeof others)[];
    const ranged = from !== undefined || to !== undefined;
    const [form] = forms;
    if (forms.length + (ranged ? 1 : 0) !== 1) return this.wrong(pointer, FORMS);
    if (form === 'any') return this.#anyOf(given, pointer);
    if (form === 'text' || form === 'not_text') return this.#freeText(given, form, pointer);
    if (field === undefined) {
      const fields = takes({ enum: selectFields(this.resource) });
      return this.wrong(`${pointer}/field`, `This member is missing; it takes ${fields}.`);
    }
    if (form === undefined) return this.#range({ ...given, field }, pointer);
    if (form === 'in' || form === 'not_in') {
      return this.#values(field, form, given[form]!, `${pointer}/${form}`);
    }
    return this.#contains(field, form, given[form]!, `${pointer}/${form}`);
  }

  #anyOf({ field, any = [] }: ConditionBody, pointer: string): ReadCondition | undefined {
    if (field !== undefined) return this.#withoutField(pointer);
    const parts = any.flatMap((one, i) => this.#condition(one, `${pointer}/any/${i}`) ?? []);
    return {
      condition: Object.freeze({ op: 'any', of: parts.map(({ condition }) => condition) }),
      shown: { any: parts.map(({ shown }) => shown) },
    };
  }

  #freeText(
    { field, ...given }: SingleBody,
    form: 'text' | 'not_text',
    pointer: string,
  ): ReadCondition | undefined {
    if (field !== undefined) return this.#withoutField(pointer);
    const text = this.#text(given[form]!, `${pointer}/${form}`);
    if (text === undefined) return undefined;
    const { where } = freeText(this.resource, freeTextFilter(this.#view)!, text, this.settings);
    const condition = inForm(form, { op: 'matches', query: where });
    return { condition, shown: { [form]: text } };
  }

  #withoutField(pointer: string): undefined {
    return this.wrong(`${pointer}/field`, 'Only conditions on one field have this member.');
  }

  #contains(
    field: string,
    form: 'contains' | 'not_contains',
    given: string,
    pointer: string,
  ): ReadCondition | undefined {
    if (!textFields(this.resource).includes(field)) {
      return this.wrong(pointer, this.#otherForms(field));
    }
    const text = this.#text(given, pointer);
    if (text === undefined) return undefined;
    const query = textIn(this.resource, field, text, this.settings);
    const condition = inForm(form, { op: 'matches', column: field, query });
    return { condition, shown: { field, [form]: text } };
  }

  #text(given: string, pointer: string): string | undefined {
    return given.trim() || this.wrong(pointer, 'This must not be blank.');
  }

  /** Each value once. Where no facet lists them, values of another type than the field's are problems. */
  #values(
    name: string,
    op: 'in' | 'not_in',
    given: readonly JsonOrNull[],
    pointer: string,
  ): ReadCondition | undefined {
    const uses = this.#uses(name);
    if (!isCompared(uses)) {
      const isNothing = uses.includes('range') && given.every((one) => one === null);
      if (!isNothing) return this.wrong(pointer, this.#otherForms(name));
      const condition = inForm(op, { op: 'nothing', column: name });
      return { condition, shown: { field: name, [op]: [null] } };
    }
    const field = this.resource.fields[name];
    const isCounted = uses.includes('facet');
    const found = new Map<string, Value | null>();
    const shown = new Map<string, ShownValue>();
    for (const [i, one] of given.entries()) {
      const values = one === null ? [null] : conditionValues(field, one, isCounted);
      for (const value of values) found.set(scalarKey(value), value);
      // The last of two values that one selects is shown: it selects both again.
      const last = values.at(-1);
      if (last !== undefined) shown.set(scalarKey(last), shownValue(last));
      else this.wrong(`${pointer}/${i}`, mustBe(typeOfField(this.resource, name)!));
    }
    const values = [...found.values()];
    // A table finds rows by their ids without a column, which a key has only to be counted.
    const byId = name === this.resource.key && !uses.includes('facet');
    const condition: Condition = byId
      ? { op: 'ids', column: name, ids: values }
      : { op: 'in', column: name, values };
    return {
      condition: inForm(op, condition),
      shown: { field: name, [op]: [...shown.values()] },
    };
  }

  #range(given: Ranged, pointer: string): ReadCondition | undefined {
    const { field } = given;
    const type = typeOf(this.resource, field);
    if (!this.#uses(field).includes('range') || type === undefined) {
      const member = given.from === undefined ? 'to' : 'from';
      return this.wrong(`${pointer}/${member}`, this.#otherForms(field));
    }
    const { from, to } = this.bounds(given, type, pointer);
    const within = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const ends = Object.entries(within).map(([name, bound]) => [name, shownValue(bound)] as const);
    return {
      condition: Object.freeze({ op: 'range', column: field, ...within }),
      shown: { field, ...Object.fromEntries(ends) },
    };
  }

  protected bounds(
    given: Ranged,
    type: 'date' | 'number',
    pointer: string,
  ): { from: Bound | undefined; to: Bound | undefined } {
    const { field } = given;
    const from = this.bound(field, given.from, type, `${pointer}/from`);
    const to = this.bound(field, given.to, type, `${pointer}/to`);
    if (from !== undefined && to !== undefined && compareScalars(from, to) >= 0) {
      this.wrong(`${pointer}/from`, 'The beginning must be before the end ("to").');
    }
    return { from, to };
  }

  protected bound(
    name: string,
    given: string | number | undefined,
    type: 'date' | 'number',
    pointer: string,
  ): Bound | undefined {
    if (given === undefined) return undefined;
    if (type === 'date') {
      const date = typeof given === 'string' ? millisecondFrom(given) : undefined;
      return date ?? this.wrong(pointer, mustBe('date'));
    }
    const isTyped = typeOfField(this.resource, name) !== undefined;
    const value = isTyped ? typedValue(this.resource.fields[name], given) : given;
    if (value !== undefined && isNumeric(value)) return value;
    return this.wrong(pointer, isTyped ? mustBe('number') : 'This must be a number.');
  }

  /** The forms of conditions on a field, for one of another form. */
  #otherForms(name: string): string {
    const uses = this.#uses(name);
    const forms = [
      ...(isCompared(uses) ? ['"in"', '"not_in"'] : []),
      ...(uses.includes('range') ? ['"from"', '"to"'] : []),
      ...(uses.includes('range') && !isCompared(uses) ? ['"in" and "not_in" with null alone'] : []),
      ...(textFields(this.resource).includes(name) ? ['"contains"', '"not_contains"'] : []),
    ];
    return `A condition on the field ${name} takes ${forms.join(', ')}.`;
  }

  #uses(name: string): readonly Use[] {
    const field = this.resource.fields[name];
    return isAsked(field) ? field.uses : [];
  }

  protected wrong(pointer: string, detail: string): undefined {
    this.problems.push({ pointer, detail });
    return undefined;
  }
}
