import { expect } from 'chai';
import fc from 'fast-check';
import { UUIDS } from '../../src/textindex/kernel/abi.ts';
import { CUT, MIXED } from '../../src/textindex/kernel/rankAbi.ts';
import { NULL_POINTER, type Pointer } from '../../src/textindex/storage/brands.ts';
import { type Bench, onKernel } from './kernelBench.ts';

const number = fc.constantFrom(
  ...[Number.NEGATIVE_INFINITY, -1.5, 0, 1, 2 ** 50, 2 ** 50 + 1, Infinity, Number.NaN],
);
const bound = fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 0.5, 2 ** 50, Infinity);
const bounds = fc.tuple(bound, bound).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const item = fc.record({ number, weight: fc.nat(3) });
const items = fc.array(item, { minLength: 1, maxLength: 40 });
type Item = { readonly number: number; readonly weight: number };
type Bounds = readonly [low: number, high: number];

interface Opened {
  readonly at: Pointer;
  /** The results of the cut. */
  readonly taken: () => { sums: number[]; list: number[]; numbers: number[]; weights: number[] };
}

/** A cut with room for n items. */
function opened(bench: Bench, [low, high]: Bounds, n: number, isWeighed: boolean): Opened {
  const { memory } = bench;
  const room = () => memory.alloc((n + 2) * 8);
  const [list, numbers, weights] = [room(), room(), isWeighed ? room() : NULL_POINTER];
  const at = bench.struct(CUT, { list, numbers, weights, below: 10, within: 20 });
  memory.f64.set([low, high], at / 8);
  return {
    at,
    taken: () => {
      const kept = memory.u32[(at + CUT.kept) / 4]!;
      return {
        sums: bench.readList((at + CUT.below) as Pointer, 2),
        list: bench.readList(list, kept),
        numbers: Array.from(memory.f64.subarray(numbers / 8, numbers / 8 + kept)),
        weights: isWeighed ? bench.readList(weights, kept) : [],
      };
    },
  };
}

/** The results that a cut of these items should have. */
function wantedOf(all: ReadonlyMap<number, Item>, [low, high]: Bounds, isWeighed: boolean) {
  const within = [...all].filter(
    ([, one]) => one.weight > 0 && one.number >= low && one.number <= high,
  );
  const below = [...all.values()].filter((one) => one.number < low);
  const sum = (of: readonly Item[]) => of.reduce((total, { weight }) => total + weight, 0);
  return {
    sums: [10 + sum(below), 20 + sum(within.map(([, one]) => one))],
    list: within.map(([i]) => i),
    numbers: within.map(([, one]) => one.number),
    weights: isWeighed ? within.map(([, { weight }]) => weight) : [],
  };
}

const doubles = ({ memory }: Bench, numbers: readonly number[]): Pointer => {
  const at = memory.alloc(numbers.length * 8 + 16);
  memory.f64.set(numbers, at / 8);
  return at;
};

function idNumber(
  bytes: readonly number[],
  beginning: Buffer,
  { mixed, stride }: { readonly mixed: boolean; readonly stride: number },
): number {
  const own = Buffer.from(bytes.slice(0, stride));
  const digits = Buffer.from(own.toString('hex').slice(0, 6), 'latin1');
  if (mixed && stride === 16) return 5 * 2 ** 48 + digits.readUIntBE(0, 6);
  if (mixed) return 6 * 2 ** 48 + own.readUIntBE(0, 6);
  const order = Buffer.compare(own.subarray(0, beginning.length), beginning);
  if (order !== 0) return order < 0 ? -1 : 2 ** 53;
  const rest = Buffer.concat([own.subarray(beginning.length), Buffer.alloc(8)]);
  return Number(rest.readBigUInt64BE() >> 11n);
}

