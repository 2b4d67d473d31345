/**
 * Decimal128 as a number, or as a bigint if it is an integer that no double holds.
 *
 *     sign · digits · 10^exponent ─┬─ an integer ──► the simplest exact form
 *                                  └─ otherwise ───► the nearest double that is no integer
 *
 * The second kind is inexact unless a double holds it (0.5 does, 0.1 does not). It is kept off the
 * integers so that it equals none of them; from 2^52 on all doubles are integers, and it cannot be.
 */
import { Decimal128 } from 'mongodb';

/** A number where that is exact, so that equal integers of all types are one value. */
export function simplest(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isFinite(number) && BigInt(number) === integer ? number : integer;
}

export function decimalAt(bytes: Uint8Array, at: number): number | bigint {
  return decimalFrom(new Decimal128(bytes.slice(at, at + 16)).toString());
}

/** From the text that `Decimal128` prints: `-1.50E+3`, `NaN`, `-Infinity`. */
function decimalFrom(text: string): number | bigint {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/.exec(text);
  if (!parts) return Number(text);
  const [, sign, whole = '', fraction = '', power = '0'] = parts;
  let digits = BigInt(whole + fraction);
  if (digits === 0n) return 0;
  let exponent = Number(power) - fraction.length;
  while (exponent < 0 && digits % 10n === 0n) {
    digits /= 10n;
    exponent++;
  }
  if (sign === '-') digits = -digits;
  return exponent >= 0
    ? simplest(digits * 10n ** BigInt(exponent))
    : besideIntegers(Number(text), digits, exponent);
}

function besideIntegers(nearest: number, digits: bigint, exponent: number): number {
  if (!Number.isInteger(nearest)) return nearest;
  const above = digits > BigInt(nearest) * 10n ** BigInt(-exponent);
  return neighbour(nearest, above);
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The next double above or below. */
function neighbour(value: number, above: boolean): number {
  if (value === 0) return above ? Number.MIN_VALUE : -Number.MIN_VALUE;
  float[0] = value;
  bits[0] = bits[0]! + (value > 0 === above ? 1n : -1n);
  return float[0];
}
