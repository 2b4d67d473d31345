/** No rows match: offers the view without each of its filters. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { countRows } from '../../data/asking.ts';
import { labelOf } from '../../data/projects.ts';
import { go, table, view } from '../../data/store.ts';
import { chipText, lineOf } from '../../present/chip.ts';
import { addressOf } from '../../state/address.ts';
import { countOf } from '../../state/times.ts';
import { asking, type View, withoutCondition } from '../../state/view.ts';
import { addressFields } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';

interface Option {
  readonly key: string;
  readonly text: string;
  /** The view without it. */
  readonly next: View;
}

export function Empty() {
  const { q, conditions } = view.value;
  const { many, name } = table.value;
  if (q === '' && conditions.length === 0) {
    return (
      <div class="empty">
        <p class="empty-title">{say('No {what} yet', { what: say(many) })}</p>
      </div>
    );
  }
  const options: Option[] = conditions.map((one) => {
    const text = lineOf(chipText(name, one, labelOf));
    return {
      ...{ key: text, text },
      next: asking(view.value, { conditions: withoutCondition(conditions, one) }),
    };
  });
  if (q !== '') {
    // Words that are quoted already have their quotes.
    const text = q.includes('"') ? say('Text: {q}', { q }) : say('Text: “{q}”', { q });
    options.unshift({ key: 'text', text, next: asking(view.value, { q: '' }) });
  }
  return (
    <div class="empty">
      <p class="empty-title">{say('No {what} match', { what: say(many) })}</p>
      <p class="dim">{say('Remove a filter to see more:')}</p>
      <ul class="empty-list">
        {options.map((option) => (
          <li key={option.key}>
            <Without {...option} />
          </li>
        ))}
        {options.length > 1 && (
          <li>
            <button
              type="button"
              class="button is-plain"
              onClick={() => go(asking(view.value, { q: '', conditions: [] }))}
            >
              {say('Clear all')}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** A press away, with how many rows there are then. */
function Without({ text, next }: Option) {
  const count = useSignal<number | undefined>(undefined);
  const { one, many } = table.value;
  const address = addressOf(next, addressFields);
  useEffect(() => {
    const abort = new AbortController();
    count.value = undefined;
    countRows(next, abort.signal).then(
      (found) => {
        count.value = found;
      },
      // The line above the rows says what is wrong.
      () => {},
    );
    return () => abort.abort();
  }, [address]);
  const { value } = count;
  return (
    <button type="button" class="button" onClick={() => go(next)}>
      {text}
      {value !== undefined && (
        <span class="dim figure">{`${countOf(value)} ${say(value === 1 ? one : many)}`}</span>
      )}
    </button>
  );
}
