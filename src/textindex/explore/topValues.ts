/** The values of the highest rank: kept in a heap whose root is the last of them, the first to go. */
import type { Scalar } from '../api.ts';
import { compareScalars } from '../scalars.ts';
import type { Ordinal } from '../storage/brands.ts';

interface Ranked {
  readonly value: Scalar;
  readonly ordinal: Ordinal;
  readonly rank: number;
}

export class TopValues {
  readonly #limit: number;
  readonly #heap: Ranked[] = [];
  /** A value of a lower rank than this is not among them. */
  least = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(value: Scalar, ordinal: Ordinal, rank: number): void {
    const heap = this.#heap;
    const one = { value, ordinal, rank };
    if (heap.length < this.#limit) {
      heap.push(one);
      this.#rise(heap.length - 1);
      if (heap.length === this.#limit) this.least = heap[0]!.rank;
      return;
    }
    const [least] = heap;
    if (!least || rank < least.rank || order(one, least) > 0) return;
    heap[0] = one;
    this.#sink();
    this.least = heap[0]!.rank;
  }

  /** Highest rank first, ties in the order of values. */
  get sorted(): readonly Ranked[] {
    return [...this.#heap].sort(order);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (order(heap[at]!, heap[parent]!) <= 0) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let last = at;
      for (const child of [at * 2 + 1, at * 2 + 2]) {
        if (child < heap.length && order(heap[child]!, heap[last]!) > 0) last = child;
      }
      if (last === at) return;
      [heap[at], heap[last]] = [heap[last]!, heap[at]!];
      at = last;
    }
  }
}

/** Negative when a is listed before b. */
function order(a: Ranked, b: Ranked): number {
  return b.rank - a.rank || compareScalars(a.value, b.value);
}
