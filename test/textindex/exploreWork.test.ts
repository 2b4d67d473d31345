/** The work of an explore follows its rows: neither a split facet nor one row with an array multiplies it. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Cell, ExploreRequest, TableDefinition, TextTable } from '../../src/textindex/api.ts';
import { standardFold } from '../../src/textindex/caseFold.ts';
import { decimalFrom } from '../../src/textindex/decimal.ts';
import { ElementLists } from '../../src/textindex/dictionary/elementLists.ts';
import { Values } from '../../src/textindex/dictionary/values.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { RowKeys } from '../../src/textindex/order/sortKeys.ts';
import { randomFrom } from '../worlds/random.ts';

const ROWS = 40_000;

const definition: TableDefinition = {
  name: 'orders',
  columns: [
    { name: 'total', expect: 'number', sort: true, range: true },
    { name: 'email', expect: 'any', contains: true, equals: true, facet: true },
    { name: 'status', expect: 'any', contains: true, equals: true, facet: true },
  ],
};

function tableWith(first: Cell): TextTable {
  const table = createIndex(definition, { fold: standardFold(), expectedRows: ROWS });
  for (let n = 0; n < ROWS; n++) {
    const cells = [n === 0 ? first : n % 997, `${n}@mail.test`, `status ${n % 12}`];
    table.put({ id: n, cells });
  }
  while (table.maintain(50));
  return table;
}

const all: ExploreRequest = {
  ...{ where: { op: 'all' }, sortBy: 'id', descending: false, page: 1, perPage: 10 },
  ...{ conditions: [], facets: [] },
};

/** Milliseconds of the middle of nine calls. */
function median(call: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    call();
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[4]!;
}

/** Counts the values and the lists of values that are read one by one from now on. */
function countedReads() {
  const { at } = Values.prototype;
  const { get } = ElementLists.prototype;
  const read = {
    count: 0,
    end: () => {
      Values.prototype.at = at;
      ElementLists.prototype.get = get;
    },
  };
  Values.prototype.at = function (ordinal) {
    read.count++;
    return at.call(this, ordinal);
  };
  ElementLists.prototype.get = function (row) {
    read.count++;
    return get.call(this, row);
  };
  return read;
}

/** How often a date's time is read during a call, and how many elements of arrays are sorted. */
function countedWork(call: () => void): { readonly dates: number; readonly sorted: number } {
  const { getTime } = Date.prototype;
  const { sort } = Array.prototype;
  let [dates, sorted] = [0, 0];
  Date.prototype.getTime = function () {
    dates++;
    return getTime.call(this);
  };
  Array.prototype.sort = function (compare) {
    sorted += this.length;
    return sort.call(this, compare);
  };
  try {
    call();
  } finally {
    Date.prototype.getTime = getTime;
    Array.prototype.sort = sort;
  }
  return { dates, sorted };
}

/** The numbers that lists begun during a call have room for. */
function countedRoom(call: () => void): number {
  const { Uint32Array: plain } = globalThis;
  let room = 0;
  class Counted extends plain {
    constructor(...given: [number]) {
      super(...given);
      // Others are views.
      if (typeof given[0] === 'number') room += this.length;
    }
  }
  globalThis.Uint32Array = Counted as unknown as typeof plain;
  try {
    call();
  } finally {
    globalThis.Uint32Array = plain;
  }
  return room;
}

