/** Whether long lines of texts and logs are wrapped: one preference for all of them. */
import { prefer, preferences } from '../../data/preferences.ts';
import { say } from '../../words/words.ts';
import { Icon } from './Icon.tsx';

export function WrapButton() {
  const { wraps } = preferences.value;
  return (
    <button
      type="button"
      class="button is-icon is-small"
      aria-label={say('Wrap lines')}
      title={say('Wrap lines')}
      aria-pressed={wraps}
      onClick={() => prefer({ wraps: !wraps })}
    >
      <Icon name="wrap" size={13} />
    </button>
  );
}
