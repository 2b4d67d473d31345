/** The groups in place of the rows. */
import { computed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { ungroup } from '../data/moves.ts';
import { pointing } from '../data/rows/arrivals.ts';
import { failure, isCounting } from '../data/rows/asking.ts';
import { axisOfGroups, timesOf } from '../data/rows/groupTimes.ts';
import { slowCounts } from '../data/rows/slow.ts';
import { labelOf } from '../data/service/projects.ts';
import {
  compareShown,
  facetsShown,
  GROUPS,
  groupLimitKey,
  listMore,
  MOST_VALUES,
  question,
  table,
  time,
} from '../data/store.ts';
import { Groups } from '../parts/table/Groups.tsx';
import type { Facet } from '../present/answer.ts';
import { EmptyRegion } from './TableRegion.tsx';

const asked = computed(() => JSON.stringify([question.value?.body, axisOfGroups()]));

export function GroupsRegion({ field }: { readonly field: string }) {
  const facet = useStill(field);
  const showMore = () => listMore(groupLimitKey(field), GROUPS);
  return (
    <Groups
      {...{ field, facet, labelOf, ungroup, name: table.value.name, time: time.value }}
      {...{ compare: compareShown.value, isCounting: isCounting.value, isSlow: slowCounts.value }}
      empty={!failure.value && <EmptyRegion />}
      more={facet && facet.values.length < MOST_VALUES ? showMore : undefined}
      asked={asked}
      askTimes={timesOf}
    />
  );
}

/** The groups of the latest answer; while somebody is at them, in the order in which they stand. */
function useStill(field: string): Facet | undefined {
  const before = useRef<Facet | undefined>(undefined);
  const { by } = table.value;
  const now = facetsShown.value?.find(
    (one) => one.field === field && (by === undefined || by === field || one.by !== undefined),
  );
  const isHeld = pointing.peek() || document.activeElement?.closest('.group-take') != null;
  before.current = isHeld && now && before.current ? inOrder(before.current, now) : now;
  return before.current;
}

/** Values that no row has any more leave; those that came stand at the end. */
function inOrder(before: Facet, now: Facet): Facet {
  const counted = new Map(now.values.map((one) => [one.value, one]));
  const stay = before.values.flatMap(({ value }) => counted.get(value) ?? []);
  const had = new Set(stay.map(({ value }) => value));
  return { ...now, values: [...stay, ...now.values.filter(({ value }) => !had.has(value))] };
}
