/**
 * The life of the index as clients and operators see it: `Search-Route` of the answers, the state
 * and its reason in `/readyz`. Whatever the state, answers are right and never go back in time.
 */
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import type { CreateTable } from '../../src/tables/index/searchIndex.ts';
import { project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { SCAN } from '../conformance/executors.ts';
import { put, useDatabase } from '../support/database.ts';
import { failCommand, failNone } from '../support/failCommand.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { readTime } from '../support/readTime.ts';
import { startOverAnyStore, startService, type TestService } from '../support/service.ts';
import type { TestSettings } from '../support/settings.ts';
import { until } from '../support/until.ts';

const PATHS = {
  tasks: '/api/v2/admin/tasks/search',
  schedules: '/api/v2/admin/schedules/search',
  projects: '/api/v2/admin/projects/search',
  users: '/api/v2/users/search',
} as const;
type View = keyof typeof PATHS;

interface Seen {
  readonly status: number;
  readonly route: string | null;
  readonly total: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: records of any kind
  readonly data: any[];
  readonly code: string | undefined;
}

/** A client of the service that holds it to time never going back. */
class Client {
  readonly #service: TestService;
  #last = new Timestamp({ t: 0, i: 0 });

  constructor(service: TestService) {
    this.#service = service;
  }

  async ask(view: View, body: object = {}): Promise<Seen> {
    const token = await this.#service.token(1, true);
    const before = this.#last;
    const { status, headers, body: shown } = await this.#service.post(PATHS[view], body, token);
    const asOf = headers.get('search-as-of');
    if (asOf !== null) {
      const time = readTime(asOf);
      expect(time.lessThan(before), `${asOf} after ${before}`).to.equal(false);
      if (time.greaterThan(this.#last)) this.#last = time;
    }
    return {
      status,
      route: headers.get('search-route'),
      total: shown.meta?.pagination.total_items,
      data: shown.data,
      code: shown.code,
    };
  }

  /** The route and the total, or the code of the refusal. */
  async glance(view: View): Promise<string> {
    const { status, route, total, code } = await this.ask(view);
    return status === 200 ? `${route} ${total}` : String(code);
  }

  /** Why a pipeline answers. */
  async why(view: View): Promise<string> {
    const token = await this.#service.token(1, true);
    return (await this.#service.post(`${PATHS[view]}/explain`, {}, token)).body.why;
  }

  /**
   * Waits for this glance. The glances before it all match `meanwhile`: an index that is live may
   * have to load once more, because a collection is dropped and made in two steps.
   */
  async shows(view: View, wanted: string, meanwhile: RegExp): Promise<void> {
    let seen = '';
    const isShown = async () => {
      seen = await this.glance(view);
      if (seen !== wanted) expect(seen, `before ${wanted}`).to.match(meanwhile);
      return seen === wanted;
    };
    await until(isShown, () => `still ${seen}`);
  }

  /** Waits for the index, whose frontier may lag behind the pipeline's answers. */
  byIndex(view: View, total: number): Promise<void> {
    return this.shows(view, `index ${total}`, new RegExp(`^pipeline ${total}$`));
  }

  async ready() {
    const { status, body } = await this.#service.ready();
    return { code: status, ...body };
  }

  /** Waits until `/readyz` says so; returns the index's part of it. */
  async until(state: string) {
    let { index } = await this.ready();
    const isSo = async () => {
      index = (await this.ready()).index;
      return index.state === state;
    };
    await until(isSo, () => `still ${JSON.stringify(index)}`);
    return index;
  }
}

describe('the life of the index', () => {
  const database = useDatabase();
  let service: TestService | undefined;

  beforeEach(async () => {
    const { db } = database;
    await db.dropDatabase();
    await put(db, { users: [user(1), user(2)], projects: [project(1, { name: 'Apollo' })] });
    const within = { scope: 'project', project_id: uuid(1) };
    await put(db, {
      tasks: [1, 2, 3].map((n) => task(n, within)),
      schedules: [schedule(1, within)],
    });
  });
  afterEach(async () => {
    await failNone(database.client);
    await service?.stop();
    service = undefined;
  });

  async function start(
    settings: TestSettings = {},
    uri = database.uri,
    createTable?: CreateTable,
  ): Promise<Client> {
    const begin = uri === database.uri ? startService : startOverAnyStore;
    service = await begin(uri, database.name, { STORE_INDEXES: 'on', ...settings }, createTable);
    return new Client(service);
  }

  /** Whether the log has told of this state, however short it was. */
  const wasIn = (state: string) =>
    (service?.logLines ?? []).some(
      (line) => line.includes('"index state"') && line.includes(`"${state}"`),
    );

  /** The service's next such commands wait, or fail. */
  const fault = (failCommands: string[], what: object, times = 1) =>
    failCommand(database.client, { times }, { appName: 'table-search', failCommands, ...what });
  const held = (ms: number) => ({ blockConnection: true, blockTimeMS: ms });

  it('loading, by pipeline; then live, by index', async () => {
    // Held are the question after the letters, which searches wait for too, and then the opening
    // of the change stream, which only the index waits for.
    const namespace = `${database.name}.$cmd.aggregate`;
    await fault(['aggregate'], { ...held(5_000), namespace }, 2);
    const client = await start();
    const loading = await client.until('loading');
    expect(loading.reason).to.be.a('string').and.not.equal('');
    expect((await client.ready()).code, 'searches are answered').to.equal(200);
    expect(await client.glance('tasks')).to.equal('pipeline 3');
    expect(await client.glance('users')).to.equal('pipeline 2');
    const live = await client.until('live');
    expect(live).to.not.have.property('reason');
    expect(live.collections.tasks).to.include({ phase: 'live', documents: 3 });
    expect(live.frontier).to.match(/^\d+\.\d+$/);
    await client.byIndex('tasks', 3);
    await client.byIndex('schedules', 1);
    await client.byIndex('projects', 1);
    await client.byIndex('users', 2);
  });

  it('reloading after a drop: what it touches goes by pipeline, the rest by index', async () => {
    const client = await start();
    await client.until('live');
    await fault(['listCollections'], held(5_000));
    await database.db.collection('projects').drop();
    const reloading = await client.until('reloading');
    expect(reloading.reason).to.include('projects: it was dropped or renamed');
    expect(await client.glance('tasks')).to.equal('pipeline 3');
    await client.byIndex('users', 2);
    await client.until('live');
    await client.byIndex('tasks', 3);
    const [first] = (await client.ask('tasks')).data;
    expect(first.project_name).to.equal(null);
  });

  it('reloading after the database was dropped, with all clients gone', async () => {
    const client = await start();
    await client.until('live');
    await client.byIndex('tasks', 3);
    await database.db.dropDatabase();
    await until(() => wasIn('reloading'));
    await client.until('live');
    await database.db.collection('users').insertOne(user(1) as never);
    await client.shows('users', 'index 1', /^(pipeline 1|index 0)$/);
    await client.shows('tasks', 'index 0', /^pipeline 0$/);
  });

  it('behind while the stream says nothing; live when it does', async () => {
    const client = await start();
    await client.until('live');
    await client.byIndex('tasks', 3);
    await fault(['getMore'], held(5_000), 100);
    const behind = await client.until('behind');
    expect(behind.reason).to.equal('the change stream does not answer');
    await database.db.collection('tasks').insertOne(task(4) as never);
    // On a slow machine the search may come when the stream has just answered, and is held again.
    await client.shows('tasks', 'pipeline 4', /^index [34]$/);
    await failNone(database.client);
    await client.until('live');
    await client.byIndex('tasks', 4);
  });

  it('reloading when the stream’s history is lost', async () => {
    const client = await start();
    await client.until('live');
    await fault(['getMore'], { errorCode: 286 });
    const states = () =>
      (service?.logLines ?? []).filter((line) => line.includes('"index state"')).join('\n');
    while (!states().includes('ChangeStreamHistoryLost')) {
      expect(await client.glance('tasks')).to.match(/^(pipeline|index) 3$/);
    }
    await client.until('live');
    await client.byIndex('tasks', 3);
    expect(wasIn('reloading')).to.equal(true);
  });

  it('SEARCH_INDEX=off', async () => {
    const client = await start({ SEARCH_INDEX: 'off' });
    const { index } = await client.ready();
    expect(index).to.deep.equal({ state: 'off', reason: 'SEARCH_INDEX is off.' });
    expect(await client.glance('tasks')).to.equal('pipeline 3');
  });

  it('a collection past SEARCH_MAX_BYTES is off with the reason, the others live', async function test() {
    const many = Array.from({ length: 5_000 }, (_, n) => task(n + 10, { worker: `worker ${n}` }));
    await database.db.collection('tasks').insertMany(many as never[]);
    const client = await start({ SEARCH_MAX_BYTES: '1mb' }, database.uri, SCAN.createTable);
    const index = await client.until('live');
    expect(index.collections.tasks.phase).to.equal('off');
    expect(index.collections.tasks.reason).to.include('SEARCH_MAX_BYTES allows 1048576');
    expect(index.collections.users.phase).to.equal('live');
    expect(await client.glance('tasks')).to.equal('pipeline 5003');
    expect(await client.why('tasks')).to.match(
      /^The index is off for tasks: .*SEARCH_MAX_BYTES.*[^.]\.$/,
    );
    await client.byIndex('schedules', 1);
    await client.byIndex('users', 2);
    await database.db.collection('tasks').drop();
    await database.db.collection('tasks').insertOne(task(1) as never);
    await client.shows('tasks', 'index 1', /^(pipeline 1|index 0)$/);
  });

  it('grows past SEARCH_MAX_BYTES while it is live', async () => {
    const client = await start({ SEARCH_MAX_BYTES: '1mb' }, database.uri, SCAN.createTable);
    await client.until('live');
    await client.byIndex('tasks', 3);
    const many = Array.from({ length: 3_000 }, (_, n) => task(n + 10));
    await database.db.collection('tasks').insertMany(many as never[]);
    await until(async () => (await client.ready()).index.collections.tasks.phase === 'off');
    expect(await client.glance('tasks')).to.equal('pipeline 3003');
    await client.byIndex('users', 2);
  });

  describe('a store that is away', () => {
    let network: NetworkProxy;
    beforeEach(async () => {
      network = await NetworkProxy.to(database.uri);
      network.cut();
    });
    afterEach(() => network.close());

    it('at the start: refusals that say so, then live by itself', async function test() {
      this.timeout(90_000);
      const client = await start({}, network.uri);
      const { code, store, index } = await client.ready();
      expect({ code, store: store.state }).to.deep.equal({ code: 503, store: 'down' });
      expect(index.state).to.equal('loading');
      expect(await client.glance('tasks')).to.equal('StoreUnavailable');
      network.restore();
      await client.until('live');
      await client.byIndex('tasks', 3);
    });

    it('in between: refused or right, then live by itself', async function test() {
      this.timeout(180_000);
      const client = await start({ staleAnswersMs: 0 }, network.uri);
      network.restore();
      await client.until('live');
      await client.byIndex('tasks', 3);
      for (let round = 0; round < 2; round++) {
        network.cut();
        await database.db.collection('tasks').deleteOne({ _id: (round + 1) as never });
        // Rows from the cache, as of a moment before the cut, until it is noticed.
        await client.shows('tasks', 'StoreUnavailable', new RegExp(`^index ${3 - round}$`));
        network.restore();
        await client.until('live');
        const meanwhile = new RegExp(`^(StoreUnavailable|pipeline ${2 - round})$`);
        await client.shows('tasks', `index ${2 - round}`, meanwhile);
      }
    });
  });

  describe('a search that is cut in the middle', () => {
    /** Its rows are read from the store. */
    const settings = { ROWS_MEMORY_BYTES: '0' };

    it('of its rows: the pipeline answers', async () => {
      const client = await start(settings);
      await client.until('live');
      await fault(['find'], { closeConnection: true, namespace: `${database.name}.tasks` });
      expect(await client.glance('tasks')).to.match(/^(pipeline|index) 3$/);
      await client.byIndex('tasks', 3);
    });

    it('again and again: refused, not wrong', async () => {
      const client = await start(settings);
      await client.until('live');
      await fault(['find', 'aggregate'], { closeConnection: true }, 6);
      const seen: string[] = [];
      for (let i = 0; i < 10; i++) seen.push(await client.glance('tasks'));
      const right = /^((pipeline|index) 3|StoreUnavailable)$/;
      for (const one of seen) expect(one).to.match(right);
      await client.shows('tasks', 'index 3', right);
    });

    it('past its time: refused, not wrong', async () => {
      const client = await start({ ...settings, QUERY_TIMEOUT_MS: '300' });
      await client.until('live');
      await fault(['find'], { errorCode: 50, namespace: `${database.name}.tasks` });
      expect(await client.glance('tasks')).to.equal('SearchTimeout');
      // A busy machine may take all of this short time once more.
      await client.shows('tasks', 'index 3', /^(pipeline 3|SearchTimeout)$/);
    });
  });
});