describe('the work of an explore', () => {
  it('counts by ten values of another field in one table of counts', () => {
    const table = tableWith(0);
    const email = { column: 'email', limit: 1_000 };
    const grown = (facet: ExploreRequest['facets'][number]) => {
      const before = table.bytes;
      table.explore({ ...all, facets: [facet] });
      return table.bytes - before;
    };
    grown(email);
    expect(grown({ ...email, by: { column: 'status', limit: 10 } })).lessThan(6 * ROWS * 4);
  });

  it('sorts by several fields as quickly where a row holds an array', () => {
    const order = ['total', 'email'].map((column) => ({ column, descending: true }));
    const [plain, odd] = [tableWith(0), tableWith([1, 2])].map((table) =>
      median(() => table.explore({ ...all, order, page: ROWS / 20 })),
    );
    expect(odd).lessThan(5 * plain! + 2);
  });

  it('reads the values of a second field once for all ties of a page', () => {
    const table = tableWith(0);
    const [few, many] = ['status', 'email'].map((column) => {
      const order = ['id', column].map((one) => ({ column: one, descending: false }));
      return median(() => table.explore({ ...all, order, perPage: ROWS / 10 }));
    });
    expect(many).lessThan(5 * few! + 2);
  });

  it('reads the dates of few of the rows that tie with those of a page', () => {
    const columns = [
      { name: 'email', expect: 'any', equals: true },
      { name: 'done', expect: 'date', sort: true },
    ] as const;
    const table = createIndex({ name: 'tied', columns }, { fold: standardFold() });
    for (let id = 0; id < ROWS; id++) {
      table.put({ id, cells: [`${(id * 7919) % 1_000}@x.org`, id % 2 ? new Date(id) : null] });
    }
    while (table.maintain(50));
    const { at } = RowKeys.prototype;
    let reads = 0;
    RowKeys.prototype.at = function (row) {
      reads++;
      return at.call(this, row);
    };
    try {
      const order = ['done', 'email'].map((column) => ({ column, descending: false }));
      for (const page of [1, ROWS / 50, ROWS / 20]) table.explore({ ...all, order, page });
    } finally {
      RowKeys.prototype.at = at;
    }
    expect(reads).lessThan(ROWS / 10);
  });

  it('makes no list as long as the table for a page of a column without an order', () => {
    const table = tableWith(0);
    for (const column of ['email', 'status']) {
      const order = [{ column, descending: false }];
      for (const page of [1, ROWS / 20]) {
        const room = countedRoom(() => table.explore({ ...all, order, page }));
        expect(room, `${column}, page ${page}`).within(1, ROWS / 4);
      }
    }
  });

  it('reads no value of the rows before a page of a field that holds several values', () => {
    const columns = [{ name: 'accounts', expect: 'number', range: true }] as const;
    const table = createIndex({ name: 'ledger', columns }, { fold: standardFold() });
    const next = randomFrom(7);
    for (let id = 0; id < ROWS; id++) {
      const accounts = Array.from({ length: id % 4 }, () => Math.floor(next() * 600));
      table.put({ id, cells: [accounts] });
    }
    while (table.maintain(50));
    const read = countedReads();
    try {
      for (const descending of [false, true]) {
        const order = [{ column: 'accounts', descending }];
        for (const page of [1, ROWS / 20, ROWS / 10]) table.explore({ ...all, order, page });
        table.explore({ ...all, order, perPage: ROWS });
      }
    } finally {
      read.end();
    }
    expect(read.count).lessThan(ROWS / 10);
  });

  it('reads each date of an array once, and sorts no list of elements', () => {
    const columns = [
      { name: 'sorted', expect: 'number', sort: true, range: true },
      { name: 'listed', expect: 'number', range: true },
      { name: 'dates', expect: 'date', sort: true, range: true },
    ] as const;
    const table = createIndex({ name: 'ledger', columns }, { fold: standardFold() });
    const next = randomFrom(9);
    for (let id = 0; id < ROWS; id++) {
      const numbers = Array.from({ length: 3 }, () => Math.floor(next() * 1e9));
      table.put({ id, cells: [numbers, numbers, numbers.map((ms) => new Date(ms))] });
    }
    while (table.maintain(50));
    const ranks = (count: number) => [0, count >>> 1, count - 1];
    const histogram = { column: 'dates', boundaries: () => [0, 2e8, 4e8, 1e9] };
    const stats = columns.map(({ name }) => ({ stats: [{ column: name, ranks }] }));
    for (const asked of [...stats, { histogram }]) {
      const work = countedWork(() => table.explore({ ...all, ...asked }));
      expect(work.dates).at.most(ROWS * 3 + 100);
      expect(work.sorted).at.most(100);
    }
  });

  it('reads the values of a range beside its bounds alone, where no order is kept', () => {
    const columns = [{ name: 'date', expect: 'date', range: true }] as const;
    const table = createIndex({ name: 'dated', columns }, { fold: standardFold() });
    for (let id = 0; id < ROWS; id++) {
      const date = new Date(id * 1_000);
      table.put({ id, cells: [id % 2 ? date : [date, null]] });
    }
    const from = new Date(10_000);
    const to = new Date((ROWS - 10) * 1_000);
    const found: number[] = [];
    const { dates } = countedWork(() => {
      for (const one of [
        { op: 'range', from, to },
        { op: 'range', from },
        { op: 'nothing' },
      ] as const) {
        const { total } = table.explore({ ...all, conditions: [{ ...one, column: 'date' }] });
        found.push(total);
      }
    });
    expect(found).deep.equal([ROWS - 20, ROWS - 10, ROWS / 2]);
    expect(dates).at.most(100);
  });

  it('looks at the decimals with one nearest double once, also where lists and plain values are merged', () => {
    const table = createIndex(
      { name: 'prices', columns: [{ name: 'price', expect: 'number', sort: true, range: true }] },
      { fold: standardFold() },
    );
    const prices = ['19.99', '5.01', '0.1'].map((text) => decimalFrom(text)!);
    for (let id = 0; id < ROWS; id++) {
      const price = prices[id % 3]!;
      table.put({ id, cells: [id % 2 ? price : [price, prices[(id + 1) % 3]!]] });
    }
    while (table.maintain(50));
    const ranks = (count: number) => [0, count >>> 1, count - 1];
    let result: unknown;
    const { sorted } = countedWork(() => {
      const { stats } = table.explore({ ...all, stats: [{ column: 'price', ranks }] });
      result = stats.map(({ values }) => values);
    });
    expect(result).deep.equal([[prices[2], prices[1], prices[0]]]);
    expect(sorted).at.most(100);
  });

  it('finds the first and the last date as quickly where both are far from the ends of the order', () => {
    const columns = [
      { name: 'status', expect: 'any', equals: true },
      { name: 'date', expect: 'date', sort: true, range: true },
    ] as const;
    const rows = 5 * ROWS;
    const table = createIndex({ name: 'dated', columns }, { fold: standardFold() });
    for (let n = 0; n < rows; n++) {
      const isMiddle = Math.abs(n - rows / 2) < rows / 3;
      table.put({ id: n, cells: [isMiddle ? 'middle' : 'ends', new Date(n * 1_000)] });
    }
    while (table.maintain(50));
    const boundaries = (first = 0, last = 0) => [first, last + 1];
    const [near, far] = ['ends', 'middle'].map((status) => {
      const where = { op: 'equals', column: 'status', values: [status] } as const;
      const histogram = { column: 'date', boundaries };
      return median(() => table.explore({ ...all, where, histogram }));
    });
    expect(far).lessThan(5 * near! + 0.5);
  });

  it('sorts by ids that begin with nearly the same time as quickly as by random ones', () => {
    const ids = { expect: 'uuid', equals: true } as const;
    const columns = ['random', 'timed'].map((name) => ({ name, ...ids }));
    const table = createIndex({ name: 'events', columns }, { fold: standardFold() });
    const next = randomFrom(5);
    const hex = (digits: number) =>
      Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
    const rows = ROWS * 3;
    for (let id = 0; id < rows; id++) {
      const cells = [hex(8), `019aa0${hex(2)}`].map(
        (start) => `${start}-${hex(4)}-7000-8000-${hex(12)}`,
      );
      table.put({ id, cells });
    }
    while (table.maintain(50));
    const [random, timed] = columns.map(({ name }) => {
      const order = [{ column: name, descending: false }];
      return median(() => table.explore({ ...all, order, page: rows / 20 }));
    });
    expect(timed).lessThan(10 * random! + 2);
  });
});
