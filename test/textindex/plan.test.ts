/** Plans as they print: one table of queries, on a table whose counts are known. */
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { Query, TableDefinition, TextTable } from '../../src/textindex/index.ts';
import { Pair } from './pair.ts';

const ROWS = 24_000;

const definition: TableDefinition = {
  name: 'tasks',
  columns: [
    { name: 'task', expect: 'uuid', contains: true, equals: true },
    { name: 'project', expect: 'any', contains: true, equals: true, labels: ['title'] },
    { name: 'email', expect: 'any', contains: true },
    { name: 'state', expect: 'any', contains: true, equals: true },
  ],
  together: [
    { column: 'project' },
    { column: 'project', label: 'title' },
    { column: 'email' },
    { column: 'state' },
  ],
};

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
const uuidOf = (n: number) => `${hex(n, 8)}-0000-4000-8000-000000000000`;

/** 400 projects of 60 rows, 2,000 emails of 12, a state of 23,000 rows and one of 1,000. */
function filled(): Pair {
  const pair = new Pair(definition);
  for (let p = 0; p < 400; p++) pair.relate('project', `p${p}`, 'title', [`Apollo ${p % 4}`]);
  for (let n = 0; n < ROWS; n++) {
    const email = `user${n % 2000}@${n % 2 ? 'example.org' : 'corp.test'}`;
    pair.put({ id: n, cells: [uuidOf(n), `p${n % 400}`, email, n % 24 ? 'SUCCESS' : 'FAILURE'] });
  }
  return pair;
}

const contains = (column: string, text: string, label?: string): Query => ({
  op: 'contains',
  column,
  text,
  ...(label !== undefined && { label }),
});
const equals = (column: string, ...values: string[]): Query => ({ op: 'equals', column, values });
const and = (...of: Query[]): Query => ({ op: 'and', of });
const or = (...of: Query[]): Query => ({ op: 'or', of });
const everywhere = (text: string): Query =>
  or(...definition.together!.map(({ column, label }) => contains(column, text, label)));

type Case = readonly [name: string, query: Query, plan: readonly string[], within?: Query];

const CASES: readonly Case[] = [
  ['nothing asked', { op: 'all' }, ['all']],
  ['a value that no row has', equals('project', 'nowhere'), ['none']],
  ['values that all rows have', equals('state', 'SUCCESS', 'FAILURE'), ['all']],
  ['a text that no value has', everywhere('zzz'), ['none']],
  ['one value', equals('project', 'p7'), ['list up to 2048 of about 60 rows: project 1 value']],
  [
    'a text in many values',
    contains('email', 'example'),
    ['bitmap of about 12000 rows: email 1000 values'],
  ],
  [
    'the most selective first, whatever their order',
    and(contains('email', 'example'), equals('project', 'p7')),
    [
      'list up to 2048 of about 60 rows: project 1 value',
      'probe up to 2048, else intersect about 12000 rows: email 1000 values',
    ],
  ],
  [
    'a value that most rows have',
    and(contains('email', 'example'), equals('state', 'SUCCESS')),
    [
      'bitmap of about 12000 rows: email 1000 values',
      'probe up to 2048, else intersect about 23000 rows: state 1 value',
    ],
  ],
  [
    'values of one column twice',
    and(contains('email', 'user12@'), equals('project', 'p7', 'p8'), equals('project', 'p7')),
    [
      'list up to 2048 of about 12 rows: email 1 value',
      'probe up to 2048, else intersect about 60 rows: project 1 value',
      'probe up to 2048, else intersect about 120 rows: project 2 values',
    ],
  ],
  [
    'a label that the value already has',
    and(equals('project', 'p7'), contains('project', 'apollo 3', 'title')),
    [
      'list up to 2048 of about 60 rows: project 1 value',
      'probe up to 2048, else intersect about 6000 rows: project 100 values',
    ],
  ],
  [
    'a label that the value has not',
    and(equals('project', 'p7'), contains('project', 'apollo 2', 'title')),
    [
      'list up to 2048 of about 60 rows: project 1 value',
      'probe up to 2048, else intersect about 6000 rows: project 100 values',
    ],
  ],
  [
    'a text in any of the columns',
    and(equals('project', 'p7', 'p8'), everywhere('corp')),
    [
      'list up to 2048 of about 120 rows: project 2 values',
      'probe up to 2048, else intersect about 12000 rows: email 1000 values',
    ],
  ],
  [
    'a piece of a UUID, which a value may hold too',
    or(contains('task', '0000-4000'), contains('state', 'fail')),
    ['bitmap of about 25000 rows: task UUID ~ 0000-4000 | state 1 value'],
  ],
  [
    'conjunctions of which one must hold',
    or(and(equals('project', 'p7'), equals('state', 'FAILURE')), contains('email', 'user12@')),
    [
      'bitmap of about 72 rows: email 1 value | (list up to 2048 of about 60 rows: project 1 value; ' +
        'probe up to 2048, else intersect about 1000 rows: state 1 value)',
    ],
  ],
  [
    'few rows that count at all',
    everywhere('corp'),
    [
      'list up to 8192 of about 60 rows: project 1 value',
      'test each: or(project ~ corp, project.title ~ corp, email ~ corp, state ~ corp)',
    ],
    equals('project', 'p7'),
  ],
  [
    'rows that count by two values are wanted as a list',
    everywhere('corp'),
    [
      'list up to 8192 of about 60 rows: project 1 value',
      'probe up to 8192, else intersect about 23000 rows: state 1 value',
      'test each: or(project ~ corp, project.title ~ corp, email ~ corp, state ~ corp)',
    ],
    and(equals('project', 'p7'), equals('state', 'SUCCESS')),
  ],
  [
    'all of the rows that count: nothing is tested',
    { op: 'all' },
    [
      'list up to 2048 of about 60 rows: project 1 value',
      'probe up to 2048, else intersect about 23000 rows: state 1 value',
    ],
    and(equals('project', 'p7'), equals('state', 'SUCCESS')),
  ],
];

