/**
 * Reads a file's data beside the schema of definition files, and words every problem.
 *
 * The branches of an `anyOf` take values of different JSON types, so the type of the value tells which one
 * its author meant. A validator would report the problems of all branches.
 */
import { FIELD_TYPES } from '../definition/definition.ts';
import { closest } from '../query/guess.ts';
import { kindOf, takes } from '../query/schema.ts';
import type { Spot } from './problems.ts';
import { type Shape, TABLES_SCHEMA } from './schema.ts';
import { OTHER_NAMES } from './types.ts';

/** Adds the problems of the data's shape. */
export const checkShape = (value: unknown, file: Spot): void => check(TABLES_SCHEMA, value, file);

function check(schema: Shape, value: unknown, spot: Spot): void {
  // A part that could not be read has no value for that.
  if (value === null && spot.isWrong) return;
  if (schema.const !== undefined && value !== schema.const) {
    spot.add(`${spot.called} must be ${schema.const}, not ${shown(value)}`);
  }
  const type = typeOf(value);
  const branches = schema.anyOf ?? (schema.type === undefined ? [] : [schema]);
  const typesOf = (branch: Shape) => [branch.type ?? []].flat();
  const meant = branches.find((branch) => typesOf(branch).includes(type));
  if (meant) {
    if (Array.isArray(value)) checkList(meant, value, spot);
    else if (typeof value === 'object') checkObject(meant, value as Members, spot);
    else if (typeof value === 'string') checkText(meant, value, spot);
  } else if (branches.length > 0) {
    const all = schema.anyOf ? { type: branches.flatMap(typesOf) } : schema;
    const what = value === null ? 'has no value' : `must be ${takes(all)}, not ${kindOf(value)}`;
    spot.add(`${spot.called} ${what}`);
  }
}

/** A value in a message: a file may have one long text at many places. */
function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > LONGEST ? `${json.slice(0, LONGEST).toWellFormed()}…` : json;
}
const LONGEST = 100;

type Members = Readonly<Record<string, unknown>>;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function checkText(schema: Shape, text: string, spot: Spot): void {
  const { enum: values, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const { length } = [...text];
  if (length < minLength) spot.add(`${spot.called} must not be empty`);
  // The form of a text that is too long would take its time.
  if (length > maxLength) spot.add(`${spot.called} must have at most ${maxLength} characters`);
  else if (!hasForm(schema, text)) spot.add(formOf(schema, text));
  if (!values || values.includes(text)) return;
  const other = values === FIELD_TYPES ? OTHER_NAMES.get(text.toLowerCase()) : undefined;
  const message = `${shown(text)} is none of ${values.join(', ')}`;
  spot.add(message, other ?? closest(text, values));
}

const hasForm = ({ pattern }: Shape, text: string) =>
  pattern === undefined || new RegExp(pattern, 'u').test(text);

const formOf = ({ patternErrorMessage }: Shape, text: string) =>
  `${shown(text)} must be ${patternErrorMessage}`;

function checkList(schema: Shape, list: readonly unknown[], spot: Spot): void {
  const { items, uniqueItems } = schema;
  const isOfTypes = items?.enum === FIELD_TYPES && list.length > 1;
  const advice = isOfTypes ? ': a field of several types is mixed' : '';
  checkSize(list.length, schema.minItems, schema.maxItems, spot, advice);
  if (items) for (const [at, item] of list.entries()) check(items, item, spot.in(at));
  if (uniqueItems) checkUnique(list, spot);
}

/** One of the items that stand in the list again. */
function checkUnique(list: readonly unknown[], spot: Spot): void {
  const later = new Set<unknown>();
  for (const [at, item] of [...list.entries()].reverse()) {
    if (later.has(item)) {
      spot.in(at).add(`${shown(item)} stands twice in ${spot.called}`);
      return;
    }
    if (!spot.in(at).isWrong) later.add(item);
  }
}

function checkObject(schema: Shape, value: Members, spot: Spot): void {
  const { properties: known = {}, additionalProperties: others, propertyNames } = schema;
  const names = Object.keys(value);
  checkSize(names.length, schema.minProperties, schema.maxProperties, spot);
  /** Members that were probably meant by unknown ones. */
  const guesses = new Set<string>();
  for (const name of names) {
    const at = spot.in(name);
    if (propertyNames && !hasForm(propertyNames, name)) at.addToName(formOf(propertyNames, name));
    const member = Object.hasOwn(known, name) ? known[name] : others;
    if (member) check(member, value[name], at);
    if (member !== false) continue;
    const all = Object.keys(known);
    const guess = closest(name, all);
    if (guess !== undefined) guesses.add(guess);
    const message = `${shown(name)} is no member here; members are ${all.join(', ')}`;
    at.addToName(message, guess);
  }
  checkNeeds(schema, new Set(names), guesses, spot);
}

function checkNeeds(
  { required = [], dependentRequired = {}, oneOf = [] }: Shape,
  names: ReadonlySet<string>,
  guesses: ReadonlySet<string>,
  spot: Spot,
): void {
  const isMissing = (name: string) => !names.has(name) && !guesses.has(name);
  const within = spot.isFile ? '' : ` in ${spot.called}`;
  for (const name of required.filter(isMissing)) {
    spot.in(name).add(`"${name}" is missing${within}`);
  }
  for (const [name, needed] of Object.entries(dependentRequired)) {
    for (const other of names.has(name) ? needed.filter(isMissing) : []) {
      spot.in(name).addToName(`"${name}" needs "${other}" beside it`);
    }
  }
  // A field takes exactly one of the members that say its kind.
  const kinds = oneOf.map(({ required: [name] }) => name);
  const given = kinds.filter((name) => names.has(name));
  if (kinds.length === 0 || given.length === 1 || kinds.some((name) => guesses.has(name))) return;
  const few = given.length === 0 ? `needs one of ${kinds}` : `takes only one of ${given}`;
  spot.addToName(`${spot.called} ${few.replaceAll(',', ', ')}`);
}

function checkSize(
  size: number,
  least = 0,
  most = Number.POSITIVE_INFINITY,
  spot: Spot,
  advice = '',
): void {
  if (size >= least && size <= most) return;
  const [bound, limit] = size < least ? ['least', least] : ['most', most];
  const entries = limit === 1 ? 'entry' : 'entries';
  spot.add(`${spot.called} must have at ${bound} ${limit} ${entries}${advice}`);
}
