/**
 * A column's cell for a document, computed in the plainest way: on decoded documents, by recursion.
 * The tests compare it with the extractor, which never decodes.
 */
import { Decimal128, Double, Int32, Long, Timestamp } from 'mongodb';

/** A path that is asked of random documents, with how its value is taken. */
export interface PlainColumn {
  readonly path: string;
  readonly as: 'value' | 'decimal';
}

/** Stands for undefined, `[]`, and a value that an array has in the place of an object. */
export const NOTHING = Symbol('nothing');

/**
 * Every value of the path, as a match sees them.
 *
 * @param document decoded with `promoteValues: false`
 */
export function valuesOf(document: unknown, path: string): unknown[] {
  const enter = (value: unknown, names: readonly string[], inArray: boolean): unknown[] => {
    if (Array.isArray(value) && !inArray) {
      if (value.length === 0) return [NOTHING];
      return value.flatMap((element) => enter(element, names, true));
    }
    if (names.length === 0) return [value];
    const [name = '', ...rest] = names;
    if (inArray && !isObject(value)) return [NOTHING];
    if (!isObject(value) || !Object.hasOwn(value, name)) return [null];
    return enter(value[name], rest, false);
  };
  return enter(document, path.split('.'), false);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

/** A number's value, whatever type it is stored as; undefined for a value that is no number. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number') return value;
  if (value instanceof Int32 || value instanceof Double) return value.valueOf() + 0;
  if (value instanceof Long && !(value instanceof Timestamp)) {
    const exact = BigInt(value.toString());
    return BigInt(Number(exact)) === exact ? Number(exact) : exact;
  }
  if (value instanceof Decimal128) return decimalOf(value.toString());
  return undefined;
}

/** The value of a decimal that the generator makes. */
function decimalOf(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number + 0 : BigInt(text);
}

/** Whether the path, through no array, ends in an array of one value. */
export function isArrayOfOne(document: Readonly<Record<string, unknown>>, path: string): boolean {
  const [only, ...more] = valuesOf(document, path);
  const last = path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      document,
    );
  return Array.isArray(last) && more.length === 0 && only !== NOTHING && only !== undefined;
}

/** The text of a whole number within ±2^53, else null. */
export function decimalTextOf(
  document: Readonly<Record<string, unknown>>,
  path: string,
): string | null {
  const value = Object.hasOwn(document, path) ? document[path] : undefined;
  const number = numberOf(value);
  return Number.isSafeInteger(number) ? String(number) : null;
}
