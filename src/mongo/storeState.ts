/**
 * Whether the store can answer searches just now, and if not, why, in words that anybody may read.
 *
 * That it answers at all is not enough: reads at one cluster time and transactions need a replica set
 * or a sharded cluster, of MongoDB 6.0 or newer. On any other server every search would fail.
 */
import type { Db } from 'mongodb';

export type StoreState =
  | { readonly state: 'up' }
  | { readonly state: 'down'; readonly reason: string };

/** The wire version of MongoDB 6.0. */
const WIRE_VERSION = 17;

/** Asks the store; it has `withinMs` to answer. Never rejects. */
export async function askStore(db: Db, withinMs: number): Promise<StoreState> {
  try {
    const hello = await db.command({ hello: 1 }, { signal: AbortSignal.timeout(withinMs) });
    const reason = shortcoming(hello);
    return reason === undefined ? { state: 'up' } : { state: 'down', reason };
  } catch {
    return { state: 'down', reason: 'The store does not answer.' };
  }
}

function shortcoming({ setName, msg, maxWireVersion }: Readonly<Record<string, unknown>>) {
  if (typeof setName !== 'string' && msg !== 'isdbgrid') {
    return 'The store is a standalone server; a replica set or a sharded cluster is needed.';
  }
  if (!(Number(maxWireVersion) >= WIRE_VERSION)) return 'The store is older than MongoDB 6.0.';
  return undefined;
}
