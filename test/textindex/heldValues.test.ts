/** What the rows of a group hold is known while they change, and searches within it find what a scan finds. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type {
  Cell,
  PageRequest,
  Query,
  TableDefinition,
  TextTable,
} from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/indexTable.ts';
import type { Layout } from '../../src/textindex/storage/space.ts';
import { createScan } from '../oracles/scan.ts';
import { randomFrom } from '../worlds/random.ts';

const definition: TableDefinition = {
  name: 'tasks',
  columns: [
    { name: 'project', expect: 'repeating', contains: true, equals: true, labels: ['title'] },
    { name: 'scope', expect: 'few', equals: true },
    { name: 'task', expect: 'uuid', contains: true, equals: true },
    { name: 'email', expect: 'repeating', contains: true, equals: true },
    { name: 'state', expect: 'few', contains: true },
  ],
};

const ROWS = 400;
const CHANGES = 1_200;
const PROJECTS = 6;
const FEW = 300;
const MANY = 4_600;
const TEXTS = ['ann', 'bob', '@x', 'done', 'p1', 'apollo', '0', 'nowhere', ''];

const LAYOUTS: readonly (readonly [string, Partial<Layout>])[] = [
  ['all groups', { heldRows: 1 }],
  ['few groups, one in place of the other', { heldRows: 1, heldValues: 120, segmentBits: 7 }],
  ['groups of some rows', { heldRows: 40 }],
];

const equals = (column: string, value: Cell): Query => ({
  op: 'equals',
  column,
  values: [value as string],
});

/** Draws rows, groups and searches. */
class Draws {
  readonly #next = randomFrom(71);
  below = (n: number) => Math.floor(this.#next() * n);
  #pick = <T>(of: readonly T[]) => of[this.below(of.length)]!;

  row(id: number) {
    const digits = this.below(1e6).toString(16).padStart(12, '0');
    const email = () => `${this.#pick(['ann', 'bob', 'eve'])}${this.below(20)}@x.org`;
    const cells: Cell[] = [
      this.below(30) === 0 ? [this.#project(), this.#project()] : this.#project(),
      this.#pick(['project', 'project', 'project', 'system']),
      this.below(9) === 0 ? `old ${digits}` : `${digits.slice(-8)}-0000-4000-8000-${digits}`,
      this.below(25) === 0 ? this.#pick<Cell>([[email(), email()], [], null, 7]) : email(),
      this.below(40) === 0 ? ['done', 'again'] : this.#pick(['done', 'failed', null]),
    ];
    return { id, cells };
  }

  request(): PageRequest {
    const { columns } = definition;
    const text = this.#pick(TEXTS);
    const anywhere: Query[] = columns
      .filter(({ contains }) => contains)
      .map(({ name }) => ({ op: 'contains', column: name, text }));
    const titled: Query = { op: 'contains', column: 'project', label: 'title', text };
    const email = equals('email', `ann${this.below(20)}@x.org`);
    const where = this.#pick<Query>([
      { op: 'or', of: [...anywhere, titled] },
      { op: 'and', of: [{ op: 'or', of: anywhere }, email] },
      this.#pick([...anywhere, titled]),
      email,
      equals('scope', 'project'),
    ]);
    const project = equals('project', this.#project());
    const parts = [project, ...(this.below(3) > 0 ? [equals('scope', 'project')] : [])];
    return {
      ...{ where, within: { op: 'and', of: parts } },
      ...{ sortBy: 'id', descending: this.below(2) === 0, page: 1, perPage: 5 },
    };
  }

  #project(): string {
    return `p${this.below(PROJECTS)}`;
  }
}

/** Changes both and asks both, in turns. */
function live(layout: Partial<Layout>): number {
  const draws = new Draws();
  const options = { fold: standardFold() };
  const table = createIndex(definition, { ...options, layout });
  const both: TextTable[] = [table, createScan(definition, options)];
  let found = 0;
  for (let n = -ROWS; n < CHANGES; n++) {
    const id = n < 0 ? n + ROWS : draws.below(ROWS);
    const row = draws.row(id);
    const gone = n >= 0 && draws.below(4) === 0;
    const [project, title] = [`p${draws.below(PROJECTS)}`, `Apollo ${draws.below(3)}`];
    for (const one of both) {
      if (gone) one.remove(id);
      else one.put(row);
      if (n % 20 === 0) one.relate('project', project, 'title', [title]);
    }
    if (n < 0) continue;
    const request = draws.request();
    const [got, wanted] = both.map((one) => one.search(request));
    expect(got, JSON.stringify(request)).to.deep.equal(wanted);
    found += wanted!.total;
    if (n % 50 === 0) table.check();
    if (n % 90 === 0) while (table.maintain(5));
  }
  return found;
}

/** A group that has few values when it is first searched, then too many, then few again. */
function grow(): number {
  const options = { fold: standardFold() };
  const table = createIndex(definition, { ...options, layout: { heldRows: 1 } });
  const both: TextTable[] = [table, createScan(definition, options)];
  const search = () => {
    const [got, wanted] = both.map((one) =>
      one.search({
        where: { op: 'contains', column: 'email', text: '7@x' },
        within: equals('project', 'p0'),
        ...{ sortBy: 'id', descending: false, page: 1, perPage: 5 },
      }),
    );
    expect(got).to.deep.equal(wanted);
    table.check();
    return wanted!.total;
  };
  let found = 0;
  for (let id = 0; id < MANY; id++) {
    const email = id < FEW ? `few${id % 20}@x.org` : `own${id}@x.org`;
    for (const one of both) one.put({ id, cells: ['p0', null, null, [email, 'a@x.org'], null] });
    if (id === FEW || id === MANY - 1) found += search();
  }
  for (let id = FEW; id < MANY; id++) for (const one of both) one.remove(id);
  for (let id = 0; id < FEW; id++) {
    for (const one of both) one.put({ id, cells: ['p0', null, null, `new${id % 30}@x.org`, null] });
    if (id % 100 === 0) found += search();
  }
  return found + search();
}

describe('values that the rows of a group hold', () => {
  it('that has too many of them after it was searched: found as by a scan', function () {
    this.timeout(120_000);
    expect(grow()).to.be.above(FEW);
  });

  for (const [name, layout] of LAYOUTS) {
    it(`${name}: found as by a scan, while rows change`, function () {
      this.timeout(120_000);
      expect(live(layout)).to.be.above(CHANGES);
    });
  }
});
