/**
 * Cuts items down to those that may be at some ranks. Each item has a number that never decreases
 * along the order; equal numbers decide nothing.
 *
 *     sample    some numbers, sorted; two of them have the ranks between them, nearly always
 *     weigh     the items below these two, and between them: tells whether that is so
 *     keep      the items between; then again, until few are left or equal numbers stop it
 *
 * Floyd and Rivest's SELECT (1975). Of a million items two passes leave some thousands, wherever the
 * ranks lie, and nothing has to be kept from one question to the next.
 */
import type { Ranks } from '../order/page.ts';
import type { Pointer } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';

/** Rows, or values with the rows that hold them. */
export interface Items {
  /** Their rows or ordinals, numbers (doubles) and weights (0: each weighs 1). */
  readonly list: Pointer;
  readonly numbers: Pointer;
  readonly weights: Pointer;
  n: number;
}

/** Most numbers of a sample. */
const SAMPLED = 1024;
/** Standard deviations of a rank in the sample that it may be off. */
const DEVIATIONS = 3;

/**
 * Keeps the items that may be at these ranks in ascending order; `total` is what all weigh. Stops at
 * `few`. Returns what the items weigh that it took away before the ranks, and after them.
 */
export function cut(
  space: Space,
  groups: readonly Items[],
  total: number,
  { first, end }: Ranks,
  few: number,
): { readonly before: number; readonly after: number } {
  const { kernel, memory, scratch } = space;
  const sums = scratch.take(8);
  const weigh = (low: number, high: number) => {
    const at = sums >>> 2;
    memory.u32[at] = memory.u32[at + 1] = 0;
    for (const { numbers, weights, n } of groups) {
      kernel.weigh(numbers, weights, n, low, high, sums);
    }
    return { below: memory.u32[at]!, within: memory.u32[at + 1]! };
  };
  const count = () => groups.reduce((sum, { n }) => sum + n, 0);
  let before = 0;
  let left = total;
  for (let n = count(); n > few; ) {
    const sample = new Sample(space, groups, n);
    let [low, high] = sample.around((first - before) / left, (end - before) / left);
    let { below, within } = weigh(low, high);
    const isLow = before + below <= first;
    const isHigh = before + below + within >= end;
    if (!(isLow && isHigh)) {
      if (!isLow) low = Number.NEGATIVE_INFINITY;
      if (!isHigh) high = Number.POSITIVE_INFINITY;
      ({ below, within } = weigh(low, high));
    }
    for (const one of groups) {
      one.n = kernel.keepBetween(one.list, one.numbers, one.weights, one.n, low, high);
    }
    before += below;
    left = within;
    const kept = count();
    if (kept * 2 > n) break;
    n = kept;
  }
  return { before, after: total - before - left };
}

/** Numbers of some items, in order, and what these items weigh. */
class Sample {
  readonly #numbers: Float64Array;
  /** What each number and all before it weigh, as a share of the sample. */
  readonly #shares: Float64Array;

  constructor({ memory }: Space, groups: readonly Items[], n: number) {
    const { f64, u32 } = memory;
    const step = Math.max(1, n / SAMPLED);
    const drawn = new Float64Array(Math.min(n, SAMPLED + groups.length));
    const weightOf = new Map<number, number>();
    let size = 0;
    let next = 0;
    let from = 0;
    for (const { numbers, weights, n: own } of groups) {
      for (; next < from + own; next += step) {
        // Not at even steps: the items may repeat in such.
        const i = Math.floor(next) - from;
        const at = Math.min(own - 1, i + ((Math.imul(i + 1, 0x9e3779b1) >>> 8) % Math.ceil(step)));
        const number = f64[(numbers >>> 3) + at]!;
        drawn[size++] = number;
        if (weights === 0) continue;
        const weight = u32[(weights >>> 2) + at]! - 1;
        if (weight > 0) weightOf.set(number, (weightOf.get(number) ?? 0) + weight);
      }
      from += own;
    }
    this.#numbers = drawn.subarray(0, size).sort();
    this.#shares = new Float64Array(size);
    let sum = 0;
    for (let i = 0; i < size; i++) {
      sum++;
      // What a number weighs more than 1 counts with the first item that has it.
      if (i === 0 || drawn[i] !== drawn[i - 1]) sum += weightOf.get(drawn[i]!) ?? 0;
      this.#shares[i] = sum;
    }
    for (let i = 0; i < size; i++) this.#shares[i]! /= sum;
  }

  /** Two numbers that nearly always have these shares of all items between them. */
  around(first: number, end: number): [low: number, high: number] {
    const shares = this.#shares;
    const { length } = shares;
    const placeOf = (share: number) => {
      const at = shares.findIndex((one) => one >= share);
      return at < 0 ? length - 1 : at;
    };
    const marginAt = (place: number) =>
      2 + Math.ceil(DEVIATIONS * Math.sqrt((place * (length - place)) / length));
    const [from, to] = [placeOf(first), placeOf(end)];
    const low = from - marginAt(from);
    const high = to + marginAt(to);
    return [
      low < 0 ? Number.NEGATIVE_INFINITY : this.#numbers[low]!,
      high >= length ? Number.POSITIVE_INFINITY : this.#numbers[high]!,
    ];
  }
}
