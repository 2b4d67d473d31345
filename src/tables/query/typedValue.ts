/**
 * Values of a body, as the type of their field asks for them.
 *
 *     objectId   "65f0…"                 the ObjectId of these digits
 *     date       "2026-11-20T00:00:00Z"  that moment
 *     number     12.5, "9007199254740993", "0.1"     a double; exactly this decimal
 *     decimal    0.1, "0.10"             exactly the decimal that is written so; the number has the double, too
 *     uuid       "7D0A…"                 its text in lower case; a condition's value as well the very text
 */
import { decimalFrom, nearest, objectIdFrom, shortestDecimal } from '../../textindex/index.ts';
import type { Field, FieldType } from '../definition/definition.ts';
import type { Value } from '../definition/predicate.ts';
import { isUuid } from '../definition/uuid.ts';
import { dateTime } from './dateTime.ts';

export type JsonValue = string | number | boolean;

/** The value that a field is compared with; undefined for a value that its type has not. */
export function typedValue(field: Field | undefined, given: JsonValue): Value | undefined {
  const type = field?.kind === 'stored' ? field.type : undefined;
  return type === undefined ? given : valueOfType(type, given);
}

/** The stored values that a given one stands for: a number among decimals is stored as one, or as a double. */
export function selectedValues(field: Field | undefined, given: JsonValue): readonly Value[] {
  const value = typedValue(field, given);
  if (value === undefined) return [];
  const isNumber =
    field?.kind === 'stored' && field.type === 'decimal' && typeof given === 'number';
  return isNumber && value !== given ? [value, given] : [value];
}

/** The value of the type; undefined for one that it has not. */
export function valueOfType(type: FieldType, given: JsonValue): Value | undefined {
  switch (type) {
    case 'number':
      return typeof given === 'number' ? given : decimalOf(given);
    case 'decimal':
      return typeof given === 'number' ? shortestDecimal(given) : decimalOf(given);
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined;
    case 'mixed':
      return undefined;
    default:
      return typeof given === 'string' ? OF_TEXT[type](given) : undefined;
  }
}

/**
 * The values that a condition's value selects. A UUID in capitals is the one in small letters, as stored, and
 * the text that a record or a facet shows where another program wrote capitals.
 */
export function conditionValues(
  field: Field | undefined,
  given: JsonValue,
  isCounted: boolean,
): readonly Value[] {
  const values = isCounted ? [countedFieldValue(field, given)] : selectedValues(field, given);
  const isUuidField = field?.kind === 'stored' && field.type === 'uuid';
  return isUuidField && typeof given === 'string' && given !== values[0]
    ? [...values, given]
    : values;
}

/**
 * The value that a counted field is compared with: the one that its facet lists as `given`. A value of
 * another type than the field's stands for itself. In a field of numbers a text is a number only where
 * answers write the number as a text. They do so without an equal double, and past 2^53.
 */
function countedFieldValue(field: Field | undefined, given: JsonValue): Value {
  const value = typedValue(field, given);
  const isText =
    typeof given === 'string' && typeof value === 'number' && !(Math.abs(value) > 2 ** 53);
  return value === undefined || isText ? given : value;
}

/** The problem of a value that the type has not, as a sentence. */
export const mustBe = (type: FieldType): string => `This must be ${NAMES[type]}.`;

const OF_TEXT: Readonly<
  Record<'string' | 'uuid' | 'date' | 'objectId', (text: string) => Value | undefined>
> = {
  string: (text) => text,
  uuid: (text) => (isUuid(text.toLowerCase()) ? text.toLowerCase() : text),
  date: dateTime,
  objectId: objectIdFrom,
};

const A_NUMBER = 'a number, or the decimal digits of one as text';
const NAMES: Readonly<Record<FieldType, string>> = {
  string: 'text',
  number: A_NUMBER,
  decimal: A_NUMBER,
  boolean: 'true or false',
  date: 'a date-time of RFC 3339, such as 2026-11-20T00:00:00Z',
  objectId: 'an ObjectId of 24 hexadecimal digits',
  uuid: 'text',
  mixed: 'left out, since the field is shown only',
};

/** Longer texts have more digits than a decimal of the store can hold. */
const LONGEST = 48;
const MAX_DIGITS = 34;

function decimalOf(given: JsonValue): Value | undefined {
  if (typeof given !== 'string' || given.length > LONGEST) return undefined;
  const digits = /^[+-]?0*([\d.]*?)0*(?:[eE]|$)/.exec(given)?.[1]?.replace('.', '') ?? '';
  const number = digits.length > MAX_DIGITS ? undefined : decimalFrom(given);
  if (number === undefined) return undefined;
  // Numbers past all doubles, and between zero and the least one, would take too long to compare.
  const near = nearest(number);
  return Number.isFinite(near) && (near !== 0 || number === 0) ? number : undefined;
}
