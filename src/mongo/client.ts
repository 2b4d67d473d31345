/** The connection to the store. */
import { type Db, MongoClient } from 'mongodb';

export interface StoreOptions {
  readonly uri: string;
  readonly dbName: string;
  /** Searches by pipeline that may run at once; the pool leaves room beside them. */
  readonly maxSearches: number;
}

export interface Store {
  readonly client: MongoClient;
  readonly db: Db;
}

/**
 * A client that connects on first use and heals by itself. A store that cannot be reached is
 * reported within two seconds, so that callers get their 503 and not a hanging request.
 */
export function openStore({ uri, dbName, maxSearches }: StoreOptions): Store {
  const client = new MongoClient(uri, {
    appName: 'table-search',
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    // A server that has fallen silent is noticed after this and `connectTimeoutMS` together.
    heartbeatFrequencyMS: 2_000,
    maxPoolSize: maxSearches + 16,
    // An undefined in a filter would otherwise vanish, and the filter match every document.
    ignoreUndefined: false,
    retryReads: true,
    retryWrites: true,
  });
  return { client, db: client.db(dbName) };
}
