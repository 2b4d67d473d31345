/** The suggestions below the search box. The focus stays in the box, which names the active one. */
import type { JSX } from 'preact';
import type { Suggestion } from '../../query/completion.ts';
import { say } from '../../words/words.ts';
import { Option } from '../controls/Option.tsx';

interface Given {
  readonly list: readonly Suggestion[];
  readonly active: number;
  readonly put: (one: Suggestion) => void;
  /** A sentence below the list. */
  readonly hint: string;
}

export function Suggestions({ list, active, put, hint }: Given) {
  const groups = new Map<string, JSX.Element[]>();
  for (const [at, one] of list.entries()) {
    const group = groups.get(one.group ?? '') ?? [];
    group.push(
      <Option
        key={at}
        {...{ id: `suggestion-${at}`, text: one.text, isActive: at === active }}
        take={() => put(one)}
      >
        <span class="dim">{one.hint}</span>
      </Option>,
    );
    groups.set(one.group ?? '', group);
  }
  return (
    <div class="suggestions" hidden={list.length === 0 && hint === ''}>
      <div
        id="suggestions"
        role="listbox"
        aria-label={say('Suggestions')}
        hidden={list.length === 0}
      >
        {[...groups].map(([title, options]) =>
          title === '' ? (
            options
          ) : (
            // biome-ignore lint/a11y/useSemanticElements: options of a list are grouped, not fields of a form
            <div role="group" aria-label={title} key={title}>
              <div class="suggestion-title" aria-hidden="true">
                {title}
              </div>
              {options}
            </div>
          ),
        )}
      </div>
      {hint !== '' && (
        <p id="search-hint" class="suggestion-foot">
          {hint}
        </p>
      )}
    </div>
  );
}
