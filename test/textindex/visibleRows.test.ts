/**
 * The time of a search within few rows says nothing of other rows: not whether they have the text,
 * nor how many of them.
 */
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { ExploreRequest, Query, TableDefinition, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';

const ROWS = 60_000;
const PROJECTS = 400;
const ROUNDS = 300;

const definition: TableDefinition = {
  name: 'tasks',
  columns: [
    { name: 'project', expect: 'any', contains: true, equals: true, labels: ['name'] },
    { name: 'task', expect: 'uuid', contains: true, equals: true },
    { name: 'email', expect: 'any', contains: true },
    { name: 'folder', expect: 'any', contains: true, facet: true },
  ],
  together: [
    { column: 'project' },
    { column: 'project', label: 'name' },
    { column: 'task' },
    { column: 'email' },
    { column: 'folder' },
  ],
};

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
const uuidOf = (n: number) => `${hex(n * 2654435761, 12).slice(-8)}-0000-4000-8000-${hex(n, 12)}`;
const projectOf = (n: number) => uuidOf(1_000_000 + n);
const within: Query = { op: 'equals', column: 'project', values: [projectOf(0)] };

/** Rows of project 0 have none of the texts of all others: `wanted`, and names of their own. */
function foreignTable(projects = PROJECTS): TextTable {
  const table = createIndex(definition, { fold: standardFold(), expectedRows: ROWS });
  for (let n = 0; n < projects; n++) {
    table.relate('project', projectOf(n), 'name', [n === 0 ? 'Own' : `Apollo ${n} wanted`]);
  }
  for (let n = 0; n < ROWS; n++) {
    const project = n % projects;
    const foreign = project === 0 ? 'mine' : `wanted${n % 5_000}`;
    const cells = [projectOf(project), uuidOf(n), `${foreign}@mail.test`, `/${foreign}/in`];
    table.put({ id: n, cells });
  }
  while (table.maintain(50));
  return table;
}

const freeText = (text: string): Query => ({
  op: 'or',
  of: definition.together!.map(({ column, label }) => ({
    op: 'contains',
    column,
    text,
    ...(label !== undefined && { label }),
  })),
});

const inEmail = (text: string): Query => ({ op: 'contains', column: 'email', text });

/** Milliseconds that both take, in turns, as medians. */
function medians(a: () => unknown, b: () => unknown): [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const which of round % 2 ? [0, 1] : [1, 0]) {
      const started = performance.now();
      (which === 0 ? a : b)();
      times[which]!.push(performance.now() - started);
    }
  }
  const median = (all: number[]) => all.sort((x, y) => x - y)[ROUNDS / 2]!;
  return [median(times[0]), median(times[1])];
}

describe('searches within few rows', function () {
  this.timeout(240_000);
  let table: TextTable;
  before(() => {
    table = foreignTable();
  });
  const page = { sortBy: 'id', descending: true, page: 1, perPage: 10, within };
  const equal = (value: string): Query => ({ op: 'equals', column: 'task', values: [value] });
  const PAIRS: readonly (readonly [string, Query, Query])[] = [
    ['a text', freeText('wanted'), freeText('wantex')],
    ['a whole value', freeText('wanted77@mail.test'), freeText('wantex77@mail.test')],
    ["a project's name", freeText('Apollo 77 wanted'), freeText('Apollo 77 wantex')],
    ['a UUID', freeText(uuidOf(77)), freeText(uuidOf(ROWS + 77))],
    ['an id', equal(uuidOf(77)), equal(uuidOf(ROWS + 77))],
    ['an email', inEmail('wanted'), inEmail('wantex')],
  ];

  for (const [name, foreign, absent] of PAIRS) {
    it(`take as long for ${name} that others have as for one that is nowhere`, () => {
      const search = (where: Query) => () => table.search({ ...page, where });
      for (const where of [foreign, absent]) expect(search(where)().total).to.equal(0);
      // The texts of a pair have one form and one length: a third more is many times the noise.
      const [a, b] = medians(search(foreign), search(absent));
      expect(a / b, `${a} against ${b} ms`).to.be.within(0.7, 1.4);
    });
  }

  describe('of more than are listed without a text', () => {
    const all = { ...page, where: { op: 'all' }, conditions: [], facets: [] } as const;
    const ASKED: readonly (readonly [string, (text: string) => ExploreRequest])[] = [
      [
        'a condition on a text',
        (text) => ({
          ...all,
          conditions: [{ op: 'not', of: { op: 'matches', query: freeText(text) } }],
        }),
      ],
      [
        'values that contain a text',
        (text) => ({ ...all, facets: [{ column: 'folder', limit: 10, having: { text } }] }),
      ],
    ];
    let several: TextTable;
    before(() => {
      several = foreignTable(12);
    });

    for (const [name, request] of ASKED) {
      it(`take as long for ${name} that others have`, () => {
        const explore = (text: string) => () => several.explore(request(text));
        expect(explore('wanted')().total).to.equal(ROWS / 12);
        const [a, b] = medians(explore('wanted'), explore('wantex'));
        expect(a / b, `${a} against ${b} ms`).to.be.within(0.7, 1.4);
      });
    }
  });

  it('find what the rows themselves hold', () => {
    const total = (text: string) => table.search({ ...page, where: freeText(text) }).total;
    for (const text of ['mine', 'MINE@mail', 'Own', projectOf(0), '/mine/']) {
      expect(total(text), text).to.equal(ROWS / PROJECTS);
    }
    expect(total(uuidOf(PROJECTS * 3))).to.equal(1);
  });
});
