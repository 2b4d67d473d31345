/** Counts by value from several partitions, added up: a value has one entry for all of them. */
import type { FacetOrder, Scalar, ValueCount } from '../api.ts';
import type { Values } from '../dictionary/values.ts';
import { rankOf, type Totals } from '../explore/lift.ts';
import { TopValues } from '../explore/topValues.ts';
import { compareScalars, isListed, isNothing } from '../scalars.ts';
import type { Ordinal } from '../storage/brands.ts';
import type { VisitCount } from './partition.ts';
import type { SharedValues } from './sharedValues.ts';

/** A value where it stands: it is read when it is compared or listed. */
class Counted {
  readonly #values: Values;
  readonly #ordinal: Ordinal;
  readonly count: number;
  readonly baseline: number;
  #value: Scalar | undefined;
  #prefix: number | undefined;

  constructor(values: Values, ordinal: Ordinal, count: number, baseline: number) {
    this.#values = values;
    this.#ordinal = ordinal;
    this.count = count;
    this.baseline = baseline;
  }

  get value(): Scalar {
    if (this.#value === undefined) this.#value = this.#values.at(this.#ordinal)!;
    return this.#value;
  }

  get #key(): number {
    this.#prefix ??= this.#values.prefixOf(this.#ordinal);
    return this.#prefix;
  }

  static compare(a: Counted, b: Counted): number {
    return a.#key - b.#key || compareScalars(a.value, b.value);
  }
}

export class AddedValues {
  readonly #ofIds: boolean;
  readonly #all: readonly Values[];
  /** The counts of each value, by its number in all partitions. */
  readonly #counts: Uint32Array;
  readonly #baselines: Uint32Array;
  /** The ordinal of a value, and the partition that it is the ordinal in. */
  readonly #ordinals: Uint32Array;
  readonly #places: Uint16Array;

  /** `all`: the values of each partition; `ofIds`: whether the column lists ObjectIds. */
  constructor(shared: SharedValues, all: readonly Values[], ofIds: boolean) {
    shared.number(all);
    this.#all = all;
    this.#ofIds = ofIds;
    this.#counts = new Uint32Array(shared.end);
    this.#baselines = new Uint32Array(shared.end);
    this.#ordinals = new Uint32Array(shared.end);
    this.#places = new Uint16Array(shared.end);
  }

  /** Takes the counts of a partition. */
  of(place: number): VisitCount {
    const { byOrdinal } = this.#all[place]!.shared;
    const [counts, baselines] = [this.#counts, this.#baselines];
    const [ordinals, places] = [this.#ordinals, this.#places];
    return (ordinal, count, baseline) => {
      const number = byOrdinal[ordinal]!;
      counts[number]! += count;
      baselines[number]! += baseline;
      ordinals[number] = ordinal;
      places[number] = place;
    };
  }

  /** The values that a facet lists, in its order. Without totals of a baseline it is not by lift. */
  listed(limit: number, order?: FacetOrder, totals?: Totals) {
    const top = new TopValues<Counted>(limit, Counted.compare);
    let distinct = 0;
    let all = 0;
    for (let number = 1; number < this.#counts.length; number++) {
      const count = this.#counts[number]!;
      if (count === 0) continue;
      const values = this.#all[this.#places[number]!]!;
      const ordinal = this.#ordinals[number]! as Ordinal;
      const isOne = values.isText(ordinal) || isListed(values.at(ordinal)!, this.#ofIds);
      if (isOne || !isNothing(values.at(ordinal)!)) all += count;
      if (!isOne) continue;
      distinct++;
      const baseline = this.#baselines[number]!;
      const rank = rankOf(count, baseline, order, totals);
      if (rank !== undefined && rank >= top.least) {
        top.add(new Counted(values, ordinal, count, baseline), rank);
      }
    }
    const values = top.sorted.map(({ value, count, baseline }): ValueCount => {
      return { value, count, ...(totals && { baseline }) };
    });
    const rest = values.reduce((left, { count }) => left - count, all);
    return { values, distinct, rest };
  }
}
