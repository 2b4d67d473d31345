/** The rows grouped by a field: the exact count of each value, and its shares. A group leads to its rows. */

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { pointing, scrolled } from '../../data/arrivals.ts';
import { failure, isCounting } from '../../data/asking.ts';
import { axisOfGroups, GROUPS_AT_ONCE, type GroupTimes, timesOf } from '../../data/groupTimes.ts';
import { ungroup } from '../../data/moves.ts';
import { preferences } from '../../data/preferences.ts';
import { labelOf } from '../../data/projects.ts';
import { noting } from '../../data/service.ts';
import { slowCounts } from '../../data/slow.ts';
import {
  compareShown,
  facetLimit,
  facetsShown,
  GROUPS,
  groupLimitKey,
  question,
  table,
  time,
} from '../../data/store.ts';
import type { Facet, FacetValue } from '../../present/answer.ts';
import { isBlank, valueText } from '../../present/chip.ts';
import { beforeText, changeText, type Totals } from '../../present/compared.ts';
import { type Series, seriesOf } from '../../present/status.ts';
import { type Counted, countIn, layersOf, partsOf } from '../../present/timeline.ts';
import { countOf, shareOf } from '../../state/times.ts';
import { baselineIn } from '../../state/view.ts';
import { columnOf, fieldTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Bars } from '../controls/Bars.tsx';
import { Icon } from '../controls/Icon.tsx';
import { along, useRoving } from '../controls/roving.ts';
import { StatusMark } from '../controls/StatusMark.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { useWhileSeen } from '../controls/useWhileSeen.ts';
import { cellValue } from './Cell.tsx';
import { Empty } from './Empty.tsx';

/** Where nothing splits the groups. */
const ALL = [{ series: { tone: 'tone-all', index: -1 }, count: 1 }];
const LINES = along('ArrowUp', 'ArrowDown');

