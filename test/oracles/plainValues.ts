/** The oracle's part for values of a dictionary; see plainKernel.ts. Its hash has no secret. */
import { RECORD, VALUES, type ValueKernel } from '../../src/textindex/kernel/abi.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';

const WRITTEN_AS = 2 ** RECORD.asBit;
const LENGTHS = 2 ** RECORD.kindBit;

export function plainValues(memory: Memory): ValueKernel {
  const field = (at: number, offset: number) => memory.u32[(at + offset) >>> 2]!;
  const whatIn = (record: number) => field(record, RECORD.what) % WRITTEN_AS;
  const bytesOf = (record: number) => {
    const from = record + RECORD.bytes;
    return Buffer.from(memory.u8.slice(from, from + (whatIn(record) % LENGTHS)));
  };
  const areSame = (a: number, b: number) =>
    whatIn(a) === whatIn(b) && bytesOf(a).equals(bytesOf(b));
  const recordIn = (slot: number) => slot - (slot % 4);
  /** The first slot, from the place of a record on, that is free or passes the test. */
  const slotOf = (values: number, record: number, test: (found: number) => boolean): number => {
    const slots = field(values, VALUES.slots) >>> 2;
    const mask = field(values, VALUES.mask);
    const hash = bytesOf(record).reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 0);
    for (let i = hash & mask; ; i = (i + 1) & mask) {
      const slot = memory.u32[slots + i]!;
      if (slot === 0 || test(recordIn(slot))) return slots + i;
    }
  };
  const enterValue = (values: number, record: number) => {
    memory.u32[slotOf(values, record, () => false)] = record;
  };
  return {
    findValue(values, record) {
      const found = memory.u32[slotOf(values, record, (other) => areSame(other, record))]!;
      return found === 0 ? 0 : field(recordIn(found), RECORD.ordinal);
    },
    enterValue,
    enterValues(values, places, n) {
      for (const place of memory.u32.slice(places >>> 2, (places >>> 2) + n)) {
        if (recordIn(place) > 0) enterValue(values, recordIn(place));
      }
    },
    leaveValue(values, record) {
      const { u32 } = memory;
      const left = slotOf(values, record, (other) => other === record);
      u32[left] = 0;
      const slots = field(values, VALUES.slots) >>> 2;
      const mask = field(values, VALUES.mask);
      for (let i = (left - slots + 1) & mask; u32[slots + i] !== 0; i = (i + 1) & mask) {
        const moved = recordIn(u32[slots + i]!);
        u32[slots + i] = 0;
        enterValue(values, moved);
      }
    },
    moveValue(values, record, to) {
      memory.u32[slotOf(values, record, (other) => other === record)] = to;
    },
    compareTexts: (a, b) => Buffer.compare(bytesOf(a), bytesOf(b)),
  };
}
