/** A word for an answer that is late; and a way to ask again, since a connection may hang for ever. */
import { say } from '../../words/words.ts';
import { Button } from './Button.tsx';
import { useSlow, useTries } from './useAnswer.ts';

interface Given {
  /** It names what the answer is for. */
  readonly word?: string;
  readonly retry: () => void;
}

export function Waiting({ word = say('Loading…'), retry }: Given) {
  const [tries, isOverdue, again] = useTries(retry);
  const isSlow = useSlow();
  return (
    <>
      <p class="dim" role="status">
        {isOverdue ? say('No answer yet') : isSlow && word}
      </p>
      {/* Once it is there it stays, since who presses it would lose their place. */}
      {(isOverdue || tries > 0) && (
        <Button look="is-small" onClick={again}>
          {say('Retry')}
        </Button>
      )}
    </>
  );
}
