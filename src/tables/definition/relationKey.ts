/** The values that relate rows to documents: an order's customer by its id, its shop by its number. */

import { scalarOf } from '../../store/bson/storeValue.ts';
import {
  isNumeric,
  isObjectId,
  type Numeric,
  type Odd,
  type Scalar,
} from '../../textindex/index.ts';
import type { KeyType } from './definition.ts';

/** A text, a number or an ObjectId. */
export type RelationKey = string | Numeric | Odd;

/** The type of a key; undefined for values that are none. */
export function keyTypeOf(value: Scalar): KeyType | undefined {
  if (typeof value === 'string') return 'string';
  if (isNumeric(value)) return 'number';
  return isObjectId(value) ? 'objectId' : undefined;
}

/** A stored value as a key; undefined when it is of another type and leads nowhere. */
export function relationKeyOf(value: unknown, type: KeyType): RelationKey | undefined {
  const key = scalarOf(value);
  return key !== undefined && keyTypeOf(key) === type ? (key as RelationKey) : undefined;
}

/** The keys among stored values. */
export const relationKeysOf = (values: readonly unknown[], type: KeyType): RelationKey[] =>
  values.flatMap((value) => relationKeyOf(value, type) ?? []);
