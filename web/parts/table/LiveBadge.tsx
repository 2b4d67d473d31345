/** Whether the table moves by itself, in plain words; a press pauses it. */
import type { Live } from '../../present/answer.ts';
import { heard, say } from '../../words/words.ts';

export interface LiveGiven {
  readonly live: Live;
  /** Seconds until it is tried again, where it is lost. */
  readonly retryIn: number;
  /** Seconds by which the rows are behind the store. */
  readonly behind: number;
  readonly isPaused: boolean;
  /** Whether connecting has taken so long that it is worth a word. */
  readonly isSlowToConnect: boolean;
  readonly toggle: () => void;
}

export function LiveBadge({ toggle, ...given }: LiveGiven) {
  const { word, about, isLate = false } = wordsOf(given);
  const { live, isPaused } = given;
  const title = `${about} ${say(isPaused ? 'Resume' : 'Pause')} (p)`;
  return (
    <button
      type="button"
      class={`live is-${isLate ? 'late' : live.state}`}
      aria-pressed={isPaused}
      aria-label={`${word}. ${title}`}
      title={title}
      onClick={toggle}
    >
      <span class="live-dot" />
      {word}
    </button>
  );
}

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

function wordsOf({ live, behind, isSlowToConnect, retryIn }: Omit<LiveGiven, 'toggle'>): Words {
  const isConnecting = live.state === 'connecting' && !isSlowToConnect;
  if (behind > 0 && (live.state === 'live' || isConnecting)) return lateWords(behind);
  switch (live.state) {
    case 'live':
      return { word: say('Live'), about: say('Changes appear as they happen.') };
    case 'connecting':
      // It takes a moment after each question: a word that comes and goes would only flicker.
      return {
        word: say(isSlowToConnect ? 'Connecting' : 'Live'),
        about: say('Connecting to the service.'),
      };
    case 'paused':
      return { word: say('Paused'), about: say('Updates are paused.') };
    case 'slow':
      return {
        word:
          live.loaded === undefined
            ? say('Every 5 s')
            : say('Loading {part} %', { part: live.loaded }),
        about: heard(live.reason),
      };
    case 'lost':
      return {
        word: say(live.isRefused ? 'Not live' : 'Disconnected'),
        about: `${heard(live.reason)} ${live.until === undefined ? '' : againText(retryIn)}`,
      };
    default:
      return { word: say('Loading'), about: say('Waiting for a response.') };
  }
}
