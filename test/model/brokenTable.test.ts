/**
 * The index is an accelerator. When a table breaks, in whatever operation, answers are right, the
 * process lives, and the index is back.
 *
 *     the service's own tables, one operation of one of them throws (or traps) at its nth call
 *        ──► searches all the while, compared with what was stored ──► `Search-Route: index` again
 */
import { expect } from 'chai';
import type { TableOperation } from '../../src/tables/index/guardedTable.ts';
import type { CreateTable } from '../../src/tables/index/searchIndex.ts';
import { createIndex, type TextTable } from '../../src/textindex/index.ts';
import { project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { put, useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** (module (func (export "trap") unreachable)) */
const TRAP = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x04, 0x01, 0x60, 0x00, 0x00, 0x03],
  ...[0x02, 0x01, 0x00, 0x07, 0x08, 0x01, 0x04, 0x74, 0x72, 0x61, 0x70, 0x00, 0x00, 0x0a, 0x05],
  ...[0x01, 0x03, 0x00, 0x00, 0x0b],
]);

type Fail = () => never;

const exception: Fail = () => {
  throw new TypeError('injected: of undefined (reading ptr)');
};

const trap: Fail = () => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(TRAP), {});
  (exports.trap as () => void)();
  throw new Error('it did not trap');
};

/** The calls that fail: of one operation, counted over all tables of that name. */
interface Plan {
  readonly table: string;
  readonly operation: TableOperation;
  /** The calls that fail, from 1. */
  readonly calls: (n: number) => boolean;
  readonly fail: Fail;
}

class Saboteur {
  #plan: Plan | undefined;
  #calls = 0;
  failed = 0;
  created = 0;

  arm(plan: Plan | undefined): void {
    this.#plan = plan;
    this.#calls = 0;
    this.failed = 0;
    this.created = 0;
  }

