/**
 * One jump of the frontier: reads what changed as of T, then makes every table the state at T.
 *
 *     tables at F ──► read the pending ids of each table at T ──► one synchronous step ──► F = T
 *
 * Nothing pending: no read. Ids that changed again after T are read at T like the others, and stay
 * pending. Collections that were restarted during the reads have left; the others jump.
 */

import type { ChangedId } from './changedId.ts';
import type { Channel } from './channel.ts';
import { type ClusterTime, toTimestamp } from './clusterTime.ts';
import type { Followed } from './followed.ts';
import type { Frontier } from './frontier.ts';
import { type RowsById, readIds } from './read.ts';
import type { Change, Sink } from './sink.ts';

/** A collection could not be read at the jump's time. */
export class ReadFailed extends Error {
  readonly followed: Followed;
  /** The jump's time. */
  readonly at: ClusterTime;

  constructor(followed: Followed, at: ClusterTime, cause: unknown) {
    super(`reading ${followed.name}`, { cause });
    this.followed = followed;
    this.at = at;
  }
}

/** Whether this collection takes part in a jump to `at`. */
export const takesPart = ({ phase, readyAt }: Followed, at: ClusterTime): boolean =>
  phase === 'live' || (phase === 'joining' && readyAt <= at);

interface Part {
  readonly followed: Followed;
  readonly generation: number;
  readonly ids: readonly ChangedId[];
  readonly found: RowsById['rows'];
}

export async function jump(
  channelFor: (followed: Followed) => Channel,
  sink: Sink,
  frontier: Frontier,
  collections: readonly Followed[],
  at: ClusterTime,
): Promise<void> {
  const taking = collections.filter((followed) => takesPart(followed, at));
  const parts = await readAll(channelFor, taking, at);
  const present = parts.filter(({ followed, generation }) => followed.generation === generation);
  const joining = present.filter(({ followed }) => followed.phase === 'joining');
  sink.jump({
    at: toTimestamp(at),
    changed: present
      .filter(({ ids }) => ids.length > 0)
      .map((part) => ({ collection: part.followed.name, changes: changesOf(part) })),
    joining: joining.map(({ followed }) => followed.name),
  });
  for (const { followed, ids } of present) {
    followed.pending.settle(ids, at);
    followed.phase = 'live';
    followed.reason = '';
  }
  // In the same step: nobody may meet the tables of one moment under the name of another.
  frontier.advance(at);
}

/** All at once: a jump takes one round trip, however many collections changed. */
async function readAll(
  channelFor: (followed: Followed) => Channel,
  taking: readonly Followed[],
  at: ClusterTime,
): Promise<Part[]> {
  const reads = taking.map((followed) => readPart(channelFor(followed), followed, at));
  // None may be under way any more when the next jump uses the channels.
  await Promise.allSettled(reads);
  return await Promise.all(reads);
}

async function readPart(channel: Channel, followed: Followed, at: ClusterTime): Promise<Part> {
  const { generation } = followed;
  const ids = followed.pending.ids();
  if (ids.length === 0) return { followed, generation, ids, found: new Map() };
  try {
    const { rows } = await readIds(channel, followed, ids, { at });
    followed.refusals = 0;
    return { followed, generation, ids, found: rows };
  } catch (error) {
    // One that has left meanwhile does not hold up the others.
    if (followed.generation !== generation) return { followed, generation, ids, found: new Map() };
    throw new ReadFailed(followed, at, error);
  }
}

const changesOf = ({ ids, found }: Part): Change[] =>
  ids.map(({ id, key }) => ({ id, row: found.get(key) ?? null }));
