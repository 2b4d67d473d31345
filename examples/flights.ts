/**
 * Tables over a real data set, in one command: `npm run flights`.
 *
 *     mongod (embedded, or MONGODB_URI) ─► 336,776 flights ─► the service with flights/tables.yaml ─► a link
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { readConfig } from '../src/config.ts';
import { startEmbedded } from '../src/dev/embedded/server.ts';
import { createLog, formatted } from '../src/log.ts';
import { mintToken } from '../src/serve/auth/mint.ts';
import { startService } from '../src/service.ts';
import { loadFlights } from './flights/load.ts';

/** A load drops it first: no database of the user's has this name by chance. */
const DATABASE = 'nycflights13';
const DAY_S = 86_400;

const say = (text: string) => console.log(text);
const note = (_: object, text: string) => say(text);
const log = { info: note, warn: note, error: note };

const { MONGODB_URI: given } = process.env;
const store = given ? undefined : await startEmbedded({ dataDir: '.data-flights', log });
const uri = given ?? store!.uri;
try {
  const client = await new MongoClient(uri).connect();
  try {
    await loadFlights(client.db(DATABASE), say);
  } finally {
    await client.close();
  }
  const secret = randomBytes(32).toString('base64url');
  const config = readConfig({
    // Any port: a demo may have the usual one.
    ...{ PORT: '0', LOG_LEVEL: 'warn', ...process.env },
    ...{ MONGODB_URI: uri, MONGODB_DB: DATABASE, AUTH_JWT_SECRET: secret },
    ...{ BUILT_IN_TABLES: 'off', STORE_INDEXES: 'off' },
    TABLES: path.join(import.meta.dirname, 'flights', 'tables.yaml'),
  });
  const service = await startService({
    config,
    uri,
    log: createLog(config.logLevel, formatted(process.stdout)),
  });
  const token = await mintToken({ userId: 1, admin: true, lifeS: DAY_S / 2 }, secret, config);
  say(`The flights, airlines, airports and planes: ${service.url}/#token=${token}`);
  say('Ctrl-C ends it.');
  await once(process, 'SIGINT');
  await service.stop();
} finally {
  await store?.stop();
}
