/**
 * Decimals that no double equals, exact, and numbers of every type compared by value.
 *
 *     coefficient · 10^exponent ─┬─ equals a double ─► that number
 *                                ├─ an integer ──────► a bigint
 *                                └─ else ────────────► {key: '1234E-2', near: 12.34}
 *
 * MongoDB compares numbers of all types by their exact values, and so does this: two numbers with
 * different nearest doubles compare as these, and only others need their digits.
 */
import type { Decimal, Scalar } from './api.ts';
import { TYPE_ORDER } from './typeOrder.ts';

/** A number as digits and a power of ten, without zeros at the end. */
interface Digits {
  readonly coefficient: bigint;
  readonly exponent: number;
}

export type Numeric = number | bigint | Decimal;

export const isDecimal = (scalar: Scalar): scalar is Decimal =>
  typeof scalar === 'object' && scalar !== null && 'near' in scalar;

export const isNumeric = (scalar: Scalar): scalar is Numeric =>
  typeof scalar === 'number' || typeof scalar === 'bigint' || isDecimal(scalar);

/** The scalar of `coefficient · 10^exponent`; a coefficient that is a number is a safe integer. */
export function decimalOf(coefficient: bigint | number, exponent: number): Numeric {
  if (typeof coefficient === 'number') {
    const isShort = exponent <= 0 && exponent >= -MOST_DIVIDED;
    return isShort
      ? shortDecimal(coefficient, -exponent)
      : decimalOf(BigInt(coefficient), exponent);
  }
  const digits = normalized(coefficient, exponent);
  if (digits.coefficient === 0n) return 0;
  const key = `${digits.coefficient}E${digits.exponent}`;
  const near = Number(key);
  if (digits.exponent >= 0) {
    const integer = digits.coefficient * 10n ** BigInt(digits.exponent);
    return Number.isFinite(near) && BigInt(near) === integer ? near : integer;
  }
  const exact = digitsOfDouble(near);
  const isExact = exact.coefficient === digits.coefficient && exact.exponent === digits.exponent;
  return isExact ? near : { typeOrder: TYPE_ORDER.number, key, near };
}

/** Doubles hold these powers of 10 and of 5 exactly, so that one division gives the nearest double. */
const MOST_DIVIDED = 22;
const TENS = Array.from({ length: MOST_DIVIDED + 1 }, (_, power) => Number(`1e${power}`));
const FIVES = TENS.map((ten, power) => ten / 2 ** power);

/** `coefficient / 10^places`, as most decimals are: a tenth of the time that bigints take. */
function shortDecimal(coefficient: number, places: number): Numeric {
  let [left, power] = [coefficient, places];
  while (power > 0 && left % 10 === 0) {
    left /= 10;
    power--;
  }
  const near = left / TENS[power]! + 0;
  // left / 10^power = left / 5^power / 2^power: only the first division may leave a rest.
  if (left % FIVES[power]! === 0) return near;
  return { typeOrder: TYPE_ORDER.number, key: `${left}E${-power}`, near };
}

/** The same for a text such as `-12.50` or `1e-7`; undefined for any other. */
export function decimalFrom(text: string): Numeric | undefined {
  const parts = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = parts;
  const written = whole + fraction;
  const digits = written.length <= CERTAIN_DIGITS ? Number(written) : BigInt(written);
  return decimalOf(sign === '-' ? -digits : digits, Number(power) - fraction.length);
}

/** No two decimals of so many digits have the same nearest double, within `USUAL` sizes. */
const CERTAIN_DIGITS = 15;
const USUAL = 1e290;

/** Whether it is the `shortestDecimal` of its nearest double. */
export function isShortest(decimal: Decimal): boolean {
  const { key, near } = decimal;
  const digits = key.indexOf('E') - (near < 0 ? 1 : 0);
  const size = Math.abs(near);
  if (digits <= CERTAIN_DIGITS && size < USUAL && size > 1 / USUAL) return true;
  return compareNumbers(shortestDecimal(near), decimal) === 0;
}

