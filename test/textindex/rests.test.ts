/** Rests of rows: the last one put in, or nothing; never another row's. */
import { expect } from 'chai';
import fc from 'fast-check';
import { standardFold } from '../../src/textindex/caseFold.ts';
import type { StoredRest } from '../../src/textindex/index.ts';
import { createIndex } from '../../src/textindex/index.ts';
import { RestText } from '../../src/textindex/rests/restText.ts';
import { Symbols, SymbolText } from '../../src/textindex/rests/symbols.ts';
import { heldBytes } from '../support/usage.ts';

const definition = {
  name: 'things',
  columns: [
    { name: 'state', expect: 'any', equals: true },
    { name: 'at', expect: 'date', sort: true },
  ],
} as const;

const STATES = ['new', 'running', 'done', null];
const encoder = new TextEncoder();

/** Like the JSON of records: some of it in every row, some in few, some in none. */
const rest = fc
  .tuple(
    fc.constantFrom('{"model":"orders.xml","rows":', 'null\nnull\n', '"Traceback (most recent'),
    fc.nat(),
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constant('x'.repeat(900))),
  )
  .map((parts) => encoder.encode(parts.join(' ')));

type Step =
  | { readonly op: 'put'; readonly id: number; readonly rest: Uint8Array | undefined }
  | { readonly op: 'remove'; readonly id: number }
  | { readonly op: 'maintenance' }
  | { readonly op: 'drop' };

const id = fc.nat({ max: 60 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      op: fc.constant('put' as const),
      id,
      rest: fc.option(rest, { freq: 8, nil: undefined }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('remove' as const), id }) },
  { weight: 2, arbitrary: fc.constant({ op: 'maintenance' as const }) },
);
const steps = (drops: number) =>
  fc.array(
    fc.oneof(
      { weight: 100, arbitrary: step },
      { weight: drops, arbitrary: fc.constant<Step>({ op: 'drop' }) },
    ),
    { minLength: 200, maxLength: 3_000, size: 'max' },
  );

/** A table after the steps, and the rests put in. */
function tableAfter(all: readonly Step[]) {
  const table = createIndex(definition, { fold: standardFold() });
  const rows = new Map<number, Uint8Array | undefined>();
  for (const one of all) {
    switch (one.op) {
      case 'put':
        table.put({ id: one.id, cells: [STATES[one.id % 4]!, new Date(one.id)], rest: one.rest });
        rows.set(one.id, one.rest);
        break;
      case 'remove':
        expect(table.remove(one.id)).to.equal(rows.delete(one.id));
        break;
      case 'maintenance':
        while (table.maintain(50));
        break;
      case 'drop':
        table.dropOldestRests();
    }
  }
  table.check();
  return { table, rows };
}

function textOf(rest: StoredRest): string {
  const text = new RestText();
  rest.read(text);
  return text.toString();
}

const shownBy = (table: ReturnType<typeof tableAfter>['table'], id: number) => {
  const row = table.shown(id, ['at', 'state']);
  return row && { values: row.values, text: textOf(row.rest) };
};
const expected = (id: number, rest: Uint8Array) => ({
  values: [new Date(id), STATES[id % 4]],
  text: Buffer.from(rest).toString(),
});

/** Puts the row in again, with a rest or with `none`, or takes it away; nothing for any other change. */
function changeRow(
  table: ReturnType<typeof tableAfter>['table'],
  rows: Map<number, Uint8Array | undefined>,
  id: number,
  change: Uint8Array | string,
): void {
  if (change === 'remove') expect(table.remove(id)).to.equal(rows.delete(id));
  else if (change === 'none' || typeof change !== 'string') {
    const rest = change === 'none' ? undefined : (change as Uint8Array);
    table.put({ id, cells: [STATES[id % 4]!, new Date(id)], rest });
    rows.set(id, rest);
  }
}

function holdsShown(
  table: ReturnType<typeof tableAfter>['table'],
  id: number,
  names: readonly ('at' | 'state')[],
  rest: Uint8Array | undefined,
): void {
  const shown = table.shown(id, names);
  const values = { at: new Date(id), state: STATES[id % 4] };
  expect(shown && { values: shown.values, text: textOf(shown.rest) }).to.deep.equal(
    rest && { values: names.map((name) => values[name]), text: Buffer.from(rest).toString() },
  );
}

