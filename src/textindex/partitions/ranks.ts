/**
 * Selection over several sorted sequences that are read by position only.
 *
 *     rank 1,000    A  ····x        each probes its element a step ahead. The least of these stands
 *                   B  ······x      behind fewer than 1,000 others: all up to it come before the rank.
 *                   C  ···x  ◄──    C moves on. Steps halve as the rest shrinks.
 *
 * A step is at most the rest divided by the sequences. So two probes a sequence halve the rest, about:
 * rank 5,000,000 among three takes some sixty probes.
 */

/** A sequence in order. */
export interface Sorted<One> {
  readonly count: number;
  at(rank: number): One;
}

/**
 * How many of each sequence's elements are surely among the first `rank` of all: at least `rank` less
 * `near`, at most `rank` together, which is at most the number of elements.
 */
export function splitAt<One>(
  sequences: readonly Sorted<One>[],
  rank: number,
  compare: (a: One, b: One) => number,
  near = 0,
): number[] {
  const from = sequences.map(() => 0);
  let left = rank;
  let step = 0;
  let probes: { readonly i: number; readonly n: number; readonly one: One }[] = [];
  const probe = (i: number): void => {
    const { count } = sequences[i]!;
    const n = Math.min(step, count - from[i]!);
    if (n > 0) probes.push({ i, n, one: sequences[i]!.at(from[i]! + n - 1) });
  };
  while (left > near) {
    const open = sequences.flatMap(({ count }, i) => (from[i]! < count ? [i] : []));
    const [only, ...others] = open;
    if (others.length === 0) {
      from[only!]! += left;
      break;
    }
    const next = Math.max(1, 2 ** Math.floor(Math.log2(left / open.length)));
    if (next !== step) {
      step = next;
      probes = [];
      for (const i of open) probe(i);
    }
    const least = probes.reduce((a, b) => (compare(a.one, b.one) <= 0 ? a : b));
    from[least.i]! += least.n;
    left -= least.n;
    probes = probes.filter((one) => one !== least);
    probe(least.i);
  }
  return from;
}

/** The element of this rank among all of them. */
export function elementAt<One>(
  sequences: readonly Sorted<One>[],
  rank: number,
  compare: (a: One, b: One) => number,
): One {
  const from = splitAt(sequences, rank, compare);
  const next = sequences.flatMap((one, i) => (from[i]! < one.count ? [one.at(from[i]!)] : []));
  return next.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
}
