/** Rows that are chosen, and what can be done to them. */
import { actionsFor } from '../data/actions.ts';
import { begin } from '../data/moves.ts';
import { choose, chosen, shown, table } from '../data/store.ts';
import { countOf } from '../state/times.ts';

export function Selection() {
  const picked = chosen.value;
  const total = shown.value?.answer.meta.pagination.total_items ?? 0;
  const { name, one, many } = table.value;
  const count = picked === 'all' ? total : picked.size;
  return (
    <footer class="pager is-selection">
      <p class="pager-range">
        <strong class="figure">{countOf(count)}</strong> {count === 1 ? one : many} chosen
      </p>
      {picked !== 'all' && total > count && (
        <button type="button" class="button is-plain" onClick={() => choose('all')}>
          Choose all {countOf(total)} that match
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
            {action.title}
          </button>
        ))}
        <button type="button" class="button" onClick={() => choose(new Set())}>
          Choose none
        </button>
      </div>
    </footer>
  );
}
