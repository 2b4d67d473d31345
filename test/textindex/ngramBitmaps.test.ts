import { expect } from 'chai';
import fc from 'fast-check';
import type { Cell, Query, Row, TableDefinition, TextTable } from '../../src/textindex/api.ts';
import { Column } from '../../src/textindex/column.ts';
import { Union } from '../../src/textindex/evaluate/union.ts';
import { NgramBitmaps } from '../../src/textindex/ngrams/ngramBitmaps.ts';
import { objectIdFrom } from '../../src/textindex/objectId.ts';
import { Ids } from '../../src/textindex/order/rowIds.ts';
import { RowNumbers } from '../../src/textindex/storage/rowNumbers.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';
import { SEED } from '../support/seed.ts';
import { Pair } from './pair.ts';

const RUNS = Number(process.env.RUNS ?? 10);

/** Ngrams are kept from 8 rows on; a label of a value with up to 4 rows is patched row by row. */
const layout = { segmentBits: 7, blockRows: 8, denseRows: 16, freshRows: 4, precomputeRows: 8 };

const definition = {
  name: 'things',
  columns: [
    { name: 'uuid', expect: 'uuid', contains: true },
    { name: 'project', expect: 'any', contains: true, labels: ['name'] },
    { name: 'text', expect: 'any', contains: true },
    { name: 'number', expect: 'number', sort: true },
    { name: 'kind', expect: 'any', equals: true },
  ],
  together: [
    { column: 'uuid' },
    { column: 'project' },
    { column: 'project', label: 'name' },
    { column: 'text' },
  ],
} as const satisfies TableDefinition;

