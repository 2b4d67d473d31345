/**
 * Finds the collection behind a name at the moment, and tells whether it can be followed.
 *
 *     hello: primary P ──► listCollections at L ──► hello … until the majority has L: still P
 *
 * The server lists collections as its primary has them. Changes that the majority lacks, such as a
 * drop, may be rolled back when the primary dies. A listed collection proves itself: the load reads
 * it by its UUID, at majority. No read can prove that there is no collection to follow, so this is
 * confirmed by a wait. A state that a primary had at L is final once the majority has L while that
 * primary is still in its election term. A time alone proves nothing, since a new primary passes it
 * too.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ObjectId, Timestamp, UUID } from 'mongodb';
import { decode } from '../store/bson/decode.ts';
import { type ClusterTime, later, toClusterTime } from '../store/clusterTime.ts';
import type { Channel } from './channel.ts';

export interface Described {
  /** Null when there is no such collection. */
  readonly uuid: UUID | null;
  /** Why an index cannot answer for this collection; null when it can. */
  readonly unfit: string | null;
  /** Whether it is a view or a time series. */
  readonly isView: boolean;
  /** The server's time when it had answered. */
  readonly operationTime: ClusterTime;
}

interface Listed {
  readonly type: string;
  readonly options: { readonly capped?: boolean };
  readonly info: { readonly uuid?: UUID };
}

/** The primary's own view: the caller reads it at majority, or confirms it. */
export async function describe(channel: Channel, collection: string): Promise<Described> {
  const { documents, operationTime } = await channel.batch({
    listCollections: 1,
    filter: { name: collection },
    cursor: {},
  });
  if (documents.length === 0) return { uuid: null, unfit: null, isView: false, operationTime };
  // Its validator may hold a pattern that JavaScript has not.
  const listed = decode(documents[0]!) as unknown as Listed;
  const uuid = listed.info.uuid ?? null;
  return { uuid, unfit: unfitness(listed), isView: isView(listed), operationTime };
}

const isView = ({ type }: Listed): boolean => type !== 'collection';

function unfitness(listed: Listed): string | null {
  const { type, options } = listed;
  const what = type === 'timeseries' ? 'time series' : type;
  if (isView(listed)) return `it is a ${what}, which has no change events`;
  if (options.capped) return 'it is capped, and what falls off its end has no change events';
  return null;
}

/** Whether reads at majority will show that the description is true. */
export const provesItself = ({ uuid, unfit }: Described): boolean =>
  uuid !== null && unfit === null;

/** The longest wait for the majority before other collections have their turn, milliseconds. */
const CONFIRM_TIMEOUT_MS = 5_000;
/** Between two looks, milliseconds; doubled up to the second number. */
const PAUSES_MS = [5, 250] as const;

/**
 * Describes the collection as the majority has it, or will have it for certain.
 *
 * @throws when that cannot be said: the primary changed, or the majority does not get that far
 */
export async function describeCommitted(
  channel: Channel,
  collection: string,
  signal: AbortSignal,
): Promise<Described> {
  const before = await askPrimary(channel);
  const described = await describe(channel, collection);
  if (provesItself(described)) return described;
  const after = await askPrimary(channel);
  const time = later(described.operationTime, after.applied);
  const deadline = performance.now() + CONFIRM_TIMEOUT_MS;
  for (let now = after, pause: number = PAUSES_MS[0]; ; pause = Math.min(2 * pause, PAUSES_MS[1])) {
    if (now.election !== before.election) throw new Error('another primary was elected meanwhile');
    if (now.committed >= time) return described;
    if (performance.now() > deadline)
      throw new Error('the majority does not have the primary’s state');
    await delay(pause, undefined, { signal });
    now = await askPrimary(channel);
  }
}

interface Primary {
  /** Names the primary and its election. */
  readonly election: string;
  /** The times up to which it, and the majority, have applied all writes. */
  readonly applied: ClusterTime;
  readonly committed: ClusterTime;
}

interface Hello {
  readonly electionId?: ObjectId;
  readonly lastWrite?: {
    readonly opTime: { readonly ts: Timestamp };
    readonly majorityOpTime: { readonly ts: Timestamp };
  };
}

async function askPrimary(channel: Channel): Promise<Primary> {
  const { document } = await channel.send({ hello: 1 });
  const { electionId, lastWrite } = document as Hello;
  if (!electionId || !lastWrite) throw new Error('the server is not primary at the moment');
  return {
    election: electionId.toHexString(),
    applied: toClusterTime(lastWrite.opTime.ts),
    committed: toClusterTime(lastWrite.majorityOpTime.ts),
  };
}
