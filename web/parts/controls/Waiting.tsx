/** A word for an answer that is late; and a way to ask again, since a connection may hang for ever. */
import { useState } from 'preact/hooks';
import { OVERDUE_MS } from '../../present/failureText.ts';
import { say } from '../../words/words.ts';
import { Button } from './Button.tsx';
import { useSlow } from './useAnswer.ts';

interface Given {
  /** It names what the answer is for. */
  readonly word?: string;
  readonly retry: () => void;
}

export function Waiting({ word = say('Loading…'), retry }: Given) {
  const [tries, setTries] = useState(0);
  const isSlow = useSlow();
  const isOverdue = useSlow(OVERDUE_MS, tries);
  const again = () => {
    setTries(tries + 1);
    retry();
  };
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
