/** Whether long lines of texts and logs are wrapped: one preference for all of them. */
import { say } from '../../words/words.ts';
import { IconButton } from './IconButton.tsx';

export interface Wraps {
  readonly wraps: boolean;
  readonly setWraps: (wraps: boolean) => void;
}

export function WrapButton({ wraps, setWraps }: Wraps) {
  return (
    <IconButton
      icon="wrap"
      small
      label={say('Wrap lines')}
      aria-pressed={wraps}
      onClick={() => setWraps(!wraps)}
    />
  );
}
