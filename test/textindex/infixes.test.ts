import { expect } from 'chai';
import fc from 'fast-check';
import type { Query, TableDefinition } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { Bitmap } from '../../src/textindex/storage/bitmap.ts';
import { SEED } from '../support/seed.ts';
import { randomFrom } from '../worlds/random.ts';
import { Pair } from './pair.ts';

const fold = standardFold();
const definition = {
  name: 'things',
  columns: [
    { name: 'path', expect: 'any', contains: true, equals: true },
    { name: 'kind', expect: 'any', contains: true, equals: true },
    { name: 'number', expect: 'number', sort: true },
  ],
} as const satisfies TableDefinition;

const contains = (text: string): Query => ({ op: 'contains', column: 'path', text });

/** Infixes are chosen from 64 bytes of text on, and texts walked whenever four have come. */
const LAYOUT = {
  segmentBits: 7,
  denseRows: 16,
  freshRows: 4,
  precomputeRows: 1,
  infixTextBytes: 64,
  largeTextBytes: 64,
  textBlockBits: 0,
};

class Paths extends Pair {
  constructor(layout: object = LAYOUT) {
    super(definition, { layout });
  }

  putPaths(id: number, ...paths: string[]): void {
    const path = paths.length === 1 ? paths[0]! : paths;
    this.put({ id, cells: [path, id % 2 ? 'odd' : 'even', id] });
  }

  /** Rows to put, ids to remove, or maintenance to do. */
  take(step: readonly (readonly [number, readonly string[]] | number)[] | 'maintain' | 'a step') {
    if (typeof step === 'string') {
      this.maintain(step === 'maintain' ? 1000 : 0);
      return;
    }
    for (const change of step) {
      if (typeof change === 'number') this.remove(change);
      else this.putPaths(change[0], ...change[1]);
    }
  }

  compare(where: Query): void {
    this.search({ where, sortBy: 'number', descending: false, page: 1, perPage: 1000 });
  }

  /** Whether a search for the text reads the rows of an infix. */
  keeps(text: string): boolean {
    return this.planOf(text).includes('infix');
  }

  /** The plan of a search for the text, a step a line. */
  planOf(text: string): string {
    const page = { sortBy: 'number', descending: false, page: 1, perPage: 1 };
    const { steps } = this.index.explain({ where: contains(text), ...page });
    return steps.map(({ does }) => does).join('\n');
  }
}

