/**
 * The service's knowledge of its store, without asking it: a replica set can be used, and a server
 * of its own cannot until it has become one. Where nothing answers, the log says why.
 */
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { Mongod } from '../../src/dev/embedded/mongod.ts';
import { GRACE_MS } from '../../src/store/primary.ts';
import { StoreWatch } from '../../src/store/storeWatch.ts';
import { storePeople } from '../serve/edge.ts';
import { useDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { startMongod } from '../support/mongod.ts';
import { startOverAnyStore, startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const DB = 'watched';

/** A mongod on a folder of its own, once without and once with `--replSet`. */
class Server {
  readonly uri: string;
  readonly #port: number;
  readonly #folder: string;
  #running: Mongod | undefined;

  private constructor(port: number, folder: string) {
    this.uri = `mongodb://127.0.0.1:${port}/`;
    this.#port = port;
    this.#folder = folder;
  }

  static async create(): Promise<Server> {
    return new Server(await freePort(), await fs.mkdtemp(join(tmpdir(), 'table-search-watch-')));
  }

  async start(replSet?: string): Promise<void> {
    const set = replSet === undefined ? {} : { replSet };
    this.#running = await startMongod({ port: this.#port, dbPath: this.#folder, ...set });
  }

  async run<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(this.uri, { directConnection: true });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  /** Names of all collections, and of the indexes of `users`. */
  found(): Promise<{ collections: string[]; indexes: string[] }> {
    return this.run(async (client) => {
      const collections = await client.db(DB).listCollections().toArray();
      const indexes = await client.db(DB).collection('users').indexes();
      return {
        collections: collections.map(({ name }) => name).sort(),
        indexes: indexes.map(({ name }) => String(name)),
      };
    });
  }

  async end(): Promise<void> {
    await this.#running?.stop();
  }

  async remove(): Promise<void> {
    await this.end();
    await fs.rm(this.#folder, { recursive: true, force: true });
  }
}

describe('the state of the store', () => {
  const database = useDatabase();
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const ready = async (one: TestService) => {
    const { status, body } = await one.ready();
    return { status, ...body.store };
  };
  const logged = ({ logLines }: TestService, message: string) =>
    logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);

  it('is up where searches can be answered', async () => {
    service = await startService(database.uri, database.name, { SEARCH_INDEX: 'off' });
    const here = service;
    await until(async () => (await ready(here)).status === 200);
    expect(await ready(here)).eql({ status: 200, state: 'up' });
  });

  it('is down a second after a loss, however often servers change meanwhile', async () => {
    const client = new MongoClient(database.uri);
    const watch = new StoreWatch(client, database.uri, { info() {}, warn() {} });
    try {
      await watch.whenUsable(AbortSignal.timeout(10_000));
      for (const message of ['a', 'b', 'c']) {
        const servers = new Map([['here', { type: 'Unknown', error: new Error(message) }]]);
        const newDescription = { type: 'ReplicaSetNoPrimary', servers };
        client.emit('topologyDescriptionChanged', { newDescription } as never);
        await sleep(0.6 * GRACE_MS);
      }
      expect(watch.state.state).equal('down');
    } finally {
      await watch.stop();
      await client.close();
    }
  });

  it('is down where there is none: /readyz says no address, the log the cause each time', async function none() {
    this.timeout(30_000);
    const uri = `mongodb://127.0.0.1:${await freePort()}/?replicaSet=none`;
    service = await startOverAnyStore(uri, 'x');
    const here = service;
    const token = await here.token(1, true);
    // A busy machine may be too slow to be refused in time.
    const isRefused = ({ cause }: { cause: string }) => /ECONNREFUSED/.test(cause);
    await until(() => logged(here, 'the store cannot be reached').find(isRefused));
    expect(await ready(here)).eql({
      status: 503,
      state: 'down',
      reason: 'The store does not answer.',
    });
    const answer = await here.post('/api/v2/users/search', {}, token);
    expect(answer).to.deep.include({ status: 503 });
    expect(answer.body.code).equal('StoreUnavailable');
    expect(answer.headers.get('retry-after')).match(/^\d+$/);
    expect((await here.post('/api/v2/users/search', {}, `${token}x`)).status).equal(401);
    const refused = await until(() => logged(here, 'request failed')[0]);
    expect(refused.err.message).match(/ECONNREFUSED/);
    expect(here.logLines.join('')).not.include('MongoTopologyClosedError');
  });

  it('is down where the connection string names another set, or an account that is refused', async function other() {
    this.timeout(60_000);
    const [, set] = /replicaSet=([^&]+)/.exec(database.uri)!;
    for (const [uri, message, cause, reason] of [
      [
        database.uri.replace(`replicaSet=${set}`, 'replicaSet=another'),
        'the store cannot be used',
        `the store is the replica set ${set}, and the connection string names another`,
        'The store is another replica set than the connection string names.',
      ],
      [
        database.uri.replace('//', '//nobody:wrong@'),
        'the store cannot be reached',
        'Authentication failed.',
        'The store refuses the account: wrong user or password.',
      ],
    ] as const) {
      service = await startOverAnyStore(uri, 'x');
      const here = service;
      const said = await until(() => logged(here, message)[0]);
      expect(said.cause).equal(cause);
      expect(await ready(here)).eql({ status: 503, state: 'down', reason });
      await service.stop();
    }
  });

  it('is down on a standalone server, where nothing is built, until it is a replica set', async function alone() {
    this.timeout(120_000);
    const server = await Server.create();
    try {
      await server.start();
      await server.run((client) => storePeople(client.db(DB)));
      const before = await server.found();
      service = await startOverAnyStore(server.uri, DB);
      const here = service;
      const token = await here.token(1, true);
      const search = () => here.post('/api/v2/users/search', {}, token);

      const said = await until(() => logged(here, 'the store cannot be used')[0]);
      expect(said.cause).match(/standalone.*--replSet.*rs\.initiate\(\)/);
      expect((await ready(here)).reason).match(/standalone.*replica set/);
      expect({ ...(await search()) }).to.deep.include({ status: 503 });
      expect((await search()).body.code).equal('StoreUnavailable');
      expect(await server.found()).eql(before);

      await server.end();
      await server.start('rs0');
      const uninitiated = () =>
        logged(here, 'the store cannot be used').find(({ cause }) => cause.includes('initiated'));
      await until(uninitiated, 'it does not say that the set is not initiated', 30_000);
      await server.run((client) => client.db('admin').command({ replSetInitiate: {} }));
      await until(async () => (await search()).status === 200, 'no search is answered', 60_000);
      expect((await ready(here)).status).equal(200);
    } finally {
      await service?.stop();
      service = undefined;
      await server.remove();
    }
  });
});
