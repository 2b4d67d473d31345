/** One value of a facet: its count, how that compares, and the buttons that take or exclude it. */
import type { JSX } from 'preact';
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import { isBlank, valueText } from '../../present/chip.ts';
import type { Listed } from '../../present/facetLayout.ts';
import { countOf } from '../../state/times.ts';
import { isOwn, type LabelOf, type TableName } from '../../state/view.ts';
import { say } from '../../words/words.ts';
import { Icon } from '../controls/Icon.tsx';
import { valueMark } from '../controls/StatusMark.tsx';

/** Backups are counted apart, and values beyond the most frequent ones are not counted at all. */
export const APART = -1;

function countText(count: number | undefined): string {
  if (count === undefined) return '';
  return count === APART ? say('not included') : countOf(count);
}

interface OneGiven {
  readonly table: TableName;
  readonly field: string;
  readonly one: Listed;
  readonly most: number;
  /** The share here and in the baseline, or the change from it; empty where nothing is compared. */
  readonly shares: readonly string[];
  /** The count in the baseline, in words. */
  readonly before?: string;
  /** Whether the rows are those with this value, or those without it. */
  readonly choice: 'in' | 'out' | undefined;
  readonly labelOf: LabelOf;
  readonly toggle: (field: string, value: ViewValue, not: boolean) => void;
}

export function FacetValue(given: OneGiven): JSX.Element {
  const { table, field, one, most, shares, before, choice, labelOf, toggle } = given;
  const { value, label, count } = one;
  const known = label ?? valueText(table, field, value, labelOf);
  // Several keys may lead to one label.
  const text = isOwn(table) && label !== undefined ? `${label} (${value})` : known;
  return (
    <li class={`facet-value ${choice ? `is-${choice}` : ''}`}>
      <button
        type="button"
        class="facet-take"
        aria-pressed={choice === 'in'}
        title={value === null ? say('Rows without a value') : text}
        onClick={() => toggle(field, value, false)}
      >
        <span class="facet-bar" style={{ width: `${Math.max(0, (count ?? 0) / most) * 100}%` }} />
        <span class={`facet-text ${isBlank(value) ? 'is-blank' : ''}`}>
          {valueMark(table, field, value, text)}
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
        onClick={() => toggle(field, value, true)}
      >
        <Icon name="slash" size={13} />
      </button>
    </li>
  );
}
