/** Values of a dictionary against a plain Map, as they come and go. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Scalar, TableDefinition } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { decimalFrom } from '../../src/textindex/decimal.ts';
import { FIRST_VALUE } from '../../src/textindex/dictionary/ordinals.ts';
import { Values } from '../../src/textindex/dictionary/values.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { objectIdFrom } from '../../src/textindex/objectId.ts';
import { createPartitioned } from '../../src/textindex/partitions/partitioned.ts';
import { compareScalars, prefixKey, scalarKey } from '../../src/textindex/scalars.ts';
import type { Ordinal } from '../../src/textindex/storage/brands.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';
import { keyAfter } from '../oracles/keyAfter.ts';
import { createScan } from '../oracles/scan.ts';
import { SEED } from '../support/seed.ts';

/** Equal values in several forms, values that differ by one byte, and ones longer than a chunk. */
const POOL: readonly Scalar[] = [
  ...['', 'a', 'A', 'ab', 'é', 'ß', '😀', '\ud83d', '\ufffd', 'a\0', 'abcdefg', 'abcdefgh'],
  ...['abcdefghi', 'abcdefghj', '\0', '\0\0', '1', 'null', 'x'.repeat(63), 'x'.repeat(64)],
  ...['x'.repeat(65), 'é'.repeat(64), 'é'.repeat(600), 'x'.repeat(5_000), `${'x'.repeat(5_000)}y`],
  ...[0, -0, 1, 1n, -1, 0.1, 2 ** 53, 2n ** 53n, 2n ** 53n + 1n, 10n ** 40n, Number.NaN],
  ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, true, false],
  ...[new Date(0), new Date(1), new Date(Number.NaN), new Date(-1)],
  ...[decimalFrom('0.1')!, decimalFrom('12.34')!, decimalFrom('-12.34')!, decimalFrom('0.5')!],
  ...[objectIdFrom('0'.repeat(24))!, objectIdFrom('ffffffffffffffffffffffff')!],
  ...[
    { typeOrder: 20, key: 'ÿ' },
    { typeOrder: 20, key: 'Ā' },
    { typeOrder: 25, key: 'ÿ' },
  ],
  ...[
    { typeOrder: 35, key: 'Ā'.repeat(12) },
    { typeOrder: -1, key: '' },
  ],
  ...Array.from({ length: 80 }, (_, i) => `one of some texts that fill a chunk, number ${i * 37}`),
];

interface Known {
  readonly ordinal: Ordinal;
  readonly value: Scalar;
}

/** That these are the values: each with its ordinal, its type and its place in the order. */
function expectSame(space: Space, values: Values, all: readonly Known[]): void {
  const numbers = values.numbers.of(values, true) / 8;
  const numberAt = (ordinal: Ordinal) => space.memory.f64[numbers + ordinal]!;
  for (const { ordinal, value } of all) {
    const kept = values.at(ordinal)!;
    expect(scalarKey(kept)).to.equal(scalarKey(value));
    expect(typeof kept).to.equal(typeof value);
    expect(values.isText(ordinal)).to.equal(typeof value === 'string');
    const isOdd = typeof value === 'object' && value !== null && 'key' in value;
    if (!isOdd) expect(values.prefixOf(ordinal)).to.equal(prefixKey(value));
    const { beginning } = values.numbers;
    const number = numberAt(ordinal);
    if (!isOdd && typeof value !== 'string') expect(number).to.equal(prefixKey(value));
    if (typeof value === 'string') expect(number).to.equal(keyAfter(beginning, value));
    for (const other of all.slice(0, 30)) {
      const order = Math.sign(values.compare(ordinal, other.ordinal));
      expect(order).to.equal(Math.sign(compareScalars(value, other.value)));
      const byNumber = [
        values.prefixOf(ordinal) - values.prefixOf(other.ordinal),
        number - numberAt(other.ordinal),
      ];
      if (byNumber.some((one) => one !== 0 && Math.sign(one) !== order)) {
        expect.fail(`numbers of ${String(value)} and ${String(other.value)} contradict the order`);
      }
    }
  }
  const inUse = new Set(all.map(({ ordinal }) => ordinal));
  expect(inUse.size).to.equal(all.length);
  for (let i: number = FIRST_VALUE; i < values.length; i++) {
    expect(values.isUsed(i as Ordinal)).to.equal(inUse.has(i as Ordinal));
  }
}

