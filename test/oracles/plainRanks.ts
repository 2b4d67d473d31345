/** The plain kernel's part for pages in orders that are not kept. */
import { RECORD, UUIDS } from '../../src/textindex/kernel/abi.ts';
import { BEGINNING, CUT, type RankKernel } from '../../src/textindex/kernel/rankAbi.ts';
import { hasBit } from '../../src/textindex/storage/bits.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';

const CLASS = 2 ** 48;
const ID_BITS = 2 ** 53;

export function plainRanks(memory: Memory): RankKernel {
  const numberAt = (at: number) => memory.u32[at >>> 2]!;
  const bytesAt = (at: number, n: number) => Buffer.from(memory.u8.slice(at, at + n));
  const beginningAt = (at: number) =>
    bytesAt(at + BEGINNING.bytes, at === 0 ? 0 : numberAt(at + BEGINNING.shared));
  const doubleAt = (at: number) => bytesAt(at, 8).readDoubleLE();

  /** The number, before `base` or after it, of bytes that do not have the beginning. */
  const beside = (bytes: Buffer, beginning: Buffer, base: number, after: number) => {
    const start = Buffer.alloc(beginning.length);
    bytes.copy(start);
    const order = Buffer.compare(start, beginning);
    return order === 0 ? undefined : order < 0 ? base - 1 : after;
  };
  const textNumber = (bytes: Buffer, beginning: Buffer) => {
    const base = 5 * CLASS;
    const rest = Buffer.alloc(6);
    bytes.subarray(beginning.length).copy(rest);
    return beside(bytes, beginning, base, base + CLASS - 0.5) ?? base + rest.readUIntBE(0, 6);
  };
  const doubleNumber = (bytes: Buffer) => {
    if (Number.isNaN(bytes.readDoubleLE())) return 0;
    const bits = Number(bytes.readBigUInt64LE() >> 16n);
    return bits < 2 ** 47 ? bits + 2 ** 47 : CLASS - 1 - bits;
  };
  const oddNumber = (order: number, nothing: number) => {
    if (order === 5) return nothing;
    if (order === 35) return 7 * CLASS - 1;
    return [5, 10, 15, 40, 45].filter((type) => order > type).length * 2 * CLASS;
  };
  const valueNumber = (place: number, beginning: Buffer, nothing: number) => {
    const record = place - (place % 4);
    const what = numberAt(record + RECORD.what) % 2 ** RECORD.asBit;
    const bytes = bytesAt(record + RECORD.bytes, what % 2 ** RECORD.kindBit);
    switch (what >>> RECORD.kindBit) {
      case 0:
        return textNumber(bytes, beginning);
      case 1:
      case 2:
      case 10:
        return 3 * CLASS + doubleNumber(bytes.subarray(0, 8));
      case 3:
        return CLASS;
      case 6:
        return 9 * CLASS + Math.floor((bytes.readDoubleLE() + 8.64e15) / 64);
      case 7:
        return 6 * CLASS + bytes.readUIntBE(0, 6);
      case 8:
      case 9:
        return oddNumber(bytes.readDoubleLE(), nothing);
      default:
        return 7 * CLASS;
    }
  };

  /** Appends items to a cut, or weighs them. */
  const take = (cut: number, item: number, number: number, weight: number) => {
    const { u32, f64 } = memory;
    if (weight === 0) return;
    if (number < doubleAt(cut + CUT.low)) u32[(cut + CUT.below) >>> 2]! += weight;
    const isLow = number >= doubleAt(cut + CUT.low);
    if (!(isLow && number <= doubleAt(cut + CUT.high))) return;
    const at = u32[(cut + CUT.kept) >>> 2]!++;
    u32[(cut + CUT.within) >>> 2]! += weight;
    u32[(numberAt(cut + CUT.list) >>> 2) + at] = item;
    f64[(numberAt(cut + CUT.numbers) >>> 3) + at] = number;
    const weights = numberAt(cut + CUT.weights);
    if (weights !== 0) u32[(weights >>> 2) + at] = weight;
  };
  const idOf = (segments: number, segmentBits: number, row: number) => {
    const segment = segments + (row >>> segmentBits) * UUIDS.bytes;
    const stride = numberAt(segment + UUIDS.stride);
    const at = numberAt(segment + UUIDS.uuids) + (row & (2 ** segmentBits - 1)) * stride;
    return bytesAt(at, stride);
  };
  const idNumber = (id: Buffer, beginning: Buffer) => {
    const rest = Buffer.alloc(8);
    id.subarray(beginning.length).copy(rest);
    return beside(id, beginning, 0, ID_BITS) ?? Number(rest.readBigUInt64BE() >> 11n);
  };
  const idPrefix = (id: Buffer) => {
    if (id.length === 12) return 6 * CLASS + id.readUIntBE(0, 6);
    return 5 * CLASS + Buffer.from(id.toString('hex').slice(0, 6), 'latin1').readUIntBE(0, 6);
  };
  return {
    valueNumber: (place) => valueNumber(place, Buffer.alloc(0), CLASS),
    numberValues(places, list, from, to, beginning, numbers) {
      const begins = beginningAt(beginning);
      for (let i = from; i < to; i++) {
        const place = numberAt(places + (list === 0 ? i : numberAt(list + i * 4)) * 4);
        const number = place === 0 ? Number.NaN : valueNumber(place, begins, 0);
        memory.f64[(numbers >>> 3) + i] = number;
      }
    },
    numbersOf(list, n, numbers, out) {
      for (let i = 0; i < n; i++) {
        memory.f64[(out >>> 3) + i] = doubleAt(numbers + numberAt(list + i * 4) * 8);
      }
    },
    countedBetween(cut, n, counts, numbers) {
      for (let ordinal = 0; ordinal < n; ordinal++) {
        take(cut, ordinal, doubleAt(numbers + ordinal * 8), numberAt(counts + ordinal * 4));
      }
    },
    idNumbers(segments, segmentBits, list, n, beginning, numbers) {
      for (let i = 0; i < n; i++) {
        const id = idOf(segments, segmentBits, numberAt(list + i * 4));
        memory.f64[(numbers >>> 3) + i] = idNumber(id, beginningAt(beginning));
      }
    },
    idPrefixes(segments, segmentBits, list, n, numbers) {
      for (let i = 0; i < n; i++) {
        const id = idOf(segments, segmentBits, numberAt(list + i * 4));
        memory.f64[(numbers >>> 3) + i] = idPrefix(id);
      }
    },
    idsBetween(cut, segments, segmentBits, bits, bytes) {
      for (let row = 0; row < bytes * 8; row++) {
        if (!hasBit(memory.u8, bits, row)) continue;
        take(cut, row, idNumber(idOf(segments, segmentBits, row), Buffer.alloc(0)), 1);
      }
    },
    itemsBetween(cut, list, numbers, weights, n) {
      for (let i = 0; i < n; i++) {
        const weight = weights === 0 ? 1 : numberAt(weights + i * 4);
        take(cut, numberAt(list + i * 4), doubleAt(numbers + i * 8), weight);
      }
    },
  };
}
