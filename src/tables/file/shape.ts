/**
 * Checks a file's data against the schema of definition files, and words every problem.
 *
 * The validator reports all branches of an `anyOf` that fail. Only the branch for the value's own JSON type
 * is of use, so the others' errors go.
 */
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FIELD_TYPES } from '../definition/definition.ts';
import { closest } from '../query/guess.ts';
import { kindOf, takes } from '../query/schema.ts';
import { below, type Part, type Problems } from './problems.ts';
import { TABLES_SCHEMA } from './schema.ts';
import { OTHER_NAMES } from './types.ts';

let validator: ReturnType<Ajv2020['compile']> | undefined;

/** Compiled when a file is read: most processes read none. */
function valid(): NonNullable<typeof validator> {
  if (validator) return validator;
  const ajv = new Ajv2020({
    allErrors: true,
    ownProperties: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    // An error then says its value and its schema.
    verbose: true,
  });
  ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' });
  validator = ajv.compile(TABLES_SCHEMA);
  return validator;
}

/** Adds the problems of the data's shape. */
export function checkShape(value: unknown, problems: Problems): void {
  const validate = valid();
  if (validate(value)) return;
  const errors = meant(validate.errors ?? []);
  const guesses = new Set<string>();
  for (const error of errors) {
    if (error.keyword === 'additionalProperties') unknownMember(error, problems, guesses);
  }
  for (const error of errors) {
    // A part that could not be read has no value for that.
    if (error.data === null && problems.has(error.instancePath)) continue;
    const { pointer, message, guess, part } = wordingOf(error, guesses) ?? {};
    if (message !== undefined) problems.add(pointer ?? error.instancePath, message, guess, part);
  }
}

/** The errors without those of branches that were not meant. */
function meant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const dropped = new Set<ErrorObject>();
  for (const [at, error] of errors.entries()) {
    const { keyword, schemaPath, instancePath, schema, data } = error;
    if (keyword === 'propertyNames') dropped.add(error);
    if (keyword !== 'anyOf' && keyword !== 'oneOf') continue;
    const branches = schema as readonly { readonly type?: string | readonly string[] }[];
    const branch = branches.findIndex(({ type }) => [type ?? []].flat().includes(typeOf(data)));
    if (branch !== -1) dropped.add(error);
    // The validator reports a value's branches right before the value.
    for (let i = at - 1; i >= 0; i--) {
      const other = errors[i]!;
      if (!`${other.instancePath}/`.startsWith(`${instancePath}/`)) break;
      const isMeant = branch !== -1 && other.schemaPath.startsWith(`${schemaPath}/${branch}/`);
      if (other.schemaPath.startsWith(`${schemaPath}/`) && !isMeant) dropped.add(other);
    }
  }
  return errors.filter((error) => !dropped.has(error));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

interface Parent {
  readonly properties?: Readonly<Record<string, object>>;
  readonly patternErrorMessage?: string;
  readonly items?: { readonly enum?: readonly string[] };
}

function unknownMember(error: ErrorObject, problems: Problems, guesses: Set<string>): void {
  const name = String(error.params.additionalProperty);
  const known = Object.keys((error.parentSchema as Parent).properties ?? {});
  const guess = closest(name, known);
  if (guess !== undefined) guesses.add(below(error.instancePath, guess));
  const message = `${JSON.stringify(name)} is no member here; members are ${known.join(', ')}`;
  problems.add(below(error.instancePath, name), message, guess, 'name');
}

interface Wording {
  readonly message: string;
  readonly guess?: string | undefined;
  /** Where the problem is, if not at the error's own place. */
  readonly pointer?: string;
  readonly part?: Part;
}

