/** The table of faults: every server code in it, as a server sends it; and the driver's own errors. */
import { expect } from 'chai';
import { MongoClient, MongoServerError } from 'mongodb';
import { streamFaultOf as faultForFollower } from '../../src/follow/faults.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { CODES, type Fault, faultOf, wordsOf } from '../../src/store/faults.ts';
import { useDatabase } from '../support/database.ts';
import { failCommand, failNone } from '../support/failCommand.ts';

const thrownBy = (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  );

const APP = 'faults';

describe('the table of faults', () => {
  const database = useDatabase();
  let client: MongoClient;
  before(async () => {
    client = new MongoClient(database.uri, { appName: APP, retryReads: false, retryWrites: false });
    await client.connect();
  });
  after(() => client.close());

  async function injected(failure: object, work: () => Promise<unknown>): Promise<unknown> {
    const commands = { failCommands: ['ping'], appName: APP, ...failure };
    await failCommand(database.client, 'alwaysOn', commands);
    try {
      return await thrownBy(work);
    } finally {
      await failNone(database.client);
    }
  }
  const ping = () => client.db(database.name).command({ ping: 1 });

  it('knows a connection that breaks, whoever says so', () => {
    expect(faultOf(Object.assign(new Error('read'), { code: 'ECONNRESET' }))).equal('away');
    expect(faultOf(Object.assign(new Error('open'), { code: 'ENOENT' }))).equal('unknown');
  });

  it('has each code once', () => {
    const codes = Object.values(CODES).flatMap((some) => Object.keys(some));
    expect(new Set(codes).size).equal(codes.length);
  });

  it('names codes as the server does, and knows them when it sends them', async () => {
    for (const [fault, codes] of Object.entries(CODES)) {
      for (const [code, name] of Object.entries(codes)) {
        // A mongod has no shard version that could be stale; it refuses to make up such an error.
        if (['63', '150', '13388', '234', '361'].includes(code)) continue;
        // After such an error the driver looks for the primary again, which takes a while.
        if (fault === 'away') {
          expect(faultOf(new MongoServerError({ code: Number(code) })), name).equal(fault);
          continue;
        }
        const error = (await injected({ errorCode: Number(code) }, ping)) as { codeName?: string };
        expect(faultOf(error), name).equal(fault satisfies string as Fault);
        // Names of codes that are younger or older than this server are not its own.
        if (!/^Location|^UnknownError/.test(error.codeName ?? 'UnknownError')) {
          if (/^\w+$/.test(name)) expect(error.codeName).equal(name);
        }
      }
    }
  });

  it('knows the errors of the driver', async () => {
    const away = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 50 });
    expect(faultOf(await thrownBy(() => away.db('x').command({ ping: 1 })))).equal('away');
    await away.close();
    const closed = new MongoClient(database.uri);
    await closed.connect();
    await closed.close();
    expect(faultOf(await thrownBy(() => closed.db('x').command({ ping: 1 })))).equal('away');
    const options = { appName: APP, maxPoolSize: 1, waitQueueTimeoutMS: 50 };
    const small = await MongoClient.connect(database.uri, options);
    const held = { failCommands: ['ping'], appName: APP, blockConnection: true, blockTimeMS: 500 };
    await failCommand(database.client, { times: 1 }, held);
    const two = [1, 2].map(() => thrownBy(() => small.db('x').command({ ping: 1 })));
    expect((await Promise.all(two)).map(faultOf)).include('busy');
    await small.close();
    const signal = AbortSignal.timeout(1);
    const aborted = thrownBy(
      () => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason))),
    );
    expect(faultOf(await aborted)).equal('outOfTime');
  });

  it('knows what a deadline was ended by', async () => {
    const over = new Deadline(1);
    expect(faultOf(await thrownBy(() => over.wait(new Promise(() => undefined))))).equal(
      'outOfTime',
    );
    for (const end of ['client', 'stopping', 'replaced', 'lost'] as const) {
      const ended = new Deadline(1_000);
      ended.stop(end);
      expect(faultOf(await thrownBy(() => ended.wait(ping())))).equal('away');
    }
  });

  it('makes nothing of what is no fault of the store', () => {
    for (const thrown of [new TypeError('x'), 'text', undefined, null, { code: 50 }]) {
      expect(faultOf(thrown)).equal('unknown');
    }
  });

  it('tells the command that was denied, and where its rights are told', () => {
    const told = (command: string) =>
      wordsOf(new Error(`not authorized on lab to execute command ${command}`));
    const role = '; `table-search role` prints the rights that are needed';
    const start = 'not authorized on lab to execute command';
    expect(told('{ listCollections: 1, filter: { name: "CANARY" } }')).equal(
      `${start} listCollections${role}`,
    );
    expect(told('{ aggregate: 1, pipeline: [ { $changeStream: { a: 1 } } ] }')).equal(
      `${start} aggregate with $changeStream${role}`,
    );
    expect(wordsOf(new Error('bad index { a: 1 }'))).equal('bad index');
  });

  it('tells the follower what matters to it', async () => {
    const told = async (errorCode: number) => faultForFollower(await injected({ errorCode }, ping));
    expect(await told(286)).equal('lost');
    expect(await told(246)).equal('early');
    expect(await told(13)).equal('denied');
    for (const code of [175, 112, 50]) expect(await told(code)).equal('passing');
  });
});
