/**
 * From a search view to the strict JSON Schema of its body, and the validator.
 *
 * Strict means: no member that the view does not name, at any level; no coercion; null only where a
 * filter is nullable. Every problem of a body is reported at once, each with its JSON pointer.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { AppError, type ProblemDetail } from '../../errors.ts';
import type { Filter, Resource } from '../definition/definition.ts';
import { closedObject, type JsonSchema } from '../definition/jsonSchema.ts';
import type { SearchView } from '../definition/view.ts';
import { conditionsOf, excerpt, type SchemaPart } from './excerpt.ts';
import { closest, unknownName } from './guess.ts';

/** Longest string filter, in code points. */
const MAX_TEXT = 256;
/** Most values of a list filter. */
const MAX_VALUES = 100;
/** Problems listed in one answer. */
const MAX_PROBLEMS = 100;

/** The validated body of a search view. */
export interface SearchBody {
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly pagination?: { readonly page?: number; readonly per_page?: number };
  readonly sorting?: Partial<AppliedSort> | undefined;
}

/** A sort as the answer shows it. */
export interface AppliedSort {
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/** The pattern of a text that is not blank, without NUL. */
export const NOT_BLANK = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';

/** Text that MongoDB can look for: bounded, no NUL (it ends a pattern), no half of a character. */
export const searchText = { type: 'string', maxLength: MAX_TEXT, searchable: true } as const;
const nullable = (schema: { readonly type: string }) => ({
  ...schema,
  type: [schema.type, 'null'],
});
const integer = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

/** How a filter is sent, how the answer repeats it, and its meaning for people. */
interface FilterForms {
  readonly sent: JsonSchema;
  readonly applied: JsonSchema;
  readonly meaning: string;
}

const TEXT = { sent: nullable(searchText), applied: { type: 'string' } };
const BOOLEAN = { type: 'boolean' };
const EQUAL = 'Equal to the value.';

function formsOf(filter: Filter): FilterForms {
  switch (filter.kind) {
    case 'text': {
      const fields = `Contained in any of ${filter.fields.join(', ')}; case-insensitive.`;
      return { ...TEXT, meaning: filter.named ? `${fields} ${filter.named.meaning}` : fields };
    }
    case 'contains':
      return { ...TEXT, meaning: 'Contained in the value; case-insensitive.' };
    case 'exact':
      return { ...TEXT, meaning: 'Equal to the value; case-sensitive.' };
    case 'matchMode':
      return { ...TEXT, meaning: `Contained in the value, or equal to it: see \`${filter.by}\`.` };
    case 'id': {
      const meaning = 'Equal to the id, a UUID in any case.';
      if (!filter.invalid) return { ...TEXT, meaning };
      // A bad id of this kind is the search's own 400, so that every string gets that far.
      const sent = { type: ['string', 'null'], format: 'uuid' };
      return { ...TEXT, sent, meaning: `${meaning} Other text is 400 \`${filter.invalid}\`.` };
    }
    case 'integer':
      return { sent: nullable(integer), applied: { type: 'integer' }, meaning: EQUAL };
    case 'boolean':
      return { sent: nullable(BOOLEAN), applied: BOOLEAN, meaning: EQUAL };
    case 'enum': {
      const { values } = filter;
      return { sent: { enum: [...values, null] }, applied: { enum: values }, meaning: EQUAL };
    }
    case 'choice': {
      const meaning =
        'How text filters compare: `like` (the default) finds the text anywhere, case-insensitive; `exact` finds equal values.';
      return { sent: { enum: filter.values }, applied: { enum: filter.values }, meaning };
    }
    case 'option':
      return {
        ...{ sent: BOOLEAN, applied: BOOLEAN },
        meaning: 'Whether records show additional members.',
      };
    case 'labelled':
      return {
        sent: { type: ['array', 'null'], maxItems: MAX_VALUES, items: searchText },
        applied: { type: 'array', items: { type: 'string' } },
        meaning: filter.meaning,
      };
  }
}

/** The members of a record that a text filter looks into: programs mark the matches in them. */
function searchedBy(filter: Filter, { resource }: SearchView): JsonSchema {
  if (filter.kind !== 'text') return {};
  const members = filter.fields.map((field) => filter.shown?.[field] ?? field);
  const shown = members.filter((member) => Object.hasOwn(resource.record, member));
  return { [SEARCHED]: [...new Set(shown)] };
}
const SEARCHED = 'x-searched';

/** The name of a view's type in the reference: `OpenOrders`. No two views have one; `a_1` keeps its `_` beside `a1`. */
export const typeName = ({ name }: Pick<SearchView, 'name'>): string =>
  name.replace(/(?:^|[ :]|_(?=[a-z]))(\w)/g, (_, first: string) => first.toUpperCase());

/** The name of a resource's records in the reference: `Order`. */
export const recordName = ({ name }: Pick<Resource, 'name'>): string =>
  typeName({ name: name.includes(':') ? `${name} row` : name.replace(/s$/, '') });

/** The JSON Schema (draft-07) of a view's body. */
export function bodySchema(view: SearchView) {
  const filters = view.filters.map((name): [string, JsonSchema] => {
    const filter = view.resource.filters[name]!;
    const { meaning, sent } = formsOf(filter);
    return [name, { description: meaning, ...sent, ...searchedBy(filter, view) }];
  });
  return {
    title: `${typeName(view)}Search`,
    ...closedObject({
      filters: { title: `${typeName(view)}Filters`, ...closedObject(Object.fromEntries(filters)) },
      pagination: {
        title: 'PageRequest',
        description: 'The first 10 rows by default. The service caps large pages.',
        ...closedObject({ page: integer, per_page: integer }),
      },
      sorting: {
        title: `${recordName(view.resource)}Sorting`,
        ...sortingSchema(view, view.resource.sorts),
      },
    }),
  };
}

/** A field to sort by, one of `sorts`, and the direction. */
export const sortingSchema = (
  { resource, ascending }: Pick<SearchView, 'resource' | 'ascending'>,
  sorts: readonly string[],
): JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> } =>
  closedObject({
    sort_by: { enum: sorts, description: `\`${resource.sorts[0]}\` by default.` },
    sort_order: {
      enum: ['asc', 'desc'],
      description: ascending
        ? '`asc` by default, but `desc` with `sort_by`.'
        : '`desc` by default.',
    },
  });