export function Groups({ field }: { readonly field: string }) {
  const root = useRef<HTMLDivElement>(null);
  useRoving(root, '.group-take', LINES);
  // The rows were left, wherever they were scrolled to: they come back from their first.
  useEffect(() => {
    scrolled.value = false;
  }, []);
  const facet = useStill(field);
  const title = fieldTitle(table.value.name, field);
  return (
    <div ref={root} class="groups">
      <div class="groups-head">
        <h2 class="groups-title">{say('Grouped by {what}', { what: title })}</h2>
        {facet && <span class="dim">{say('{n} groups', { n: countOf(facet.distinct) })}</span>}
      </div>
      <div
        class={`table-box ${slowCounts.value ? 'is-slow' : ''}`}
        aria-busy={isCounting.value || !facet}
      >
        {facet && <Table facet={facet} title={title} />}
        {facet?.values.length === 0 && !failure.value && <Empty />}
        {facet && facet.rest > 0 && <More facet={facet} />}
      </div>
      {/* Behind the groups for Tab, as pages are behind rows. */}
      <button type="button" class="button is-small groups-back" onClick={() => ungroup(field)}>
        <Icon name="close" size={13} /> {say('Show rows')} <kbd>Esc</kbd>
      </button>
    </div>
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

function Table({ facet, title }: { readonly facet: Facet; readonly title: string }) {
  const { name } = table.value;
  const { field: split = facet.field, values = [] } = facet.by ?? {};
  const { look, words } = columnOf(name, split);
  const series = useMemo(
    () => (facet.by ? seriesOf(look === 'status' ? 'states' : 'values', values) : []),
    [facet],
  );
  // A row with a list is counted with each of its values: then counts do not add up to the rows.
  const restOf = ({ count, counts = [] }: FacetValue) =>
    look === 'list' ? 0 : Math.max(0, count - counts.reduce((sum, one) => sum + one, 0));
  const groups = facet.values.map((one) => ({ ...one, rest: facet.by && restOf(one) }));
  const found = series.filter((one) => groups.some((group) => countIn(group, one) > 0));
  // One state alone has 100 % of each group.
  const shown = found.length > 1 ? found : [];
  const most = Math.max(1, ...groups.map(({ count }) => count));
  const isCompared = compareShown.value !== null;
  const isShare = baselineIn(compareShown.value) === 'with';
  const slices = groups.flatMap((_, at) =>
    at % GROUPS_AT_ONCE === 0 ? [groups.slice(at, at + GROUPS_AT_ONCE)] : [],
  );
  return (
    <table class="table groups-table" aria-label={say('Grouped by {what}', { what: title })}>
      <thead>
        <tr>
          <th scope="col" class="group-name">
            {title}
          </th>
          <th scope="col" class="is-figure">
            {say('Rows')}
          </th>
          {isCompared && (
            <th scope="col" class="is-figure">
              {say(isShare ? 'Share vs. baseline' : 'Change')}
            </th>
          )}
          {time.value !== undefined && (
            <>
              <th scope="col" class="group-times">
                {fieldTitle(name, time.value)}
              </th>
              <th scope="col">{say('Latest')}</th>
            </>
          )}
          {shown.map(({ value, index }) => (
            <th scope="col" class="is-figure" key={index}>
              {value === 'rest' ? (
                say('other')
              ) : look === 'status' ? (
                <StatusMark status={value} words={words} />
              ) : (
                valueText(name, split, value, labelOf)
              )}
            </th>
          ))}
        </tr>
      </thead>
      {slices.map((some, at) => (
        <Lines
          key={at}
          {...{ field: facet.field, groups: some, series: found, most, isCompared, totals: facet }}
        />
      ))}
    </table>
  );
}

type Group = FacetValue & Counted;

interface LinesGiven {
  readonly field: string;
  readonly groups: readonly Group[];
  readonly series: readonly Series[];
  readonly most: number;
  readonly isCompared: boolean;
  readonly totals: Totals;
}

/** Ten groups, whose times are asked for while they are in sight. */
function Lines({ groups, ...rest }: LinesGiven) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { field } = rest;
  const { value: by } = time;
  const values = groups.map(({ value }) => value);
  const asked = useWhileSeen(
    body,
    JSON.stringify([question.value?.body, axisOfGroups(), groups.map((one) => one.count), by]),
  );
  const times = useAnswer(
    async (signal) =>
      asked === undefined || by === undefined
        ? undefined
        : await noting(timesOf(table.peek(), by, field, values, signal)),
    [asked],
  );
  return (
    <tbody ref={body}>
      {groups.map((one) => (
        <Line key={String(one.value)} {...{ ...rest, one, times: times?.get(one.value) }} />
      ))}
    </tbody>
  );
}

interface LineGiven {
  readonly field: string;
  readonly one: Group;
  readonly series: readonly Series[];
  readonly most: number;
  readonly isCompared: boolean;
  readonly totals: Totals;
  readonly times: GroupTimes | undefined;
}

function Line({ field, one, series, most, isCompared, totals, times }: LineGiven) {
  const { name } = table.value;
  const { look, words } = columnOf(name, field);
  const text = one.label ?? valueText(name, field, one.value, labelOf);
  const parts = partsOf(one, series);
  const compared = [compareShown.value, one.count, one.baseline ?? 0, totals] as const;
  return (
    <tr class="group-row">
      <th scope="row" class="cell group-name">
        <button
          type="button"
          class={`group-take ${isBlank(one.value) ? 'is-blank' : ''}`}
          title={text}
          onClick={() => ungroup(field, one.value)}
        >
          {look === 'status' ? <StatusMark status={one.value} words={words} /> : text}
        </button>
      </th>
      <td class="cell is-figure">
        <span class="group-count">
          <span class="group-room">
            <span class="group-bar" style={{ width: `${(one.count / most) * 100}%` }}>
              {(parts.length > 0 ? parts : ALL).map(({ series: { tone, index }, count }) => (
                <i key={index} class={tone} style={{ flexGrow: count }} />
              ))}
            </span>
          </span>
          <span class="group-number">{countOf(one.count)}</span>
        </span>
      </td>
      {isCompared && (
        <td class="cell is-figure dim" title={beforeText(...compared)}>
          {changeText(...compared)}
        </td>
      )}
      {time.value !== undefined && (
        <>
          <td class="cell group-times">{times && <Spark bars={times.bars} />}</td>
          <td
            class={`cell group-latest ${preferences.value.times === 'relative' ? '' : 'is-moment'}`}
          >
            {times && cellValue({ look: 'date' }, times.latest)}
          </td>
        </>
      )}
      {(series.length > 1 ? series : []).map((part) => {
        const count = countIn(one, part);
        return (
          <td class="cell is-figure" key={part.index} title={countOf(count)}>
            {count > 0 && shareOf(count, one.count)}
          </td>
        );
      })}
    </tr>
  );
}

const SPARK = { width: 96, height: 18 };
const ONE_SERIES = seriesOf('nothing', []);

/** Each group by its own tallest bar: the course shows, and the numbers stand beside it. */
function Spark({ bars }: { readonly bars: GroupTimes['bars'] }) {
  const layers = useMemo(() => layersOf(bars, ONE_SERIES, SPARK), [bars]);
  return <Bars layers={layers} box={SPARK} class="group-spark" />;
}

function More({ facet: { field, distinct, values, rest } }: { readonly facet: Facet }) {
  if (values.length >= MOST_GROUPS) {
    const n = countOf(distinct - values.length);
    return <p class="groups-more dim">{say('{n} smaller groups are not shown.', { n })}</p>;
  }
  return (
    <button
      type="button"
      class="facet-more groups-more"
      onClick={() => {
        const key = groupLimitKey(field);
        const limit = Math.min(MOST_GROUPS, (facetLimit.peek()[key] ?? GROUPS) * 4);
        facetLimit.value = { ...facetLimit.peek(), [key]: limit };
      }}
    >
      {say('Show {n} more', { n: countOf(distinct - values.length) })}{' '}
      <span class="dim">{countOf(rest)}</span>
    </button>
  );
}

/** As many values as the service lists of a facet. */
const MOST_GROUPS = 1_000;
