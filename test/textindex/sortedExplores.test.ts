/**
 * Sorts by columns without a kept order, over so many values that a sample decides which of them a
 * page needs: as the scan sorts them.
 */
import { before, describe, it } from 'mocha';
import type { Cell, ExploreRequest, Scalar, TableDefinition } from '../../src/textindex/api.ts';
import { decimalFrom } from '../../src/textindex/decimal.ts';
import type { MakeKernel } from '../../src/textindex/kernel/abi.ts';
import { createKernel } from '../../src/textindex/kernel/load.ts';
import { objectIdFrom } from '../../src/textindex/objectId.ts';
import { EMPTY_ARRAY, NOTHING } from '../../src/textindex/scalars.ts';
import { PAGE } from '../../src/textindex/storage/memory.ts';
import { randomFrom } from '../worlds/random.ts';
import { Pair } from './pair.ts';

const ROWS = 9_000;
const SEED = Number(process.env.SEED ?? 20240601);
const next = randomFrom(SEED);
const below = (n: number) => Math.floor(next() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const hex = (digits: number) =>
  Array.from({ length: digits }, () => below(16).toString(16)).join('');
const uuid = (start = hex(8)) => `${start}-0000-4000-8000-${hex(12)}`;

/** The cells of each column. */
const CELLS: Readonly<Record<string, () => Cell>> = {
  // Most begin alike; some come before them, some after, some are of other types.
  url: () =>
    next() < 0.95
      ? `https://shop.test/ordérs/${below(1e9)}`
      : pick<Cell>([
          '',
          'ftp://x',
          `zz${below(9)}`,
          null,
          7,
          '\uffff',
          '😀',
          'https://shop.test/ord',
        ]),
  // Two beginnings, so that neither is that of all.
  coded: () => `${pick(['customer-0000', 'supplier-0000'])}${below(1e6)}`,
  letters: () => Array.from({ length: 8 }, () => pick([...'aé\uffff😀😁\0'])).join(''),
  mostlyNone: () => (next() < 0.6 ? null : `${below(1e9)}`),
  numbers: () =>
    pick<() => Cell>([
      () => below(1e6) / 100,
      () => BigInt(below(1e6)) * 10n ** 12n,
      () => decimalFrom(`0.1${below(1e6)}`)!,
      () => pick([Number.NaN, -Infinity, Infinity, -0, 0, -1.5, 2n ** 70n]),
    ])(),
  dates: () => new Date(below(1e6) * 10 - 5e6),
  arrays: () =>
    next() < 0.5 ? `v${below(3_000)}` : Array.from({ length: below(4) }, () => `v${below(3_000)}`),
  // Lists have values of all types, values that begin alike, or nothing.
  lists: () =>
    Array.from({ length: below(4) }, () =>
      pick<() => Scalar>([
        () => below(200),
        () => decimalFrom(`1.00000000000000000${below(90)}`)!,
        () => `item-0000${below(2_000)}`,
        () => pick<Scalar>([null, NOTHING, EMPTY_ARRAY, true, '', Number.NaN, new Date(below(9))]),
      ])(),
    ),
  uuids: () =>
    next() < 0.7 ? uuid() : Array.from({ length: below(3) }, () => uuid(pick(['0', 'f']))),
  uuid: () => (next() < 0.95 ? uuid() : pick<Cell>(['', null, 'zz', uuid('00000000')])),
  alike: () => uuid(pick(['11111111', '11111111', '22222222'])),
  objectId: () => objectIdFrom(`66666666${pick(['aaaa', 'bbbb'])}${hex(12)}`)!,
  // Made within two windows of time: they begin with one of two times.
  timed: () => uuid(pick(['019aa0b1', '019aa0b1', '019aa1b2'])),
  timedId: () => objectIdFrom(`66666666aaaaaaaaaa${hex(6)}`)!,
  few: () => pick(['a', 'b', 'c']),
};

const definition: TableDefinition = {
  name: 'things',
  columns: Object.keys(CELLS).map((name) => {
    const isUuid = name === 'uuid' || name === 'uuids' || name === 'alike' || name === 'timed';
    const isId = name === 'objectId' || name === 'timedId';
    const expect = isUuid ? 'uuid' : isId ? 'objectId' : 'any';
    return { name, expect, equals: true, ...(isId && { ofIds: true }) };
  }),
};

describe(`sorts by columns without an order (SEED=${SEED})`, () => {
  let pair: Pair;
  let moves = false;
  // The memory's views move whenever they may: then none is right that was read before.
  const kernel: MakeKernel = (memory) => {
    const alloc = memory.alloc.bind(memory);
    memory.alloc = (bytes) => {
      if (moves) memory.reserve(memory.bytes + PAGE);
      return alloc(bytes);
    };
    return createKernel(memory);
  };
  before(() => {
    pair = new Pair(definition, { expectedRows: ROWS, kernel });
    for (let id = 0; id < ROWS; id++) {
      pair.put({ id, cells: Object.values(CELLS).map((draw) => draw()) });
    }
    pair.maintain(50);
    moves = true;
  });

  /** Every fourth time temporary memory and numbers of values are given back, and taken again. */
  const giveBack = (time: number) => {
    if (time % 4 === 0) for (const image of pair.index.images!()) image.close();
  };

  for (const column of Object.keys(CELLS)) {
    it(column, () => {
      for (let i = 0; i < 12; i++) {
        giveBack(i);
        const values = i % 3 === 0 ? ['a', 'b', 'c'] : i % 3 === 1 ? ['a', 'b'] : ['c'];
        const second = { column: pick(['few', 'id', 'coded']), descending: next() < 0.5 };
        const order = [{ column, descending: next() < 0.5 }];
        const request: ExploreRequest = {
          ...{ where: { op: 'all' }, sortBy: 'id', descending: false, facets: [] },
          conditions: i % 3 === 0 ? [] : [{ op: 'in', column: 'few', values }],
          order: i % 2 === 0 && second.column !== column ? [...order, second] : order,
          ...{ perPage: pick([1, 25, 700, ROWS]), page: i < 4 ? 1 : 1 + below(400) },
        };
        pair.explore(request);
      }
    });
  }

  it('of rows that all hold one of many values', () => {
    const columns = ['shared', 'few'].map((name) => ({ name, expect: 'any', equals: true }));
    const tables = new Pair({ name: 'things', columns } as TableDefinition, { expectedRows: ROWS });
    for (let id = 0; id < ROWS; id++) {
      const cells = id < ROWS / 3 ? ['one', 'a'] : [`v${id}`, 'b'];
      tables.put({ id, cells });
    }
    for (const descending of [false, true]) {
      tables.explore({
        ...{ where: { op: 'all' }, sortBy: 'id', descending: false, facets: [] },
        ...{ conditions: [{ op: 'in', column: 'few', values: ['a'] }], perPage: 25, page: 40 },
        order: [{ column: 'shared', descending }],
      });
    }
  });
});