/** The JSON Schema of `meta.applied_filters`: filters as applied, implied ones included. */
export function appliedSchema(view: SearchView): JsonSchema {
  const applied: Record<string, JsonSchema> = {};
  for (const name of view.filters) {
    const filter = view.resource.filters[name]!;
    applied[name] = formsOf(filter).applied;
    const named = filter.kind === 'text' && filter.named;
    const label = named && view.resource.fields[named.by];
    if (label && label.kind === 'value label') applied[label.of] = { type: 'string' };
  }
  for (const name in view.defaults) {
    const one = applied[name]!;
    applied[name] = { anyOf: [one, { type: 'array', items: one }] };
  }
  return closedObject({ ...applied, ...view.applies });
}

const ajv = new Ajv({
  allErrors: true,
  ownProperties: true,
  strict: true,
  allowUnionTypes: true,
  // An error then says its value and its schema.
  verbose: true,
  // The optimizer takes half of the time of a table's first request, and saves 0.2 µs of each check.
  code: { optimize: false },
});
// Said for readers of the schema, and checked where the sentence about it is made.
ajv.addFormat('uuid', true);
ajv.addFormat('date-time', true);
ajv.addFormat('time-zone', true);
ajv.addKeyword({ keyword: 'distinct', type: 'array', schemaType: 'boolean' });
ajv.addKeyword({ keyword: 'shownAs', schemaType: 'object' });

ajv.addKeyword({ keyword: SEARCHED, schemaType: 'array' });

ajv.addKeyword({
  keyword: 'conditions',
  type: 'array',
  schemaType: 'number',
  // A list of more is too long in any case.
  validate: (most: number, list: readonly unknown[]) =>
    list.length > most || conditionsOf(list) <= most,
});

ajv.addKeyword({
  keyword: 'searchable',
  type: 'string',
  schemaType: 'boolean',
  validate: (_schema: boolean, text: string) => text.isWellFormed() && !text.includes('\0'),
});

ajv.addKeyword({
  keyword: 'wellFormed',
  type: 'string',
  schemaType: 'boolean',
  validate: (_schema: boolean, text: string) => text.isWellFormed(),
});

export interface Validate<T> {
  /** Returns the body with its type, or throws 422 `ValidationFailed` naming every problem. */
  (body: unknown): T;
  /** The schema (draft-07) that it validates by and the reference shows. */
  readonly schema: JsonSchema;
}

/**
 * A validator for a JSON body, such as `{enabled: boolean}`. The first body compiles it:
 * that takes some 10 ms, and there may be hundreds of tables.
 */
