/** One value of a facet: its count, how that compares, and the buttons that take or exclude it. */
import type { JSX } from 'preact';
import { labelOf } from '../../data/projects.ts';
import { conditions, go, table, view } from '../../data/store.ts';
import { isBlank, valueText } from '../../present/chip.ts';
import type { Listed } from '../../present/facetLayout.ts';
import { countOf } from '../../state/times.ts';
import { asking, choiceOf, isOwn, toggled } from '../../state/view.ts';
import { columnOf } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { StatusMark } from '../controls/StatusMark.tsx';

/** Backups are counted apart, and values beyond the most frequent ones are not counted at all. */
export const APART = -1;

function countText(count: number | undefined): string {
  if (count === undefined) return '';
  return count === APART ? say('not included') : countOf(count);
}

interface OneGiven {
  readonly field: string;
  readonly one: Listed;
  readonly most: number;
  /** The share here and in the baseline, or the change from it; empty where nothing is compared. */
  readonly shares: readonly string[];
  /** The count in the baseline, in words. */
  readonly before?: string;
}

export function FacetValue({
  field,
  one: { value, label, count },
  most,
  shares,
  before,
}: OneGiven): JSX.Element {
  const { name } = table.value;
  const { look, words } = columnOf(name, field);
  const known = label ?? valueText(name, field, value, labelOf);
  // Several keys may lead to one label.
  const text = isOwn(name) && label !== undefined ? `${label} (${value})` : known;
  const choice = choiceOf(conditions.value, field, value);
  const set = (not: boolean) =>
    go(asking(view.value, { conditions: toggled(view.value.conditions, field, value, not) }));
  return (
    <li class={`facet-value ${choice ? `is-${choice}` : ''}`}>
      <button
        type="button"
        class="facet-take"
        aria-pressed={choice === 'in'}
        title={value === null ? say('Rows without a value') : text}
        onClick={() => set(false)}
      >
        <span class="facet-bar" style={{ width: `${Math.max(0, (count ?? 0) / most) * 100}%` }} />
        <span class={`facet-text ${isBlank(value) ? 'is-blank' : ''}`}>
          {look === 'status' ? <StatusMark status={value} words={words} /> : text}
        </span>
        <span class="facet-count">{countText(count)}</span>
        {shares.map((share) => (
          <span
            class={`facet-count facet-share ${before === undefined ? '' : 'is-change'}`}
            title={before}
          >
            {share}
          </span>
        ))}
      </button>
      <button
        type="button"
        class="facet-not"
        aria-pressed={choice === 'out'}
        aria-label={say('Exclude {what}', { what: text })}
        title={say('Exclude {what}', { what: text })}
        onClick={() => set(true)}
      >
        <Icon name="slash" size={13} />
      </button>
    </li>
  );
}
