/** Items cut down to a page, against all of them sorted. */
import { expect } from 'chai';
import fc from 'fast-check';
import { cut, type Items, numbered } from '../../src/textindex/explore/cut.ts';
import { NULL_POINTER } from '../../src/textindex/storage/brands.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';
import { randomFrom } from '../worlds/random.ts';

const FEW = 50;

/** How numbers lie: apart, the same for many items, or most of them the same. */
const SHAPES: Readonly<Record<string, (next: () => number, i: number) => number>> = {
  apart: (next) => next(),
  ascending: (_, i) => i,
  periodic: (_, i) => i % 7,
  'few different': (next) => Math.floor(next() * 5),
  'mostly one': (next) => (next() < 0.9 ? 3 : next() * 6),
  'at both ends': (next) => (next() < 0.5 ? -Infinity : Infinity),
};

interface Held {
  readonly number: number;
  readonly weight: number;
}

describe('a cut', () => {
  for (const [name, draw] of Object.entries(SHAPES)) {
    it(`keeps what is at the ranks: numbers ${name}`, () => {
      const input = fc.record({
        seed: fc.integer(),
        sizes: fc.array(fc.nat(4_000), { minLength: 1, maxLength: 3 }),
        heaviest: fc.constantFrom(1, 3, 2_000),
        first: fc.double({ min: 0, max: 1, noNaN: true }),
        rows: fc.constantFrom(1, 25, 3_000),
      });
      fc.assert(
        fc.property(input, ({ seed, sizes, heaviest, first: share, rows }) => {
          const space = new Space(DEFAULT_LAYOUT);
          const next = randomFrom(seed);
          const held = sizes.map((n, group) =>
            Array.from({ length: n }, (_, i): Held => {
              // The first group has no weights.
              const weight = group === 0 ? 1 : 1 + Math.floor(next() ** 8 * heaviest);
              return { number: draw(next, i), weight };
            }),
          );
          const all = held.flat().sort((a, b) => a.number - b.number);
          const sum = (of: readonly Held[]) => of.reduce((total, { weight }) => total + weight, 0);
          const total = sum(all);
          if (total === 0) return;
          const first = Math.floor(share * (total - 1));
          const end = Math.min(total, first + rows);
          const sources = held.map((of, group) => numbered(space, itemsOf(space, of, group > 0)));
          const { groups, before, after } = cut(space, sources, total, { first, end }, FEW);
          const { u32, f64 } = space.memory;
          const kept = groups.flatMap(({ list, numbers, weights, n }, group) =>
            Array.from({ length: n }, (_, i) => {
              const one = held[group]![u32[list / 4 + i]!]!;
              expect(f64[numbers / 8 + i]).equal(one.number);
              if (weights !== NULL_POINTER) expect(u32[weights / 4 + i]).equal(one.weight);
              return one;
            }),
          );
          const isKept = new Set(kept);
          expect(isKept.size).equal(kept.length);
          const [low, high] = [Math.min, Math.max].map((of) =>
            kept.map((k) => k.number).reduce((a, b) => of(a, b)),
          );
          expect(before).equal(sum(all.filter(({ number }) => number < low!)));
          expect(after).equal(sum(all.filter(({ number }) => number > high!)));
          expect(before + sum(kept) + after).equal(total);
          expect(before).most(first);
          expect(total - after).least(end);
          if (name === 'apart' && rows < 100 && heaviest < 100) expect(kept.length).below(600);
        }),
        { numRuns: 60 },
      );
    });
  }
});

function itemsOf(space: Space, held: readonly Held[], isWeighed: boolean): Items {
  const { memory, scratch } = space;
  const list = scratch.take(held.length * 4);
  const numbers = scratch.take(held.length * 8);
  const weights = isWeighed ? scratch.take(held.length * 4) : NULL_POINTER;
  for (const [i, { number, weight }] of held.entries()) {
    memory.u32[list / 4 + i] = i;
    memory.f64[numbers / 8 + i] = number;
    if (isWeighed) memory.u32[weights / 4 + i] = weight;
  }
  return { list, numbers, weights, n: held.length };
}