describe('rests of rows', () => {
  it('are as they were put in, with the cells of their row', () => {
    fc.assert(
      fc.property(steps(0), (all) => {
        const { table, rows } = tableAfter(all);
        for (const [id, rest] of rows) {
          expect(shownBy(table, id)).to.deep.equal(rest && expected(id, rest));
        }
        for (let id = 0; id <= 61; id++)
          if (!rows.has(id)) expect(shownBy(table, id)).equal(undefined);
      }),
      { numRuns: 15 },
    );
  });

  it('are those of the rows of a page, in its order or another one, and after changes', () => {
    const columnLists = [['at', 'state'], ['state'], []] as const;
    // On a page some rows are asked for, one after the other or not, and now and then one changes.
    const ask = fc.record({
      leap: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 5, 20),
      columns: fc.constantFrom(0, 0, 0, 0, 0, 1, 2),
      change: fc.constantFrom('', '', '', '', '', '', 'page', 'page', 'put', 'remove', 'none'),
    });
    const asks = fc.array(ask, { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(steps(0), asks, (all, some) => {
        const { table, rows } = tableAfter(all);
        const where = { op: 'all' } as const;
        const pageOf = (n: number) =>
          table.search({ where, sortBy: 'at', descending: n % 2 === 0, page: 1, perPage: 50 }).ids;
        let ids = pageOf(0);
        let place = 0;
        for (const [n, { leap, columns, change }] of some.entries()) {
          if (change === 'page') ids = pageOf(n);
          place = change === 'page' ? leap : place + leap;
          place %= Math.max(ids.length, 1);
          const id = ids[place] as number | undefined;
          if (id === undefined) return;
          const next = ids[(place + 1) % ids.length] as number;
          changeRow(table, rows, next, change === 'put' ? encoder.encode(`"${n}"`) : change);
          holdsShown(table, id, columnLists[columns]!, rows.get(id));
          place = (place + 1) % ids.length;
        }
      }),
      { numRuns: 40 },
    );
  });

  it('go when they are dropped, the oldest first, and are never another', () => {
    fc.assert(
      fc.property(steps(1), (all) => {
        const { table, rows } = tableAfter(all);
        for (const [id, rest] of rows) {
          const shown = shownBy(table, id);
          if (shown) expect(shown).to.deep.equal(expected(id, rest!));
        }
      }),
      { numRuns: 15 },
    );
    const table = createIndex(definition, { fold: standardFold() });
    const put = (id: number) => {
      const rest = encoder.encode(`"${id}"\n${Math.sin(id)}`.repeat(20));
      table.put({ id, cells: ['new', null], rest });
    };
    for (let id = 0; id < 5_000; id++) put(id);
    expect(table.dropOldestRests()).to.equal(true);
    const kept = Array.from({ length: 5_000 }, (_, id) => table.shown(id, []) !== undefined);
    const first = kept.indexOf(true);
    expect(first).to.be.within(500, 4_000);
    expect(kept.lastIndexOf(false)).to.equal(first - 1);
  });

  it('go, the oldest first, where no place names another block', () => {
    const table = createIndex(definition, { fold: standardFold(), layout: { restBlocks: 3 } });
    const textAt = (id: number) => `"${id}"\n${Math.sin(id)}`.repeat(20);
    for (let id = 0; id < 5_000; id++) {
      table.put({ id, cells: ['new', null], rest: encoder.encode(textAt(id)) });
    }
    table.check();
    const rests = Array.from({ length: 5_000 }, (_, id) => table.shown(id, [])?.rest);
    const first = rests.findIndex((rest) => rest !== undefined);
    expect(first).to.be.within(500, 4_000);
    for (let id = first; id < 5_000; id++) expect(textOf(rests[id]!)).to.equal(textAt(id));
  });

  it('go in a second partition where the first has more places, but no rests', () => {
    const many = 70_000;
    const table = createIndex(definition, { fold: standardFold(), partitionRows: many });
    const put = (id: number) => table.put({ id, cells: ['new', null], rest: encoder.encode('1') });
    for (let id = 0; id < many; id++) put(id);
    while (table.dropOldestRests());
    put(many);
    expect(table.dropOldestRests()).equal(true);
    expect(table.shown(many, [])).equal(undefined);
    expect(table.dropOldestRests()).equal(false);
  });

  it('take no more when rows are written again and again', () => {
    const table = createIndex(definition, { fold: standardFold() });
    const write = (round: number) => {
      for (let id = 0; id < 2_000; id++) {
        const rest = encoder.encode(`{"round":${round},"of":${Math.sin(id + round)}}`.repeat(12));
        table.put({ id, cells: ['new', null], rest });
        if (id % 100 === 0) table.maintain(1);
      }
    };
    write(0);
    const { restBytes } = table;
    for (let round = 1; round < 20; round++) write(round);
    while (table.maintain(50));
    expect(table.restBytes).to.be.below(restBytes * 2 + 2 ** 20);
    table.check();
  });

  it('take no more where rows that stay lie among others that are written again and again', () => {
    const bytesWith = (others: number) => {
      const table = createIndex(definition, { fold: standardFold() });
      const put = (id: number, n: number) => {
        const rest = encoder.encode(`{"n":${n},"of":${Math.sin(n)}}`.repeat(12));
        table.put({ id, cells: ['new', null], rest });
      };
      for (let id = 1; id <= 1_000; id++) {
        put(id, id);
        for (let n = 0; n < others; n++) put(-n, id * n);
      }
      while (table.maintain(50));
      table.check();
      return table.restBytes;
    };
    expect(bytesWith(20)).below(bytesWith(0) + 2 ** 20);
  });

  it('take one block, and maintenance ends, where one row alone is written again and again', () => {
    const table = createIndex(definition, { fold: standardFold() });
    const put = (id: number, round: number) => {
      const rest = encoder.encode(`{"round":${round},"of":${Math.sin(round)}}`.repeat(12));
      table.put({ id, cells: ['new', null], rest });
    };
    put(1, 0);
    const { restBytes } = table;
    for (let round = 1; round < 5_000; round++) put(1, round);
    // All rows go, and others come that do not fit beside the holes.
    for (let id = 0; id < 500; id++) put(id, id);
    for (let id = 0; id < 500; id++) table.remove(id);
    for (let round = 1; round < 5_000; round++) put(1, round);
    expect(table.maintain(1_000)).equal(false);
    expect(table.restBytes).below(2 * restBytes);
    table.check();
  });

  it('are there where they are empty, and take none of the heap', () => {
    const table = createIndex(definition, { fold: standardFold() });
    const putAll = () => {
      for (let id = 0; id < 1_000; id++) {
        table.put({ id, cells: ['new', null], rest: new Uint8Array() });
      }
    };
    putAll();
    const before = heldBytes();
    for (let round = 0; round < 50; round++) putAll();
    expect(heldBytes() - before).below(2 ** 20);
    expect(textOf(table.shown(7, [])!.rest)).equal('');
    table.check();
  });

  it('stay as they were for a search under way, whatever becomes of their rows', () => {
    const table = createIndex(definition, { fold: standardFold() });
    const put = (id: number, round: number) => {
      const rest = encoder.encode(`{"of":${id},"round":${round}}`.repeat(30));
      table.put({ id, cells: ['new', null], rest });
    };
    for (let id = 0; id < 1_000; id++) put(id, 0);
    const asked = Array.from({ length: 1_000 }, (_, id) => table.shown(id, [])!.rest);
    for (let round = 1; round < 6; round++) {
      for (let id = 0; id < 1_000; id++) put(id, round);
      while (table.maintain(50));
      table.dropOldestRests();
    }
    for (const [id, rest] of asked.entries()) {
      expect(textOf(rest)).equal(`{"of":${id},"round":0}`.repeat(30));
    }
  });

  it('longer ones than it keeps are not there', () => {
    const table = createIndex(definition, { fold: standardFold() });
    table.put({ id: 1, cells: ['new', null], rest: new Uint8Array(8_193) });
    table.put({ id: 2, cells: ['new', null], rest: new Uint8Array(8_192) });
    expect(table.shown(1, [])).to.equal(undefined);
    expect(textOf(table.shown(2, [])!.rest).length).to.equal(8_192);
  });
});

function symbolsOf(sample: readonly Uint8Array[]): Symbols {
  const making = Symbols.making(sample);
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

describe('symbols', () => {
  it('give back any text, and shorten what resembles their sample', () => {
    fc.assert(
      fc.property(
        fc.array(rest, { minLength: 1, maxLength: 60 }),
        fc.uint8Array({ maxLength: 300 }),
        (sample, other) => {
          const symbols = symbolsOf(sample);
          const codes = new Uint8Array(4_000);
          const text = new DataView(new ArrayBuffer(2_000));
          const bytes = new Uint8Array(text.buffer);
          for (const one of [...sample, other]) {
            const end = symbols.encode(SymbolText.of(one), codes);
            expect(bytes.subarray(0, symbols.decode(codes, 0, end, text))).to.deep.equal(one);
          }
        },
      ),
      { numRuns: 40 },
    );
    const line = encoder.encode(
      '{"model":"orders.xml","rows":123400,"seed":77}\n"finished"\nnull\n',
    );
    const symbols = symbolsOf(Array.from({ length: 200 }, () => line));
    expect(symbols.encode(SymbolText.of(line), new Uint8Array(1_000))).to.be.below(line.length / 4);
  });
});
