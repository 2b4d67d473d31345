/** The suggestions below the search box. The focus stays in the box, which names the active one. */
import type { Suggestion } from '../query/completion.ts';
import { say } from '../words/words.ts';

interface Given {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly put: (one: Suggestion) => void;
}

export function Suggestions({ list, active, put }: Given) {
  return (
    <div
      id="suggestions"
      class="suggestions"
      role="listbox"
      aria-label={say('Suggestions')}
      hidden={list.length === 0}
    >
      {list.map((one, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the box, which names the active one
        <div
          id={`suggestion-${at}`}
          key={at}
          class="suggestion"
          role="option"
          aria-selected={at === active}
          onPointerDown={(event) => {
            event.preventDefault();
            put(one);
          }}
        >
          <span class="suggestion-text">{one.text}</span>
          <span class="dim">{one.hint}</span>
        </div>
      ))}
    </div>
  );
}
