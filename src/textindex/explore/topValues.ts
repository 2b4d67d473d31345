/** The values of the highest rank: kept in a heap whose root is the last of them, the first to go. */

interface Ranked<Value> {
  readonly value: Value;
  readonly rank: number;
}

/** `Value`: a value, or the ordinal of one, which is not made then. */
export class TopValues<Value> {
  readonly #limit: number;
  readonly #compare: (a: Value, b: Value) => number;
  readonly #heap: Ranked<Value>[] = [];
  /** A value of a lower rank than this is not among them. */
  least = 0;

  /** `compare`: the order of values, which decides between those of the same rank. */
  constructor(limit: number, compare: (a: Value, b: Value) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  add(value: Value, rank: number): void {
    const heap = this.#heap;
    const one = { value, rank };
    if (heap.length < this.#limit) {
      heap.push(one);
      this.#rise(heap.length - 1);
      if (heap.length === this.#limit) this.least = heap[0]!.rank;
      return;
    }
    const [least] = heap;
    if (!least || rank < least.rank || this.#order(one, least) > 0) return;
    heap[0] = one;
    this.#sink();
    this.least = heap[0]!.rank;
  }

  /** Highest rank first, ties in the order of values. */
  get sorted(): Value[] {
    const sorted = [...this.#heap].sort((a, b) => this.#order(a, b));
    return sorted.map(({ value }) => value);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#order(heap[at]!, heap[parent]!) <= 0) return;
      [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let last = at;
      for (const child of [at * 2 + 1, at * 2 + 2]) {
        if (child < heap.length && this.#order(heap[child]!, heap[last]!) > 0) last = child;
      }
      if (last === at) return;
      [heap[at], heap[last]] = [heap[last]!, heap[at]!];
      at = last;
    }
  }

  /** Negative when a is listed before b. */
  #order(a: Ranked<Value>, b: Ranked<Value>): number {
    return b.rank - a.rank || this.#compare(a.value, b.value);
  }
}
