/** The connections to the store: a pool for searches and changes, and one for reads of callers' rights. */
import { type Db, MongoClient } from 'mongodb';

export interface StoreOptions {
  readonly uri: string;
  readonly dbName: string;
  /** Searches by pipeline that may run at once; the pool leaves room beside them. */
  readonly maxSearches: number;
  /** Whether the driver reports each command; left out, it does not. */
  readonly monitored?: boolean;
}

/**
 * The database, by a client that connects on first use and heals by itself. A store that cannot be
 * reached is reported within two seconds, so that callers get their 503 and not a hanging request.
 */
export function openStore({ uri, dbName, maxSearches, monitored }: StoreOptions): Db {
  return open(uri, dbName, maxSearches + 16, monitored);
}

/** Enough for some thousand point reads a second. */
const RIGHTS_CONNECTIONS = 8;

/**
 * Separate connections for the reads of callers' rights. Every request begins with
 * such a read, so load on the other connections must not lock all callers out.
 */
export function openRights({ uri, dbName, monitored }: Omit<StoreOptions, 'maxSearches'>): Db {
  return open(uri, dbName, RIGHTS_CONNECTIONS, monitored);
}

function open(uri: string, dbName: string, maxPoolSize: number, monitored = false): Db {
  const client = new MongoClient(uri, {
    appName: 'table-search',
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    // A server that has fallen silent is noticed after this and `connectTimeoutMS` together.
    heartbeatFrequencyMS: 2_000,
    maxPoolSize,
    monitorCommands: monitored,
    // An undefined in a filter would otherwise vanish, and the filter match every document.
    ignoreUndefined: false,
    retryReads: true,
    retryWrites: true,
  });
  return client.db(dbName);
}
