/**
 * Searches under way when the store gets stuck or goes away: how they end, how soon, and that nothing
 * has to be done for the next ones.
 */
import { expect } from 'chai';
import { Deadline } from '../../src/store/deadline.ts';
import { isOutOfTime } from '../../src/store/faults.ts';
import { SnapshotRead } from '../../src/store/snapshotRead.ts';
import { useDatabase } from '../support/database.ts';
import { failCommand, failNone, type Mode } from '../support/failCommand.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { storePeople } from './edge.ts';

const QUERY_TIMEOUT_MS = 1_200;
/** How long the server holds a command: a search that waits for it is later than this. */
const HELD_MS = 4_500;
/** A search's time beyond its limit: the driver's grace, and a busy machine. */
const A_LITTLE_MS = HELD_MS - QUERY_TIMEOUT_MS;

describe('a search under way', () => {
  const database = useDatabase();
  let network: NetworkProxy;
  let service: TestService;
  let token: string;

  before(async () => {
    await storePeople(database.db);
    network = await NetworkProxy.to(database.uri);
    service = await startService(network.uri, database.name, {
      SEARCH_INDEX: 'off',
      STORE_INDEXES: 'on',
      QUERY_TIMEOUT_MS: String(QUERY_TIMEOUT_MS),
    });
    token = await service.token(1, true);
    // The first search asks the store for its letters, too: a slow machine takes longer than it has.
    await until(async () => (await search()).status === 200, 'no search is answered');
  });
  after(async () => {
    await service.stop();
    await network.close();
  });

  const search = () => service.post('/api/v2/users/search', {}, token);

  /** A search whose aggregation the server holds for a while, and what happens meanwhile. */
  async function heldSearch(
    blockTimeMS: number,
    meanwhile: () => Promise<void> | void,
    mode: Mode = { times: 1 },
  ) {
    // The service has just read the caller's right, and does not read it again.
    expect((await search()).status).equal(200);
    const failPoint = await failCommand(database.client, mode, {
      failCommands: ['aggregate'],
      blockConnection: true,
      blockTimeMS,
      appName: 'table-search',
      namespace: `${database.name}.users`,
    });
    try {
      const started = performance.now();
      const answer = search();
      await failPoint.met();
      await meanwhile();
      return { answer: await answer, ms: performance.now() - started };
    } finally {
      await failNone(database.client);
    }
  }

  function expectRefusal({ status, headers, body }: TestAnswer, code: string): void {
    expect({ status, code: body.code }).eql({ status: 503, code });
    expect(headers.get('retry-after')).match(/^\d+$/);
    expect(headers.get('content-type')).match(/^application\/problem\+json/);
  }

  async function backWithin(ms: number): Promise<void> {
    await until(async () => (await search()).status === 200, 'no search is answered', ms);
  }

  for (const [what, mode] of [
    ['the page', { times: 1 }],
    ['its rows', { skip: 1 }],
  ] as const) {
    it(`ends in time when the server is stuck over ${what}`, async () => {
      const { answer, ms } = await heldSearch(HELD_MS, () => undefined, mode);
      expectRefusal(answer, 'SearchTimeout');
      expect(ms).within(QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS + A_LITTLE_MS);
      await backWithin(20_000);
    });
  }

  it('ends in time when the way to the server is dead, and works again once it is not', async () => {
    const { answer, ms } = await heldSearch(300, () => network.silence());
    expectRefusal(answer, 'SearchTimeout');
    expect(ms).within(QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS + A_LITTLE_MS);
    network.restore();
    await backWithin(20_000);
  });

  it('ends in time when the way to the server is dead before it begins', async () => {
    expect((await search()).status).equal(200);
    network.silence();
    const started = performance.now();
    const answer = await search();
    const ms = performance.now() - started;
    network.restore();
    expectRefusal(answer, 'SearchTimeout');
    expect(ms).within(QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS + A_LITTLE_MS);
    await backWithin(20_000);
  });

  it('ends in time when the server is stuck over what names stand for', async () => {
    expect((await search()).status).equal(200);
    await failCommand(
      database.client,
      { times: 1 },
      {
        failCommands: ['listCollections'],
        blockConnection: true,
        blockTimeMS: HELD_MS,
        appName: 'table-search',
      },
    );
    const started = performance.now();
    expectRefusal(await search(), 'SearchTimeout');
    const ms = performance.now() - started;
    expect(ms).within(QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS + A_LITTLE_MS);
    await failNone(database.client);
    await backWithin(20_000);
  });

  it('ends in time when the server is stuck over its letters, which are asked for again', async () => {
    const other = await startService(network.uri, database.name, {
      SEARCH_INDEX: 'off',
      QUERY_TIMEOUT_MS: String(QUERY_TIMEOUT_MS),
    });
    const held = await failCommand(
      database.client,
      { times: 1 },
      {
        failCommands: ['aggregate'],
        blockConnection: true,
        blockTimeMS: HELD_MS,
        appName: 'table-search',
        namespace: `${database.name}.$cmd.aggregate`,
      },
    );
    try {
      const ask = async () => other.post('/api/v2/users/search', {}, await other.token(1, true));
      const started = performance.now();
      const answer = ask();
      await held.met();
      expectRefusal(await answer, 'SearchTimeout');
      expect(performance.now() - started).lessThan(QUERY_TIMEOUT_MS + A_LITTLE_MS);
      await until(async () => (await ask()).status === 200, 'no search is answered');
    } finally {
      await failNone(database.client);
      await other.stop();
    }
  });

  it('is told at once when the connection is cut, and works again once the store is back', async () => {
    const { answer, ms } = await heldSearch(2_000, () => network.cut());
    expectRefusal(answer, 'StoreUnavailable');
    expect(ms).lessThan(QUERY_TIMEOUT_MS + A_LITTLE_MS);
    network.restore();
    await backWithin(20_000);
  });

  it('is told by the server itself that its time is over, where the server can', async () => {
    const failure = { failCommands: ['aggregate'], errorCode: 50, appName: 'table-search' };
    await failCommand(database.client, { times: 1 }, failure);
    expectRefusal(await search(), 'SearchTimeout');
    await backWithin(20_000);
  });
});

describe('a read of more than one reply holds', () => {
  const database = useDatabase();
  const LARGE = 2 ** 20;

  before(async () => {
    const documents = Array.from({ length: 20 }, (_, n) => ({ n, text: 'x'.repeat(LARGE) }));
    await database.db.collection('large').insertMany(documents);
  });

  it('is whole, and of one moment', async () => {
    const read = new SnapshotRead(database.db, { deadline: new Deadline(10_000) });
    const found = await read.find('large', { sort: { n: 1 } });
    expect(found.map(({ n, text }) => [n, text.length])).eql(
      Array.from({ length: 20 }, (_, n) => [n, LARGE]),
    );
    await database.db.collection('large').insertOne({ n: 20 });
    expect((await read.find('large', {})).length).equal(20);
  });

  it('ends in time when the server is stuck amid it', async () => {
    const namespace = `${database.name}.large`;
    const held = { blockConnection: true, blockTimeMS: HELD_MS, namespace };
    await failCommand(database.client, { times: 1 }, { failCommands: ['getMore'], ...held });
    const started = performance.now();
    try {
      const read = new SnapshotRead(database.db, { deadline: new Deadline(500) });
      const error = await read.find('large', {}).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(performance.now() - started).lessThan(HELD_MS);
      expect(isOutOfTime(error)).equal(true);
    } finally {
      await failNone(database.client);
    }
  });
});
