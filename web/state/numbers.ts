/** Bounds of numbers: a range ends before its bound, so that one that includes it ends at the next number. */

import {
  decimalBeside,
  doubleAfter,
  isNumeric,
  nextAfter,
} from '../../clients/typescript/viewAddress.ts';

/** The number that somebody means by a bound, and whether the bound comes right after it. */
interface Bound {
  readonly number: number | string;
  readonly isAfter: boolean;
}

function boundOf(number: unknown): Bound | undefined {
  if (!isNumeric(number)) return undefined;
  const before =
    typeof number === 'number'
      ? -doubleAfter(-number) + 0
      : decimalBeside(number, -1n).replace(/\.0*$|(\..*?)0+$/, '$1');
  const isAfter = String(before).length < String(number).length;
  return { number: isAfter ? before : number, isAfter };
}

/** The ends of a range; none where it is open or a date. `only`: the one number that it holds. */
export interface Ends {
  readonly first: Bound | undefined;
  readonly last: Bound | undefined;
  readonly only: number | string | undefined;
}

export function endsOf({ from, to }: { readonly from: unknown; readonly to: unknown }): Ends {
  const only = isNumeric(from) && to === nextAfter(from) ? from : undefined;
  return { first: boundOf(from), last: boundOf(to), only };
}
