/** The values that a facet lists: those of the highest rank. */
import type { FacetOrder, FacetResult, Scalar, ValueCount } from '../api.ts';
import type { Values } from '../dictionary/values.ts';
import type { OrdinalCounts } from '../partitions/partition.ts';
import { compareScalars, isListed, isNothing } from '../scalars.ts';
import type { Ordinal } from '../storage/brands.ts';
import { rankOf, type Totals } from './lift.ts';

/** Counts of values, whose ordinals are their places, or else beside them. */
export interface CountedValues extends OrdinalCounts {
  /** The values of each partition. */
  readonly all: readonly Values[];
  /** Whether they are of a column of ObjectIds. */
  readonly ofIds: boolean;
  readonly beside?: {
    readonly ordinals: Uint32Array;
    /** The partition that it is the ordinal in. */
    readonly partitions: Uint16Array;
  };
}

/** A value where it stands, and its counts. */
interface Counted {
  readonly values: Values;
  readonly ordinal: Ordinal;
  readonly count: number;
  readonly baseline: number;
  readonly rank: number;
  /** Its `prefixKey`, once it was compared with a value of another partition. */
  prefix: number | undefined;
}

const valueAt = ({ values, ordinal }: Counted): Scalar => values.at(ordinal)!;

function prefixOf(one: Counted): number {
  one.prefix ??= one.values.prefixOf(one.ordinal);
  return one.prefix;
}

/** Negative when a is listed before b: the highest rank first, ties in the order of values. */
function compare(a: Counted, b: Counted): number {
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.values === b.values) return a.values.compare(a.ordinal, b.ordinal);
  return prefixOf(a) - prefixOf(b) || compareScalars(valueAt(a), valueAt(b));
}

/** Lists up to so many values. Without totals there is no baseline. */
export function listedOf(
  { all, ofIds, counts, baselines, beside }: CountedValues,
  limit: number,
  order?: FacetOrder,
  totals?: Totals,
): FacetResult {
  const [first] = all;
  const top = new Top(limit);
  let distinct = 0;
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    if (count === 0) continue;
    const ordinal = (beside ? beside.ordinals[i]! : i) as Ordinal;
    const values = beside ? all[beside.partitions[i]!]! : first!;
    // Most values are texts, and most are not frequent enough: they need not be made.
    const isOne = values.isText(ordinal) || isListed(values.at(ordinal)!, ofIds);
    if (isOne || !isNothing(values.at(ordinal)!)) sum += count;
    if (!isOne) continue;
    distinct++;
    const baseline = baselines ? baselines[i]! : 0;
    const rank = rankOf(count, baseline, order, totals);
    if (rank === undefined || !top.mayHave(values, ordinal, rank)) continue;
    top.add({ values, ordinal, count, baseline, rank, prefix: undefined });
  }
  const values = top.sorted.map((one): ValueCount => {
    const { count, baseline } = one;
    return { value: valueAt(one), count, ...(totals && { baseline }) };
  });
  const rest = values.reduce((left, { count }) => left - count, sum);
  return { values, distinct, rest, ...totals };
}

/** The first of many. Twice as many are kept until they are sorted, and the last half goes. */
class Top {
  readonly #limit: number;
  #kept: Counted[] = [];
  /** The last of the first ones when they were sorted: no value after it is among them. */
  #last: Counted | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a value may be among them: of those with the rank of the last one, most come after it. */
  mayHave(values: Values, ordinal: Ordinal, rank: number): boolean {
    const last = this.#last;
    if (!last || rank !== last.rank) return !last || rank > last.rank;
    return last.values !== values || values.compare(ordinal, last.ordinal) < 0;
  }

  add(one: Counted): void {
    if (this.#last && compare(one, this.#last) > 0) return;
    this.#kept.push(one);
    if (this.#kept.length > this.#limit * 2) this.#kept = this.sorted;
  }

  get sorted(): Counted[] {
    const first = this.#kept.sort(compare).slice(0, this.#limit);
    this.#last = first[this.#limit - 1];
    return first;
  }
}
