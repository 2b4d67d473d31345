/**
 * A process that owns an embedded mongod, for the tests that kill it or press its Ctrl-C.
 *
 *     tsx embeddedParent.ts <dataDir>
 *
 * Prints `{pid, uri}` once it is up. On SIGINT it writes a document half a second later, like a
 * service that finishes its work. Then it stops the mongod and exits with 0.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { startEmbedded } from '../../src/dev/embedded/server.ts';
import { testLog as log } from '../support/mongod.ts';

const embedded = await startEmbedded({ dataDir: process.argv[2]!, log });
const client = await MongoClient.connect(embedded.uri);
const things = client.db('kept').collection('things');
await things.insertOne({ when: 'start' }, { writeConcern: { w: 'majority', j: true } });
process.on('SIGINT', async () => {
  await sleep(500);
  await things.insertOne({ when: 'after SIGINT' });
  await client.close();
  await embedded.stop();
  process.exit(0);
});
setInterval(() => {}, 1000);
process.stdout.write(`${JSON.stringify({ pid: embedded.pid, uri: embedded.uri })}\n`);
