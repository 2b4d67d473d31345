/**
 * The mongod of a test run: one for all suites, started when the first of them asks.
 *
 * Required by .mocharc.json. `TEST_MONGODB_URI` names a running replica set to use instead; nothing
 * is started then. The mongod works in a temporary folder, which its guard removes when the run
 * ends, however it ends.
 */

import { type Embedded, startEphemeral } from '../../src/dev/embedded/server.ts';
import type { Logger } from '../../src/logger.ts';

/** Says nothing unless something is wrong: the output of a test run is mocha's. */
export const testLog: Logger = {
  info: () => {},
  warn: (fields, message) => process.emitWarning(`${message} ${JSON.stringify(fields)}`),
  error: (fields, message) => process.emitWarning(`${message} ${JSON.stringify(fields)}`),
};

let started: Promise<Embedded> | undefined;

/** Connection string of the run's mongod: a replica set, test commands enabled, no database. */
export async function testMongoUri(): Promise<string> {
  const given = process.env.TEST_MONGODB_URI;
  if (given !== undefined && given !== '') return given;
  started ??= startEphemeral({ log: testLog, setParameters: { enableTestCommands: true } });
  return (await started).uri;
}

/** Called by mocha when every suite has ended. */
export async function mochaGlobalTeardown(): Promise<void> {
  await (await started?.catch(() => undefined))?.stop();
}