/** @param guesses the pointers of members that were probably meant by unknown ones */
function wordingOf(error: ErrorObject, guesses: ReadonlySet<string>): Wording | undefined {
  const { keyword, instancePath, params, data, schema } = error;
  const member = nameOf(instancePath);
  const parent = (error.parentSchema ?? {}) as Parent;
  const isType = keyword === 'type' || keyword === 'anyOf';
  if (isType && data === null) return { message: `${member} has no value` };
  switch (keyword) {
    case 'additionalProperties':
      return undefined;
    case 'required': {
      const pointer = below(instancePath, params.missingProperty);
      const within = instancePath === '' ? '' : ` in ${member}`;
      const message = `"${params.missingProperty}" is missing${within}`;
      return guesses.has(pointer) ? undefined : { pointer, message };
    }
    case 'dependentRequired': {
      const pointer = below(instancePath, params.property);
      const message = `"${params.property}" needs "${params.missingProperty}" beside it`;
      const isGuessed = guesses.has(below(instancePath, params.missingProperty));
      return isGuessed ? undefined : { pointer, message, part: 'name' };
    }
    case 'oneOf':
      return kindOfField(error, member, guesses);
    case 'anyOf': {
      const branches = schema as readonly { readonly type: string | readonly string[] }[];
      const type = branches.flatMap((branch) => branch.type);
      return { message: `${member} must be ${takes({ type })}, not ${kindOf(data)}` };
    }
    case 'type':
      return { message: `${member} must be ${takes(parent)}, not ${kindOf(data)}` };
    case 'const':
      return { message: `${member} must be ${params.allowedValue}, not ${JSON.stringify(data)}` };
    case 'enum': {
      // Its type is the problem, and told.
      if (typeof data !== 'string') return undefined;
      const values = params.allowedValues as readonly string[];
      const message = `${JSON.stringify(data)} is none of ${values.join(', ')}`;
      return { message, guess: guessOf(data, values) };
    }
    case 'pattern': {
      const name = error.propertyName;
      const message = `${JSON.stringify(name ?? data)} must be ${parent.patternErrorMessage}`;
      if (name === undefined) return { message };
      return { pointer: below(instancePath, name), message, part: 'name' };
    }
    case 'uniqueItems': {
      const item = JSON.stringify((data as readonly unknown[])[params.i]);
      const message = `${item} stands twice in ${member}`;
      return { pointer: below(instancePath, params.i), message };
    }
    default: {
      const isOfTypes = keyword === 'maxItems' && parent.items?.enum === FIELD_TYPES;
      const advice = isOfTypes ? ': a field of several types is mixed' : '';
      return { message: `${member} must ${sizeOf(keyword, Number(params.limit))}${advice}` };
    }
  }
}

/** A field takes exactly one of the members that say its kind. */
function kindOfField(
  { instancePath, data, schema }: ErrorObject,
  member: string,
  guesses: ReadonlySet<string>,
): Wording | undefined {
  const branches = schema as readonly { readonly required: readonly [string] }[];
  const kinds = branches.map(({ required: [name] }) => name);
  if (kinds.some((name) => guesses.has(below(instancePath, name)))) return undefined;
  const given = kinds.filter((name) => Object.hasOwn(data as object, name));
  const message =
    given.length === 0
      ? `${member} needs one of ${kinds.join(', ')}`
      : `${member} takes only one of ${given.join(', ')}`;
  return { message, part: 'name' };
}

function sizeOf(keyword: string, limit: number): string {
  const most = keyword.startsWith('max');
  if (keyword.endsWith('Length')) {
    return most ? `have at most ${limit} characters` : 'not be empty';
  }
  return `have ${most ? 'at most' : 'at least'} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
}

function guessOf(given: string, values: readonly string[]): string | undefined {
  const isType = values === (FIELD_TYPES as readonly string[]);
  return (isType ? OTHER_NAMES.get(given.toLowerCase()) : undefined) ?? closest(given, values);
}

/** The last step of a pointer, as a reader of the file knows it. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'the file';
  const steps = pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.at(-1)!;
  return /^\d+$/.test(last) ? `entry ${Number(last) + 1} of ${steps.at(-2)}` : last;
}
