/** Bounds of numbers: a range ends before its bound, so that one that includes it ends at the next number. */

import {
  isNumeric,
  isRightAfter,
  lastBefore,
  nextAfter,
} from '../../clients/typescript/viewAddress.ts';

type Given = number | string | undefined;

/** The number that somebody means by a bound, and whether the bound comes right after it. */
interface Bound {
  readonly number: number | string;
  readonly isAfter: boolean;
}

function boundOf(number: Given): Bound | undefined {
  if (number === undefined || !isNumeric(number)) return undefined;
  const isAfter = isRightAfter(number);
  return { number: isAfter ? lastBefore(number) : number, isAfter };
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
