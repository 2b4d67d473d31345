/**
 * Labels of live tables while collections are loaded, abandoned, live and forgotten in any order,
 * several at a time, and others write.
 *
 *     store (Maps) ──► begin, prepare, load, finish, advance ──► tables ──► searches by label
 *         └────────────────── what each label should find ────────────────┘
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { Timestamp } from 'mongodb';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { Tables } from '../../../src/tables/index/tables.ts';
import {
  type Cell,
  createIndex,
  type Fold,
  type Row,
  standardFold,
  type TableDefinition,
  type TextTable,
} from '../../../src/textindex/index.ts';
import { createScan } from '../../oracles/scan.ts';

const NAMES = ['Apollo', 'Hermes', 'Zoe'] as const;
const KEYS = ['a', 'b', 'c', 'd'] as const;
const COLLECTIONS = ['users', 'projects', 'schedules', 'tasks'] as const;
type Name = (typeof COLLECTIONS)[number];

/** Where labels show: the column, the stored path of its keys, and whose texts they are. */
const LABELS = {
  projects: { label: 'member_email', column: 'member_ids', path: 'members.user_id', of: 'users' },
  schedules: { label: 'project_name', column: 'project_id', path: 'project_id', of: 'projects' },
  tasks: { label: 'project_name', column: 'project_id', path: 'project_id', of: 'projects' },
} as const;

type Document = Readonly<Record<string, Cell>>;
type Create = (definition: TableDefinition, options: { fold: Fold }) => TextTable;

function tablesOf(create: Create, maxRestBytes = 1e9): Tables {
  const tables: Tables = new Tables({
    ...{ resources: RESOURCES, maxBytes: 1e9, maxRestBytes },
    createTable: (definition) => create(definition, { fold: standardFold() }),
    onBroken: ({ error }) => {
      throw error;
    },
  });
  for (const { collection } of Object.values(RESOURCES)) tables.begin(collection);
  return tables;
}

function rowOf(tables: Tables, name: Name, id: number, document: Document): Row {
  const cells = tables.of(name).layout.sources.map(({ path, as }): Cell => {
    if (path === '_id') return as === 'decimal' ? String(id) : id;
    return document[path] ?? null;
  });
  return { id, cells };
}

/** The ids of rows whose label holds the text. */
function found(tables: Tables, name: keyof typeof LABELS, text: string) {
  const { label, column } = LABELS[name];
  const where = { op: 'contains', column, label, text } as const;
  const request = { where, sortBy: 'id', descending: false, page: 1, perPage: 100 };
  return tables.of(name).table.ask('search', request)!.ids;
}

const at = new Timestamp({ t: 1, i: 1 });

/** A store, and a follower of it that takes every liberty the real one may take. */
class World {
  readonly #tables: Tables;
  readonly #draw: (limit: number) => number;
  readonly #store = new Map(COLLECTIONS.map((name) => [name, new Map<number, Document>()]));
  readonly #phase = new Map<Name, 'off' | 'loading' | 'loaded' | 'live'>();
  /** Ids that changed since the table was right. */
  readonly #pending = new Map(COLLECTIONS.map((name) => [name, new Set<number>()]));
  compared = 0;

  constructor(create: Create, draw: (limit: number) => number) {
    this.#tables = tablesOf(create);
    this.#draw = draw;
    for (const name of COLLECTIONS) this.#begin(name);
  }

  end(): void {
    this.#tables.close();
  }

  step(): void {
    const name = this.#one(COLLECTIONS);
    const loading = this.#phase.get(name) === 'loading';
    const act = this.#draw(14);
    if (act < 4) this.#write(name);
    else if (act === 4) this.#restart(name);
    else if (act === 5) this.#forget(name);
    else if (act === 6 && loading) this.#tables.prepare(name, 0, 5);
    else if (act === 7 && loading) this.#tables.prepare(name, 0);
    else if (act === 8 && loading) this.#load(name);
    else if (act === 9 && loading) this.#tables.finish(name, 0);
    else if (act === 10 && loading) this.#phase.set(name, 'loaded');
    else this.#advance();
    this.#compare();
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#draw(list.length)]!;
  }

