import { expect } from 'chai';
import fc from 'fast-check';
import type { Cell, Query, Row, Scalar } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import type { Layout } from '../../src/textindex/storage/space.ts';
import { Pair } from './pair.ts';

/** A dozen values in all, so that filters meet, imply and exclude each other all the time. */
const definition = {
  name: 'few values',
  columns: [
    {
      name: 'project',
      expect: 'any',
      contains: true,
      equals: true,
      sort: true,
      labels: ['name'],
    },
    { name: 'state', expect: 'any', contains: true, equals: true },
    { name: 'uuid', expect: 'uuid', contains: true, equals: true, sort: true },
  ],
} as const;

const PROJECTS = ['p1', 'p2', 'p12', 'q'];
const STATES = ['ok', 'on', 'off'];
const UUIDS = ['0', '1', 'a'].map((d) => '8-4-4-4-12'.replace(/\d+/g, (n) => d.repeat(+n)));
const PIECES = ['p', '1', '2', 'p1', 'o', 'ok', 'f', 'a', '0-0', '11', 'zz', ''];
const SOME = { minLength: 1, maxLength: 3 };

const cells = (values: readonly string[], arrays: boolean): fc.Arbitrary<Cell> => {
  const one = fc.constantFrom<Scalar>(...values);
  return arrays
    ? fc.oneof({ weight: 6, arbitrary: one as fc.Arbitrary<Cell> }, fc.array(one, SOME))
    : one;
};
const rows = (arrays: boolean): fc.Arbitrary<Row[]> =>
  fc
    .array(fc.tuple(...[PROJECTS, STATES, UUIDS].map((values) => cells(values, arrays))), {
      minLength: 10,
      maxLength: 300,
      size: 'max',
    })
    .map((all) => all.map((cells, id) => ({ id, cells })));

const piece = fc.constantFrom(...PIECES);
const equals = fc.oneof(
  ...Object.entries({ project: PROJECTS, state: STATES, uuid: UUIDS }).map(([column, values]) =>
    fc
      .array(fc.constantFrom(...values, 'absent'), SOME)
      .map((values): Query => ({ op: 'equals', column, values })),
  ),
);
const anywhere = piece.map(
  (text): Query => ({
    op: 'or',
    of: [
      ...['project', 'state', 'uuid'].map((column): Query => ({ op: 'contains', column, text })),
      { op: 'contains', column: 'project', label: 'name', text },
    ],
  }),
);
const part = fc.oneof(
  { weight: 3, arbitrary: equals },
  { weight: 3, arbitrary: anywhere },
  fc
    .tuple(fc.constantFrom('project', 'state', 'uuid'), piece)
    .map(([column, text]): Query => ({ op: 'contains', column, text })),
  fc
    .tuple(equals, anywhere)
    .map(([a, b]): Query => ({ op: 'or', of: [{ op: 'and', of: [a, b] }, a] })),
);
const query = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((of): Query => ({ op: 'and', of }));

/** Sizes at which rows are listed and asked, or intersected, or one after the other. */
const LAYOUTS: readonly Partial<Layout>[] = [
  { listedRows: 1000, probedRows: 1000 },
  { listedRows: 0, probedRows: 0, denseRows: 8 },
  { listedRows: 0, probedRows: 0, denseRows: 8, precomputeRows: 8, infixTextBytes: 8 },
  { listedRows: 20, probedRows: 60, denseRows: 8 },
  { listedRows: 60, probedRows: 20, precomputeRows: 30 },
];

type Names = readonly (readonly [project: string, texts: readonly string[]])[];

function compare(
  layout: Partial<Layout>,
  rows: readonly Row[],
  names: Names,
  queries: readonly Query[],
): void {
  const sizes = { segmentBits: 7, blockRows: 8, fewHits: 8, ...layout };
  const pair = new Pair(definition, { layout: sizes });
  for (const row of rows) pair.put(row);
  for (const [project, texts] of names) pair.relate('project', project, 'name', texts);
  pair.maintain();
  for (const where of queries) {
    pair.search({ where, sortBy: 'project', descending: false, page: 1, perPage: 400 });
  }
}

describe('matching', function () {
  this.timeout(240_000);
  const named = fc.array(fc.tuple(fc.constantFrom(...PROJECTS), fc.array(piece, SOME)), SOME);
  const queries = fc.array(query, { minLength: 10, maxLength: 40 });
  for (const [i, layout] of LAYOUTS.entries()) {
    for (const arrays of [false, true]) {
      it(`combines filters as the scan does (sizes ${i}, ${arrays ? 'arrays' : 'no arrays'})`, () => {
        fc.assert(
          fc.property(rows(arrays), named, queries, (rows, names, queries) =>
            compare(layout, rows, names, queries),
          ),
          { numRuns: 15 },
        );
      });
    }
  }

  it('writes no further than it has room when two columns of UUIDs hold the same', () => {
    const column = (name: string) => ({ name, expect: 'uuid', contains: true }) as const;
    const code = { name: 'code', expect: 'any', contains: true } as const;
    const columns = [code, column('a'), column('b')];
    const table = createIndex({ name: 'twice', columns }, { fold: standardFold() });
    const shared = '00112233-4455-6677-8899-aabbccddeeff';
    const other = (id: number) => {
      const hex = (n: number) => Math.imul(id * 2 + n, 0x9e3779b1) >>> 0;
      const digits = [1, 2, 3, 4].map((n) => hex(n).toString(16).padStart(8, '0')).join('');
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    };
    const isIn = (from: number, id: number) =>
      id >= from && id < from + 2_000 ? shared : other(id);
    for (let id = 0; id < 16_000; id++) {
      const cells = [`${id < 13_000 ? 'zz' : 'yy'}${id}`, isIn(0, id), isIn(2_000, id)];
      table.put({ id, cells });
    }
    const contains = (column: string, text: string): Query => ({ op: 'contains', column, text });
    const either: Query = { op: 'or', of: [contains('a', shared), contains('b', shared)] };
    const where: Query = { op: 'and', of: [contains('code', 'zz'), either] };
    const page = { sortBy: 'id', descending: false, page: 1, perPage: 5 };
    expect(table.search({ where, ...page }).total).to.equal(4_000);
    table.check();
  });
});
