/** The plain kernel's part for pages in orders that are not kept. */
import { UUIDS } from '../../src/textindex/kernel/abi.ts';
import type { RankKernel } from '../../src/textindex/kernel/rankAbi.ts';
import { hasBit, setBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';

export function plainRanks(memory: Memory): RankKernel {
  const numbersAt = (at: number, n: number) => memory.f64.subarray(at >>> 3, (at >>> 3) + n);
  const weightAt = (weights: number, i: number) =>
    weights === 0 ? 1 : memory.u32[(weights >>> 2) + i]!;
  return {
    listCounted(counts, from, to, list, weights) {
      const { u32 } = memory;
      let n = 0;
      for (let ordinal = from; ordinal < to; ordinal++) {
        const count = u32[(counts >>> 2) + ordinal]!;
        if (count === 0) continue;
        u32[(list >>> 2) + n] = ordinal;
        u32[(weights >>> 2) + n++] = count;
      }
      return n;
    },
    tallyNew(numbers, n, seen, counts, list) {
      const { u8, u32 } = memory;
      let listed = 0;
      for (let i = numbers >>> 2, end = i + n; i < end; i++) {
        const number = u32[i]!;
        if (!hasBit(u8, seen, number)) {
          setBit(u8, seen, number);
          u32[(counts >>> 2) + number] = 0;
          u32[(list >>> 2) + listed++] = number;
        }
        u32[(counts >>> 2) + number]!++;
      }
      return listed;
    },
    uuidNumbers(list, n, uuids, segmentBits, base, numbers) {
      const { u8, u32, f64 } = memory;
      for (let i = 0; i < n; i++) {
        const row = u32[(list >>> 2) + i]!;
        const segment = uuids + (row >>> segmentBits) * UUIDS.bytes;
        const stride = u32[(segment + UUIDS.stride) >>> 2]!;
        const at = u32[(segment + UUIDS.uuids) >>> 2]! + (row & (2 ** segmentBits - 1)) * stride;
        const hex = Buffer.from(u8.subarray(at, at + 6)).toString('hex');
        const six = stride === 16 ? Buffer.from(hex.slice(0, 6), 'latin1').toString('hex') : hex;
        f64[(numbers >>> 3) + i] = base + Number.parseInt(six, 16);
      }
    },
    weigh(numbers, weights, n, low, high, sums) {
      for (const [i, number] of numbersAt(numbers, n).entries()) {
        if (number > high) continue;
        memory.u32[(sums >>> 2) + (number < low ? 0 : 1)]! += weightAt(weights, i);
      }
    },
    keepBetween(list, numbers, weights, n, low, high) {
      const { u32, f64 } = memory;
      let kept = 0;
      for (let i = 0; i < n; i++) {
        const number = f64[(numbers >>> 3) + i]!;
        if (number < low || number > high) continue;
        f64[(numbers >>> 3) + kept] = number;
        u32[(list >>> 2) + kept] = u32[(list >>> 2) + i]!;
        if (weights !== 0) u32[(weights >>> 2) + kept] = u32[(weights >>> 2) + i]!;
        kept++;
      }
      return kept;
    },
  };
}
