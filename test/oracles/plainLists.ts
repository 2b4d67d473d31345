/** The plain kernel's part for lists of rows, each row once. */

import type { ListKernel } from '../../src/textindex/kernel/bitmapAbi.ts';
import { clearBit, hasBit, setBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';

/** A row's ordinal; `table` as for `ordinalsOf`. */
export type OrdinalAt = (row: number, table: number, segmentBits: number) => number;

export const ordinalReader =
  (memory: Memory): OrdinalAt =>
  (row, table, segmentBits) => {
    const { u32 } = memory;
    const record = (table >>> 2) + (row >>> segmentBits) * 2;
    const offset = row & (2 ** segmentBits - 1);
    return ordinalIn(memory, u32[record]!, u32[record + 1]!, offset);
  };

/** The ordinal at an offset of a segment, whose ordinals have so many bits each. */
export function ordinalIn({ u8, u16, u32 }: Memory, at: number, width: number, offset: number) {
  if (width === 0) return 0;
  if (width === 4) return (u8[at + (offset >>> 1)]! >>> ((offset & 1) * 4)) & 15;
  if (width === 8) return u8[at + offset]!;
  return width === 16 ? u16[(at >>> 1) + offset]! : u32[(at >>> 2) + offset]!;
}

export function plainLists(memory: Memory): ListKernel {
  const split = (list: number, n: number, matched: number, holds: (row: number) => boolean) => {
    const { u32 } = memory;
    let left = list >>> 2;
    let to = matched >>> 2;
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const row = u32[i]!;
      if (holds(row)) u32[to++] = row;
      else u32[left++] = row;
    }
    return to - (matched >>> 2);
  };

  const addNew = (seen: number, list: number, n: number, out: number) => {
    const { u32, u8 } = memory;
    let to = out >>> 2;
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const row = u32[i]!;
      if (hasBit(u8, seen, row)) continue;
      setBit(u8, seen, row);
      u32[to++] = row;
    }
    return to - (out >>> 2);
  };

  return {
    clearBits(dst, list, n) {
      const { u32, u8 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        clearBit(u8, dst, u32[i]!);
      }
    },
    addNew,
    addLists(seen, ordinals, n, ptrs, lens, out) {
      const { u32 } = memory;
      let found = 0;
      for (let i = 0; i < n; i++) {
        const ordinal = u32[(ordinals >>> 2) + i]!;
        const length = u32[(lens >>> 2) + ordinal]!;
        const list = u32[(ptrs >>> 2) + ordinal]!;
        if (length === 1) found += addNew(seen, ptrs + ordinal * 4, 1, out + found * 4);
        else if (list !== 0) found += addNew(seen, list, length, out + found * 4);
      }
      return found;
    },
    splitBits(list, n, bits, matched) {
      const { u8 } = memory;
      return split(list, n, matched, (row) => hasBit(u8, bits, row));
    },
    splitByOrdinals(list, n, ordinals, members, matched) {
      let i = ordinals >>> 2;
      return split(list, n, matched, () => hasBit(memory.u8, members, memory.u32[i++]!));
    },
  };
}
