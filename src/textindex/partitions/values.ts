/** Counts by value from several partitions, added up: a value has one entry, whoever holds it. */
import type { FacetOrder, Scalar, ValueCount } from '../api.ts';
import { liftOf } from '../explore/lift.ts';
import { TopValues } from '../explore/topValues.ts';
import { compareScalars, isListed, isNothing, scalarKey } from '../scalars.ts';

interface Counted {
  readonly value: Scalar;
  count: number;
  baseline: number;
}

/** Rows that are counted, and those of the baseline. */
interface Totals {
  readonly total: number;
  readonly baselineTotal: number;
}

export class AddedValues {
  readonly #ofIds: boolean;
  readonly #all: Counted[] = [];
  /** Texts have a map of their own: they need no key. */
  readonly #texts = new Map<string, Counted>();
  readonly #others = new Map<string, Counted>();

  /** `ofIds`: whether the column lists ObjectIds. */
  constructor(ofIds: boolean) {
    this.#ofIds = ofIds;
  }

  add(value: Scalar, count: number, baseline: number): void {
    const isText = typeof value === 'string';
    const known = isText ? this.#texts.get(value) : this.#others.get(scalarKey(value));
    if (known) {
      known.count += count;
      known.baseline += baseline;
      return;
    }
    const one = { value, count, baseline };
    this.#all.push(one);
    if (isText) this.#texts.set(value, one);
    else this.#others.set(scalarKey(value), one);
  }

  /** The values that a facet lists, in its order. Without totals of a baseline it is not by lift. */
  listed(limit: number, order?: FacetOrder, totals?: Totals) {
    const top = new TopValues<Counted>(limit, (a, b) => compareScalars(a.value, b.value));
    let distinct = 0;
    let all = 0;
    for (const one of this.#all) {
      const { value, count } = one;
      if (count === 0) continue;
      const isOne = isListed(value, this.#ofIds);
      if (isOne || !isNothing(value)) all += count;
      if (!isOne) continue;
      distinct++;
      const rank = rankOf(one, order, totals);
      if (rank !== undefined && rank >= top.least) top.add(one, rank);
    }
    const values = top.sorted.map(({ value, count, baseline }): ValueCount => {
      return { value, count, ...(totals && { baseline }) };
    });
    const rest = values.reduce((left, { count }) => left - count, all);
    return { values, distinct, rest };
  }
}

function rankOf(
  { count, baseline }: Counted,
  order: FacetOrder | undefined,
  totals: Totals | undefined,
): number | undefined {
  if (order?.by === 'value') return 0;
  if (order?.by !== 'lift' || !totals) return count;
  return count < order.minCount ? undefined : liftOf({ count, baseline, ...totals });
}
