/**
 * An order and its rank index against a sorted array. The page of any rank is the same, whatever
 * rows come and go, and in every state of the numbering of ranges.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Keys } from '../../src/textindex/order/keys.ts';
import { Order } from '../../src/textindex/order/order.ts';
import { keepBetween } from '../../src/textindex/order/places.ts';
import { Ids } from '../../src/textindex/order/rowIds.ts';
import { selectFound, selectHits, selectListed } from '../../src/textindex/order/selectPage.ts';
import { Bitmap, copiedRows } from '../../src/textindex/storage/bitmap.ts';
import { clearBit, hasBit } from '../../src/textindex/storage/bits.ts';
import type { RowNumber } from '../../src/textindex/storage/brands.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';
import { SEED } from '../support/seed.ts';

const ROWS = 1500;
const FIRST_ROW = 0 as RowNumber;
const LAYOUT = { ...DEFAULT_LAYOUT, segmentBits: 9, blockRows: 8, fewHits: 4, walkedBlocks: 2 };

/** Rows whose ids are the keys they are sorted by. */
class World {
  readonly space = new Space(LAYOUT);
  readonly ids = new Ids(this.space);
  readonly order = new Order(this.space, this.ids, this.ids);
  readonly keys = new Map<RowNumber, number>();
  /** Orders `lately` by keys that often tie in their numbers, some of them wholly. */
  readonly late: Keys = {
    at: (row) => Math.floor(this.#lateKey(row) / 100) - 1,
    read: (rows, numbers) => {
      for (const [i, row] of rows.entries()) numbers[i] = this.late.at(row as RowNumber);
    },
    decide: (a, b) => this.#lateKey(a) - this.#lateKey(b),
  };
  readonly lately = new Order(this.space, this.late, this.ids);

  constructor() {
    for (let rows = 0; rows < ROWS; rows += this.space.segmentRows) this.space.addSegment();
  }

  put(row: RowNumber, key: number): void {
    if (this.keys.has(row)) this.remove(row);
    this.keys.set(row, key);
    // No two ids are the same: the fraction tells rows with one key apart.
    this.ids.set(row, key + row / 2048);
    this.order.add(row);
    this.lately.add(row);
  }

  remove(row: RowNumber): void {
    if (!this.keys.has(row)) return;
    this.lately.remove(row);
    this.order.remove(row);
    this.keys.delete(row);
    this.ids.forget(row);
  }

  #lateKey(row: RowNumber): number {
    return (this.keys.get(row)! * 31) % 157;
  }

  /** The rows for which it holds, in order. */
  sorted(holds: (row: RowNumber) => boolean): RowNumber[] {
    const key = (row: RowNumber) => this.keys.get(row)! + row / 2048;
    return [...this.keys.keys()].filter(holds).sort((a, b) => key(a) - key(b));
  }

  /** The same page by each way of selecting it. */
  pages(hits: readonly number[], first: number, end: number): number[][] {
    const { space, order } = this;
    space.scratch.reset();
    const list = space.scratch.take(hits.length * 4);
    space.memory.u32.set(hits.toSorted(), list >>> 2);
    const bitmap = space.scratch.bitmap();
    space.kernel.setBits(bitmap, list, hits.length);
    const pages = [
      selectHits(space, order, bitmap, hits.length, { first, end }),
      selectListed(space, order, list, hits.length, { first, end }),
    ];
    space.scratch.giveBack(bitmap);
    if (hits.length === order.size) {
      pages.push(selectFound(space, order, { form: 'all' }, order.size, { first, end }));
    }
    return pages;
  }
}

const placesOf = ({ order, keys }: World, ...bounds: readonly number[]) =>
  bounds.map((bound) => order.placeOf((row) => keys.get(row)! < bound));

/** Some page of a part of the rows. */
function expectPageOf(world: World, rows: readonly RowNumber[], at: number): void {
  const hits = world.sorted((row) => row % 3 > 0 && rows.includes(row));
  const first = at % Math.max(1, hits.length);
  const end = Math.min(hits.length, first + 10);
  for (const page of world.pages(hits, first, end)) {
    expect(page).to.deep.equal(hits.slice(first, end));
  }
}

/** Whether a row is among those that are narrowed to the ones between two places. */
const isSome = (row: number) => row % 3 > 0;

/** The rows themselves, and the narrowed ones. */
function between(world: World, low: number, high: number): number[][] {
  const { space, order, keys } = world;
  space.scratch.reset();
  const live = new Bitmap(space);
  for (const row of keys.keys()) live.add(row);
  const [from, to] = placesOf(world, low, high);
  const [all, some] = [copiedRows(space, live), copiedRows(space, live)];
  for (const row of keys.keys()) if (!isSome(row)) clearBit(space.memory.u8, some, row);
  for (const bitmap of [all, some]) keepBetween(space, order, from!, to!, bitmap);
  live.free();
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  return [all, some].map((one) => rows.filter((row) => hasBit(space.memory.u8, one, row)));
}

const row = fc.nat(ROWS - 1).map((n) => n as RowNumber);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: row, key: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ remove: row }) },
  { weight: 1, arbitrary: fc.record({ steps: fc.nat(40) }) },
);

