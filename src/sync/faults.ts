/**
 * What the server's errors mean to somebody who follows it.
 *
 *     lost      the stream cannot go on from here: open a new one and load everything again
 *     early     the state at this time cannot be read (yet, or any more): wait for a later time
 *     denied    the account may not do this
 *     passing   the rest: networks, elections, killed cursors; the same thing again may work
 */
import { MongoError, MongoServerError, type Timestamp } from 'mongodb';
import { type ClusterTime, toClusterTime } from './clusterTime.ts';

const LOST = new Set([
  136, // CappedPositionLost: the oplog overtook the reader
  222, // CloseChangeStream
  260, // InvalidResumeToken
  280, // ChangeStreamFatalError
  286, // ChangeStreamHistoryLost
  40576, // the event of the resume token is not there any more
  40615, // the resume token came from an invalidate event
  50811, // the resume token came from another kind of stream
]);

const EARLY = new Set([
  239, // SnapshotTooOld
  246, // SnapshotUnavailable: the collection's catalogue entry is younger
  361, // CollectionUUIDMismatch: the name stands for another collection by now
]);

export type Fault = 'lost' | 'early' | 'denied' | 'passing';

export function faultOf(error: unknown): Fault {
  const code = codeOf(error);
  if (code === undefined) return 'passing';
  if (LOST.has(code)) return 'lost';
  if (EARLY.has(code)) return 'early';
  return code === 13 ? 'denied' : 'passing';
}

const codeOf = (error: unknown): number | undefined =>
  error instanceof MongoServerError && typeof error.code === 'number' ? error.code : undefined;

export const isUuidMismatch = (error: unknown): boolean => codeOf(error) === 361;

/** The server's time when it failed, if the error tells. */
export function timeOfFailure(error: unknown): ClusterTime | undefined {
  if (!(error instanceof MongoServerError)) return undefined;
  const time = error.errorResponse.operationTime as Timestamp | undefined;
  return time ? toClusterTime(time) : undefined;
}

/**
 * One line for `/readyz`, which anybody may ask. The server's own text goes on to quote the whole
 * command; the driver's names hosts and ports. The log has both.
 */
export function explain(error: unknown): string {
  if (error instanceof MongoServerError) {
    const [text = ''] = error.message.split(' {', 1);
    return `${error.codeName ?? error.code ?? 'server error'}: ${text.slice(0, 200)}`;
  }
  if (error instanceof MongoError) return error.name;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
