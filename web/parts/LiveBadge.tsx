/** Whether the table moves by itself, in plain words; a press pauses it. */
import { type Failure, failure, type Live, live, paused } from '../data/asking.ts';
import { behind } from '../data/clock.ts';
import { togglePause } from '../data/moves.ts';
import { slowToConnect } from '../data/slow.ts';
import { secondsUntil } from '../data/ticking.ts';
import { heard, say } from '../words/words.ts';

export function LiveBadge() {
  const wrong = failure.value;
  const now: Live = wrong && live.value.state === 'off' ? lostBy(wrong) : live.value;
  const { word, about, isLate = false } = wordsOf(now);
  const isPaused = paused.value;
  return (
    <button
      type="button"
      class={`live is-${isLate ? 'late' : now.state}`}
      aria-pressed={isPaused}
      aria-label={`${word}. ${about} ${say(isPaused ? 'Resume' : 'Pause')} (p)`}
      title={`${about} ${say(isPaused ? 'Resume' : 'Pause')} (p)`}
      onClick={togglePause}
    >
      <span class="live-dot" />
      {word}
    </button>
  );
}

/** The state of a question that failed. */
const lostBy = ({ title, retryAt }: Failure): Live => ({
  state: 'lost',
  reason: `${heard(title)}.`,
  until: retryAt,
});

/** When it is tried again. */
export const againText = (seconds: number): string =>
  seconds > 0 ? say('Retrying in {n} s.', { n: seconds }) : say('Retrying…');

interface Words {
  readonly word: string;
  readonly about: string;
  readonly isLate?: boolean;
}

function lateWords(seconds: number): Words {
  const time = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  const about = say('The index is catching up: changes appear late.');
  return { word: say('Live, {time} behind', { time }), about, isLate: true };
}

function wordsOf(live: Live): Words {
  const isConnecting = live.state === 'connecting' && !slowToConnect.value;
  if (behind.value > 0 && (live.state === 'live' || isConnecting)) return lateWords(behind.value);
  switch (live.state) {
    case 'live':
      return { word: say('Live'), about: say('Changes appear as they happen.') };
    case 'connecting':
      // It takes a moment after each question: a word that comes and goes would only flicker.
      return {
        word: say(slowToConnect.value ? 'Connecting' : 'Live'),
        about: say('Connecting to the service.'),
      };
    case 'paused':
      return { word: say('Paused'), about: say('Updates are paused.') };
    case 'slow':
      return { word: say('Every 5 s'), about: heard(live.reason) };
    case 'lost':
      return {
        // The service answered, and its reason stands.
        word: say(live.until === undefined ? 'Not live' : 'Disconnected'),
        about: `${heard(live.reason)} ${live.until === undefined ? '' : againText(secondsUntil(live.until))}`,
      };
    default:
      return { word: say('Loading'), about: say('Waiting for the first response.') };
  }
}
