/**
 * Selection over several sorted sequences: which of them have how many of the first `rank` elements.
 *
 *     rank 1,000    A  ──────x────      a probe: one element, and how many of each sequence precede it
 *                   B  ──▏──────        fewer than 1,000 together: all of these are taken
 *                   C  ────▏───         more: none past these is
 *
 * The first probes are the first elements: where sequences follow one another, these alone say where the
 * rank is. The next probes take turns at three places. The first is the rank's place if all sequences were
 * alike, the second its place if the others ended here, and the third the middle of the unknown. No
 * sequence has a longer unknown part than all have together. So where sequences are alike, one or two
 * such probes come within some thousand elements of the rank.
 *
 * In an order that is not kept nobody knows how many rows precede another. Then each sequence probes
 * a step ahead. The least of these elements stands behind fewer than the sum of steps, so its sequence
 * moves on; steps halve as the rest shrinks. Rank 5,000,000 among three takes some sixty probes.
 */

/** A sequence in order. */
export interface Sorted<One> {
  readonly count: number;
  at(rank: number): One;
  /** How many come before an element of another sequence. */
  readonly before?: ((one: One) => number) | undefined;
}

type Compare<One> = (a: One, b: One) => number;

/**
 * How many of each sequence's elements are surely among the first `rank` of all. Together they are
 * between `rank` less `near` and `rank`, which is at most the number of elements.
 */
export function splitAt<One>(
  sequences: readonly Sorted<One>[],
  rank: number,
  compare: Compare<One>,
  near = 0,
): number[] {
  const known = sequences.every(({ before }) => before);
  return known ? narrowed(sequences, rank, near) : stepped(sequences, rank, compare, near);
}

/** The element of this rank among all of them. */
export function elementAt<One>(
  sequences: readonly Sorted<One>[],
  rank: number,
  compare: Compare<One>,
): One {
  const [only, ...others] = sequences;
  if (only && others.length === 0) return only.at(rank);
  const from = splitAt(sequences, rank, compare);
  const next = sequences.flatMap((one, i) => (from[i]! < one.count ? [one.at(from[i]!)] : []));
  return next.reduce((a, b) => (compare(a, b) <= 0 ? a : b));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);

/** Narrows, for each sequence, the least and the greatest place of its cut. */
function narrowed<One>(sequences: readonly Sorted<One>[], rank: number, near: number): number[] {
  let low = sequences.map(() => 0);
  let high = sequences.map(({ count }) => count);
  // The unknown part of one sequence is at most the unknown part of all.
  const tighten = (): void => {
    const [below, past] = [rank - sum(low), sum(high) - rank];
    high = high.map((end, at) => Math.min(end, low[at]! + below));
    low = low.map((start, at) => Math.max(start, high[at]! - past));
  };
  let last = { i: 0, place: 0 };
  const probe = (i: number, place: number): void => {
    const one = sequences[i]!.at(place);
    const cut = sequences.map(({ before }) => before!(one));
    last = { i, place: place + rank - sum(cut) };
    if (sum(cut) >= rank) high = high.map((end, at) => Math.min(end, cut[at]!));
    if (sum(cut) <= rank) {
      low = low.map((start, at) => Math.max(start, cut[at]!));
      // Among equal elements, those of this sequence come first.
      const taken = Math.min(place + 1, low[i]! + rank - sum(low));
      low[i] = Math.max(low[i]!, taken);
    }
    tighten();
  };
  tighten();
  for (let i = 0; i < sequences.length && rank - sum(low) > near; i++) {
    if (sequences[i]!.count > 0) probe(i, 0);
  }
  for (let turn = 0; rank - sum(low) > near; turn++) {
    const widths = high.map((end, i) => end - low[i]!);
    const widest = widths.indexOf(Math.max(...widths));
    const follows = turn % 3 === 1 && widths[last.i]! > 0;
    const i = follows ? last.i : widest;
    const share = turn % 3 === 2 ? 1 / 2 : (rank - sum(low)) / sum(widths);
    const spread = low[i]! + Math.min(widths[i]! - 1, Math.floor(widths[i]! * share));
    const wanted = Math.max(low[i]!, Math.min(high[i]! - 1, last.place));
    probe(i, follows ? wanted : spread);
  }
  return low;
}

function stepped<One>(
  sequences: readonly Sorted<One>[],
  rank: number,
  compare: Compare<One>,
  near: number,
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
