/** Reads of a primary that goes away under them. */
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { readCommand, unlessAborted } from '../../src/store/commands.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { faultOf } from '../../src/store/faults.ts';
import { useDatabase } from '../support/database.ts';
import { type Failure, failCommand, failNone } from '../support/failCommand.ts';

const APP = 'reads-of-a-primary';
const TIME_MS = 15_000;

describe('reads of a primary that goes away', () => {
  const database = useDatabase();
  let client: MongoClient;

  before(async () => {
    client = await MongoClient.connect(database.uri, { appName: APP });
  });
  after(() => client.close());
  afterEach(() => failNone(database.client));

  /** The answer of a read while so many commands fail. */
  async function read(times: number, how: Partial<Failure>): Promise<unknown> {
    const fails = { failCommands: ['find'], appName: APP, ...how };
    await failCommand(database.client, { times }, fails);
    const deadline = new Deadline(TIME_MS);
    try {
      const { cursor } = await readCommand(client.db(database.name), deadline, { find: 'none' });
      return cursor.firstBatch;
    } catch (error) {
      return faultOf(error);
    } finally {
      deadline.close();
    }
  }

  it('are made once more where it says that it stepped down, or is none any more', async () => {
    for (const errorCode of [189, 10107, 11602]) expect(await read(1, { errorCode })).eql([]);
  });

  it('fail when that fails too', async () => {
    expect(await read(2, { errorCode: 10107 })).equal('away');
  });

  it('are not made again for any other reason', async () => {
    expect(await read(1, { errorCode: 50 })).equal('outOfTime');
    expect(await read(1, { errorCode: 11601 })).equal('interrupted');
    expect(await read(1, { closeConnection: true }), 'there may be no server').equal('away');
  });
});

describe('work that a signal gives up', () => {
  it('is given up where the signal was aborted before', async () => {
    const aborted = AbortSignal.abort(new Error('given up'));
    const ended = await unlessAborted(new Promise(() => {}), aborted).catch(
      (error) => error.message,
    );
    expect(ended).equal('given up');
  });
});
