import { expect } from 'chai';
import fc from 'fast-check';
import { Union } from '../../src/textindex/evaluate/union.ts';
import { Uuids } from '../../src/textindex/ids/column.ts';
import { type IdFormat, OBJECT_ID, UUID } from '../../src/textindex/ids/format.ts';
import { mayStandIn } from '../../src/textindex/ids/piece.ts';
import { parseUuid, readUuid } from '../../src/textindex/ids/text.ts';
import { objectIdFrom, textOfId } from '../../src/textindex/objectId.ts';
import { type Pointer, plus, type RowNumber } from '../../src/textindex/storage/brands.ts';
import { DEFAULT_LAYOUT, Space } from '../../src/textindex/storage/space.ts';

const CANONICAL = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const ROWS = 300;
const MOST = 12;

/** A UUID of nibbles; the first ones from a clock, as in version 7, or random, as in version 4. */
const uuid = fc
  .tuple(
    fc.constantFrom('ordered', 'random', 'any'),
    fc.nat(0x1fff),
    fc.array(fc.constantFrom(0, 0, 1, 4, 10, 15), { minLength: 32, maxLength: 32 }),
  )
  .map(([kind, clock, nibbles]) => {
    const digits = nibbles.map((nibble) => nibble.toString(16)).join('');
    const time = `0190ab${clock.toString(16).padStart(6, '0')}`;
    if (kind === 'any') return dashed(digits);
    if (kind === 'random') return dashed(`${digits.slice(0, 12)}4${digits.slice(13)}`);
    return dashed(`${time}7${digits.slice(13)}`);
  });

function dashed(digits: string): string {
  return [0, 8, 12, 16, 20].map((at, i, all) => digits.slice(at, all[i + 1])).join('-');
}

/** A piece of one of the UUIDs, sometimes spoilt. */
const piece = fc.tuple(
  fc.nat(),
  fc.nat(),
  fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 36 })),
  fc.constantFrom('', '', '', '', 'f', '-', '1', 'z'),
);

