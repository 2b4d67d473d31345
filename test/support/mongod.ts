/**
 * The mongod of a test run: one for all suites, started when the first of them asks.
 *
 * Required by .mocharc.json. `TEST_MONGODB_URI` names a running replica set to use instead; nothing
 * is started then. The mongod works in a temporary folder, which its guard removes when the run
 * ends, however it ends.
 */

import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { EmbeddedLog } from '../../src/mongo/embedded/errors.ts';
import { type Embedded, startEmbedded } from '../../src/mongo/embedded/server.ts';

/** Says nothing unless something is wrong: the output of a test run is mocha's. */
export const testLog: EmbeddedLog = {
  info: () => {},
  warn: (fields, message) => process.emitWarning(`${message} ${JSON.stringify(fields)}`),
  error: (fields, message) => process.emitWarning(`${message} ${JSON.stringify(fields)}`),
};

let started: Promise<Embedded> | undefined;

/** Connection string of the run's mongod: a replica set, test commands enabled, no database. */
export async function testMongoUri(): Promise<string> {
  const given = process.env.TEST_MONGODB_URI;
  if (given !== undefined && given !== '') return given;
  started ??= start();
  return (await started).uri;
}

async function start(): Promise<Embedded> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-test-'));
  return startEmbedded({
    dataDir,
    log: testLog,
    ephemeral: true,
    setParameters: { enableTestCommands: true },
  });
}

/** Called by mocha when every suite has ended. */
export async function mochaGlobalTeardown(): Promise<void> {
  await (await started?.catch(() => undefined))?.stop();
}
