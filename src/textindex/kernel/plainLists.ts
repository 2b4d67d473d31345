/** The plain twin's part for lists of slots, each slot once. */
import { clearBit, hasBit, setBit } from '../storage/bits.ts';
import type { Memory } from '../storage/memory.ts';

/** What both kernels can do with lists of slots. */
export interface ListKernel {
  /** Clears the bits that a list names. */
  clearBits(dst: number, list: number, n: number): void;
  /**
   * Writes those slots of a list whose bit in `seen` is not set to `out`, which has room for all,
   * sets their bits, and gives how many.
   */
  addNew(seen: number, list: number, n: number, out: number): number;
  /** The same with the lists of n codes: `ptrs` and `lens` as for `setLists`. */
  addLists(seen: number, codes: number, n: number, ptrs: number, lens: number, out: number): number;
  /**
   * Moves those slots of a list whose bit is set to `held`, which has room for all, and the others
   * to the list's front; gives how many are held. The order of both stays.
   */
  splitBits(list: number, n: number, bits: number, held: number): number;
  /**
   * The same with those slots whose code is in `members`. `table` has two numbers a segment of
   * 2^segmentBits slots: where its codes are and their width in bytes; a width of 0 is code 0.
   */
  splitCodes(
    list: number,
    n: number,
    table: number,
    segmentBits: number,
    members: number,
    held: number,
  ): number;
  /** Sets the bits of the codes of all slots of a list; `table` as for `splitCodes`. */
  markCodes(list: number, n: number, table: number, segmentBits: number, members: number): void;
}

export function plainLists(memory: Memory): ListKernel {
  const split = (list: number, n: number, held: number, holds: (slot: number) => boolean) => {
    const { u32 } = memory;
    let left = list >>> 2;
    let to = held >>> 2;
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const slot = u32[i]!;
      if (holds(slot)) u32[to++] = slot;
      else u32[left++] = slot;
    }
    return to - (held >>> 2);
  };

  const addNew = (seen: number, list: number, n: number, out: number) => {
    const { u32, u8 } = memory;
    let to = out >>> 2;
    for (let i = list >>> 2, end = i + n; i < end; i++) {
      const slot = u32[i]!;
      if (hasBit(u8, seen, slot)) continue;
      setBit(u8, seen, slot);
      u32[to++] = slot;
    }
    return to - (out >>> 2);
  };

  const codeAt = (slot: number, table: number, segmentBits: number): number => {
    const { u8, u16, u32 } = memory;
    const record = (table >>> 2) + (slot >>> segmentBits) * 2;
    const codes = u32[record]!;
    const width = u32[record + 1]!;
    const row = slot & (2 ** segmentBits - 1);
    if (width === 0) return 0;
    if (width === 1) return u8[codes + row]!;
    return width === 2 ? u16[(codes >>> 1) + row]! : u32[(codes >>> 2) + row]!;
  };

  return {
    clearBits(dst, list, n) {
      const { u32, u8 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        clearBit(u8, dst, u32[i]!);
      }
    },
    addNew,
    addLists(seen, codes, n, ptrs, lens, out) {
      const { u32 } = memory;
      let found = 0;
      for (let i = 0; i < n; i++) {
        const code = u32[(codes >>> 2) + i]!;
        const length = u32[(lens >>> 2) + code]!;
        const list = u32[(ptrs >>> 2) + code]!;
        if (length === 1) found += addNew(seen, ptrs + code * 4, 1, out + found * 4);
        else if (list !== 0) found += addNew(seen, list, length, out + found * 4);
      }
      return found;
    },
    splitBits(list, n, bits, held) {
      const { u8 } = memory;
      return split(list, n, held, (slot) => hasBit(u8, bits, slot));
    },
    splitCodes(list, n, table, segmentBits, members, held) {
      return split(list, n, held, (slot) => {
        return hasBit(memory.u8, members, codeAt(slot, table, segmentBits));
      });
    },
    markCodes(list, n, table, segmentBits, members) {
      const { u8, u32 } = memory;
      for (let i = list >>> 2, end = i + n; i < end; i++) {
        setBit(u8, members, codeAt(u32[i]!, table, segmentBits));
      }
    },
  };
}
