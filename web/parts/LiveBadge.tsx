/** Whether the table moves by itself, in plain words; a press pauses it. */
import { type Failure, failure, type Live, live, paused } from '../data/asking.ts';
import { togglePause } from '../data/moves.ts';
import { slowToConnect } from '../data/slow.ts';
import { secondsUntil } from '../data/ticking.ts';
import { heard, say } from '../words/words.ts';

export function LiveBadge() {
  const wrong = failure.value;
  const now: Live = wrong && live.value.state === 'off' ? lostBy(wrong) : live.value;
  const { word, about } = wordsOf(now);
  const isPaused = paused.value;
  return (
    <button
      type="button"
      class={`live is-${now.state}`}
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

/** What was asked for could not be answered. */
const lostBy = ({ title, retryAt }: Failure): Live => ({
  state: 'lost',
  reason: `${heard(title)}.`,
  until: retryAt,
});

/** When it is tried again. */
export const againText = (seconds: number): string =>
  seconds > 0 ? say('Retrying in {n} s.', { n: seconds }) : say('Retrying…');

function wordsOf(live: Live): { readonly word: string; readonly about: string } {
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
        word: say('Disconnected'),
        about: `${heard(live.reason)} ${live.until === undefined ? '' : againText(secondsUntil(live.until))}`,
      };
    default:
      return { word: say('Loading'), about: say('Waiting for the first response.') };
  }
}
