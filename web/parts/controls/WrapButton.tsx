/** Whether long lines of texts and logs are wrapped: one preference for all of them. */
import { say } from '../../words/words.ts';
import { Icon } from './Icon.tsx';

export interface Wraps {
  readonly wraps: boolean;
  readonly setWraps: (wraps: boolean) => void;
}

export function WrapButton({ wraps, setWraps }: Wraps) {
  return (
    <button
      type="button"
      class="button is-icon is-small"
      aria-label={say('Wrap lines')}
      title={say('Wrap lines')}
      aria-pressed={wraps}
      onClick={() => setWraps(!wraps)}
    >
      <Icon name="wrap" size={13} />
    </button>
  );
}