describe('plans', () => {
  const page = { sortBy: 'id', descending: false, page: 1, perPage: 1 };
  let pair: Pair;
  let table: TextTable;
  before(function () {
    this.timeout(240_000);
    pair = filled();
    table = pair.index;
  });

  for (const [name, query, plan, within] of CASES) {
    it(`${name}: finds what a scan finds`, () => {
      pair.search({ where: query, ...(within && { within }), ...page, page: 2, perPage: 20 });
    });

    it(`${name}: prints, with what each step came to`, () => {
      const request = { where: query, ...(within && { within }), ...page };
      const { size, steps, counts } = table.explain(request);
      expect([size, counts]).to.deep.equal([ROWS, []]);
      expect(steps.map(({ does }) => does)).to.deep.equal(plan);
      const { total } = pair.scan.search(request);
      expect(steps.at(-1)!.left).to.equal(total);
      // No step leaves more rows than it finds by itself, or than were left before it.
      for (const [i, { left, rows = left }] of steps.entries()) {
        expect(left).to.be.at.most(Math.min(rows, i === 0 ? ROWS : steps[i - 1]!.left));
      }
      expect(table.search(request).total, 'searches go on').to.equal(total);
    });
  }

  it('expects what it finds where values are looked up, and more where they overlap', () => {
    const figures = (where: Query) =>
      table
        .explain({ where, ...page })
        .steps.map(({ estimate, rows, left, form }) => [estimate, rows, left, form]);
    expect(figures(and(contains('email', 'example'), equals('project', 'p7')))).to.deep.equal([
      [60, 60, 60, 'list'],
      [12_000, 12_000, 60, 'list'],
    ]);
    const either = figures(or(contains('state', 'success'), contains('email', 'example')));
    // All 12,000 that have the address are among the 23,000 that have the state.
    expect(either[0]!.slice(0, 2)).to.deep.equal([35_000, 23_000]);
  });

  it("an n-gram's bitmap answers for all columns once maintenance has made it", function () {
    this.timeout(240_000);
    while (table.maintain(50));
    const [step] = table.explain({ where: everywhere('u'), ...page }).steps;
    expect(step!.does).to.match(/^bitmap of about \d+ rows: n-gram 'u'$/);
  });
});
