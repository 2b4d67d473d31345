/** The choice of the baseline that the rows are compared with: an earlier range, or other filters. */
import type { TargetedKeyboardEvent } from 'preact';
import type { Baseline } from '../../state/view.ts';
import { say } from '../../words/words.ts';

export type CompareChoice = Baseline | 'set' | 'swap' | '';

interface Given {
  /** The rows that these are compared with; undefined where nothing is compared. */
  readonly baseline: Baseline | undefined;
  /** Whether there is a range of time, which an earlier one can be compared with. */
  readonly hasRange: boolean;
  /** The filters of the baseline in words, where it has its own. */
  readonly filters: string | undefined;
  /** Whether it stands alone, and not along the line of the timeline. */
  readonly isAlone: boolean;
  /** @returns the baseline of the rows then */
  readonly choose: (choice: CompareChoice) => Baseline | undefined;
}

export function CompareSelect({ baseline, hasRange, filters, isAlone, choose }: Given) {
  const other = filters !== undefined && say('Baseline · {what}', { what: filters });
  return (
    <select
      class={`select is-small compare ${baseline === undefined ? '' : 'is-on'}`}
      aria-label={say('Compare with')}
      title={other || say('Compare with')}
      value={baseline ?? ''}
      onKeyDown={(event) => openFirst(event, isAlone)}
      onChange={({ currentTarget }) => {
        // The select shows the baseline in force, not the step that was chosen.
        currentTarget.value = choose(currentTarget.value as CompareChoice) ?? '';
      }}
    >
      <option value="">{say('Compare')}</option>
      {hasRange && (
        <>
          <option value="before">{say('Previous period')}</option>
          <option value="week">{say('A week earlier')}</option>
        </>
      )}
      {other && <option value="with">{other}</option>}
      {other && <option value="swap">{say('Swap with baseline')}</option>}
      <option value="set">{say('Set these filters as baseline')}</option>
    </select>
  );
}

/** A closed select changes with each arrow and letter, and a step on the way would replace the baseline: it opens instead. */
function openFirst(event: TargetedKeyboardEvent<HTMLSelectElement>, isAlone: boolean): void {
  const { key, currentTarget } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Safari has no such function, and opens it by itself.
  if (!('showPicker' in currentTarget)) return;
  // Where it stands alone, keys along a line change it as well.
  const changes = isAlone ? [...STEPS, ...ALONG] : STEPS;
  if (!changes.includes(key) && !/^\S$/u.test(key)) return;
  event.preventDefault();
  currentTarget.showPicker();
}
const STEPS = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];
const ALONG = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];
