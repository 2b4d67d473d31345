/**
 * What the routes call: made here, and nowhere else, from the settings and a store.
 *
 *     config, store ──▶ search, management, … ──▶ routes, health
 */
import type { Config } from './config.ts';
import type { Health, IndexHealth } from './http/health.ts';
import type { Route } from './http/route.ts';
import type { Log } from './log.ts';
import type { Store } from './mongo/client.ts';
import { IndexKeeper } from './mongo/indexes.ts';

export interface Services {
  readonly health: Health;
  /** The routes of the contract. */
  readonly routes: readonly Route[];
  /** Stops what works in the background. The store is still open. */
  close(): Promise<void>;
}

export interface ServiceDeps {
  readonly config: Config;
  readonly store: Store;
  readonly log: Log;
}

export function createServices({ config, store, log }: ServiceDeps): Services {
  const keeper = new IndexKeeper(store.db, log);
  keeper.start();
  return {
    health: { store: () => askStore(store), index: () => indexHealth(config) },
    routes: [],
    async close() {
      keeper.stop();
    },
  };
}

/** Longest time the store has to say that it is there, milliseconds. */
const PING_MS = 2_000;

async function askStore({ db }: Store) {
  try {
    await db.command({ ping: 1 }, { timeoutMS: PING_MS });
    return { state: 'up' } as const;
  } catch {
    return { state: 'down', reason: 'The store does not answer.' } as const;
  }
}

function indexHealth(config: Config): IndexHealth {
  const reason = config.searchIndex ? 'There is no index.' : 'SEARCH_INDEX is off.';
  return { state: 'off', reason };
}
