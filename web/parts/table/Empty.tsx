/** No rows match: offers the view without each of its filters. */
import { chipText, lineOf } from '../../present/chip.ts';
import { addressOf } from '../../state/address.ts';
import { asking, type LabelOf, type View, withoutCondition } from '../../state/view.ts';
import { addressFields, rowsText, type Table } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Button } from '../controls/Button.tsx';
import { useAnswer } from '../controls/useAnswer.ts';

interface Given {
  readonly table: Table;
  readonly view: View;
  readonly labelOf: LabelOf;
  readonly count: (of: View, signal: AbortSignal) => Promise<number | undefined>;
  readonly go: (to: View) => void;
}

interface Option {
  readonly key: string;
  readonly text: string;
  /** The view without it. */
  readonly next: View;
}

export function Empty({ view, labelOf, ...given }: Given) {
  const { q, conditions } = view;
  const { many, name } = given.table;
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
      next: asking(view, { conditions: withoutCondition(conditions, one) }),
    };
  });
  if (q !== '') {
    // Words that are quoted already have their quotes.
    const text = q.includes('"') ? say('Text: {q}', { q }) : say('Text: “{q}”', { q });
    options.unshift({ key: 'text', text, next: asking(view, { q: '' }) });
  }
  return (
    <div class="empty">
      <p class="empty-title">{say('No {what} match', { what: say(many) })}</p>
      <p class="dim">{say('Remove a filter to see more:')}</p>
      <ul class="empty-list">
        {options.map((option) => (
          <li key={option.key}>
            <Without {...given} {...option} key={addressOf(option.next, addressFields)} />
          </li>
        ))}
        {options.length > 1 && (
          <li>
            <Button
              look="is-plain"
              onClick={() => given.go(asking(view, { q: '', conditions: [] }))}
            >
              {say('Clear all')}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** A press away, with how many rows there are then. */
function Without({ text, next, table, count, go }: Option & Omit<Given, 'view' | 'labelOf'>) {
  // Where it fails, the line over the rows has the reason.
  const [found] = useAnswer((signal) => count(next, signal), []);
  return (
    <Button title={text} onClick={() => go(next)}>
      <span class="empty-text">{text}</span>
      {found !== undefined && <span class="dim figure">{rowsText(table, found)}</span>}
    </Button>
  );
}
