/** How many rows are selected, and what can be done to them. */
import { begin, chooseAll } from '../../data/selecting.ts';
import { chosen, NONE_CHOSEN, table, total } from '../../data/store.ts';
import { countOf } from '../../state/times.ts';
import { actionsFor } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { Menu } from '../controls/Menu.tsx';

/** In one line with the pages: where it is too narrow for all buttons, these are in a menu. */
export function Selection() {
  const picked = chosen.value;
  const all = total.value ?? 0;
  const { one, many } = table.value;
  const count = picked === 'all' ? all : picked.size;
  const more = picked !== 'all' && all > count ? all : 0;
  return (
    <>
      <p class="pager-range" role="status">
        <strong class="figure">{countOf(count)}</strong>{' '}
        {say('{what} selected', { what: say(count === 1 ? one : many) })}
      </p>
      <div class="selection-wide">
        <Deeds more={more} />
      </div>
      <div class="selection-narrow">
        <Menu
          label={say('Actions')}
          face={
            <>
              {say('Actions')} <Icon name="up" size={13} />
            </>
          }
        >
          <Deeds more={more} />
        </Menu>
      </div>
      <button
        type="button"
        class="button is-icon"
        aria-label={say('Clear selection')}
        title={`${say('Clear selection')} (Escape)`}
        onClick={() => {
          chosen.value = NONE_CHOSEN;
        }}
      >
        <Icon name="close" />
      </button>
    </>
  );
}

/** @param more how many rows match in all, where not all of them are selected */
function Deeds({ more }: { readonly more: number }) {
  return (
    <>
      {more > 0 && (
        <button type="button" class="button is-plain" onClick={chooseAll}>
          {say('Select all {n} that match', { n: countOf(more) })}
        </button>
      )}
      {actionsFor(table.value.name).map((action) => (
        <button
          type="button"
          class={`button ${action.dangerous ? 'is-danger' : ''}`}
          key={action.id}
          onClick={() => begin(action)}
        >
          {say(action.title)}
        </button>
      ))}
    </>
  );
}
