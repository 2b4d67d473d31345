/**
 * Labels that are told bit by bit: whatever comes in between, tables end with those of the rows that
 * are there.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { GuardedTable } from '../../../src/tables/index/guardedTable.ts';
import { RelatedRows } from '../../../src/tables/index/relatedRows.ts';
import {
  createIndex,
  type Fold,
  standardFold,
  type TableDefinition,
  type TextTable,
  TYPE_ORDER,
} from '../../../src/textindex/index.ts';
import { createScan } from '../../oracles/scan.ts';

const KEYS = ['a', 'b', 'c', 'd'];
const NAMES = ['Apollo', 'Hermes', 'Zoe'];
const DEFINITION: TableDefinition = {
  name: 'tasks',
  columns: [{ name: 'project', expect: 'any', labels: ['name'] }],
};
const PAST = 0;

type Step =
  | { kind: 'set'; row: number; key: string; name: string }
  | { kind: 'remove'; row: number }
  | { kind: 'clear' }
  | { kind: 'new table' }
  /** One label each. */
  | { kind: 'prepare' | 'finish'; times: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('set' as const),
        row: fc.nat(5),
        key: fc.constantFrom(...KEYS),
        name: fc.constantFrom(...NAMES),
      }),
    },
    fc.record({ kind: fc.constant('remove' as const), row: fc.nat(5) }),
    fc.record({ kind: fc.constant('clear' as const) }),
    fc.record({ kind: fc.constant('new table' as const) }),
    fc.record({ kind: fc.constantFrom('prepare' as const, 'finish' as const), times: fc.nat(3) }),
  ),
  { maxLength: 40 },
);

/** The texts that a table finds by a key, asked as searches ask. */
function namesAt(table: GuardedTable, key: string): string[] {
  return NAMES.filter((text) => {
    const where = { op: 'contains', column: 'project', label: 'name', text } as const;
    const request = { where, sortBy: 'id', descending: false, page: 1, perPage: 10 };
    return table.ask('search', request)!.ids.includes(key);
  });
}

type Create = (definition: TableDefinition, options: { fold: Fold }) => TextTable;

function tableOf(create: Create): GuardedTable {
  const table = new GuardedTable({
    definition: DEFINITION,
    create: (definition) => create(definition, { fold: standardFold() }),
    onFailure({ error }) {
      throw error;
    },
  });
  table.create();
  for (const key of KEYS) table.ask('put', { id: key, cells: [key] });
  return table;
}

/** Two tables that show the same rows: one stays, the other is made again now and then. */
class Life {
  readonly related = new RelatedRows('string');
  readonly model = new Map<number, { key: string; name: string }>();
  readonly #create: Create;
  readonly #stays: GuardedTable;
  #comes: GuardedTable;

  constructor(create: Create) {
    this.#create = create;
    this.#stays = this.#table();
    this.#comes = this.#table();
    this.#show();
  }

  step(step: Step): void {
    switch (step.kind) {
      case 'set':
        this.model.set(step.row, step);
        this.related.set(step.row, { key: step.key, texts: step.name });
        return;
      case 'remove':
        this.model.delete(step.row);
        this.related.set(step.row, null);
        return;
      case 'clear':
        this.model.clear();
        this.related.clear();
        return;
      case 'new table':
        this.#comes = this.#table();
        this.#show();
        return;
      case 'prepare':
        for (let n = 0; n < step.times; n++) this.related.prepare(this.#comes, PAST);
        return;
      case 'finish':
        for (let n = 0; n < step.times; n++) this.related.finish(PAST);
    }
  }

  /** Tells all that is owed, and compares. */
  end(): void {
    const tables = [this.#stays, this.#comes];
    for (const table of tables) while (this.related.prepare(table, PAST));
    while (this.related.finish(PAST));
    for (const key of KEYS) {
      const rows = [...this.model.values()].filter((row) => row.key === key);
      const wanted = NAMES.filter((one) => rows.some(({ name }) => name === one));
      for (const table of tables) expect(namesAt(table, key)).eql(wanted);
      const [first] = [...this.model]
        .filter(([, row]) => row.key === key)
        .sort(([a], [b]) => a - b);
      expect(this.related.shown(key)).equal(first?.[1].name);
    }
  }

  #table(): GuardedTable {
    return tableOf(this.#create);
  }

  #show(): void {
    const tables = [this.#stays, this.#comes];
    this.related.showIn(tables.map((table) => ({ table, column: 'project', label: 'name' })));
  }
}

describe('related rows', () => {
  for (const [name, create] of Object.entries({ scan: createScan, index: createIndex })) {
    it(`are shown by all tables once all is told (${name})`, () => {
      const property = fc.property(steps, (some) => {
        const life = new Life(create);
        for (const step of some) life.step(step);
        life.end();
      });
      fc.assert(property, { numRuns: 100 });
    });
  }

  it('are told in slices: forgetting them, or a new table, tells nothing by itself', () => {
    const related = new RelatedRows('string');
    const table = tableOf(createScan);
    for (const [row, key] of KEYS.entries()) related.set(row, { key, texts: 'Apollo' });
    const shown = () => KEYS.filter((key) => namesAt(table, key).length > 0).length;
    related.showIn([{ table, column: 'project', label: 'name' }]);
    expect(shown()).equal(0);
    expect(related.prepare(table, PAST)).equal(true);
    expect(shown()).equal(1);
    expect(related.prepare(table, Number.POSITIVE_INFINITY)).equal(false);
    expect(shown()).equal(4);
    related.clear();
    expect(shown()).equal(4);
    expect(related.finish(PAST)).equal(true);
    expect(shown()).equal(3);
    related.set(9, { key: 'd', texts: 'Apollo' });
    expect(related.finish(Number.POSITIVE_INFINITY)).equal(false);
    expect(KEYS.filter((key) => namesAt(table, key).length > 0)).eql(['d']);
  });

  it('of one key are told together, however many they are', () => {
    const related = new RelatedRows('string');
    let told = 0;
    const table = {
      ask(...[, , , , texts]: unknown[]) {
        told += (texts as string[]).length;
        return undefined;
      },
    };
    related.showIn([{ table: table as never, column: 'project', label: 'name' }]);
    // Each row told all the texts before: two million of them.
    for (let row = 0; row < 2_000; row++) related.set(row, { key: 'a', texts: `${row}` });
    expect(related.finish(Number.POSITIVE_INFINITY)).equal(false);
    expect(told).equal(2_001);
  });

  it('of one key are compared once where the first one goes, and not where others change', () => {
    const related = new RelatedRows('string');
    let looks = 0;
    const idOf = (row: number) => ({
      typeOrder: TYPE_ORDER.binary,
      get key() {
        looks += 1;
        return String.fromCharCode(row);
      },
    });
    const set = (row: number, text: string) => related.set(idOf(row), { key: 'a', texts: text });
    for (let row = 0; row < 2_000; row++) set(row, `${row}`);
    looks = 0;
    for (let row = 1; row < 2_000; row++) set(row, 'other');
    expect(looks).below(10 * 2_000);
    expect(related.shown('a')).equal('0');
    related.set(idOf(0), null);
    expect(related.shown('a')).equal('other');
    set(5_000, 'last');
    for (let row = 1; row < 2_000; row++) related.set(idOf(row), null);
    expect(related.shown('a')).equal('last');
  });
});
