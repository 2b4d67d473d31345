/** A note of the search box on a term: why it is not applied, and similar terms to pick. */
import type { Doubt } from '../../query/understood.ts';
import { quotedWord } from '../../state/searchText.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';

interface Given {
  readonly note: Doubt;
  /** Puts a term in the place of the one in doubt. */
  readonly take: (term: string) => void;
  /** Asks for the term all the same. */
  readonly insist: () => void;
}

export function BoxNote({ note, take, insist }: Given) {
  const { text, term, choices, isRefused, canStand } = note;
  return (
    <div
      id="search-note"
      class={`search-note ${isRefused ? 'is-refused' : ''}`}
      role={isRefused ? 'alert' : 'status'}
    >
      <span>{text}</span>
      {choices.map((one) => (
        <Button look="is-small" key={one.term} onClick={() => take(one.term)}>
          {one.text}
        </Button>
      ))}
      {isRefused && term !== '' && (
        <Button look="is-plain is-small" onClick={() => take(quotedWord(term))}>
          {say('Search as text')}
        </Button>
      )}
      {canStand && (
        <Button look="is-plain is-small" onClick={insist}>
          {say('Filter anyway')}
        </Button>
      )}
    </div>
  );
}