describe('kernels rank', () => {
  it('all values by their numbers and counts', () => {
    fc.assert(
      fc.property(items, bounds, (all, between) => {
        const results = onKernel((bench) => {
          const cut = opened(bench, between, all.length, true);
          const counts = bench.list(all.map(({ weight }) => weight));
          const numbers = doubles(
            bench,
            all.map((one) => one.number),
          );
          bench.kernel.itemsBetween(cut.at, NULL_POINTER, numbers, counts, all.length);
          return cut.taken();
        });
        expect(results).to.deep.equal(wantedOf(new Map(all.entries()), between, true));
      }),
    );
  });

  it('listed values', () => {
    fc.assert(
      fc.property(items, (all) => {
        const listed = [...all.keys()].reverse();
        const results = onKernel((bench) => {
          const { memory, kernel } = bench;
          const numbers = doubles(
            bench,
            all.map((one) => one.number),
          );
          const out = memory.alloc(all.length * 8);
          kernel.numbersOf(bench.list(listed), listed.length, numbers, out);
          return Array.from(memory.f64.subarray(out / 8, out / 8 + all.length));
        });
        expect(results).to.deep.equal(listed.map((i) => all[i]!.number));
      }),
    );
  });

  it('items once more', () => {
    fc.assert(
      fc.property(items, bounds, fc.boolean(), (all, between, isWeighed) => {
        const results = onKernel((bench) => {
          const cut = opened(bench, between, all.length, isWeighed);
          const list = bench.list(all.map((_, i) => i * 3));
          const weights = bench.list(all.map(({ weight }) => weight + 1));
          const numbers = doubles(
            bench,
            all.map((one) => one.number),
          );
          const by = isWeighed ? weights : NULL_POINTER;
          bench.kernel.itemsBetween(cut.at, list, numbers, by, all.length);
          return cut.taken();
        });
        const asked = all.map(({ number, weight }, i): [number, Item] => [
          i * 3,
          { number, weight: isWeighed ? weight + 1 : 1 },
        ]);
        expect(results).to.deep.equal(wantedOf(new Map(asked), between, isWeighed));
      }),
    );
  });

  it('ids by their first bytes, or by the ones after a beginning', () => {
    const byte = fc.constantFrom(0, 1, 0x7f, 0xff);
    const id = fc.array(byte, { minLength: 16, maxLength: 16 });
    const asked = fc.record({
      ids: fc.array(id, { minLength: 1, maxLength: 90 }),
      stride: fc.constantFrom(12, 16),
      how: fc.constantFrom('of a bitmap', 'listed', 'after a beginning', 'mixed'),
      shared: fc.nat(12),
      ends: fc.tuple(fc.nat(90), fc.nat(90)),
    });
    fc.assert(
      fc.property(asked, ({ ids, stride, how, shared, ends }) => {
        const first = ids[0]!;
        const asked = { mixed: how === 'mixed', stride };
        const beginning = Buffer.from(how === 'after a beginning' ? first.slice(0, shared) : []);
        const numberOf = (bytes: readonly number[]) => idNumber(bytes, beginning, asked);
        const numbers = ids.map(numberOf);
        const [low, high] = ends.map((i) => numbers[i] ?? Infinity).sort((a, b) => a - b);
        const between = [low === Infinity ? -Infinity : low!, high!] as const;
        // All but one lie in the second segment.
        const rows = ids.map((_, i) => (i === 0 ? 5 : 128 + i));
        const results = onKernel((bench) => {
          const { kernel, memory } = bench;
          const segments = bench.struct({ ...UUIDS, bytes: UUIDS.bytes * 2 }, {});
          const idBytes = (list: typeof ids) => list.flatMap((one) => one.slice(0, stride));
          const parts = [
            bench.bytes(
              Array(5)
                .fill(Array(stride).fill(9))
                .concat([first.slice(0, stride)])
                .flat(),
            ),
            bench.bytes(idBytes([first, ...ids.slice(1)])),
          ];
          for (const [i, uuids] of parts.entries()) {
            const segment = bench.struct(UUIDS, { uuids, stride });
            memory.u8.copyWithin(segments + i * UUIDS.bytes, segment, segment + UUIDS.bytes);
          }
          if (how === 'of a bitmap') {
            const cut = opened(bench, between, ids.length, false);
            const bits = memory.allocZero(32);
            for (const row of rows) memory.u8[bits + (row >> 3)]! |= 1 << (row & 7);
            kernel.idsBetween(cut.at, segments, 7, bits, 32);
            return cut.taken();
          }
          const begun = [shared, 0, 0, 0, ...first.slice(0, shared)];
          const unlike = asked.mixed ? MIXED : NULL_POINTER;
          const begins = how === 'after a beginning' ? bench.bytes(begun) : unlike;
          const list = bench.list(rows);
          const out = memory.alloc(rows.length * 8);
          kernel.idNumbers(segments, 7, list, rows.length, begins, out);
          return Array.from(memory.f64.subarray(out / 8, out / 8 + rows.length));
        });
        const all = rows.map((row, i): [number, Item] => [row, { number: numbers[i]!, weight: 1 }]);
        const isCut = how === 'of a bitmap';
        expect(results).to.deep.equal(isCut ? wantedOf(new Map(all), between, false) : numbers);
      }),
      { numRuns: 500 },
    );
  });
});
