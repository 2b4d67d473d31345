import { expect } from 'chai';
import fc from 'fast-check';
import { UUIDS } from '../../src/textindex/kernel/abi.ts';
import { NULL_POINTER } from '../../src/textindex/storage/brands.ts';
import { both } from './kernelBench.ts';

const counts = fc.array(fc.nat(3), { minLength: 1, maxLength: 60 });
const numbers = fc.array(
  fc.constantFrom(Number.NEGATIVE_INFINITY, -1.5, 0, 1, 2 ** 50, 2 ** 50 + 1, Infinity),
  { maxLength: 60 },
);

describe('kernels rank', () => {
  it('the values that rows hold', () => {
    fc.assert(
      fc.property(counts, fc.nat(5), (held, from) => {
        const wanted = [...held.keys()].filter((i) => i >= from && held[i]! > 0);
        const results = both(({ kernel, ...bench }) => {
          const room = () => bench.memory.alloc((held.length + 1) * 4);
          const [list, weights] = [room(), room()];
          const table = bench.memory.alloc(held.length * 4);
          bench.memory.u32.set(held, table / 4);
          const n = kernel.listCounted(
            table,
            Math.min(from, held.length),
            held.length,
            list,
            weights,
          );
          const read = (at: number) => Array.from(bench.memory.u32.subarray(at / 4, at / 4 + n));
          return [read(list), read(weights)];
        });
        expect(results).to.deep.equal([wanted, wanted.map((i) => held[i])]);
      }),
    );
  });

  it('the values that rows hold, as they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 80 }), (ordinals) => {
        const results = both((bench) => {
          const { kernel, memory } = bench;
          // What the table of counts holds before does not count.
          const table = bench.list(Array(41).fill(7));
          const list = bench.list(Array(81).fill(0));
          const seen = memory.allocZero(16);
          const n = kernel.tallyNew(bench.list(ordinals), ordinals.length, seen, table, list);
          const listed = bench.readList(list, n);
          return listed.map((ordinal) => [ordinal, memory.u32[table / 4 + ordinal]]);
        });
        const wanted = [...new Set(ordinals)];
        const countOf = (one: number) => ordinals.filter((ordinal) => ordinal === one).length;
        expect(results).to.deep.equal(wanted.map((one) => [one, countOf(one)]));
      }),
    );
  });

  it('ids by their first bytes', () => {
    const id = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(
        fc.array(id, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(12, 16),
        (ids, stride) => {
          const rows = ids.map((_, i) => 128 + i).reverse();
          const results = both((bench) => {
            const { kernel, memory } = bench;
            const segments = bench.struct({ ...UUIDS, bytes: UUIDS.bytes * 2 }, {});
            const uuids = bench.bytes(ids.flatMap((one) => [...one.subarray(0, stride)]));
            const second = bench.struct(UUIDS, { uuids, stride });
            memory.u8.copyWithin(segments + UUIDS.bytes, second, second + UUIDS.bytes);
            const out = memory.alloc(rows.length * 8);
            const list = bench.list(rows);
            kernel.uuidNumbers(list, rows.length, segments, 7, 2 ** 50, out);
            return Array.from(memory.f64.subarray(out / 8, out / 8 + rows.length));
          });
          const numberOf = (bytes: Uint8Array) =>
            Number.parseInt(Buffer.from(bytes).toString('hex'), 16);
          const wanted = ids.map((one) => {
            const digits = Buffer.from(Buffer.from(one.subarray(0, 3)).toString('hex'), 'latin1');
            return 2 ** 50 + numberOf(stride === 16 ? digits : one.subarray(0, 6));
          });
          expect(results).to.deep.equal(wanted.reverse());
        },
      ),
    );
  });

  it('items between two numbers, with and without weights', () => {
    const bound = fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 0.5, 2 ** 50, Infinity);
    fc.assert(
      fc.property(numbers, bound, bound, fc.boolean(), (all, a, b, isWeighed) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const weightOf = (i: number) => (isWeighed ? i + 1 : 1);
        const results = both((bench) => {
          const { kernel, memory } = bench;
          const { length: n } = all;
          const at = memory.alloc(n * 8 + 8);
          memory.f64.set(all, at / 8);
          const weights = isWeighed ? bench.list(all.map((_, i) => i + 1)) : NULL_POINTER;
          const list = bench.list(all.map((_, i) => i * 3));
          const sums = bench.list([10, 20]);
          kernel.weigh(at, weights, n, low, high, sums);
          const kept = kernel.keepBetween(list, at, weights, n, low, high);
          return {
            sums: bench.readList(sums, 2),
            list: bench.readList(list, kept),
            numbers: Array.from(memory.f64.subarray(at / 8, at / 8 + kept)),
            weights: isWeighed ? bench.readList(weights, kept) : [],
          };
        });
        const between = [...all.keys()].filter((i) => all[i]! >= low && all[i]! <= high);
        const below = [...all.keys()].filter((i) => all[i]! < low);
        const sum = (of: number[]) => of.reduce((total, i) => total + weightOf(i), 0);
        expect(results).to.deep.equal({
          sums: [10 + sum(below), 20 + sum(between)],
          list: between.map((i) => i * 3),
          numbers: between.map((i) => all[i]),
          weights: isWeighed ? between.map((i) => i + 1) : [],
        });
      }),
    );
  });
});