describe('values', () => {
  it(`have the ordinals that a Map gives them (SEED=${SEED})`, () => {
    const steps = fc.array(fc.record({ value: fc.constantFrom(...POOL), goes: fc.boolean() }), {
      minLength: 100,
      maxLength: 600,
    });
    fc.assert(
      fc.property(steps, (taken) => {
        const space = new Space(DEFAULT_LAYOUT);
        const values = new Values(space);
        const known = new Map<string, Known>();
        for (const { value, goes } of taken) {
          space.scratch.reset();
          const before = known.get(scalarKey(value));
          expect(values.find(value)).to.equal(before?.ordinal);
          if (!before) {
            known.set(scalarKey(value), { ordinal: values.add(), value });
          } else if (goes) {
            known.delete(scalarKey(value));
            values.remove(before.ordinal);
            expect(values.at(before.ordinal)).to.equal(undefined);
          }
          // Numbers that are made follow the values from then on.
          if (known.size % 16 === 0) values.numbers.of(values, true);
        }
        values.check();
        expectSame(space, values, [...known.values()]);
      }),
      { numRuns: 20, seed: SEED },
    );
  });

  it('are the same where more than 2 GB of memory follow', () => {
    const space = new Space(DEFAULT_LAYOUT);
    // None of it is written to, so the machine lends nothing.
    space.memory.reserve(2 ** 31 + 2 ** 20);
    expect(space.memory.bytes).to.be.above(2 ** 31);
    const values = new Values(space);
    const all = [...new Map(POOL.map((value) => [scalarKey(value), value])).values()];
    const known = all.map((value) => {
      space.scratch.reset();
      expect(values.find(value)).to.equal(undefined);
      return { value, ordinal: values.add() };
    });
    values.check();
    expectSame(space, values, known);
  });

  it('are the same at the end of the memory, however long', () => {
    for (const length of [2 ** 17, 2 ** 20, 2 ** 24].map((power) => power - 100)) {
      const space = new Space(DEFAULT_LAYOUT);
      const values = new Values(space);
      const text = 'x'.repeat(length);
      expect(values.find(text)).to.equal(undefined);
      expect(values.at(values.add()) === text, `${length} letters`).to.equal(true);
    }
  });

  it('take no scratch memory that grows with the values looked for', () => {
    const space = new Space(DEFAULT_LAYOUT);
    const values = new Values(space);
    const texts = Array.from({ length: 500 }, (_, i) => `${i} ${'long '.repeat(1_000)}`);
    for (const text of texts) expect(values.find(text)).to.equal(undefined);
    expect(space.memory.used).to.be.below(2 ** 19);
  });

  it('give the memory of deleted values back, large ones and small ones', () => {
    const space = new Space(DEFAULT_LAYOUT);
    const values = new Values(space);
    const fill = () => {
      const ordinals: Ordinal[] = [];
      for (let i = 0; i < 20_000; i++) {
        space.scratch.reset();
        const value = i % 100 === 0 ? `${i} ${'long '.repeat(300)}` : `a text, number ${i}`;
        expect(values.find(value)).to.equal(undefined);
        ordinals.push(values.add());
      }
      return ordinals;
    };
    const most = (ordinals: readonly Ordinal[]) => ordinals.filter((_, i) => i % 10 !== 0);
    const first = fill();
    const full = space.memory.used;
    for (const ordinal of most(first)) values.remove(ordinal);
    for (const ordinal of first.filter((_, i) => i % 100 === 0)) values.remove(ordinal);
    // Places, unused ordinals, slots, and a tenth of the records stay.
    const slots = 32_768 * 4;
    const places = 32_768 * 4 * 2;
    expect(space.memory.used).to.be.below(full * 0.15 + slots + places);
    values.check();
    for (const ordinal of first.filter((_, i) => i % 10 === 0 && i % 100 !== 0))
      values.remove(ordinal);
    const again = fill();
    expect(new Set(again)).to.deep.equal(new Set(first));
    const unused = 32_768 * 4;
    expect(space.memory.used).to.be.below(full * 1.05 + unused);
    values.check();
  });

  it('are counted though looking for them makes the memory grow', () => {
    const definition: TableDefinition = {
      name: 'things',
      columns: [
        { name: 'text', expect: 'any', facet: true, equals: true },
        { name: 'few', expect: 'any', facet: true, equals: true },
      ],
    };
    const options = { fold: standardFold() };
    const several = createPartitioned(definition, { ...options, partitionRows: 50 });
    const tables = [createIndex(definition, options), createScan(definition, options), several];
    for (let id = 0; id < 120; id++) {
      const text = `${id % 40} ${id < 50 ? 'short' : 'long '.repeat(40_000)}`;
      for (const table of tables) table.put({ id, cells: [text, id % 3 === 0 ? 'a' : 'b'] });
    }
    const [got, wanted, summed] = tables.map((table) => {
      // The question numbers the values of several partitions, which maintenance would else.
      while (table !== several && table.maintain(50));
      return table.explore({
        ...{ where: { op: 'all' }, sortBy: 'id', descending: false, page: 1, perPage: 1 },
        conditions: [],
        facets: [{ column: 'text', limit: 40, by: { column: 'few', limit: 2 } }],
      }).facets;
    });
    expect(got).to.deep.equal(wanted);
    expect(summed).to.deep.equal(wanted);
  });
});
