/** Where a line stands in its log: a number, as the store has it and as clients write it. */
import { Long } from 'mongodb';

/** Numbers past 2^53 keep the type they are stored with. */
export type Position = number | Long;

const LEAST_LONG = -(2n ** 63n);

/** Digits of the whole, of the fraction and of the exponent: more than any number has that is shown. */
const NUMBER = /^-?\d{1,310}(\.\d{1,340})?([eE][+-]?\d{1,4})?$/;

/** Reads a position as answers show it, or as JSON may write it; undefined for any other text. */
export function parsePosition(text: string): Position | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  if (/\D/.test(text.slice(1)) || Number.isSafeInteger(value)) return value;
  const exact = BigInt(text);
  return exact >= LEAST_LONG && exact < -LEAST_LONG ? Long.fromBigInt(exact) : value;
}