export function compileSchema<T>(schema: JsonSchema): Validate<T> {
  let compiled: ValidateFunction<T> | undefined;
  const validate = (body: unknown) => {
    compiled ??= ajv.compile<T>(schema);
    const valid = compiled;
    if (valid(excerpt(schema as SchemaPart, body))) return body as T;
    throw validationFailed((valid.errors ?? []).slice(0, MAX_PROBLEMS + 1).map(problemOf));
  };
  return Object.assign(validate, { schema });
}

/** 422 with the first hundred problems; the sentence tells how many there were, up to that. */
export function validationFailed(
  problems: readonly ProblemDetail[],
  where: 'body' | 'query' = 'body',
): AppError {
  const errors = problems.slice(0, MAX_PROBLEMS);
  return new AppError('ValidationFailed', countOf(problems.length, where), { errors });
}

function countOf(problems: number, where: string): string {
  if (problems > MAX_PROBLEMS) {
    return `More than ${MAX_PROBLEMS} problems in the ${where}; the first ${MAX_PROBLEMS} are listed.`;
  }
  return `${problems} ${problems === 1 ? 'problem' : 'problems'} in the ${where}.`;
}

/** A step of a JSON pointer (RFC 6901) for a name of the caller's. */
export function pointerStep(name: string): string {
  const step = name.slice(0, MAX_TEXT).toWellFormed();
  return `/${step.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

function problemOf(error: ErrorObject): ProblemDetail {
  const { keyword, instancePath: pointer, params, data } = error;
  const parent = (error.parentSchema ?? {}) as DocumentedSchema;
  switch (keyword) {
    case 'additionalProperties': {
      const member = String(params.additionalProperty);
      const known = parent.properties ?? {};
      const around = Object.keys(known).find((name) =>
        Object.hasOwn(known[name]!.properties ?? {}, member),
      );
      const place = around === undefined ? '' : ` It is a member of "${around}".`;
      const detail = unknownName(member, Object.keys(known)) + place;
      return { pointer: `${pointer}${pointerStep(member)}`, detail };
    }
    case 'type':
      return { pointer, detail: `This must be ${takes(parent)}, not ${kindOf(data)}.` };
    case 'enum': {
      const values = params.allowedValues as readonly unknown[];
      const texts = values.filter((value) => typeof value === 'string');
      const guess = typeof data === 'string' ? closest(data, texts) : undefined;
      const question = guess === undefined ? '.' : `; did you mean "${guess}"?`;
      return { pointer, detail: `This must be ${takes({ enum: values })}${question}` };
    }
    case 'searchable':
      return { pointer, detail: 'This must hold no NUL and no lone surrogate.' };
    case 'wellFormed':
      return { pointer, detail: 'This must hold no lone surrogate.' };
    case 'maxLength':
      return { pointer, detail: `This must not be longer than ${params.limit} characters.` };
    case 'maxItems':
      return { pointer, detail: `This must not list more than ${params.limit}.` };
    case 'conditions': {
      const detail = `This must not list more than ${error.schema}, those of "any" counted.`;
      return { pointer, detail };
    }
    case 'minItems':
      return { pointer, detail: `This must list at least ${params.limit}.` };
    case 'minimum':
      return { pointer, detail: `This must be at least ${params.limit}.` };
    case 'maximum':
      return { pointer, detail: `This must be at most ${params.limit}.` };
    case 'required': {
      const missing = String(params.missingProperty);
      const detail = `This member is missing; it takes ${takes(parent.properties?.[missing])}.`;
      return { pointer: `${pointer}/${missing}`, detail };
    }
    case 'not':
      return { pointer, detail: 'This table has no field that can stand here.' };
    default: {
      const { description = '' } = keyword === 'pattern' ? parent : {};
      const what = `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
      const why = what ? `does not fit: it takes ${what}` : `${error.message ?? 'does not fit'}.`;
      return { pointer, detail: `This ${why}` };
    }
  }
}

/** The parts of a JSON Schema that describe the valid values. */
interface DocumentedSchema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

export function takes({ type, enum: values }: DocumentedSchema = {}): string {
  if (values) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  const types = [type ?? 'value'].flat();
  return types.map((name) => TYPES[name] ?? name).join(' or ');
}

/** The kind of value that was sent instead. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isInteger(value) ? 'a number' : 'a number with a fraction';
    case 'string':
      return /^(-?\d{1,16}|true|false|null)$/.test(value)
        ? 'a string; leave the quotes out'
        : 'a string';
    default:
      return 'an object';
  }
}
