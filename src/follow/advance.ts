/**
 * One advance of the frontier: reads the documents that changed up to T, then makes every table the
 * state at T.
 *
 *     tables at F ──► read the pending ids of each table at T ──► one synchronous step ──► F = T
 *
 * Nothing pending: no read. Ids that changed again after T are read at T like the others, and stay
 * pending. Collections that were restarted during the reads take no part; the others advance.
 */

import { type ClusterTime, toTimestamp } from '../store/clusterTime.ts';
import type { ChangedId } from './changedId.ts';
import type { Channel } from './channel.ts';
import { type FollowedCollection, MISSING } from './followedCollection.ts';
import type { Frontier } from './frontier.ts';
import { type RowsById, readIds } from './read.ts';
import type { Change, Sink } from './sink.ts';

/** A collection could not be read at the advance's time. */
export class ReadFailed extends Error {
  readonly followed: FollowedCollection;

  constructor(followed: FollowedCollection, cause: unknown) {
    super(`reading ${followed.name}`, { cause });
    this.followed = followed;
  }
}

/** Whether this collection takes part in an advance to `at`. */
export const takesPart = ({ phase, readyAt }: FollowedCollection, at: ClusterTime): boolean =>
  phase === 'live' || (phase === 'loaded' && readyAt <= at);

interface Followed {
  readonly collections: readonly FollowedCollection[];
  readonly sink: Sink;
  readonly frontier: Frontier;
  /** Seconds that the frontier may move at once with such tables. */
  readonly maxStepS: number;
  readonly changed: () => void;
}

/**
 * Takes live tables with a window back to loading before a long step of the frontier, as after an
 * outage of the store: many rows have left them meanwhile. The tables go on like restored ones, so
 * that these rows are taken out in slices, and not in the one step. Returns whether there are any.
 */
export function pauseWindows(
  { collections, sink, frontier, maxStepS, changed }: Followed,
  at: ClusterTime,
): boolean {
  const before = frontier.at;
  if (before === null || at - before < BigInt(maxStepS) << 32n) return false;
  const live = collections.filter(
    ({ phase, uuid, spec }) => spec.filter && uuid && phase === 'live',
  );
  for (const followed of live) {
    followed.pause(before, 'rows that have left its window are being taken out');
    sink.pause(followed.name);
  }
  if (live.length > 0) changed();
  return live.length > 0;
}

/** A collection's pending ids, and the rows found for them. */
interface PendingRows {
  readonly followed: FollowedCollection;
  readonly generation: number;
  readonly ids: readonly ChangedId[];
  readonly found: RowsById['rows'];
}

/**
 * Takes all collections that take part to `at`, which is the frontier then.
 *
 * @throws ReadFailed; nothing has changed then
 */
export async function advance(
  channelFor: (followed: FollowedCollection) => Channel,
  sink: Sink,
  frontier: Frontier,
  collections: readonly FollowedCollection[],
  at: ClusterTime,
): Promise<void> {
  const taking = collections.filter((followed) => takesPart(followed, at));
  const parts = await readAll(channelFor, taking, at);
  const present = parts.filter(({ followed, generation }) => followed.generation === generation);
  const goingLive = present.filter(({ followed }) => followed.phase === 'loaded');
  sink.apply({
    at: toTimestamp(at),
    changed: present
      .filter(({ ids }) => ids.length > 0)
      .map((part) => ({ collection: part.followed.name, changes: changesOf(part) })),
    goingLive: goingLive.map(({ followed }) => followed.name),
  });
  for (const { followed, ids } of present) {
    followed.pending.settle(ids, at);
    followed.phase = 'live';
    followed.reason = followed.uuid === null ? MISSING : '';
  }
  // In the same step: no search may see tables of one moment under the name of another.
  frontier.moveTo(at);
}

/** All at once: an advance takes one round trip, however many collections changed. */
async function readAll(
  channelFor: (followed: FollowedCollection) => Channel,
  taking: readonly FollowedCollection[],
  at: ClusterTime,
): Promise<PendingRows[]> {
  const reads = taking.map((followed) => readPending(channelFor(followed), followed, at));
  // No read may be under way when the next advance uses the channels.
  await Promise.allSettled(reads);
  return await Promise.all(reads);
}

async function readPending(
  channel: Channel,
  followed: FollowedCollection,
  at: ClusterTime,
): Promise<PendingRows> {
  const { generation } = followed;
  const ids = followed.pending.ids();
  let found: PendingRows['found'] = new Map();
  try {
    if (ids.length > 0) {
      found = (await readIds(channel, followed, ids, { at })).rows;
      followed.refusals = 0;
    }
  } catch (error) {
    // One that has left meanwhile does not hold up the others.
    if (followed.generation === generation) throw new ReadFailed(followed, error);
  }
  return { followed, generation, ids, found };
}

const changesOf = ({ ids, found }: PendingRows): Change[] =>
  ids.map(({ id, key }) => ({ id, row: found.get(key) ?? null }));
