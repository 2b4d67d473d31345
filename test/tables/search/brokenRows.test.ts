/** A table that breaks while rows are looked up tells nothing of them: not that they are missing. */
import { expect } from 'chai';
import { BSON, Timestamp } from 'mongodb';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { KnownRows } from '../../../src/tables/index/knownRows.ts';
import { Tables } from '../../../src/tables/index/tables.ts';
import { readingOf } from '../../../src/tables/rows/reading.ts';
import { MemoryRows } from '../../../src/tables/rows/rests/memoryRows.ts';
import { createIndex, standardFold, type TextTable } from '../../../src/textindex/index.ts';
import { project, user } from '../../conformance/documents.ts';

const AT = new Timestamp({ t: 1, i: 1 });

describe('a table that breaks as rows are looked up', () => {
  let tables: Tables;
  let memoryRows: MemoryRows;
  let isBroken: boolean;

  beforeEach(() => {
    isBroken = false;
    tables = new Tables({
      resources: RESOURCES,
      createTable: (definition) => sabotaged(createIndex(definition, { fold: standardFold() })),
      ...{ maxBytes: 2 ** 30, maxRestBytes: 2 ** 24, onBroken: () => {} },
    });
    memoryRows = new MemoryRows(tables);
    load('users', [user(1)]);
    load('projects', [project(1, { members: [{ user_id: 1 }] })]);
    tables.apply({ at: AT, changed: [], goingLive: ['users', 'projects'] });
  });
  afterEach(() => tables.close());

  /** Its users cannot be shown once that is said. */
  const sabotaged = (table: TextTable): TextTable => {
    const shown = table.shown.bind(table);
    table.shown = (...asked) => {
      if (isBroken && table.definition.name === 'users') throw new Error('injected');
      return shown(...asked);
    };
    return table;
  };

  function load(name: keyof typeof RESOURCES, documents: readonly object[]): void {
    const { extract } = readingOf(tables.of(name).layout, tables.of(name).rest);
    tables.begin(name);
    while (tables.prepare(name, 10));
    const rows = documents.map((document) => extract(BSON.serialize(document)));
    tables.load(name, rows, []);
    while (tables.finish(name, 10));
  }

  it('has no row that is known to be missing', () => {
    const follower = { isLive: () => true, isExact: () => true, ageMs: 0, silentMs: 0 };
    const deps = { tables, memoryRows, follower: { ...follower, frontier: AT, state: {} } };
    const known = new KnownRows({ ...deps, maxSilentMs: 0 } as never).of(RESOURCES.users, 'now')!;
    expect(known.values(1, ['active'])).eql([true]);
    expect(known.values(2, ['active'])).equal(null);
    isBroken = true;
    expect(known.values(1, ['active'])).equal(undefined);
  });

  it('leaves no document out of the rows that show it', () => {
    const shown = () => memoryRows.get(RESOURCES.projects, 1)?.joined;
    expect(Object.values(shown()!).map(({ length }) => length)).eql([1]);
    isBroken = true;
    expect(shown()).equal(undefined);
  });
});