type Step = { put: RowNumber; key: number } | { remove: RowNumber } | { steps: number };

function take(world: World, one: Step): void {
  if ('put' in one) world.put(one.put, one.key);
  else if ('remove' in one) world.remove(one.remove);
  else for (let i = 0; i < one.steps && world.order.rankIndex.step(); i++);
}

describe('an order', () => {
  it('fills its blocks where rows come nearly in order', () => {
    const world = new World();
    for (let row = 0; row < ROWS; row++) world.put(row as RowNumber, row === 0 ? 2 * ROWS : row);
    world.order.check();
    expect(ROWS / world.order.blocks.length).to.be.above(LAYOUT.blockRows * 0.7);
  });

  it('sorts the rows of a load when they have come, whatever changes meanwhile', () => {
    const change = fc.oneof({ weight: 5, arbitrary: step }, fc.constant('sort' as const));
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60, size: 'max' }),
        fc.nat(ROWS),
        (changes, rows) => {
          const world = new World();
          world.lately.sortLater(world.order);
          for (let row = 0; row < rows; row++) world.put(row as RowNumber, (row * 7919) % 400);
          for (const one of changes) {
            if (one === 'sort') world.lately.sort(0);
            else if (!('steps' in one)) take(world, one);
            expect(world.lately.size).equal(world.keys.size);
          }
          while (world.lately.sort(0));
          world.lately.check();
          const byKey = (a: RowNumber, b: RowNumber) => world.late.decide(a, b);
          expect([...world.lately.rows()]).eql(world.sorted(() => true).toSorted(byKey));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is what sorting makes, and its rank index finds every page', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 30, maxLength: 120 }),
        fc.integer({ min: 1, max: 7 }),
        fc.nat(),
        (steps, every, where) => {
          const world = new World();
          for (let row = FIRST_ROW; row < ROWS; row++)
            if (row % 2 === 0) world.put(row, (row * 7) % 401);
          for (const one of steps) take(world, one);
          world.order.check();
          expect([...world.order.rows()]).to.deep.equal(world.sorted(() => true));
          for (const pick of [every, 1]) {
            const hits = world.sorted((row) => row % pick === 0);
            const first = where % hits.length;
            const end = Math.min(hits.length, first + 10);
            const wanted = hits.slice(first, end);
            for (const page of world.pages(hits, first, end)) expect(page).to.deep.equal(wanted);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('has the rows between two places', () => {
    const steps = fc.array(step, { minLength: 30, maxLength: 120 });
    const bounds = fc.array(fc.tuple(fc.nat(410), fc.nat(410)), { minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(steps, bounds, fc.boolean(), fc.boolean(), (some, all, inOrder, isNumbered) => {
        const world = new World();
        for (let row = FIRST_ROW; row < ROWS; row++)
          if (row % 2 === 0) world.put(row, inOrder ? row >> 2 : (row * 7) % 401);
        for (const one of some) take(world, one);
        if (isNumbered) while (world.order.rankIndex.step());
        for (const [one, other] of all) {
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          const held = [...world.keys].flatMap(([row, key]) =>
            key >= low && key < high ? [row] : [],
          );
          const wanted = held.toSorted((a, b) => a - b);
          expect(between(world, low, high)).to.deep.equal([wanted, wanted.filter(isSome)]);
          expectPageOf(world, held, one);
        }
      }),
      { numRuns: 40, seed: SEED },
    );
  });

  it('has a rank index that is ready after its steps, and stays right while rows come', () => {
    const world = new World();
    for (let row = FIRST_ROW; row < 1000; row++) world.put(row, (row * 13) % 977);
    expect(world.order.rankIndex.ready).to.equal(false);
    while (world.order.rankIndex.step());
    expect(world.order.rankIndex.ready).to.equal(true);
    for (let row = 1000 as RowNumber; row < 1200; row++) world.put(row, (row * 13) % 977);
    world.order.check();
    const hits = world.sorted((row) => row % 3 === 0);
    for (let first = 0; first < hits.length; first += 37) {
      const end = Math.min(hits.length, first + 5);
      for (const page of world.pages(hits, first, end)) {
        expect(page).to.deep.equal(hits.slice(first, end));
      }
    }
  });

  it('finds every page where rows rank as they came, and when some of them do not any more', () => {
    const world = new World();
    for (let row = FIRST_ROW; row < ROWS; row++) world.put(row, row);
    const findsAll = (every: number) => {
      world.order.check();
      const hits = world.sorted((row) => row % every === 0);
      for (let first = 0; first < hits.length; first += 23) {
        const end = Math.min(hits.length, first + 5);
        for (const page of world.pages(hits, first, end)) {
          expect(page).to.deep.equal(hits.slice(first, end));
        }
      }
    };
    while (world.order.rankIndex.step());
    for (const every of [1, 3, 400]) findsAll(every);
    for (let row = 0; row < ROWS; row += 250) world.put(row as RowNumber, ROWS - row);
    for (const every of [1, 3]) findsAll(every);
    while (world.order.rankIndex.step());
    for (const every of [1, 3]) findsAll(every);
  });
});
