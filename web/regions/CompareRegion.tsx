/** The choice of a baseline, for the view that shows. */
import { setBaseline, swapBaseline } from '../data/moves.ts';
import { labelOf } from '../data/service/projects.ts';
import { compare, conditions, go, table, time, view } from '../data/store.ts';
import { type CompareChoice, CompareSelect } from '../parts/sides/CompareSelect.tsx';
import { filtersText } from '../present/chip.ts';
import { withoutDates } from '../query/question.ts';
import { baselineIn, comparing, isRanked, NO_FILTERS, rangeOn } from '../state/view.ts';
import { say } from '../words/words.ts';

export function CompareRegion() {
  const baseline = baselineIn(compare.value);
  const hasRange = rangeOn(conditions.value, time.value) !== undefined;
  const isOther = baseline === 'with';
  return (
    <CompareSelect
      baseline={isOther || hasRange ? baseline : undefined}
      hasRange={hasRange}
      filters={isOther ? baselineText() : undefined}
      isAlone={time.value === undefined}
      choose={choose}
    />
  );
}

function choose(choice: CompareChoice) {
  if (choice === 'set') setBaseline();
  else if (choice === 'swap') swapBaseline();
  else {
    const baseline = choice === '' ? undefined : choice;
    go({
      ...view.peek(),
      compare: comparing(baseline, isRanked(view.peek().compare)),
      ...(baseline !== 'with' && { other: NO_FILTERS }),
    });
  }
  return baselineIn(compare.peek());
}

/** `“timeout”, Worker: gpu-1` */
function baselineText(): string {
  const { name, many } = table.value;
  const text = filtersText(name, withoutDates(view.value, view.value.other), labelOf);
  return text || say('all {what}', { what: say(many) });
}
