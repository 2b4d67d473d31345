/**
 * The mongod of a test run: one for all suites, started when the first of them asks.
 *
 * Required by .mocharc.json. `TEST_MONGODB_URI` names a running replica set to use instead; nothing
 * is started then.
 */

import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findMongod } from '../../src/dev/embedded/binary.ts';
import { Mongod, type MongodOptions } from '../../src/dev/embedded/mongod.ts';
import { isAlive } from '../../src/dev/embedded/running.ts';
import { type Embedded, startEmbedded } from '../../src/dev/embedded/server.ts';
import type { Logger } from '../../src/logger.ts';

const PREFIX = 'table-search-test-';
const RUN = Symbol.for('the mongod of the test run');

/** Says nothing unless something is wrong: the output of a test run is mocha's. */
export const testLog: Logger = {
  info: () => {},
  warn: (fields, message) => process.emitWarning(`${message} ${JSON.stringify(fields)}`),
  error: (fields, message) => process.emitWarning(`${message} ${JSON.stringify(fields)}`),
};

/** A mongod on a temporary folder, with test commands; both are gone when it has stopped. */
export async function startTestMongod(log: Logger = testLog): Promise<Embedded> {
  await removeAbandoned();
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  const parameters = ['enableTestCommands=true'];
  // Every 10 ms, three mongods take a fiftieth of the processor time of all tests for that.
  const embedded = await startEmbedded({ dataDir, log, parameters, journalMs: 30 });
  return {
    ...embedded,
    async stop() {
      await embedded.stop();
      await fs.rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A mongod as a test wants it: on its own folder and port, ended the hard way. Returns once it listens. */
export async function startMongod(
  options: Omit<MongodOptions, 'path' | 'version'>,
): Promise<Mongod> {
  const mongod = new Mongod({ ...(await findMongod(testLog)), ...options });
  await mongod.start();
  return mongod;
}

/** Folders of processes that have ended, 300 MB and more each. Their mongods may take seconds to end. */
async function removeAbandoned(): Promise<void> {
  for (const name of await fs.readdir(os.tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number.parseInt(name.slice(PREFIX.length), 10)))
      continue;
    await fs.rm(path.join(os.tmpdir(), name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** One for both instances of this module: mocha loads some test files by `require`, others by `import`. */
const run: { started?: Promise<Embedded> } = (() => {
  const all = globalThis as { [RUN]?: { started?: Promise<Embedded> } };
  all[RUN] ??= {};
  return all[RUN];
})();

/** Connection string of the run's mongod: a replica set, test commands enabled, no database. */
export async function testMongoUri(): Promise<string> {
  const given = process.env.TEST_MONGODB_URI;
  if (given !== undefined && given !== '') return given;
  run.started ??= startTestMongod();
  return (await run.started).uri;
}

/** Called by mocha when every suite has ended: in the process that ran them, or that started the ones that did. */
export async function mochaGlobalTeardown(): Promise<void> {
  await (await run.started?.catch(() => undefined))?.stop();
  await removeAbandoned();
}
