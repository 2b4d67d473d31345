/** The rows grouped by a field: the exact count of each value, and its shares. A group leads to its rows. */
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { ViewValue } from '../../../clients/typescript/viewAddress.ts';
import type { Facet, FacetValue, GroupTimes } from '../../present/answer.ts';
import { isBlank, valueText } from '../../present/chip.ts';
import { beforeText, changeText, type Totals } from '../../present/compared.ts';
import { type Series, seriesOf } from '../../present/status.ts';
import { type Counted, countIn, layersOf, partsOf } from '../../present/timeline.ts';
import { times } from '../../state/surroundings.ts';
import { countOf, shareOf } from '../../state/times.ts';
import { baselineIn, type Compare, type LabelOf } from '../../state/view.ts';
import { columnOf, fieldTitle } from '../../tables/tables.ts';
import { say } from '../../words/words.ts';
import { Bars } from '../controls/Bars.tsx';
import { Button } from '../controls/Button.tsx';
import { Icon } from '../controls/Icon.tsx';
import { along, useRoving } from '../controls/roving.ts';
import { valueMark } from '../controls/StatusMark.tsx';
import { useAnswer } from '../controls/useAnswer.ts';
import { useWhileSeen } from '../controls/useWhileSeen.ts';
import { cellValue } from './Cell.tsx';

/** Groups in one request for times. */
const AT_ONCE = 10;
/** Where nothing splits the groups. */
const ALL = [{ series: { tone: 'tone-all', index: -1 }, count: 1 }];
const LINES = along('ArrowUp', 'ArrowDown');

interface Given extends TableGiven {
  readonly isCounting: boolean;
  /** Whether they have been counted for so long that this shows. */
  readonly isSlow: boolean;
  /** In place of groups where no row matches. */
  readonly empty: ComponentChildren;
  readonly facet: Facet | undefined;
  /** The field that they are grouped by. */
  readonly field: string;
  /** Asks for more of them; undefined where the service lists no more. */
  readonly more: (() => void) | undefined;
}

