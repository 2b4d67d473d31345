/**
 * Judges by the driver's view of a store whether searches can be answered there, and if not, why.
 *
 * ```
 * topology description ─┬─ a primary or a mongos, 6.0 or newer ─▶ up
 *                       └─ else ─▶ down: a reason for `/readyz`, a cause for the log
 * ```
 *
 * A server that answers is not enough: reads at one cluster time and transactions need a replica
 * set or a sharded cluster, of MongoDB 6.0 or newer. On any other server every search would fail.
 */
import type { ServerDescription, TopologyDescription } from 'mongodb';
import { isTooOld } from './hello.ts';

/** Whether searches can be answered; any client sees the reason, so it has no addresses. */
export type StoreState =
  | { readonly state: 'up' }
  | { readonly state: 'down'; readonly reason: string };

/** A store that cannot be used. */
export interface Shortcoming {
  readonly state: 'down';
  readonly reason: string;
  /** The log's message: with addresses, and with a remedy where one is known. */
  readonly cause: string;
  /** Waiting will not help: a server of this kind can never answer. */
  readonly unfit: boolean;
}

export type Verdict = { readonly state: 'up' } | Shortcoming;

const TO_REPLICA_SET =
  'start its mongod with --replSet rs0 and run rs.initiate() in mongosh once; its data stays';

export const STANDALONE: Shortcoming = {
  state: 'down',
  reason: 'The store is a standalone server; a replica set or a sharded cluster is needed.',
  cause: `the store is a standalone mongod, without snapshots, transactions and change streams: ${TO_REPLICA_SET}`,
  unfit: true,
};

export const NOT_INITIATED: Shortcoming = {
  state: 'down',
  reason: 'The store is a replica set that has not been initiated.',
  cause: 'the replica set has not been initiated: run rs.initiate() in mongosh once',
  unfit: true,
};

const TOO_OLD: Shortcoming = {
  state: 'down',
  reason: 'The store is older than MongoDB 6.0.',
  cause: 'the store is older than MongoDB 6.0: upgrade it',
  unfit: true,
};

/** The replica set that answers is not the one that the connection string names. */
export const otherSet = (found: string, named: string): Shortcoming => ({
  state: 'down',
  reason: 'The store is another replica set than the connection string names.',
  cause: `the store is the replica set ${found}, and the connection string names ${named}`,
  unfit: true,
});

export const refusesAccount = (message: string): boolean => /auth.*fail/is.test(message);

/** Nothing answers, the account is refused, or there is no primary just now. */
export function away(cause: string): Shortcoming {
  const reason = refusesAccount(cause)
    ? 'The store refuses the account: wrong user or password.'
    : 'The store does not answer.';
  return { state: 'down', reason, cause, unfit: false };
}

const NO_PRIMARY: Shortcoming = {
  state: 'down',
  reason: 'The store has no primary at the moment.',
  cause: 'the replica set has no primary at the moment',
  unfit: false,
};

export function verdictOn(topology: TopologyDescription): Verdict {
  const usable = usableIn(topology);
  if (usable !== undefined) {
    const old = usable.type !== 'LoadBalancer' && isTooOld(usable.maxWireVersion);
    return old ? TOO_OLD : { state: 'up' };
  }
  const known = [...topology.servers.values()];
  if (known.some((server) => server.type === 'Standalone')) return STANDALONE;
  if (known.some((server) => server.type === 'RSGhost')) return NOT_INITIATED;
  if (known.some((server) => server.type === 'RSSecondary')) return NO_PRIMARY;
  const failure = known.find((server) => server.error !== null)?.error;
  return away(failure?.message ?? 'no server answers');
}

/** A server that can be asked. */
export function usableIn({ type, servers }: TopologyDescription): ServerDescription | undefined {
  return [...servers.values()].find((server) => answers(server, type === 'Single'));
}

/** Whether the server can answer; a secondary only over a direct connection to it. */
function answers({ type }: ServerDescription, direct: boolean): boolean {
  if (type === 'RSPrimary' || type === 'Mongos' || type === 'LoadBalancer') return true;
  return direct && type === 'RSSecondary';
}
