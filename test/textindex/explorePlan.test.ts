/** How explores are evaluated, as it prints: for few, many, most and all rows. */
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import {
  createIndex,
  type ExploreRequest,
  type Query,
  standardFold,
  type TableDefinition,
  type TextTable,
} from '../../src/textindex/index.ts';

const ROWS = 24_000;

const definition: TableDefinition = {
  name: 'tasks',
  columns: [
    { name: 'project', expect: 'any', equals: true, facet: true },
    { name: 'state', expect: 'any', equals: true, facet: true },
    { name: 'half', expect: 'any', equals: true },
    { name: 'queued', expect: 'date', sort: true, range: true },
  ],
};

/** 2,000 projects of 12 rows, a state of 23,000 rows and one of 1,000. */
function fill(table: TextTable): TextTable {
  for (let n = 0; n < ROWS; n++) {
    const cells = [`p${n % 2000}`, n % 24 ? 'SUCCESS' : 'FAILURE', n % 2 === 0, new Date(n * 1000)];
    table.put({ id: n, cells });
  }
  while (table.maintain(50));
  return table;
}

const ALL: Query = { op: 'all' };
const equals = (column: string, ...values: (string | boolean)[]): Query => ({
  op: 'equals',
  column,
  values,
});
const facets = [
  { column: 'state', limit: 10 },
  { column: 'project', limit: 10 },
];
const histogram = {
  column: 'queued',
  boundaries: (first = 0, last = 0) => [first, last + 1],
};

const STATS = { column: 'queued', ranks: (count: number) => [0, count - 1] };

const CASES: readonly (readonly [string, Query, Partial<ExploreRequest>, readonly string[]])[] = [
  [
    'all rows',
    ALL,
    {},
    [
      'facet state: 24000 rows known',
      'facet project: 24000 rows known',
      'histogram queued: 24000 rows by order',
    ],
  ],
  [
    'most',
    equals('state', 'SUCCESS'),
    {},
    [
      'facet state: 23000 rows by value',
      'facet project: 23000 rows by the rest',
      'histogram queued: 23000 rows by order',
    ],
  ],
  [
    'half, split',
    equals('half', true),
    { histogram: { ...histogram, by: { column: 'state', limit: 10 } } },
    [
      'facet state: 12000 rows by value',
      'facet project: 12000 rows by value',
      'histogram queued: 12000 rows by zone',
    ],
  ],
  [
    'few',
    equals('project', 'p7'),
    {},
    [
      'facet state: 12 rows by row',
      'facet project: 12 rows by row',
      'histogram queued: 12 rows by row',
    ],
  ],
  [
    'conditions on many',
    ALL,
    {
      conditions: [
        { op: 'in', column: 'state', values: ['FAILURE'] },
        { op: 'range', column: 'queued', from: new Date(0), to: new Date(6_000_000) },
      ],
    },
    [
      '2 conditions: bitmaps are intersected, 250 of 24000 rows',
      'facet state: 6000 rows by value',
      'facet project: 250 rows by row',
      'histogram queued: 1000 rows by zone',
    ],
  ],
  [
    'against a baseline',
    ALL,
    {
      conditions: [{ op: 'in', column: 'state', values: ['FAILURE'] }],
      baseline: [],
      facets: [{ column: 'project', limit: 10, by: { column: 'state', limit: 10 } }],
    },
    [
      '1 conditions: bitmaps are intersected, 1000 of 24000 rows',
      'facet project: 1000 rows by row, baseline: 24000 rows known, split by state',
      'histogram queued: 1000 rows by zone',
    ],
  ],
  [
    'an order, and statistics',
    equals('half', true),
    { order: [{ column: 'project', descending: true }], stats: [STATS], facets: [] },
    [
      'order project descending: 12000 rows by value',
      'histogram queued: 12000 rows by zone',
      'stats queued: 12000 rows by order',
    ],
  ],
  [
    'a kept order with ties, and statistics of few',
    equals('project', 'p7'),
    {
      order: ['queued', 'state'].map((column) => ({ column, descending: false })),
      stats: [STATS],
      facets: [],
    },
    [
      'order queued, state: 12 rows by row',
      'histogram queued: 12 rows by row',
      'stats queued: 12 rows by row',
    ],
  ],
  [
    'a kept order of many',
    ALL,
    { order: ['id', 'state'].map((column) => ({ column, descending: false })), facets: [] },
    ['order id, state: 24000 rows by order', 'histogram queued: 24000 rows by order'],
  ],
  [
    'conditions on few',
    equals('project', 'p0', 'p1'),
    { conditions: [{ op: 'not', of: { op: 'in', column: 'state', values: ['FAILURE'] } }] },
    [
      '1 conditions: each row is asked, 20 of 24 rows',
      'facet state: 24 rows by row',
      'facet project: 20 rows by row',
      'histogram queued: 20 rows by row',
    ],
  ],
];

describe('explores are explained', () => {
  let table: TextTable;
  before(() => {
    table = fill(createIndex(definition, { fold: standardFold(), expectedRows: ROWS }));
  });

  for (const [name, where, more, lines] of CASES) {
    it(name, () => {
      const page = { sortBy: 'id', descending: false, page: 1, perPage: 10 };
      const request = { where, ...page, conditions: [], facets, histogram, ...more };
      expect(table.explain(request).counts).to.deep.equal(lines);
      // The explanation leaves nothing behind that an answer could trip over.
      expect(table.explore(request)).to.deep.equal(table.explore(request));
    });
  }
});
