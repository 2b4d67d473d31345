/**
 * The process: settings, a store, the service, and a clean end on SIGTERM or SIGINT.
 *
 *     settings ─▶ port ─▶ MONGODB_URI or an embedded mongod ─▶ service ─▶ … ─▶ signal ─▶ closed in order ─▶ exit 0
 *
 * A second signal ends the process at once.
 */
import { giveWayToEventLoop } from './collectors.ts';
import { type Config, ConfigError, readConfig, storeUri } from './config.ts';
import type { Embedded } from './dev/embedded/server.ts';
import { knownFault } from './errors.ts';
import { type Log, stdoutLog } from './log.ts';
import { openDoor } from './serve/server/door.ts';
import { startService } from './service.ts';
import { runInOrder, type Step } from './shutdown.ts';

/** Time for the embedded mongod to write out its data and end, milliseconds. */
const MONGOD_MS = 30_000;

async function main(): Promise<void> {
  giveWayToEventLoop();
  const config = readConfig(process.env);
  const named = storeUri(config, process.env.NODE_ENV);
  const { log, end } = stdoutLog(config.logLevel);
  let started = false;
  const ended = firstSignal(() => {
    // Nothing is under way yet, and an embedded mongod ends with its parent.
    if (!started) void exit(end, 0);
  });
  endOnDefects(log, end);
  try {
    const door = await openDoor(config, log);
    const embedded = named === undefined ? await embeddedStore(config, log) : undefined;
    const mongod: readonly Step[] =
      embedded === undefined
        ? []
        : [{ name: 'mongod', run: () => embedded.stop(), withinMs: MONGOD_MS }];
    const uri = embedded?.uri ?? named!;
    const service = await startService({ config, uri, log, door }).catch(async (error: unknown) => {
      await runInOrder(mongod, log);
      throw error;
    });
    started = true;
    log.info({ url: service.url, port: service.port, pid: process.pid }, 'listening');

    log.info({ signal: await ended }, 'stopping');
    const finished = await service.stop();
    const clean = (await runInOrder(mongod, log)) && finished;
    log.info({ clean }, 'stopped');
    await exit(end, clean ? 0 : 1);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const cause = error instanceof Error ? knownFault(error) : undefined;
    log.fatal(cause === undefined ? { err: error } : { cause }, 'the service cannot start');
    await exit(end, 1);
  }
}

/** Loaded when it is wanted: a service with a store of its own has no use for it. */
async function embeddedStore({ dataDir }: Config, log: Log): Promise<Embedded> {
  const { EmbeddedError } = await import('./dev/embedded/binary.ts');
  const { startEmbedded } = await import('./dev/embedded/server.ts');
  return await startEmbedded({ dataDir, log }).catch((error: unknown) => {
    if (!(error instanceof EmbeddedError)) throw error;
    const lines = error.message.split('\n');
    throw new ConfigError(lines.pop()!, lines);
  });
}

/** The signal that asks the service to end. Another one does not wait for that. */
function firstSignal(onFirst: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (asked) process.exit(1);
      asked = true;
      resolve(signal);
      onFirst();
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** An uncaught error leaves the process in an unknown state: log it, and end. */
function endOnDefects(log: Log, end: () => Promise<void>): void {
  const onDefect = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught');
    void exit(end, 1);
  };
  process.on('uncaughtException', onDefect);
  process.on('unhandledRejection', onDefect);
}

async function exit(end: () => Promise<void>, code: number): Promise<never> {
  await end();
  process.exit(code);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  const { log, end } = stdoutLog('fatal');
  for (const line of error.lines) log.fatal(line);
  log.fatal(error.message);
  await exit(end, 1);
}
