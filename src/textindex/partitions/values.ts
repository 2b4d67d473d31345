/** Counts by value from several partitions, added up: a value has one entry for all of them. */
import type { Values } from '../dictionary/values.ts';
import type { CountedValues } from '../explore/listedValues.ts';
import type { OrdinalCounts } from './partition.ts';
import type { SharedValues } from './sharedValues.ts';

/** `all`: the values of each partition; `parts`: their counts. Entries are by the numbers that all partitions share. */
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
