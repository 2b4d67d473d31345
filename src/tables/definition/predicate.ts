/**
 * The condition on rows, as data that prints itself.
 *
 *     (state in ["open","sent"] and email ~ "ana")
 */

import {
  decimalText,
  hexOf,
  isDecimal,
  isNumeric,
  isObjectId,
  type Numeric,
  type Query,
  type Scalar,
} from '../../textindex/index.ts';
import { type FieldType, type Resource, typeOfField } from './definition.ts';

/** A value that a field is compared with, as the index has it. */
export type Value = Exclude<Scalar, null>;

/**
 * The condition on rows, in the shape that the text index takes. A label stands for a related
 * document: the field of that name of this resource, which is related through the field `column`.
 */
export type Predicate = Query<Value>;

export const ALL: Predicate = Object.freeze({ op: 'all' });
export const NONE: Predicate = Object.freeze({ op: 'none' });

export function equals(column: string, ...values: readonly Value[]): Predicate {
  return oneOf(column, values);
}

/** Equality with any of the values, of which there may be more than a call takes arguments. */
export function oneOf(column: string, values: readonly Value[]): Predicate {
  return values.length === 0 ? NONE : Object.freeze({ op: 'equals', column, values });
}

/** Text in a field; fields that are related become a contains on the label they are reached by. */
export function contains(resource: Resource, name: string, text: string): Predicate {
  const field = resource.fields[name];
  return Object.freeze(
    field?.kind === 'related'
      ? { op: 'contains', column: field.through, label: name, text }
      : { op: 'contains', column: name, text },
  );
}

export const and = (...of: readonly Predicate[]): Predicate => joined('and', of, ALL, NONE);
export const or = (...of: readonly Predicate[]): Predicate => joined('or', of, NONE, ALL);

/** Flattened: parts that change nothing vanish, and one that decides alone wins. */
function joined(
  op: 'and' | 'or',
  of: readonly Predicate[],
  nothing: Predicate,
  decisive: Predicate,
): Predicate {
  const kept: Predicate[] = [];
  for (const part of of) {
    if (part.op === decisive.op) return decisive;
    if (part.op === op) kept.push(...part.of);
    else if (part.op !== nothing.op) kept.push(part);
  }
  if (kept.length === 0) return nothing;
  return kept.length === 1 ? kept[0]! : Object.freeze({ op, of: kept });
}

export function printPredicate(predicate: Predicate): string {
  switch (predicate.op) {
    case 'all':
    case 'none':
      return predicate.op;
    case 'and':
    case 'or':
      return `(${predicate.of.map(printPredicate).join(` ${predicate.op} `)})`;
    case 'contains':
      return `${predicate.label ?? predicate.column} ~ ${JSON.stringify(predicate.text)}`;
    case 'equals':
      return predicate.values.length === 1
        ? `${predicate.column} = ${printValue(predicate.values[0]!)}`
        : `${predicate.column} in [${predicate.values.map(printValue).join(',')}]`;
  }
}

export type ShownValue = string | number | boolean | null;

/** A value as the answer repeats it. */
export function shownValue(value: Scalar): ShownValue {
  if (typeof value === 'bigint') return decimalText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (isDecimal(value)) return decimalText(value);
  return isObjectId(value) ? hexOf(value) : null;
}

/** Longs are at most so far from 0. */
const LONGEST = 2 ** 63;

/** A value as counts and statistics of a field show it. */
export function shownIn(resource: Pick<Resource, 'fields'>, field: string) {
  const type = typeOfField(resource, field);
  return (value: Scalar): ShownValue =>
    isNumeric(value) ? shownNumber(value, type) : shownValue(value);
}

/**
 * Text tells all digits of an integer past 2^53, as records do; whether a long or a double was stored, the
 * index does not know. A field without a type shows the nearest double of a decimal.
 */
function shownNumber(value: Numeric, type: FieldType | undefined): string | number {
  if (isDecimal(value)) return type ? decimalText(value) : value.near;
  if (typeof value === 'bigint') return decimalText(value);
  const isOfNumbers = type === 'number' || type === 'decimal';
  const size = Math.abs(value);
  return isOfNumbers && size > 2 ** 53 && size <= LONGEST ? decimalText(BigInt(value)) : value;
}

export const printValue = (value: Scalar): string => JSON.stringify(shownValue(value));
