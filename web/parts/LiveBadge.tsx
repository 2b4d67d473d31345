/** Whether the table moves by itself, in plain words; a press pauses it. */
import { type Live, live, paused } from '../data/asking.ts';
import { togglePause } from '../data/moves.ts';
import { now } from '../data/ticking.ts';

export function LiveBadge() {
  const { word, about } = wordsOf(live.value);
  const isPaused = paused.value;
  return (
    <button
      type="button"
      class={`live is-${live.value.state}`}
      aria-pressed={isPaused}
      aria-label={`${word}. ${about} ${isPaused ? 'Go on' : 'Pause'} (p)`}
      title={`${about} ${isPaused ? 'Go on' : 'Pause'} (p)`}
      onClick={togglePause}
    >
      <span class="live-dot" />
      {word}
    </button>
  );
}

function wordsOf(live: Live): { readonly word: string; readonly about: string } {
  switch (live.state) {
    case 'live':
      return { word: 'Live', about: 'Changes show as they are made.' };
    case 'connecting':
      return { word: 'Live', about: 'Connecting.' };
    case 'paused':
      return { word: 'Paused', about: 'Nothing moves.' };
    case 'slow':
      return { word: 'Every 5 s', about: live.reason };
    case 'lost': {
      const seconds = Math.max(0, Math.round((live.until - now.value) / 1_000));
      return { word: 'Not live', about: `${live.reason} Tried again in ${seconds} s.` };
    }
    default:
      return { word: 'Asking', about: 'The first answer is on its way.' };
  }
}