const letter = fc.constantFrom(...'abAé-1😀');
const text = fc.string({ unit: letter, maxLength: 4 });
const uuid = fc
  .array(fc.constantFrom('0', '1', 'a'), { minLength: 32, maxLength: 32 })
  .map((digits) => digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
const project = fc.constantFrom('p', 'pa', 'b1', 'é', 'none', '😀-', '0a-10', 'aab1');
const cell = (clean: fc.Arbitrary<string>): fc.Arbitrary<Cell> =>
  fc.oneof(
    { weight: 8, arbitrary: clean },
    { weight: 1, arbitrary: fc.constantFrom(null, 7) },
    { weight: 1, arbitrary: fc.array(clean, { maxLength: 3 }) },
  );
const row: fc.Arbitrary<Row> = fc.record({
  id: fc.nat(200),
  cells: fc.tuple(
    cell(uuid),
    cell(project),
    cell(fc.oneof(text, fc.constantFrom('ab', 'b-a'))),
    fc.nat(3),
    fc.constantFrom('x', 'y'),
  ),
});

type Change = (table: TextTable) => void;

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(row, { minLength: 1, maxLength: 40 }).map((rows) => (table: TextTable) => {
      for (const one of rows) table.put(one);
    }),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.nat(200), { maxLength: 30 }).map((ids) => (table: TextTable) => {
      for (const id of ids) table.remove(id);
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(project, fc.array(text, { maxLength: 2 }))
      .map(([value, texts]) => (table: TextTable) => {
        table.relate('project', value, 'name', texts);
      }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(1, 10, 1000).map((steps) => (table: TextTable) => {
      for (let i = 0; i < steps && table.maintain(0); i++);
    }),
  },
);

const together = (wanted: string, ...besides: Query[]): Query => ({
  op: 'or',
  of: [
    ...definition.together.map((part) => ({ op: 'contains' as const, ...part, text: wanted })),
    ...besides,
  ],
});
const isX: Query = { op: 'equals', column: 'kind', values: ['x'] };
const WANTED = ['a', 'A', 'b', 'é', '-', '1', '😀', 'p', 'ab', 'A-', '1a', '😀é', 'q', 'none', ''];
/** Pairs of digits, which UUIDs have a bitmap of; each is looked for in UUIDs alone as well. */
const PAIRS = ['00', '01', '10', '11', 'a0', '1a', 'A1', 'aa', 'ab', 'b1'];
const QUERIES = [
  ...[...WANTED, ...PAIRS].flatMap((wanted) => [together(wanted), together(wanted, isX)]),
  ...PAIRS.flatMap((text) => [
    { op: 'contains' as const, column: 'uuid', text },
    { op: 'contains' as const, column: 'project', text },
  ]),
];

const compare = (pair: Pair, where: Query) =>
  pair.search({ where, sortBy: 'number', descending: false, page: 1, perPage: 1000 });

/** Puts 60 rows of two projects into the tables and lets the index choose its ngrams. */
function fill(pair: Pair): void {
  for (let id = 0; id < 60; id++) {
    const uuid = id % 2 ? null : '01234567-89ab-cdef-0123-456789abcdef';
    pair.put({ id, cells: [uuid, id < 40 ? 'big' : `small ${id % 10}`, null, id, 'x'] });
  }
  pair.relate('project', 'big', 'name', ['cat']);
  pair.relate('project', 'small 1', 'name', ['tin']);
  pair.maintain(10);
}

describe('n-gram bitmaps', function () {
  this.timeout(240_000);

  it(`find what a scan finds, whatever changes (SEED=${SEED} RUNS=${RUNS})`, () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 4, maxLength: 30, size: 'max' }), (changes) => {
        const pair = new Pair(definition, { layout });
        for (const apply of changes) {
          for (const table of [pair.index, pair.scan]) apply(table);
          for (const where of QUERIES) compare(pair, where);
          pair.index.check();
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.SHRINK === 'off' },
    );
  });

  it('follow the label of a value of few rows, and one of many, before any maintenance', () => {
    for (const value of ['small 1', 'big']) {
      const pair = new Pair(definition, { layout });
      fill(pair);
      pair.relate('project', value, 'name', ['dog']);
      for (const wanted of 'catidog') compare(pair, together(wanted));
      pair.maintain(10);
      pair.index.check();
    }
  });

  it('are of texts alone where they have a hyphen and ids beside them are ObjectIds', () => {
    const things = {
      name: 'things',
      columns: [
        { name: 'oid', expect: 'objectId', ofIds: true, contains: true },
        { name: 'text', expect: 'any', contains: true },
        { name: 'number', expect: 'number', sort: true },
      ],
      together: [{ column: 'oid' }, { column: 'text' }],
    } as const satisfies TableDefinition;
    const pair = new Pair(things, { layout });
    const digits = [...'0123456789abcdef'];
    for (let id = 0; id < 120; id++) {
      const oid = objectIdFrom(id.toString(16).padStart(24, digits[id % 16]))!;
      const text = id % 4 ? 'x' : digits.map((digit) => `-${digit}-`).join('');
      pair.put({ id, cells: [oid, text, id] });
    }
    pair.maintain(10);
    for (const text of ['-', ...digits.flatMap((digit) => [`-${digit}`, `${digit}-`, digit])]) {
      const of = things.together.map(({ column }) => ({ op: 'contains' as const, column, text }));
      compare(pair, { op: 'or', of });
    }
  });

  describe('are taken', () => {
    const space = new Space({ ...DEFAULT_LAYOUT, ...layout });
    const keys = new Ids(space);
    const rows = new RowNumbers(space);
    const columns = definition.columns.map((one) => new Column(space, one, keys));
    const columnOf = (name: string) => columns.find((one) => one.definition.name === name)!;
    const project = columns[1]!;
    const ngrams = new NgramBitmaps(space, definition, columnOf);
    const taken = (where: Query) => {
      const { ngram, remaining } = ngrams.find(where.op === 'or' ? where.of : []);
      if (!ngram) return undefined;
      const union = new Union(space);
      ngrams.addTo(union, ngram);
      const bitmap = union.finish();
      const rows = space.kernel.count(bitmap, space.bitmapBytes);
      space.scratch.giveBack(bitmap);
      return { remaining, rows };
    };
    before(() => {
      for (let i = 0; i < 50; i++) project.dictionary!.add(rows.take(), i < 40 ? 'big' : 'tin');
      expect(taken(together('i'))).to.equal(undefined);
      while (ngrams.step());
    });

    it('for a unigram and a bigram in all that is searched together, whatever else is asked', () => {
      expect(taken(together('I'))).to.deep.equal({ remaining: [], rows: 50 });
      expect(taken(together('bi', isX))).to.deep.equal({ remaining: [isX], rows: 40 });
    });

    it('not when a part is missing, nor for a longer n-gram', () => {
      const { of } = together('i') as Extract<Query, { op: 'or' }>;
      expect(taken({ op: 'or', of: of.slice(1) })).to.equal(undefined);
      expect(taken(together('big'))).to.equal(undefined);
    });

    it('not after a label of many rows has changed, until they were searched again', () => {
      const relate = (label: string) =>
        ngrams.followLabel(project, 'big', 'name', () =>
          project.dictionary!.relate('big', 'name', [label]),
        );
      relate('nib');
      expect(taken(together('n'))).to.equal(undefined);
      expect(taken(together('t'))?.rows).to.equal(10);
      while (ngrams.step());
      expect(taken(together('n'))).to.deep.equal({ remaining: [], rows: 50 });
    });
  });
});
