/**
 * From a search view to the strict JSON Schema of its body, the TypeScript type of that body and
 * the validator, all three from the one definition.
 *
 * Strict means: no member that the view does not name, at any level; no coercion; null only where a
 * filter is nullable. Every problem of a body is reported at once, each with its JSON pointer.
 */
import { Ajv, type ErrorObject, type Schema, type ValidateFunction } from 'ajv';
import { AppError, type ProblemDetail } from '../errors.ts';
import type { Filter, FilterValue, Resource } from '../resources/definition.ts';
import type { SearchView } from '../resources/views.ts';
import { excerpt, type SchemaPart } from './excerpt.ts';

/** Longest string filter, in code points. */
const MAX_TEXT = 256;
const MAX_ROUTING_KEYS = 100;
/** Problems listed in one answer. */
const MAX_PROBLEMS = 100;

/** The validated body of a search view. */
export interface SearchBody<R extends Resource = Resource, K extends string = string> {
  readonly filters?: { readonly [N in K]?: FilterValue<R['filters'][N] & Filter> };
  readonly pagination?: { readonly page?: number; readonly per_page?: number };
  readonly sorting?: {
    readonly sort_by?: R['sorts'][number];
    readonly sort_order?: 'asc' | 'desc';
  };
}

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

function filterSchema(filter: Filter): Schema {
  switch (filter.kind) {
    case 'id':
      // A bad id of this kind is the search's own 400, so that every string gets that far.
      return filter.invalid ? { type: ['string', 'null'] } : nullable(searchText);
    case 'text':
    case 'contains':
    case 'exact':
    case 'governed':
      return nullable(searchText);
    case 'integer':
      return nullable(integer);
    case 'boolean':
      return { type: ['boolean', 'null'] };
    case 'enum':
      return { enum: [...filter.values, null] };
    case 'choice':
      return { enum: filter.values };
    case 'option':
      return { type: 'boolean' };
    case 'routingKeys':
      return { type: ['array', 'null'], maxItems: MAX_ROUTING_KEYS, items: searchText };
  }
}

/** An object of these members and no others. */
export const closedObject = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});

/** The JSON Schema (draft-07) of a view's body. */
export function bodySchema(view: SearchView): Schema {
  const filters = view.filters.map((name) => [name, filterSchema(view.resource.filters[name]!)]);
  return closedObject({
    filters: closedObject(Object.fromEntries(filters)),
    pagination: closedObject({ page: integer, per_page: integer }),
    sorting: closedObject({
      sort_by: { enum: view.resource.sorts },
      sort_order: { enum: ['asc', 'desc'] },
    }),
  });
}

const ajv = new Ajv({ allErrors: true, ownProperties: true, strict: true, allowUnionTypes: true });
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

/** Gives the body back with its type, or throws 422 `ValidationFailed` naming every problem. */
export type Validate<T> = (body: unknown) => T;

export function compileBody<R extends Resource, K extends string>(
  view: SearchView<R, K>,
): Validate<SearchBody<R, K>> {
  return validator(ajv.compile(bodySchema(view as unknown as SearchView)));
}

/** A validator for any other JSON body, such as `{enabled: boolean}`. */
export function compileSchema<T>(schema: Schema): Validate<T> {
  return validator(ajv.compile<T>(schema));
}

function validator<T>(valid: ValidateFunction<unknown>): Validate<T> {
  return (body) => {
    if (valid(excerpt(valid.schema as SchemaPart, body))) return body as T;
    throw validationFailed((valid.errors ?? []).map(problemOf));
  };
}

/** 422 with the first hundred problems; the sentence tells how many there were, up to that. */
export function validationFailed(problems: readonly ProblemDetail[]): AppError {
  const errors = problems.slice(0, MAX_PROBLEMS);
  return new AppError('ValidationFailed', `The request does not fit in ${places(problems)}.`, {
    errors,
  });
}

function places({ length }: readonly unknown[]): string {
  if (length > MAX_PROBLEMS) {
    return `more than ${MAX_PROBLEMS} places; the first ${MAX_PROBLEMS} are listed`;
  }
  return length === 1 ? 'one place' : `${length} places`;
}

function problemOf(error: ErrorObject): ProblemDetail {
  const { keyword, instancePath, params } = error;
  switch (keyword) {
    case 'additionalProperties': {
      const member = String(params.additionalProperty);
      const step = member
        .slice(0, MAX_TEXT)
        .toWellFormed()
        .replace(/~/g, '~0')
        .replace(/\//g, '~1');
      return { pointer: `${instancePath}/${step}`, detail: 'This member is not known here.' };
    }
    case 'type': {
      const types = [params.type].flat().join(' or ');
      return { pointer: instancePath, detail: `This must be ${types}.` };
    }
    case 'enum': {
      const allowed = (params.allowedValues as unknown[]).map((value) => JSON.stringify(value));
      return { pointer: instancePath, detail: `This must be one of ${allowed.join(', ')}.` };
    }
    case 'searchable':
      return { pointer: instancePath, detail: 'This must hold no NUL and no lone surrogate.' };
    case 'wellFormed':
      return { pointer: instancePath, detail: 'This must hold no lone surrogate.' };
    case 'maxLength':
      return {
        pointer: instancePath,
        detail: `This must not be longer than ${params.limit} characters.`,
      };
    case 'maxItems':
      return { pointer: instancePath, detail: `This must not list more than ${params.limit}.` };
    case 'required':
      return {
        pointer: `${instancePath}/${params.missingProperty}`,
        detail: 'This member is missing.',
      };
    default:
      return { pointer: instancePath, detail: `This ${error.message ?? 'does not fit'}.` };
  }
}
