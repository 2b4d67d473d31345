/** What is asked for beside the text: each can be turned round or dropped. */
import { labelOf } from '../data/projects.ts';
import { conditions, go, table, view } from '../data/store.ts';
import { chipText } from '../present/chip.ts';
import { asking, type Condition, withCondition, withoutCondition } from '../state/view.ts';
import { say } from '../words/words.ts';
import { Icon } from './Icon.tsx';

export function Chips() {
  const { name } = table.value;
  if (conditions.value.length === 0) return null;
  return (
    <ul class="chips" aria-label={say('Active filters')}>
      {conditions.value.map((one) => {
        const { field, is, value } = chipText(name, one, labelOf);
        const text = `${field}${is && ` ${is}`}: ${value}`;
        return (
          <li class={`chip ${is ? 'is-not' : ''}`} key={`${one.kind} ${one.field} ${is}`}>
            {one.kind === 'values' ? (
              <button
                type="button"
                class="chip-text"
                title={say(is ? 'Include' : 'Exclude')}
                onClick={() => turn(one)}
              >
                <span class="chip-field">
                  {field}
                  {is && <span class="chip-not"> {say('not')}</span>}
                </span>
                <span class="chip-value">{value}</span>
              </button>
            ) : (
              <span class="chip-text">
                <span class="chip-field">{field}</span>
                <span class="chip-value">{value}</span>
              </span>
            )}
            <button
              type="button"
              class="chip-drop"
              aria-label={say('Remove {what}', { what: text })}
              onClick={() => drop(one)}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        );
      })}
      <li>
        <button
          type="button"
          class="button is-plain is-small"
          onClick={() => go(asking(view.value, { conditions: [] }))}
        >
          {say('Clear all')}
        </button>
      </li>
    </ul>
  );
}

const drop = (one: Condition) =>
  go(asking(view.value, { conditions: withoutCondition(view.value.conditions, one) }));

function turn(one: Condition & { kind: 'values' }): void {
  const rest = withoutCondition(view.value.conditions, one);
  go(asking(view.value, { conditions: withCondition(rest, { ...one, not: !one.not }) }));
}
