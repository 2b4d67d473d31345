/** Where a line stands in its log: a number, as the store has it and as clients write it. */
import { Long } from 'mongodb';

/** Numbers past 2^53 keep the type they are stored with. */
export type Position = number | Long;

const LEAST_LONG = -(2n ** 63n);

/** Reads a position as answers show it; undefined for what is none. */
export function parsePosition(text: string): Position | undefined {
  if (!/^-?\d{1,19}(\.\d{1,20})?$/.test(text)) return undefined;
  const value = Number(text);
  if (text.includes('.') || Number.isSafeInteger(value)) return value;
  const exact = BigInt(text);
  return exact >= LEAST_LONG && exact < -LEAST_LONG ? Long.fromBigInt(exact) : undefined;
}
