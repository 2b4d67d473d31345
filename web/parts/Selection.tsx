/** Rows that are chosen, and what can be done to them. */
import { actionsFor } from '../data/actions.ts';
import { begin, chooseAll } from '../data/selecting.ts';
import { chosen, NONE_CHOSEN, table, total } from '../data/store.ts';
import { countOf } from '../state/times.ts';
import { say } from '../words/words.ts';

export function Selection() {
  const picked = chosen.value;
  const all = total.value ?? 0;
  const { name, one, many } = table.value;
  const count = picked === 'all' ? all : picked.size;
  return (
    <footer class="pager is-selection">
      <p class="pager-range">
        <strong class="figure">{countOf(count)}</strong>{' '}
        {say('{what} selected', { what: say(count === 1 ? one : many) })}
      </p>
      {picked !== 'all' && all > count && (
        <button type="button" class="button is-plain" onClick={chooseAll}>
          {say('Select all {n} that match', { n: countOf(all) })}
        </button>
      )}
      <div class="selection-actions">
        {actionsFor(name).map((action) => (
          <button
            type="button"
            class={`button ${action.dangerous ? 'is-danger' : ''}`}
            key={action.id}
            onClick={() => begin(action)}
          >
            {say(action.title)}
          </button>
        ))}
        <button
          type="button"
          class="button"
          onClick={() => {
            chosen.value = NONE_CHOSEN;
          }}
        >
          {say('Clear selection')}
        </button>
      </div>
    </footer>
  );
}
