/** Pages of several partitions, each with a rank index, wherever they are. */
import { expect } from 'chai';
import type {
  ExploreRequest,
  PageRequest,
  Row,
  RowId,
  TableDefinition,
} from '../../src/textindex/api.ts';
import { randomFrom } from '../worlds/random.ts';
import { Pair } from './pair.ts';
import { TINY_LAYOUT } from './tinyLayout.ts';

const ROWS = 2_000;
const definition = {
  name: 'things',
  columns: [
    { name: 'name', expect: 'any', contains: true, sort: true },
    { name: 'date', expect: 'date', sort: true, range: true },
    { name: 'state', expect: 'any', equals: true, facet: true },
  ],
} as const;

describe('pages of several partitions', () => {
  const next = randomFrom(11);
  const row = (id: number): Row => ({
    id,
    cells: [
      `n${Math.floor(next() * 900)}`,
      // Some dates follow the rows, and so lie apart in the partitions.
      new Date(id % 2 === 0 ? id * 1_000 : Math.floor(next() * ROWS) * 1_000),
      ['a', 'b', 'c'][Math.floor(next() ** 2 * 3)]!,
    ],
  });
  const pair = new Pair(definition, { layout: TINY_LAYOUT, partitionRows: 700 });
  const idsOf = (request: PageRequest) => {
    pair.search(request);
    return pair.scan.search(request).ids;
  };
  const compareValues = (ids: readonly RowId[]) => {
    for (const id of ids) {
      const [own, others] = [pair.index, pair.scan].map((one) =>
        one.valuesOf(id, ['name', 'state']),
      );
      expect(own).to.deep.equal(others);
    }
  };
  before(() => {
    for (let id = 0; id < ROWS; id++) pair.put(row(id));
    pair.maintain();
  });

  const searches: Record<string, PageRequest['where']> = {
    'all rows': { op: 'all' },
    'two thirds': { op: 'equals', column: 'state', values: ['a'] },
    'a sixth': { op: 'equals', column: 'state', values: ['c'] },
    few: { op: 'contains', column: 'name', text: 'n77' },
  };
  for (const [name, where] of Object.entries(searches)) {
    it(`are those of a scan, ${name}`, () => {
      for (const sortBy of ['id', 'name', 'date']) {
        for (const descending of [false, true]) {
          for (let page = 1; page < 400; page += 1 + Math.floor(next() * 40)) {
            const ids = idsOf({ where, sortBy, descending, page, perPage: 5 });
            // Rows of the page are looked for in the partitions that it came from, others everywhere.
            compareValues([...ids, ids[0]!]);
          }
        }
      }
    });
  }

  it('are those of a scan while rows change', () => {
    for (let id = 0; id < ROWS; id += 3) {
      if (id % 2 === 0) pair.remove(id);
      else pair.put(row(id));
      if (id % 60 !== 0) continue;
      const request = { where: searches['two thirds']!, sortBy: 'date', descending: id % 120 > 0 };
      const ids = idsOf({ ...request, page: 90, perPage: 5 });
      pair.remove(ids[0]!);
      compareValues(ids);
    }
  });
});

describe('a partition that is being told labels', () => {
  const labelled: TableDefinition = {
    name: 'things',
    columns: [{ name: 'shop', expect: 'any', equals: true, labels: ['name'] }],
  };
  const shops = 400;
  const pairWith = (word: string) => {
    const pair = new Pair(labelled, { layout: TINY_LAYOUT, partitionRows: 32 });
    name(pair, word);
    return pair;
  };
  const name = (pair: Pair, word: string) => {
    for (let n = 0; n < shops; n++) pair.relate('shop', `shop ${n}`, 'name', [`${word} ${n}`]);
  };
  const put = (pair: Pair, from: number, to: number) => {
    for (let id = from; id < to; id++) pair.put({ id, cells: [`shop ${shops - 1 - id}`] });
  };
  const found = (pair: Pair, text: string) =>
    pair.search({
      where: { op: 'contains', column: 'shop', label: 'name', text },
      ...{ sortBy: 'id', descending: false, page: 1, perPage: 100 },
    });

  it('is told all of them before it takes a row', () => {
    const pair = pairWith('old');
    for (let id = 0; id < 40; id++) {
      put(pair, id, id + 1);
      expect(found(pair, 'old')).equal(id + 1);
    }
  });

  it('is told those of now, also where all rows of the first partition have gone', () => {
    const pair = pairWith('old');
    // The second partition is nearly full, and the third one has begun to hear the labels.
    put(pair, 0, 62);
    for (let id = 0; id < 32; id++) pair.remove(id);
    name(pair, 'new');
    put(pair, 62, 90);
    expect(['old', 'new'].map((text) => found(pair, text))).deep.equal([0, 58]);
  });
});

describe('a deep page of several partitions in an order that is not kept', () => {
  const many = 30_000;
  const things: TableDefinition = {
    name: 'things',
    columns: [
      { name: 'name', expect: 'any', equals: true },
      { name: 'state', expect: 'any', equals: true, facet: true },
      { name: 'parts', expect: 'any', equals: true },
    ],
  };
  const pair = new Pair(things, { partitionRows: many / 3 });
  const { index } = pair;
  before(() => {
    const next = randomFrom(7);
    for (let id = 0; id < many; id++) {
      const part = `p${Math.floor(next() * 1e6)}`;
      const cells = [
        `n${Math.floor(next() * 1e6)}`,
        next() < 0.9 ? 'most' : 'few',
        next() < 0.01 ? [part, `q${part}`] : part,
      ];
      pair.put({ id, cells });
    }
    pair.maintain(50);
  });

  const pageOf = (column: string, values: readonly string[], page: number): ExploreRequest => ({
    ...{ where: { op: 'all' }, sortBy: 'id', descending: false, perPage: 10, page },
    conditions: values.length > 0 ? [{ op: 'in', column: 'state', values }] : [],
    order: [{ column, descending: page % 2 === 0 }],
    facets: [{ column: 'state', limit: 2 }],
  });

  it('takes no more memory than a first page', () => {
    index.explore(pageOf('name', ['most'], 1));
    const { bytes } = index;
    for (const page of [1_200, 1_351]) index.explore(pageOf('name', ['most'], page));
    expect(index.bytes - bytes).to.be.below(2 ** 20);
  });

  it('is that of a scan, and counts after it are right', () => {
    for (const column of ['name', 'parts']) {
      for (const values of [[], ['most'], ['few']]) {
        for (const page of [150, 1_401]) {
          pair.explore(pageOf(column, values, page));
        }
      }
    }
  });
});
