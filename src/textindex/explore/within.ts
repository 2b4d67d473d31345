/** Whether a value lies in a range of numbers, or of dates. */
import type { Bound, RowCondition, Scalar } from '../api.ts';
import { isNumeric } from '../decimal.ts';
import { compareScalars } from '../scalars.ts';

type Asked = Extract<RowCondition, { op: 'range' }>;

/** `from` inclusive, `to` exclusive; NaN lies in no range. */
export function withinTest(isDate: boolean, { from, to }: Asked): (value: Scalar) => boolean {
  const low = from ?? (isDate ? undefined : Number.NEGATIVE_INFINITY);
  return (value) => {
    if (isDate ? !(value instanceof Date) : !isNumeric(value)) return false;
    if (low !== undefined && isBefore(value as Bound, low)) return false;
    return to === undefined || isBefore(value as Bound, to);
  };
}

function isBefore(value: Bound, bound: Bound): boolean {
  // Most are numbers; NaN comes before all.
  if (typeof value === 'number' && typeof bound === 'number') return !(value >= bound);
  return compareScalars(value, bound) < 0;
}
