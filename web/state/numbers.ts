/** Bounds of numbers: a range ends before its bound, so that one that includes it ends at the next number. */

import { isNumeric, lastBefore, nextAfter } from '../../clients/typescript/viewAddress.ts';

type Given = number | string | undefined;

/** The number that somebody means by a bound, and whether the bound comes right after it. */
interface Bound {
  readonly number: number | string;
  readonly isAfter: boolean;
}

function boundOf(number: Given): Bound | undefined {
  if (number === undefined || !isNumeric(number)) return undefined;
  const before = lastBefore(number);
  const isAfter = String(before).length < String(number).length;
  return { number: isAfter ? before : number, isAfter };
}

/** The ends of a range; none where it is open or a date. `only`: the one number that it holds. */
export interface Ends {
  readonly first: Bound | undefined;
  readonly last: Bound | undefined;
  readonly only: number | string | undefined;
}

export function endsOf({ from, to }: { readonly from: Given; readonly to: Given }): Ends {
  const first = boundOf(from);
  const only = first && to === nextAfter(from!) ? from : undefined;
  return { first, last: boundOf(to), only };
}

/**
 * The range with doubles for ends that have more digits than one: numbers of the built-in tables are doubles on their
 * way. It is the least such range that holds the given one.
 */
export function inDoubles<R extends Readonly<Record<string, unknown>>>(range: R): R {
  const ends = (['from', 'to'] as const).flatMap((end) => {
    const given = range[end];
    return typeof given === 'string' && isNumeric(given) ? [[end, doubleAt(end, given)]] : [];
  });
  return { ...range, ...Object.fromEntries(ends) };
}

function doubleAt(end: 'from' | 'to', digits: string): number {
  const near = Number(digits);
  const [whole, part = ''] = digits.split('.') as [string, string?];
  // Numbers with a part and that many digits lie beside a double, on either side.
  if (!Number.isInteger(near)) return Number(end === 'from' ? lastBefore(near) : nextAfter(near));
  const rest = /[1-9]/.test(part) ? (digits.startsWith('-') ? 1n : -1n) : 0n;
  const above = BigInt(near) - BigInt(whole) || rest;
  if (end === 'from') return above > 0n ? Number(lastBefore(near)) : near;
  return above < 0n ? Number(nextAfter(near)) : near;
}
