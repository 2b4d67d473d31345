/** The one choice of what the rows are compared with: an earlier range, or other filters, kept as the baseline. */
import type { TargetedKeyboardEvent } from 'preact';
import { setBaseline, swapBaseline } from '../../data/moves.ts';
import { labelOf } from '../../data/projects.ts';
import { compare, conditions, go, table, time, view } from '../../data/store.ts';
import { filtersText } from '../../present/chip.ts';
import { withoutDates } from '../../query/question.ts';
import { baselineIn, comparing, isOn, isRanked, NO_FILTERS } from '../../state/view.ts';
import { say } from '../../words/words.ts';

export function CompareSelect() {
  const baseline = baselineIn(compare.value);
  const hasRange = conditions.value.some(
    (one) => isOn(one, time.value ?? '') && one.kind !== 'values',
  );
  const isOther = baseline === 'with';
  const shown = isOther || hasRange ? baseline : undefined;
  return (
    <select
      class={`select is-small compare ${shown === undefined ? '' : 'is-on'}`}
      aria-label={say('Compare with')}
      title={isOther ? baselineText() : say('Compare with')}
      value={shown ?? ''}
      onKeyDown={openFirst}
      onChange={({ currentTarget }) => {
        choose(currentTarget.value);
        // A step is no state: what is compared with is.
        currentTarget.value = baselineIn(compare.peek()) ?? '';
      }}
    >
      <option value="">{say('Compare')}</option>
      {hasRange && (
        <>
          <option value="before">{say('Previous period')}</option>
          <option value="week">{say('A week earlier')}</option>
        </>
      )}
      {isOther && <option value="with">{baselineText()}</option>}
      {isOther && <option value="swap">{say('Swap with baseline')}</option>}
      <option value="set">{say('Set these filters as baseline')}</option>
    </select>
  );
}

/** A closed select changes with each arrow and letter, and a step on the way would replace the baseline: it opens instead. */
function openFirst(event: TargetedKeyboardEvent<HTMLSelectElement>): void {
  const { key, currentTarget } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Safari has no such function, and opens it by itself.
  if (!('showPicker' in currentTarget)) return;
  // Where it stands alone, keys along a line change it as well.
  const changes = time.peek() === undefined ? [...STEPS, ...ALONG] : STEPS;
  if (!changes.includes(key) && !/^\S$/u.test(key)) return;
  event.preventDefault();
  currentTarget.showPicker();
}
const STEPS = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'];
const ALONG = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

function choose(value: string): void {
  if (value === 'set') setBaseline();
  else if (value === 'swap') swapBaseline();
  else {
    const ranked = isRanked(view.peek().compare);
    const baseline = value === '' ? undefined : (value as 'before' | 'week' | 'with');
    go({
      ...view.peek(),
      compare: comparing(baseline, ranked),
      ...(baseline !== 'with' && { other: NO_FILTERS }),
    });
  }
}

/** `Baseline · “timeout”, Worker: gpu-1` */
function baselineText(): string {
  const { name, many } = table.value;
  const text = filtersText(name, withoutDates(view.value, view.value.other), labelOf);
  return say('Baseline · {what}', { what: text || say('all {what}', { what: say(many) }) });
}