  readonly createTable: CreateTable = (definition, fold, expectedRows) => {
    const { name } = definition;
    if (name === this.#plan?.table) this.created++;
    this.#meets(name, 'create');
    const table = createIndex(definition, {
      fold,
      ...(expectedRows !== undefined && { expectedRows }),
    });
    let broken = false;
    const meet = (operation: TableOperation) => {
      expect(broken, `${operation} of a table that has thrown`).equal(false);
      try {
        this.#meets(name, operation);
      } catch (error) {
        broken = true;
        throw error;
      }
    };
    const wrapped: TextTable = {
      definition,
      get size() {
        meet('size');
        return table.size;
      },
      get bytes() {
        meet('bytes');
        return table.bytes;
      },
      put(row) {
        // Half done, as it is when an exception comes from within.
        if (Number(row.id) % 2) table.put(row);
        meet('put');
        table.put(row);
      },
      remove(id) {
        meet('remove');
        return table.remove(id);
      },
      relate(...asked) {
        meet('relate');
        table.relate(...asked);
      },
      shown(...asked) {
        meet('shown');
        return table.shown(...asked);
      },
      get restBytes() {
        meet('restBytes');
        return table.restBytes;
      },
      dropOldestRests() {
        meet('dropOldestRests');
        return table.dropOldestRests();
      },
      explain: (...asked) => table.explain(...asked),
      valuesOf: (...asked) => table.valuesOf(...asked),
      search(request) {
        meet('search');
        return table.search(request);
      },
      explore(request) {
        meet('explore');
        return table.explore(request);
      },
      sort(budgetMs) {
        meet('sort');
        return table.sort(budgetMs);
      },
      maintain(budgetMs) {
        meet('maintain');
        return table.maintain(budgetMs);
      },
      check() {
        meet('check');
        table.check();
      },
    };
    return wrapped;
  };

  #meets(table: string, operation: TableOperation): void {
    const plan = this.#plan;
    if (plan?.table !== table || plan.operation !== operation) return;
    if (!plan.calls(++this.#calls)) return;
    this.failed++;
    plan.fail();
  }
}

const TASKS = 40;

describe('a table of the index that breaks', function breaks() {
  this.timeout(60_000);
  const database = useDatabase();
  const saboteur = new Saboteur();
  let service: TestService;
  /** The stored emails, by task id. */
  const emails = new Map<number, string>();

  before(async () => {
    const { db } = database;
    await put(db, {
      users: [user(1), user(2)],
      projects: [project(1, { name: 'Apollo' }), project(2, { name: 'Hermes' })],
      schedules: [schedule(1)],
    });
    const tasks = Array.from({ length: TASKS }, (_, n) => {
      emails.set(n + 1, `p${n % 4}@example.org`);
      return task(n + 1, {
        ...{ scope: 'project', project_id: uuid(1 + (n % 2)), user_email: emails.get(n + 1) },
      });
    });
    await db.collection('tasks').insertMany(tasks as never[]);
  });
  // Each test has a service of its own: a table that breaks again rests before it is loaded again.
  beforeEach(async () => {
    saboteur.arm(undefined);
    service = await startService(database.uri, database.name, {}, saboteur.createTable);
    await untilIndex();
  });
  afterEach(() => service.stop());

  const ask = async (filters: object, path = '/api/v2/admin/tasks/search', more = {}) => {
    const body = {
      ...more,
      filters,
      pagination: { per_page: 100 },
      sorting: { sort_by: 'id', sort_order: 'asc' },
    };
    const answer = await service.post(
      path,
      path.includes('tasks') ? body : {},
      await service.token(1, true),
    );
    expect(answer.status, JSON.stringify(answer.body)).equal(200);
    const ids: number[] = answer.body.data.map(({ id }: { id: number }) => id);
    return { ids, route: answer.headers.get('search-route') };
  };

  /** One task changes, comes or goes; then every answer is the store's state. */
  async function churn(n: number): Promise<void> {
    const id = 1 + (n % (TASKS + 5));
    const email = `q${n}@example.org`;
    const tasks = database.db.collection<{ _id: number }>('tasks');
    if (n % 3 === 0) {
      await tasks.deleteOne({ _id: id });
      emails.delete(id);
    } else {
      const fresh = task(id, {
        scope: 'project',
        project_id: uuid(1 + (id % 2)),
        user_email: email,
      });
      await tasks.replaceOne({ _id: id }, fresh as never, { upsert: true });
      emails.set(id, email);
    }
    await database.db
      .collection<{ _id: number }>('projects')
      .updateOne({ _id: 1 }, { $set: { name: `Apollo ${n}` } });
  }

  const holding = (text: string) =>
    [...emails].flatMap(([id, email]) => (email.includes(text) ? [id] : [])).sort((a, b) => a - b);

  /** Waits for the answer that shows the write: others' writes show soon, not at once. */
  async function answersShow(text: string): Promise<void> {
    const wanted = holding(text).join();
    await until(
      async () => (await ask({ user_email: text })).ids.join() === wanted,
      `tasks of ${text}`,
    );
  }

  /** Every email is counted, whether or not the table breaks in it. */
  async function explored(): Promise<void> {
    // Deleted values go soon, not at once.
    await answersShow('@');
    const select = [{ field: 'user_email', not_in: ['none@example.org'] }];
    const facets = [{ field: 'user_email', contains: '@', limit: 100 }];
    const { ids } = await ask({}, '/api/v2/admin/tasks/search/explore', { select, facets });
    expect(ids).eql(holding('@'));
  }

  async function untilIndex(): Promise<void> {
    await until(async () => {
      const routes = [
        (await ask({})).route,
        (await ask({}, '/api/v2/users/search')).route,
        (await ask({}, '/api/v2/admin/projects/search')).route,
      ];
      return routes.every((route) => route === 'index');
    }, 'the index is not back');
  }

  const indexState = async () => (await service.ready()).body.index;

  const failuresLogged = () =>
    service.logLines.map((line) => JSON.parse(line)).filter((fields) => 'operation' in fields);

  /** Only a load makes a table. */
  async function dropAndMake(): Promise<void> {
    await database.db.collection('schedules').drop();
    await database.db.collection('schedules').insertOne(schedule(1) as never);
  }

  let round = 0;
  const OPERATIONS: readonly (readonly [TableOperation, string, number, Fail?])[] = [
    ['create', 'schedules', 1],
    ['put', 'tasks', 1],
    ['put', 'tasks', 17, trap],
    ['put', 'projects', 1],
    ['remove', 'tasks', 1],
    ['relate', 'tasks', 1],
    ['relate', 'tasks', 2, trap],
    ['search', 'tasks', 1],
    ['search', 'tasks', 3, trap],
    ['explore', 'tasks', 1],
    ['explore', 'tasks', 2, trap],
    ['maintain', 'tasks', 1],
    ['maintain', 'projects', 1, trap],
    ['shown', 'tasks', 1],
    ['size', 'tasks', 1],
    ['bytes', 'tasks', 1],
  ];
  for (const [operation, table, call, fail = exception] of OPERATIONS) {
    it(`in ${operation} (${table}, call ${call}, ${fail.name}) costs no answer and comes back`, async () => {
      saboteur.arm({ table, operation, calls: (n) => n === call, fail });
      if (operation === 'create') await dropAndMake();
      await until(async () => {
        await churn(round++);
        await answersShow(`q${round - 1}@`);
        if (operation === 'explore') await explored();
        await indexState();
        return saboteur.failed > 0;
      }, 'it has not failed yet');
      await answersShow('@');
      await untilIndex();
      await answersShow('@');
      const [line, ...more] = failuresLogged();
      expect(more).eql([]);
      expect(line).include({ level: 'error', operation });
      expect(line.definition.name).equal(table);
      expect(line.err.stack).include('brokenTable.test');
      expect(JSON.stringify(line)).not.include('@');
      expect((await indexState()).failures).eql({ [table]: { [operation]: 1 } });
      const counter = `index_failures_total{table="${table}",operation="${operation}"}`;
      expect((await service.figures()).get(counter)).equal(1);
    });
  }

  it('again and again is loaded less and less often, and comes back when it can', async () => {
    saboteur.arm({ table: 'tasks', operation: 'put', calls: () => true, fail: exception });
    const began = performance.now();
    await until(async () => {
      if (saboteur.failed === 0) await churn(round++);
      await answersShow('@');
      return saboteur.created >= 2;
    }, 'it was not loaded again');
    const seconds = (performance.now() - began) / 1_000;
    // At once, and after rests of one second, two, four …
    expect(saboteur.created).at.most(2 + Math.log2(1 + seconds));
    expect(saboteur.failed).at.most(saboteur.created + 1);
    // The table that was made last may not have broken yet.
    const hasBroken = async () => (await indexState()).collections.tasks.reason?.includes('broke');
    await until(hasBroken, 'its reason does not say that it broke');
    saboteur.arm(undefined);
    await untilIndex();
    await answersShow('@');
  });
});
