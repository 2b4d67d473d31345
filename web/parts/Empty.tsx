/** Nothing fulfils all that was asked: which of it could be dropped? */
import { labelOf } from '../data/projects.ts';
import { go, table, view } from '../data/store.ts';
import { chipText } from '../present/chip.ts';
import { asking } from '../state/view.ts';
import { say } from '../words/words.ts';
import { drop } from './Chips.tsx';

export function Empty() {
  const { q, conditions } = view.value;
  const { many, name } = table.value;
  if (q === '' && conditions.length === 0) {
    return (
      <div class="empty">
        <p class="empty-title">{say('There are no {what} yet', { what: say(many) })}</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <p class="empty-title">{say('No {what} fulfil all of this', { what: say(many) })}</p>
      <p class="dim">{say('Drop one of these to see more:')}</p>
      <ul class="empty-list">
        {q !== '' && (
          <li>
            <button type="button" class="button" onClick={() => go(asking(view.value, { q: '' }))}>
              {say('the text “{q}”', { q })}
            </button>
          </li>
        )}
        {conditions.map((one) => {
          const { field, is, value } = chipText(name, one, labelOf);
          return (
            <li key={`${one.kind} ${one.field} ${is}`}>
              <button type="button" class="button" onClick={() => drop(one)}>
                {field} {is} {value}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
