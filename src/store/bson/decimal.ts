/**
 * Decimal128 as a number of the text index.
 *
 *     sign · coefficient · 10^exponent ──► number, bigint or exact decimal: textindex/decimal.ts
 */

import { decimalOf, type Numeric } from '../../textindex/index.ts';
import type { Output } from './output.ts';
import { int32At, uint32At, uint64At } from './raw.ts';

/** A number where that is exact, so that equal integers of all types are one value. */
export function simplest(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isFinite(number) && BigInt(number) === integer ? number : integer;
}

const BIAS = 6176;
const LARGEST = 10n ** 34n - 1n;
/** The bits of a number's first word, under its sign, that mark infinities and NaN. */
const SPECIAL = 0x7c00_0000;
const INFINITE = 0x7800_0000;
/** Set if the coefficient would not fit, and counts as zero. */
const TOO_LARGE = 0x6000_0000;

export function decimalAt(bytes: Uint8Array, at: number): Numeric {
  const top = uint32At(bytes, at + 12);
  const isNegative = int32At(bytes, at + 12) < 0;
  const named = top & SPECIAL;
  if (named === INFINITE) return isNegative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (named === SPECIAL) return Number.NaN;
  if ((top & TOO_LARGE) === TOO_LARGE) return 0;
  const exponent = ((top >>> 17) & 0x3fff) - BIAS;
  const small = coefficientAt(bytes, at);
  if (small !== undefined) return decimalOf(isNegative ? -small : small, exponent);
  const high = BigInt(top & 0x1_ffff) * 2n ** 96n + BigInt(uint32At(bytes, at + 8)) * 2n ** 64n;
  const coefficient = high + uint64At(bytes, at);
  if (coefficient > LARGEST) return 0;
  return decimalOf(isNegative ? -coefficient : coefficient, exponent);
}

/**
 * Writes it as `Decimal128.toString` does. False, with nothing written, for decimals that few documents
 * hold, and are left to the driver.
 */
export function writeShort(out: Output, bytes: Uint8Array, at: number): boolean {
  const top = uint32At(bytes, at + 12);
  const places = BIAS - ((top >>> 17) & 0x3fff);
  const coefficient = coefficientAt(bytes, at);
  if (coefficient === undefined || (top & TOO_LARGE) === TOO_LARGE) return false;
  if (places < 0 || places >= LEADING_ZEROS) return false;
  out.digits(coefficient, places, int32At(bytes, at + 12) < 0);
  return true;
}

/** Decimals with fewer places than this have no exponent in their text. */
const LEADING_ZEROS = 6;

/** The coefficient, if a number holds it exactly. */
function coefficientAt(bytes: Uint8Array, at: number): number | undefined {
  const isSmall =
    (uint32At(bytes, at + 12) & 0x1_ffff) === 0 &&
    uint32At(bytes, at + 8) === 0 &&
    uint32At(bytes, at + 4) < 2 ** 21;
  return isSmall ? uint32At(bytes, at + 4) * 2 ** 32 + uint32At(bytes, at) : undefined;
}