  #begin(name: Name): void {
    this.#tables.begin(name);
    this.#phase.set(name, 'loading');
    this.#pending.set(name, new Set(this.#store.get(name)!.keys()));
  }

  /** As after a drop, or a stream that was lost. */
  #restart(name: Name): void {
    if (this.#draw(2) === 0) this.#store.get(name)!.clear();
    this.#begin(name);
  }

  #forget(name: Name): void {
    if (this.#draw(3) > 0) return;
    this.#tables.forget(name);
    this.#phase.set(name, 'off');
  }

  #write(name: Name): void {
    const id = this.#draw(5);
    if (this.#draw(4) === 0) this.#store.get(name)!.delete(id);
    else this.#store.get(name)!.set(id, this.#document(name));
    this.#pending.get(name)!.add(id);
  }

  #document(name: Name): Document {
    if (name === 'users') return { email: this.#one(NAMES) };
    if (name !== 'projects') return { project_id: this.#one(KEYS) };
    const members = [this.#draw(5), this.#draw(5)];
    return { identifier: this.#one(KEYS), name: this.#one(NAMES), 'members.user_id': members };
  }

  #load(name: Name): void {
    const stored = this.#store.get(name)!;
    const id = this.#draw(5);
    const document = stored.get(id);
    if (document) this.#tables.load(name, [rowOf(this.#tables, name, id, document)], []);
    else this.#tables.load(name, [], [id]);
    // Read again by the advance: it may have changed since.
    this.#pending.get(name)!.add(id);
  }

  #advance(): void {
    const goingLive = COLLECTIONS.filter((name) => this.#phase.get(name) === 'loaded');
    const part = COLLECTIONS.filter((name) => ['live', 'loaded'].includes(this.#phase.get(name)!));
    const changed = part.map((collection) => {
      const stored = this.#store.get(collection)!;
      const changes = [...this.#pending.get(collection)!].map((id) => {
        const document = stored.get(id);
        return { id, row: document ? rowOf(this.#tables, collection, id, document) : null };
      });
      return { collection, changes };
    });
    this.#tables.apply({
      at,
      changed: changed.filter(({ changes }) => changes.length > 0),
      goingLive,
    });
    for (const name of part) {
      this.#pending.get(name)!.clear();
      this.#phase.set(name, 'live');
    }
  }

  /** A table that may be searched has the labels that the store says. */
  #compare(): void {
    const right = (name: Name) =>
      this.#phase.get(name) === 'live' && this.#pending.get(name)!.size === 0;
    for (const [name, { path, of }] of Object.entries(LABELS)) {
      const table = name as keyof typeof LABELS;
      if (!right(table) || !right(of)) continue;
      for (const text of NAMES) {
        const keys: Cell[] = [...this.#store.get(of)!]
          .filter(([, document]) => (of === 'users' ? document.email : document.name) === text)
          .map(([id, { identifier }]) => (of === 'users' ? id : identifier!));
        const wanted = [...this.#store.get(table)!]
          .filter(([, document]) => [document[path]].flat().some((key) => keys.includes(key!)))
          .map(([id]) => id);
        const ids = found(this.#tables, table, text);
        expect(ids, `${name}: ${text}`).eql(wanted.sort());
        this.compared++;
      }
    }
  }
}

describe('tables', () => {
  for (const [kind, create] of Object.entries({ scan: createScan, index: createIndex })) {
    it(`have the labels of the rows that are there, whatever is loaded again (${kind})`, () => {
      let compared = 0;
      const draws = fc.infiniteStream(fc.nat());
      const property = fc.property(draws, (stream) => {
        const world = new World(create, (limit) => stream.next().value! % limit);
        for (let n = 0; n < 120; n++) world.step();
        world.end();
        compared += world.compared;
      });
      fc.assert(property, { numRuns: 30 });
      expect(compared).greaterThan(1_000);
    });
  }

  it('take labels of a forgotten collection out of others, between requests', async () => {
    const tables = tablesOf(createIndex);
    const project = { identifier: 'a', name: 'Apollo' };
    tables.load('projects', [rowOf(tables, 'projects', 1, project)], []);
    tables.load('tasks', [rowOf(tables, 'tasks', 1, { project_id: 'a' })], []);
    const goingLive = [...COLLECTIONS];
    tables.apply({ at, changed: [], goingLive });
    expect(found(tables, 'tasks', 'Apollo')).eql([1]);
    tables.forget('projects');
    expect(found(tables, 'tasks', 'Apollo')).eql([1]);
    for (let turns = 0; turns < 100; turns++) await nextTurn();
    expect(found(tables, 'tasks', 'Apollo')).eql([]);
    tables.close();
  });

  it('keep the rows that rights are read from longest, within the same bytes', () => {
    const rest = randomBytes(2_000);
    const kept = (maxRestBytes: number) => {
      const tables = tablesOf(createIndex, maxRestBytes);
      for (const name of ['users', 'tasks'] as const) {
        const rows = Array.from({ length: 300 }, (_, id) => ({
          ...rowOf(tables, name, id, {}),
          rest,
        }));
        tables.load(name, rows, []);
      }
      const isKept = (name: Name, id: number) =>
        tables.of(name).table.ask('shown', id, []) !== undefined;
      const count = (name: Name) =>
        Array.from({ length: 300 }, (_, id) => id).filter((id) => isKept(name, id)).length;
      const counts = { users: count('users'), tasks: count('tasks'), bytes: tables.restBytes };
      tables.check();
      tables.close();
      return counts;
    };
    const block = 2 ** 18;
    const all = kept(1e9);
    expect(all).include({ users: 300, tasks: 300 });
    const most = kept(all.bytes - 1);
    expect(most.users).equal(300);
    expect(most.tasks).lessThan(300).greaterThan(0);
    // Three blocks are all of a table's.
    expect(kept(all.bytes - 3 * block)).include({ users: 300, tasks: 0 });
    const least = kept(block);
    expect(least).include({ tasks: 0 });
    expect(least.users).lessThan(300);
  });
});