/** The decimal that is written as this double is: `12.34` for the double nearest to it. */
export function shortestDecimal(double: number): Numeric {
  return decimalFrom(String(double))!;
}

/**
 * The value as a text that `decimalFrom` reads: `12.34`, for very small ones `1.2E-7`, and `1.2E+40`
 * for integers that have more digits than a decimal of the store.
 */
export function decimalText(number: Decimal | bigint): string {
  const { coefficient, exponent } = digitsOf(number);
  const sign = coefficient < 0n ? '-' : '';
  const digits = String(coefficient < 0n ? -coefficient : coefficient);
  const point = digits.length + exponent;
  if (exponent === 0 && point <= MOST_DIGITS) return sign + digits;
  if (exponent === 0) return sign + withPower(digits.replace(/0+$/, ''), point - 1);
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point > -LEADING_ZEROS) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${withPower(digits, point - 1)}`;
}

function withPower(digits: string, power: number): string {
  const more = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${digits[0]}${more}E${power > 0 ? '+' : ''}${power}`;
}

/** A decimal of the store has no more. */
const MOST_DIGITS = 34;

/** Smaller numbers are written with a power of ten, as the driver does. */
const LEADING_ZEROS = 6;

/** Compares values of all types; NaN is the least and equals itself. */
export function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a !== 'object' && typeof b !== 'object') {
    if (a < b) return -1;
    if (a > b) return 1;
    return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  }
  const [x, y] = [nearest(a), nearest(b)];
  if (x !== y) return Number.isNaN(y) || x > y ? 1 : -1;
  // No two texts of digits stand for one decimal.
  if (isDecimal(a) && isDecimal(b) && a.key === b.key) return 0;
  const [one, other] = [digitsOf(a), digitsOf(b)];
  const exponent = Math.min(one.exponent, other.exponent);
  const [p, q] = [scaled(one, exponent), scaled(other, exponent)];
  return p < q ? -1 : p > q ? 1 : 0;
}

/** The nearest double. */
export const nearest = (number: Numeric): number =>
  typeof number === 'object' ? number.near : Number(number);

/**
 * The difference of a number and the double nearest to it: zero for a double, and for a number past
 * all doubles.
 */
export function beyondNearest(number: Numeric): Digits {
  const near = nearest(number);
  if (typeof number === 'number' || !Number.isFinite(near)) return NOTHING_BEYOND;
  const [whole, double] = [digitsOf(number), digitsOfDouble(near)];
  const exponent = Math.min(whole.exponent, double.exponent);
  return normalized(scaled(whole, exponent) - scaled(double, exponent), exponent);
}

const NOTHING_BEYOND: Digits = { coefficient: 0n, exponent: 0 };

const scaled = ({ coefficient, exponent }: Digits, to: number): bigint =>
  coefficient * 10n ** BigInt(exponent - to);

function digitsOf(number: Numeric): Digits {
  if (typeof number === 'bigint') return { coefficient: number, exponent: 0 };
  if (typeof number === 'number') return digitsOfDouble(number);
  const [coefficient, exponent] = number.key.split('E') as [string, string];
  return { coefficient: BigInt(coefficient), exponent: Number(exponent) };
}

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

/** All digits of a finite double. */
function digitsOfDouble(double: number): Digits {
  float[0] = double;
  const low = bits[0]! & 0xf_ffff_ffff_ffffn;
  const power = Number((bits[0]! >> 52n) & 0x7ffn);
  const whole = power === 0 ? low : low | (1n << 52n);
  const shift = Math.max(power, 1) - 1075;
  const signed = double < 0 ? -whole : whole;
  // m · 2^-k is m · 5^k · 10^-k.
  return shift >= 0
    ? normalized(signed << BigInt(shift), 0)
    : normalized(signed * 5n ** BigInt(-shift), shift);
}

function normalized(coefficient: bigint, exponent: number): Digits {
  let [left, power] = [coefficient, exponent];
  if (left === 0n) return { coefficient: 0n, exponent: 0 };
  while (left % 10n === 0n) {
    left /= 10n;
    power++;
  }
  return { coefficient: left, exponent: power };
}
