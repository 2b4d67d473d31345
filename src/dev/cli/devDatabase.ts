/**
 * A database to work with: `npx tsx src/dev/cli/devDatabase.ts` runs the embedded mongod on `DATA_DIR`
 * alone, prints its connection string on stdout, and stops it on Ctrl-C. Started beside a service
 * that runs on the same folder, it prints the address of that one's mongod and ends.
 */

import { once } from 'node:events';
import type { Logger } from '../../logger.ts';
import { runningEmbedded } from '../embedded/dataFolder.ts';
import { startEmbedded } from '../embedded/server.ts';
import { sentenceFor } from './sentence.ts';

const log: Logger = {
  info: () => {},
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

// Not all settings are read: a database needs no secret.
const dataDir = process.env.DATA_DIR?.trim() || '.data';

try {
  const running = await runningEmbedded(dataDir);
  if (running === undefined) await serve();
  else console.log(running.uri);
} catch (error) {
  const sentence = sentenceFor(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log });
  console.log(embedded.uri);
  // Neither the mongod nor a signal's listener keeps the process: a timer does.
  const keep = setInterval(() => {}, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(keep);
  await embedded.stop();
}
