/** How the index stands to the searches of a table. */

import type { Follower } from '../../follow/follower.ts';
import { isAway } from '../../store/hedged.ts';

/**
 * - `live`: it answers them
 * - `alone`: it does while the store seems to be away
 * - `silent`: the store seems to be away, and the index does not answer any more
 * - `coming`: it will, once the table is loaded or has caught up
 * - `off`: it does not load the table
 */
export type Standing = 'live' | 'alone' | 'silent' | 'coming' | 'off';

/**
 * @param collections that the searches read
 * @param maxSilentMs for how long the index answers alone; 0 for not at all
 */
export function standingOf(
  collections: readonly string[],
  follower: Pick<Follower, 'isLive' | 'isExact' | 'silentMs' | 'frontier' | 'state'>,
  maxSilentMs: number,
): Standing {
  if (follower.isLive(collections)) return 'live';
  const isOff = follower.state.collections.some(
    ({ name, phase }) => phase === 'off' && collections.includes(name),
  );
  if (isOff) return 'off';
  const { silentMs, frontier } = follower;
  const isWhole = frontier !== null && follower.isExact(collections);
  if (isWhole && isAway(silentMs, maxSilentMs)) return 'alone';
  // Between two sessions the store's state is unknown: then it is infinite.
  return silentMs > 0 && Number.isFinite(silentMs) ? 'silent' : 'coming';
}