const step = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    row: fc.nat(ROWS - 21).map((n) => n as RowNumber),
    uuids: fc.array(uuid, { minLength: 1, maxLength: 20 }),
  }),
  fc.record({
    do: fc.constant('remove' as const),
    row: fc.nat(ROWS - 1).map((n) => n as RowNumber),
  }),
  fc.record({ do: fc.constant('sort' as const), steps: fc.constantFrom(1, 3, 25, 200) }),
  fc.record({ do: fc.constant('search' as const), pieces: fc.array(piece, { maxLength: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Searched for at the end of every run: the shortest pieces. */
const SHORT = ['0', '4', 'f', '-', '', '0-', '-0', '4-', '-4', '0-0', '-00', '00-', '000-', '-000'];

const FORMATS = { UUIDs: UUID, ObjectIds: OBJECT_ID } as const;

/** Ids as the index keeps them, and as a plain map. */
class Pair {
  readonly #format: IdFormat;
  readonly #space: Space;
  readonly #uuids: Uuids;
  readonly #plain = new Map<RowNumber, string>();
  readonly #list: Pointer;

  constructor(format: IdFormat) {
    this.#format = format;
    this.#space = new Space({ ...DEFAULT_LAYOUT, segmentBits: 7, freshRows: 3 });
    for (let rows = 0; rows < ROWS; rows += this.#space.segmentRows) this.#space.addSegment();
    this.#uuids = new Uuids(this.#space, format);
    this.#list = this.#space.memory.alloc(ROWS * 8);
  }

  run(step: Step): void {
    switch (step.do) {
      case 'put':
        for (const [i, uuid] of step.uuids.entries()) this.put((step.row + i) as RowNumber, uuid);
        break;
      case 'remove':
        this.remove(step.row);
        break;
      case 'sort':
        this.sort(step.steps);
        break;
      case 'search':
        for (const drawn of step.pieces) this.search(this.pieceOf(drawn));
    }
  }

  put(row: RowNumber, uuid: string): void {
    this.remove(row);
    const isUuid = this.#format === UUID;
    const text = isUuid ? uuid : uuid.replaceAll('-', '').slice(0, 24);
    this.#uuids.add(row, isUuid ? uuid : objectIdFrom(text));
    this.#plain.set(row, text);
  }

  remove(row: RowNumber): void {
    if (this.#plain.delete(row)) this.#uuids.remove(row);
  }

  sort(steps: number): void {
    for (let i = 0; i < steps && this.#uuids.step(); i++);
  }

  /** A piece of some UUID that is there, with something added. */
  pieceOf([which, at, length, added]: readonly [number, number, number, string]): string {
    const all = [...this.#plain.values()];
    const text = all[which % Math.max(1, all.length)] ?? '0190';
    const from = at % Math.max(1, text.length - length + 1);
    return text.slice(from, from + length) + added;
  }

  search(text: string): void {
    if (!mayStandIn(this.#format, text)) return;
    const wanted = [...this.#plain].filter(([, uuid]) => uuid.includes(text)).map(([row]) => row);
    wanted.sort((a, b) => a - b);
    expect(this.#contained(text), `contains ${text}`).to.deep.equal(wanted);
    const found = this.#found(text);
    const many = wanted.length > MOST;
    if (many || found !== 'many')
      expect(found, `find ${text}`).to.deep.equal(many ? 'many' : wanted);
    for (const every of [1, 3, 60]) this.#split(text, every, new Set(wanted));
  }

  /** Asks some rows, with and without a UUID. */
  #split(text: string, every: number, wanted: ReadonlySet<RowNumber>): void {
    const rows = Array.from({ length: ROWS }, (_, row) => row as RowNumber).filter(
      (n) => n % every === 0,
    );
    const { memory } = this.#space;
    memory.u32.set(rows, this.#list >>> 2);
    const held = plus(this.#list, ROWS * 4);
    const n = this.#uuids.search.split(text, this.#list, rows.length, held);
    expect(this.#read(held, n), `split ${text}`).to.deep.equal(rows.filter((s) => wanted.has(s)));
    const left = this.#read(this.#list, rows.length - n);
    expect(left).to.deep.equal(rows.filter((row) => !wanted.has(row)));
  }

  #read(list: Pointer, n: number): RowNumber[] {
    return Array.from(this.#space.memory.u32.subarray(list >>> 2, (list >>> 2) + n)) as RowNumber[];
  }

  #contained(text: string): number[] {
    const { memory } = this.#space;
    const union = new Union(this.#space);
    this.#uuids.search.addTo(union, text);
    const some = !union.isEmpty;
    const bitmap = union.finish();
    const rows = Array.from({ length: ROWS }, (_, row) => row as RowNumber).filter(
      (row) => (memory.u8[bitmap + (row >>> 3)]! >>> (row & 7)) & 1,
    );
    this.#space.scratch.giveBack(bitmap);
    if (!some) expect(rows).to.deep.equal([]);
    return rows;
  }

  #found(text: string): readonly number[] | 'many' {
    const n = this.#uuids.search.find(text, this.#list, MOST);
    if (n === 'many') return n;
    return [...new Set(this.#read(this.#list, n))].sort((a, b) => a - b);
  }

  check(): void {
    this.#uuids.check();
    for (const [row, uuid] of this.#plain) {
      expect(textOfId(this.#uuids.idAt(row))).to.equal(uuid);
    }
  }
}

describe('UUIDs', function () {
  this.timeout(240_000);

  it('are taken as canonical text alone, letter for letter', () => {
    const letter = fc.constantFrom(...'0af-gA/:`@', 'ı', '\ud83d', '\u0130', '\u0000');
    const spoilt = fc.tuple(uuid, fc.nat(36), letter).map(([text, at, other]) => {
      return text.slice(0, at) + other + text.slice(at + 1);
    });
    const value = fc.oneof(uuid, spoilt, spoilt, fc.string({ maxLength: 40 }), fc.integer());
    fc.assert(
      fc.property(value, (one) => {
        const bytes = new Uint8Array(16);
        const taken = typeof one === 'string' && CANONICAL.test(one);
        expect(parseUuid(one, bytes), String(one)).to.equal(taken);
        if (taken) expect(readUuid(bytes, 0)).to.equal(one);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are the same as themselves alone', () => {
    const other = fc.tuple(uuid, fc.nat(35), fc.constantFrom(...'0f-gA')).map(([one, at, put]) => {
      return [one, one.slice(0, at) + put + one.slice(at + 1)] as const;
    });
    fc.assert(
      fc.property(other, fc.nat(9), ([one, changed], row) => {
        const space = new Space(DEFAULT_LAYOUT);
        space.addSegment();
        const uuids = new Uuids(space);
        uuids.add(row as RowNumber, one);
        expect(uuids.same(row as RowNumber, changed), changed).to.equal(changed === one);
      }),
      { numRuns: 300 },
    );
  });

  for (const [ids, format] of Object.entries(FORMATS))
    it(`${ids} are found by any piece, whatever came and went`, () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (steps) => {
          const pair = new Pair(format);
          for (const step of steps) pair.run(step);
          for (const text of SHORT) pair.search(text);
          pair.check();
        }),
        { numRuns: Number(process.env.RUNS ?? 30) },
      );
    });
});
