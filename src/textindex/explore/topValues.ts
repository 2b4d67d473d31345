/** The most frequent values: kept in a heap whose root is the least of them, the first to go. */
import type { Scalar, ValueCount } from '../api.ts';
import { compareScalars } from '../scalars.ts';

export class TopValues {
  readonly #limit: number;
  readonly #heap: ValueCount[] = [];
  /** A value that is less frequent than this is not among them. */
  least = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(value: Scalar, count: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ value, count });
      this.#rise(heap.length - 1);
      if (heap.length === this.#limit) this.least = heap[0]!.count;
      return;
    }
    const [least] = heap;
    if (!least || count < least.count) return;
    const one = { value, count };
    if (order(one, least) > 0) return;
    heap[0] = one;
    this.#sink();
    this.least = heap[0]!.count;
  }

  /** Most frequent first, ties in the order of values. */
  get sorted(): ValueCount[] {
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
function order(a: ValueCount, b: ValueCount): number {
  return b.count - a.count || compareScalars(a.value, b.value);
}
