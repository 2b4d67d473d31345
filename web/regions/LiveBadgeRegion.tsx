/** The badge that says whether the table moves by itself. */

import { failure, live, paused, togglePause } from '../data/rows/asking.ts';
import { slowToConnect } from '../data/rows/slow.ts';
import { behind } from '../data/service/clock.ts';
import { secondsUntil } from '../data/service/ticking.ts';
import { LiveBadge } from '../parts/table/LiveBadge.tsx';
import type { Failure, Live } from '../present/answer.ts';
import { heard } from '../words/words.ts';

export function LiveBadgeRegion() {
  const wrong = failure.value;
  const now = wrong && live.value.state === 'off' ? lostBy(wrong) : live.value;
  return (
    <LiveBadge
      live={now}
      retryIn={now.state === 'lost' && now.until !== undefined ? secondsUntil(now.until) : 0}
      behind={behind.value}
      isPaused={paused.value}
      isSlowToConnect={slowToConnect.value}
      toggle={togglePause}
    />
  );
}

/** The state of a question that failed. */
const lostBy = ({ title, status, retryAt }: Failure): Live => ({
  ...{ state: 'lost', reason: `${heard(title)}.` },
  ...{ until: retryAt, isRefused: status !== undefined },
});