describe('infixes', function () {
  this.timeout(240_000);

  it('enter the rows of a few values at a time where values have many rows', () => {
    const pair = new Paths({ infixTextBytes: 1_024, precomputeRows: 1_000 });
    const [values, rowsOfEach] = [300, 200];
    for (let id = 0; id < values * rowsOfEach; id++) {
      pair.index.put({ id, cells: [`/street/${id % values}`, 'even', id] });
    }
    const { add } = Bitmap.prototype;
    let entered = new Set<number>();
    Bitmap.prototype.add = function addAndNote(row) {
      entered.add(row);
      add.call(this, row);
    };
    let most = 0;
    try {
      while (pair.index.maintain(0)) {
        most = Math.max(most, entered.size);
        entered = new Set();
      }
    } finally {
      Bitmap.prototype.add = add;
    }
    expect(pair.keeps('street/1')).equal(true);
    expect(most).within(2_048, 2_048 + rowsOfEach);
  });

  it('answer for what many texts hold, and for nothing else', () => {
    const pair = new Paths({ infixTextBytes: 65_536, precomputeRows: 1_000 });
    const next = randomFrom(5);
    const pick = (words: readonly string[]) => words[Math.floor(next() * words.length)]!;
    const towns = ['Berlin', 'Москва', 'Lisbon', 'Oslo', '東京😀'];
    for (let id = 0; id < 6_000; id++) pair.putPaths(id, `/${pick(towns)}/${pick(towns)}-${id}`);
    expect(pair.keeps('berlin')).to.equal(false);
    pair.maintain();
    pair.index.check();
    const kept = ['berlin', 'ERLI', 'москва', '東京', '京😀', 'lin/', '-1', '1'];
    for (const text of kept) expect(pair.keeps(text), text).to.equal(true);
    for (const text of ['-1234', '777', 'nowhere', 'n/berlinx']) {
      expect(pair.keeps(text), text).to.equal(false);
    }
    expect(pair.planOf('/')).to.equal('all');
    const where = [...kept, '/', '-1234', '777', 'oslo/lisbon-3'].map(contains);
    for (const one of where) pair.compare(one);
    const odd: Query = { op: 'equals', column: 'kind', values: ['odd'] };
    const few: Query = { op: 'contains', column: 'path', text: '-17' };
    for (const one of where) {
      pair.compare({ op: 'and', of: [one, odd] });
      pair.compare({ op: 'and', of: [one, few] });
      pair.compare({ op: 'or', of: [one, few] });
    }
    // Rows of texts that were walked, of new ones, and of none.
    for (let id = 0; id < 2_000; id += 3) pair.putPaths(id, `/Berlin/${id}`);
    for (let id = 1; id < 2_000; id += 3) pair.remove(id);
    for (let id = 2; id < 2_000; id += 30) pair.putPaths(id, '/Oslo/Oslo-3', '/Berlin');
    for (const one of where) pair.compare(one);
    pair.index.check();
    pair.maintain();
    pair.index.check();
    for (const one of where) pair.compare(one);
  });

  it('are not kept for ids while these are few', () => {
    const next = randomFrom(8);
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
    const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
    for (const [largeTextBytes, kept] of [
      [100_000, false],
      [64, true],
    ] as const) {
      const pair = new Paths({ ...LAYOUT, largeTextBytes });
      for (let id = 0; id < 300; id++) pair.putPaths(id, uuid());
      pair.maintain();
      pair.index.check();
      for (const text of ['a', '4f']) {
        expect(pair.keeps(text), text).to.equal(kept);
        pair.compare(contains(text));
      }
    }
  });

  it('are told apart when texts come that hold one and not the other', () => {
    const pair = new Paths();
    for (let id = 0; id < 80; id++) pair.putPaths(id, `${id} ${id % 3 ? 'anna' : 'otto'}`);
    pair.maintain();
    for (const text of ['anna', 'ann', 'nna', 'nn']) expect(pair.keeps(text), text).to.equal(true);
    for (let id = 80; id < 100; id++) pair.putPaths(id, `${id} hannes`);
    pair.maintain();
    pair.index.check();
    // All four stood in the same texts; two of them stand in the new ones too.
    for (const text of ['anna', 'nna']) expect(pair.keeps(text), text).to.equal(true);
    for (const text of ['ann', 'nn']) expect(pair.keeps(text), text).to.equal(false);
    for (const text of ['anna', 'ann', 'nna', 'nn', 'hann']) pair.compare(contains(text));
    // Twice as many rows: the infixes are chosen again.
    for (let id = 100; id < 200; id++) pair.putPaths(id, `${id} anna`);
    pair.maintain();
    expect(pair.keeps('anna')).to.equal(true);
    for (const text of ['anna', 'ann', 'nna', 'nn', 'hann']) pair.compare(contains(text));
    pair.index.check();
  });

  it('are fewer of a column whose rows become many', () => {
    const pair = new Paths({ ...LAYOUT, memoryPages: 256 });
    const next = randomFrom(11);
    const letters = [...'abcdefghijklmnop'];
    const word = () => Array.from({ length: 12 }, () => letters[Math.floor(next() * 16)]).join('');
    const paths = Array.from({ length: 400 }, word);
    const pairs = letters.flatMap((a) => letters.map((b) => a + b));
    const kept = () => pairs.filter((text) => pair.keeps(text)).length;
    for (let id = 0; id < 1_000; id++) pair.putPaths(id, paths[id % 400]!);
    pair.maintain();
    expect(kept()).to.be.above(200);
    for (let id = 1_000; id < 33_000; id++) pair.putPaths(id, paths[id % 400]!);
    pair.maintain();
    expect(kept()).to.be.within(20, 64);
    for (const text of pairs) pair.compare(contains(text));
    pair.index.check();
  });

  it('of labels follow a value whose label changes, except for rows with another such value', () => {
    const shops = {
      name: 'orders',
      columns: [
        { name: 'shop', expect: 'any', equals: true, labels: ['name'] },
        { name: 'number', expect: 'number', sort: true },
      ],
    } as const satisfies TableDefinition;
    const pair = new Pair(shops, { layout: LAYOUT });
    const { index } = pair;
    const tell = (shop: number, ...names: string[]) => pair.relate('shop', shop, 'name', names);
    const put = (id: number, ...held: number[]) => pair.put({ id, cells: [held, id] });
    const page = { sortBy: 'number', descending: false, page: 1, perPage: 1000 };
    const asked = (text: string) => {
      const where: Query = { op: 'contains', column: 'shop', label: 'name', text };
      return { where, ...page };
    };
    const compare = () => {
      for (const text of ['anna', 'nn', 'otto', 'tt', 'b', 'carla']) pair.search(asked(text));
      index.check();
    };
    for (let shop = 0; shop < 40; shop++) tell(shop, shop % 2 ? `anna ${shop}` : `otto ${shop}`);
    tell(4, 'otto 4', 'anna 4');
    for (let id = 0; id < 200; id++) put(id, id % 40, ...(id % 3 ? [] : [(id * 7) % 40]));
    pair.maintain();
    for (const text of ['anna', 'ott', 'nn']) {
      const [first] = index.explain(asked(text)).steps;
      expect(first!.does, text).to.match(/shop infix/);
    }
    compare();
    for (let shop = 0; shop < 40; shop += 4) tell(shop, `carla ${shop}`);
    tell(1);
    tell(3, 'anna 3', 'otto b');
    compare();
    for (let id = 0; id < 200; id += 5) put(id, (id + 1) % 40, 4);
    pair.maintain();
    compare();
    // So many rows are a bitmap.
    for (const name of ['anna 4', 'otto', 'carla']) {
      tell(4, name);
      compare();
      pair.maintain();
      compare();
    }
  });

  it('of a label of very many rows change without a look at each', () => {
    const shops = {
      name: 'orders',
      columns: [{ name: 'shop', expect: 'any', equals: true, labels: ['name'] }],
    } as const satisfies TableDefinition;
    const index = createIndex(shops, { fold, layout: LAYOUT });
    for (let shop = 0; shop < 40; shop++) index.relate('shop', shop, 'name', [`anna ${shop}`]);
    for (let id = 0; id < 2_000; id++) index.put({ id, cells: [id % 4 === 0 ? 0 : id % 40] });
    while (index.maintain(1000));
    let looks = 0;
    const { add, delete: remove } = Bitmap.prototype;
    Bitmap.prototype.add = function counted(row) {
      looks++;
      add.call(this, row);
    };
    Bitmap.prototype.delete = function counted(row) {
      looks++;
      remove.call(this, row);
    };
    try {
      index.relate('shop', 0, 'name', ['anna anew']);
      while (index.maintain(1000));
    } finally {
      Object.assign(Bitmap.prototype, { add, delete: remove });
    }
    expect(looks).to.equal(0);
    index.check();
  });

  const word = fc.constantFrom('ann', 'anna', 'an', 'Ø', '東', '😀', 'x-1', 'B');
  const path = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('/'));
  const paths = fc.oneof(
    { weight: 8, arbitrary: path.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(path, { minLength: 2, maxLength: 3 }) },
  );
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.tuple(fc.nat(150), paths), { maxLength: 40, size: 'max' }),
    },
    { weight: 2, arbitrary: fc.array(fc.nat(150), { maxLength: 60, size: 'max' }) },
    { weight: 3, arbitrary: fc.constantFrom('maintain' as const, 'a step' as const) },
  );
  it(`find what a scan does while rows come and go (SEED=${SEED})`, () => {
    let kept = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 8, maxLength: 24, size: 'max' }), (steps) => {
        const pair = new Paths();
        for (const one of steps) {
          pair.take(one);
          for (const text of ['ann', 'anna', 'n/a', '/', 'ø', '東/', '1/b', 'na/😀']) {
            if (pair.keeps(text)) kept++;
            pair.compare(contains(text));
          }
        }
        pair.index.check();
      }),
      { numRuns: 12, seed: SEED },
    );
    expect(kept, 'searches by an infix').to.be.greaterThan(500);
  });
});