interface TableGiven {
  /** The table. */
  readonly name: string;
  /** The field of the timeline. */
  readonly time: string | undefined;
  /** The rows that the counts are compared with. */
  readonly compare: Compare | null;
  readonly labelOf: LabelOf;
  /** Shows the rows in place of the groups; of one group alone, where a value is given. */
  readonly ungroup: (field: string, value?: ViewValue) => void;
  /** It changes where the groups may have other times: they ask again then, and the table is not rendered for that. */
  readonly asked: ReadonlySignal<string>;
  readonly askTimes: (
    time: string,
    field: string,
    values: readonly ViewValue[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<ViewValue, GroupTimes>>;
}

export function Groups({ isCounting, isSlow, empty, facet, field, more, ...given }: Given) {
  const root = useRef<HTMLDivElement>(null);
  useRoving(root, '.group-take', LINES);
  const title = fieldTitle(given.name, field);
  return (
    <div ref={root} class="groups">
      <div class="groups-head">
        <h2 class="groups-title">{say('Grouped by {what}', { what: title })}</h2>
        {facet && <span class="dim">{say('{n} groups', { n: countOf(facet.distinct) })}</span>}
      </div>
      <div class={`table-box ${isSlow ? 'is-slow' : ''}`} aria-busy={isCounting || !facet}>
        {facet && <Table facet={facet} title={title} {...given} />}
        {facet?.values.length === 0 && empty}
        {facet && facet.rest > 0 && <More facet={facet} more={more} />}
      </div>
      {/* Behind the groups for Tab, as pages are behind rows. */}
      <Button look="is-small groups-back" onClick={() => given.ungroup(field)}>
        <Icon name="close" size={13} /> {say('Show rows')} <kbd>Esc</kbd>
      </Button>
    </div>
  );
}

function Table({
  facet,
  title,
  ...given
}: TableGiven & { readonly facet: Facet; readonly title: string }) {
  const { name, time, compare, labelOf } = given;
  const { field: split = facet.field, values = [] } = facet.by ?? {};
  const { look } = columnOf(name, split);
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
  const isShare = baselineIn(compare) === 'with';
  const slices = groups.flatMap((_, at) =>
    at % AT_ONCE === 0 ? [groups.slice(at, at + AT_ONCE)] : [],
  );
  return (
    <table class="table groups-table" aria-label={say('Grouped by {what}', { what: title })}>
      <thead>
        <tr>
          <th scope="col" class="group-name" title={title}>
            {title}
          </th>
          <th scope="col" class="is-figure">
            {say('Rows')}
          </th>
          {compare !== null && (
            <th scope="col" class="is-figure">
              {say(isShare ? 'Share vs. baseline' : 'Change')}
            </th>
          )}
          {time !== undefined && (
            <>
              <th scope="col" class="group-times" title={fieldTitle(name, time)}>
                {fieldTitle(name, time)}
              </th>
              <th scope="col">{say('Latest')}</th>
            </>
          )}
          {shown.map(({ value, index }) => (
            <th
              scope="col"
              class="is-figure"
              key={index}
              title={value === 'rest' ? undefined : valueText(name, split, value, labelOf)}
            >
              {value === 'rest'
                ? say('other')
                : valueMark(name, split, value, valueText(name, split, value, labelOf))}
            </th>
          ))}
        </tr>
      </thead>
      {slices.map((some, at) => (
        <Lines
          key={at}
          {...given}
          {...{ field: facet.field, groups: some, series: found, most, totals: facet }}
        />
      ))}
    </table>
  );
}

type Group = FacetValue & Counted;

interface LinesGiven extends TableGiven {
  readonly field: string;
  readonly groups: readonly Group[];
  readonly series: readonly Series[];
  readonly most: number;
  readonly totals: Totals;
}

/** Ten groups, whose times are asked for while they are in sight. */
function Lines({ groups, ...rest }: LinesGiven) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { field, time } = rest;
  const values = groups.map(({ value }) => value);
  const asked = useWhileSeen(
    body,
    JSON.stringify([rest.asked.value, groups.map((one) => one.count), time]),
  );
  const [times] = useAnswer(
    async (signal) =>
      asked === undefined || time === undefined
        ? undefined
        : await rest.askTimes(time, field, values, signal),
    [asked],
  );
  return (
    <tbody ref={body}>
      {groups.map((one) => (
        <Line key={JSON.stringify(one.value)} {...{ ...rest, one, times: times?.get(one.value) }} />
      ))}
    </tbody>
  );
}

interface LineGiven extends Omit<LinesGiven, 'groups'> {
  readonly one: Group;
  readonly times: GroupTimes | undefined;
}

function Line({ field, one, series, most, totals, times: found, ...given }: LineGiven) {
  const { name, time, compare, labelOf, ungroup } = given;
  const text = one.label ?? valueText(name, field, one.value, labelOf);
  const parts = partsOf(one, series);
  const compared = [compare, one.count, one.baseline ?? 0, totals] as const;
  return (
    <tr class="group-row">
      <th scope="row" class="cell group-name">
        <button
          type="button"
          class={`group-take ${isBlank(one.value) ? 'is-blank' : ''}`}
          title={text}
          onClick={() => ungroup(field, one.value)}
        >
          {valueMark(name, field, one.value, text)}
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
      {compare !== null && (
        <td class="cell is-figure dim" title={beforeText(...compared)}>
          {changeText(...compared)}
        </td>
      )}
      {time !== undefined && (
        <>
          <td class="cell group-times">{found && <Spark bars={found.bars} />}</td>
          <td class={`cell group-latest ${times.value === 'relative' ? '' : 'is-moment'}`}>
            {found && cellValue({ look: 'date' }, found.latest)}
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

interface MoreGiven {
  readonly facet: Facet;
  readonly more: (() => void) | undefined;
}

function More({ facet: { distinct, values, rest }, more }: MoreGiven) {
  if (distinct <= values.length)
    return <p class="groups-more dim">{say('Other types: {n}', { n: countOf(rest) })}</p>;
  const n = countOf(distinct - values.length);
  if (!more)
    return <p class="groups-more dim">{say('{n} smaller groups are not shown.', { n })}</p>;
  return (
    <button type="button" class="facet-more groups-more" onClick={more}>
      {say('Show {n} more ({rest} together)', { n, rest: countOf(rest) })}
    </button>
  );
}
