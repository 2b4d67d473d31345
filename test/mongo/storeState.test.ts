/** Whether a store can answer searches: a replica set can, a server of its own or none cannot. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { findMongod } from '../../src/mongo/embedded/binary.ts';
import { type Guarded, runGuarded } from '../../src/mongo/embedded/guard.ts';
import { freePort, isListening } from '../../src/mongo/embedded/port.ts';
import { askStore } from '../../src/mongo/storeState.ts';
import { useDatabase } from '../support/database.ts';
import { testLog } from '../support/mongod.ts';

describe('the state of the store', () => {
  const database = useDatabase();
  let guarded: Guarded | undefined;
  let client: MongoClient | undefined;
  afterEach(async () => {
    await client?.close();
    await guarded?.end();
    client = guarded = undefined;
  });

  const connect = (uri: string) => {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: 2_000 });
    return client.db('x');
  };

  it('is up where searches can be answered', async () => {
    expect(await askStore(database.db, 2_000)).eql({ state: 'up' });
  });

  it('is down where it is no replica set, which answers but to no search', async function alone() {
    this.timeout(60_000);
    const { path } = await findMongod({ log: testLog });
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'standalone-'));
    const args = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'];
    guarded = await runGuarded({
      command: path,
      args: [...args, '--nounixsocket', '--logpath', join(folder, 'log')],
      endSignal: 'KILL',
      removeAfter: folder,
    });
    while (!(await isListening(port))) await sleep(50);
    const { state, reason } = { reason: '', ...(await askStore(connect(uriOf(port)), 5_000)) };
    expect(state).equal('down');
    expect(reason).match(/standalone.*replica set/);
  });

  it('is down where there is none, and says no address', async () => {
    const port = await freePort();
    const found = await askStore(connect(uriOf(port)), 1_000);
    expect(found).eql({ state: 'down', reason: 'The store does not answer.' });
  });
});

const uriOf = (port: number) => `mongodb://127.0.0.1:${port}/?directConnection=true`;
