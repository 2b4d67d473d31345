/** Counts by value of the rows that match. */

import { sheet } from '../data/dialogs.ts';
import { facetsOpen, toggleFacet } from '../data/preferences.ts';
import { pointedFacet } from '../data/rows/arrivals.ts';
import { isCounting } from '../data/rows/asking.ts';
import { slowCounts } from '../data/rows/slow.ts';
import { labelOf } from '../data/service/projects.ts';
import {
  ask,
  compare,
  compareShown,
  conditions,
  facetSearch,
  facetsShown,
  go,
  group,
  listMore,
  project,
  question,
  table,
  time,
  view,
} from '../data/store.ts';
import { Differences, type FacetDeeds, Facets } from '../parts/sides/Facets.tsx';
import { FACET_VALUES } from '../present/facetLayout.ts';
import { canDiffer, isComparedWithItself } from '../query/question.ts';
import { baselineIn, comparing, isRanked, toggled } from '../state/view.ts';
import { say } from '../words/words.ts';
import { CompareRegion } from './CompareRegion.tsx';

export function FacetsRegion() {
  const { name, open: first, description } = table.value;
  // Within one project there is no other.
  const isOne = project.value !== null;
  const fields = [...new Set([...first, ...description.facets])].filter(
    (one) => !(isOne && one === 'project_id') && one !== group.value,
  );
  const compared = compareShown.value;
  const body = compared === null ? undefined : question.value?.body;
  return (
    <Facets
      {...{ fields, compared, labelOf, isCounting }}
      table={table.value}
      conditions={conditions.value}
      facets={facetsShown.value}
      open={facetsOpen(name)}
      itself={body ? fields.filter((one) => isComparedWithItself(body, one)) : NONE}
      searches={facetSearch.value[name] ?? {}}
      hasApart={!isOne}
      pointed={pointedFacet}
      isSlow={slowCounts}
      deeds={DEEDS}
      close={sheet.value === 'facets' ? closeSheet : undefined}
    >
      {group.value === undefined && fields.length > 0 && <DifferencesRegion />}
    </Facets>
  );
}

const NONE: readonly string[] = [];

function closeSheet(): void {
  sheet.value = 'none';
}

const DEEDS: FacetDeeds = {
  toggle: (field, value, not) =>
    ask({ conditions: toggled(view.peek().conditions, field, value, not) }),
  fold: (field) => toggleFacet(table.peek().name, field),
  search(field, text) {
    const { name } = table.peek();
    const all = facetSearch.peek();
    facetSearch.value = { ...all, [name]: { ...all[name], [field]: text } };
  },
  more: (field) => listMore(field, FACET_VALUES),
  point(place) {
    pointedFacet.value = place;
  },
};

function DifferencesRegion() {
  const isPressed = isRanked(compare.value);
  const asked = baselineIn(compare.value);
  const { facets = [], baseline } = question.value?.body ?? {};
  // An earlier range needs a range.
  const hasOther = asked === 'with' || (baseline?.length ?? 0) > 0;
  const hasNone = asked === 'with' && facets.length > 0 && baseline === undefined;
  const needsFilter = isPressed && !hasNone && !canDiffer(view.value);
  return (
    <Differences
      with={hasOther && asked ? asked : 'all'}
      isPressed={isPressed}
      none={
        hasNone
          ? say('Values cannot be compared with this baseline')
          : needsFilter
            ? say('Add a filter to compare with all rows')
            : undefined
      }
      compare={time.value === undefined && <CompareRegion />}
      toggle={() =>
        go({ ...view.peek(), compare: comparing(baselineIn(view.peek().compare), !isPressed) })
      }
    />
  );
}
