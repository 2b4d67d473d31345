/**
 * The client's first connection, made however long the store is away.
 *
 *     connect ─ fails ─▶ wait ─▶ connect ─ fails ─▶ … ─▶ connected: from here the driver heals itself
 *
 * A client of the driver (7.8) whose first connection failed stays closed: every later operation is
 * `MongoTopologyClosedError`, store or no store, until somebody calls `connect` again. That is what
 * this does. Operations in between fail at once, which is the 503 that callers are to get.
 */
import type { MongoClient } from 'mongodb';

interface ConnectionLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface FirstConnection {
  /** Ends the attempts; resolves when none is under way, so that the client can be closed for good. */
  stop(): Promise<void>;
}

/** Pause between two attempts, beside the two seconds that one may take. */
const PAUSE_MS = 500;

export function connectWhenThere(client: MongoClient, log: ConnectionLog): FirstConnection {
  const stopping = new AbortController();
  const connecting = attempt(client, log, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await connecting;
    },
  };
}

async function attempt(client: MongoClient, log: ConnectionLog, stopping: AbortSignal) {
  let told = false;
  while (!stopping.aborted) {
    try {
      await client.connect();
      log.info({}, 'connected to the store');
      return;
    } catch (error) {
      if (!told) log.warn({ err: error }, 'the store cannot be reached; trying on');
      told = true;
      await pause(PAUSE_MS, stopping);
    }
  }
}

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopping.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
