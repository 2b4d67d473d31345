/**
 * The follower's view of the server's errors.
 *
 *     lost      the stream cannot go on from here: open a new one and load everything again
 *     early     the state at this time cannot be read (yet, or any more): wait for a later time
 *     denied    the account may not do this
 *     passing   all others: networks, elections, killed cursors; the same thing again may work
 */
import { MongoError, MongoServerError, MongoServerSelectionError, type Timestamp } from 'mongodb';
import { type ClusterTime, toClusterTime } from '../store/clusterTime.ts';
import { Ended } from '../store/deadline.ts';
import { codeOf, type Fault, faultOf, wordsOf } from '../store/faults.ts';

export type StreamFault = 'lost' | 'early' | 'denied' | 'passing';

/** The common table's faults that are not passing. */
const OTHERS: Partial<Record<Fault, StreamFault>> = {
  lost: 'lost',
  overtaken: 'early',
  unreadable: 'early',
  denied: 'denied',
};

export const streamFaultOf = (error: unknown): StreamFault => OTHERS[faultOf(error)] ?? 'passing';

export const isUuidMismatch = (error: unknown): boolean => codeOf(error) === 361;

/** The server's time when it failed, if the error tells. */
export function timeOfFailure(error: unknown): ClusterTime | undefined {
  if (!(error instanceof MongoServerError)) return undefined;
  const time = error.errorResponse.operationTime as Timestamp | undefined;
  return time ? toClusterTime(time) : undefined;
}

/** One line for `/readyz`, which is public. The driver's text names hosts and ports; the log has it. */
export function inWords(error: unknown): string {
  if (error instanceof MongoServerError) {
    return `${error.codeName ?? error.code ?? 'server error'}: ${wordsOf(error).slice(0, 200)}`;
  }
  if (error instanceof MongoServerSelectionError)
    return `${error.name}: no server of the store answers`;
  if (error instanceof Ended) return error.message;
  if (error instanceof MongoError) return error.name;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
