/**
 * The values of a column in all partitions, numbered: equal values have one number in all of them.
 *
 *     partition 0     17 ann@x.org ─► 5     18 bob@x.org ─► 6
 *     partition 1      3 bob@x.org ─► 6      4 eve@x.org ─► 7
 *
 * Counts of partitions are added up by number, so no value is read for that. Lucene calls such numbers
 * global ordinals. A value gets its number once: from a partition that holds it too, else a new one,
 * which no value has had before. Adding strings up in a Map took 1 µs a value and partition, in each
 * question.
 */
import type { Values } from '../dictionary/values.ts';
import type { CountedValues } from '../explore/listedValues.ts';
import type { Ordinal } from '../storage/brands.ts';
import type { OrdinalCounts } from './partition.ts';

/** So many numbers may be out of use before all values are numbered again. */
const FEW = 64;
/** Values that are numbered between two looks at the clock. */
const STRIDE = 16;

export class SharedValues {
  #next = 1;

  /** Numbers are below this. */
  get end(): number {
    return this.#next;
  }

  /** Numbers the values of all partitions, as long as there is time; false when all have a number. */
  number(all: readonly Values[], until = Number.POSITIVE_INFINITY): boolean {
    const total = all.reduce((sum, { length }) => sum + length, 0);
    if (this.#next > 2 * total + FEW) {
      for (const { shared } of all) shared.clear();
      this.#next = 1;
    }
    let seen = 0;
    for (const values of all) {
      for (;;) {
        const ordinal = values.shared.take(values.length);
        if (ordinal === undefined) break;
        const { byOrdinal } = values.shared;
        if (values.isUsed(ordinal) && byOrdinal[ordinal] === 0) {
          byOrdinal[ordinal] = this.#numberOf(ordinal, values, all);
        }
        if (++seen % STRIDE === 0 && performance.now() >= until) return true;
      }
    }
    return false;
  }

  #numberOf(ordinal: Ordinal, values: Values, all: readonly Values[]): number {
    const value = values.at(ordinal)!;
    for (const others of all) {
      if (others === values) continue;
      const other = others.find(value);
      const number = other === undefined ? 0 : others.shared.byOrdinal[other];
      if (number) return number;
    }
    return this.#next++;
  }
}

/** Counts of all partitions, added up: entries are by the shared numbers. `all`: the values of each; `parts`: their counts. */
export function addedValues(
  shared: SharedValues,
  all: readonly Values[],
  ofIds: boolean,
  parts: readonly (() => OrdinalCounts)[],
): CountedValues {
  // It may look for values, which makes the memory grow under counts.
  shared.number(all);
  const counts = new Uint32Array(shared.end);
  const baselines = new Uint32Array(shared.end);
  const ordinals = new Uint32Array(shared.end);
  const partitions = new Uint16Array(shared.end);
  for (const [partition, part] of parts.entries()) {
    const own = part();
    const { byOrdinal } = all[partition]!.shared;
    for (let ordinal = 0; ordinal < own.counts.length; ordinal++) {
      const count = own.counts[ordinal]!;
      const baseline = own.baselines ? own.baselines[ordinal]! : 0;
      if (count + baseline === 0) continue;
      const number = byOrdinal[ordinal]!;
      counts[number]! += count;
      baselines[number]! += baseline;
      ordinals[number] = ordinal;
      partitions[number] = partition;
    }
  }
  return { all, ofIds, counts, baselines, beside: { ordinals, partitions } };
}
