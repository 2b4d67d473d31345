/** The view → the question to the service: pure, so that the same view always asks the same. */

import type { OwnTypes } from '../../clients/typescript/index.ts';
import {
  askedInDecimals,
  askedInDoubles,
  boundsOf,
  selectOf,
  type ViewSelect,
} from '../../clients/typescript/viewAddress.ts';
import { wordsIn } from '../state/searchText.ts';
import { earlierThan } from '../state/times.ts';
import {
  baselineIn,
  type Condition,
  type Filters,
  isFiltered,
  isOn,
  isOwn,
  isRanked,
  type TableName,
  type View,
  withCondition,
} from '../state/view.ts';
import { type Place, type Table, tableOf } from '../tables/tables.ts';

type Explore = OwnTypes['explore'];

export type FacetWish = NonNullable<Explore['facets']>[number];

/** An explore, of the view of the service that the caller may use. */
export interface Question {
  readonly view: Place;
  readonly path: Readonly<Record<string, string>>;
  readonly body: ExploreBody;
}

export interface ExploreBody extends Pick<Explore, 'sorting' | 'facets' | 'baseline'> {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly select: readonly ViewSelect[];
  readonly pagination: { readonly page: number; readonly per_page: number };
  readonly histogram?: Readonly<Record<string, unknown>>;
}

export interface Circumstances {
  readonly facets: readonly FacetWish[];
  readonly timeZone: string;
  /** Ends of spans are told by it. */
  readonly now: Date;
  /** Most bars that the timeline has room for; 0: it does not show. */
  readonly buckets: number;
}

/** Where the table is asked, by an admin or by a member; undefined where a project has to be chosen first. */
export function placeOf(
  table: Table,
  project: string | null,
  admin: boolean,
): Pick<Question, 'view' | 'path'> | undefined {
  const { views } = table;
  if (views.project && project !== null) {
    return { view: views.project, path: { project_id: project } };
  }
  if (admin) return { view: views.admin, path: {} };
  return views.member && { view: views.member, path: {} };
}

/** The question; undefined where a member has to choose a project first. */
export function questionOf(
  view: View,
  admin: boolean,
  { facets, timeZone, now, buckets }: Circumstances,
): Question | undefined {
  const table = tableOf(view.table);
  const place = placeOf(table, view.project, admin);
  if (!place) return undefined;
  const described = table.description;
  const time = timeOf(view);
  const rows = wanted(view, place.view, now);
  const shown = rows.select.find((one) => one.field === time && ('from' in one || 'to' in one));
  const listed = facets.filter(({ field }) => described.facets.includes(field));
  const other = baselineView(view, now);
  const filter = listed.length > 0 ? compared(view, other, place.view, now) : grouped(view, rows);
  return {
    ...place,
    body: {
      ...filter,
      ...sortingOf(view),
      pagination: { page: view.page, per_page: view.perPage },
      facets:
        'baseline' in filter && ranks(view)
          ? listed.map((one) => ({ ...one, order: 'lift' }))
          : listed,
      ...(time !== undefined &&
        buckets > 0 && {
          histogram: {
            ...{ field: time, time_zone: timeZone },
            ...{ min_buckets: Math.ceil(buckets / 2), max_buckets: buckets },
            ...(table.by && { by: table.by }),
            ...(shown && (goesOn(view, shown, now) ? untilNow(shown, now) : zoomed(shown))),
          },
        }),
    },
  };
}

/** Whether values are ranked by how much their share differs: groups are counts by value themselves. */
const ranks = (view: View): boolean =>
  isRanked(view.compare) && groupOf(view) === undefined && canDiffer(view);

/** Without filters the rows are all rows. */
export const canDiffer = (view: View): boolean =>
  isFiltered(view) || baselineIn(view.compare) === 'with';

/** Whether more rows are expected: a range without an end, or today. */
const goesOn = (view: View, { to }: ViewSelect, now: Date): boolean =>
  to === undefined || (timeCondition(view)?.kind === 'span' && String(to) > now.toISOString());

/** Bars reach until now, also where the latest ones are empty; the question stands for a minute. */
const untilNow = ({ from }: ViewSelect, now: Date) => ({
  ...zoomed({ from }),
  until: new Date(now.getTime() + 60_000).toISOString(),
});

/** The condition of a view on the date of its timeline. */
const timeCondition = (view: View) => view.conditions.find((one) => isOn(one, timeOf(view) ?? ''));

/** The range of time that a view shows; undefined where it has no beginning. */
function rangeOf(view: View, now: Date): { from: Date; to: Date } | undefined {
  const one = timeCondition(view);
  if (one?.kind === 'span') {
    const { from, to = now } = boundsOf(one.span, now);
    return { from, to: to < now ? to : now };
  }
  if (one?.kind !== 'range' || typeof one.from !== 'string') return undefined;
  return { from: new Date(one.from), to: one.to === undefined ? now : new Date(one.to) };
}

/** The view of the rows that these are compared with; undefined for all rows, and where nothing is compared. */
function baselineView(view: View, now: Date): View | undefined {
  const by = baselineIn(view.compare);
  if (by === undefined) return undefined;
  if (by === 'with') return otherView(view);
  const field = timeOf(view);
  const range = rangeOf(view, now);
  if (field === undefined || !range || range.from >= range.to) return undefined;
  const one = timeCondition(view);
  // The hours of today that have passed are compared with the same hours of yesterday.
  const isToday = one?.kind === 'span' && one.span === 'today';
  const { from, to } = earlierThan(range, by === 'week' ? 7 : isToday ? 1 : undefined);
  // The calendar begins in the year -271821.
  if (Number.isNaN(from.getTime())) return undefined;
  const earlier = { kind: 'range', field, from: from.toISOString(), to: to.toISOString() } as const;
  return { ...view, conditions: withCondition(view.conditions, earlier) };
}

/** The view with its other filters, over the same time: the bars of the two share an axis. */
export function otherView(view: View): View {
  const { q, conditions } = withoutDates(view, view.other);
  const dates = view.conditions.filter((one) => isOnDate(view, one));
  return { ...view, q, conditions: [...conditions, ...dates] };
}

const isOnDate = ({ table }: View, one: Condition) =>
  tableOf(table).description.times.some((field) => isOn(one, field));

/** Filters as other filters hold them. */
export const withoutDates = (view: View, { q, conditions }: Filters): Filters => ({
  q,
  conditions: conditions.filter((one) => !isOnDate(view, one)),
});

/** Buckets that show. */
export interface Axis {
  readonly interval: string;
  readonly buckets: readonly { readonly start: string; readonly end: string }[];
}

/** How many rows the baseline has, and when: in buckets as long as those that show. */
export function baselineQuestion(
  view: View,
  admin: boolean,
  { timeZone, now }: Pick<Circumstances, 'timeZone' | 'now'>,
  { interval, buckets }: Axis,
): Question | undefined {
  const other = baselineView(view, now);
  const place = other && placeOf(tableOf(view.table), view.project, admin);
  if (!place) return undefined;
  const rows = wanted(other, place.view, now);
  const field = timeOf(view)!;
  const [first, last] = [buckets[0], buckets.at(-1)];
  const range =
    baselineIn(view.compare) !== 'with'
      ? rows.select.find((one) => one.field === field)
      : first && last && { field, from: first.start, to: last.end };
  return {
    ...place,
    body: {
      ...rows,
      pagination: { page: 1, per_page: 1 },
      ...(range && { histogram: { field, time_zone: timeZone, interval, ...zoomed(range) } }),
    },
  };
}

/** The order of a view, or the one that its table has at first. */
export function sortingOf({ table: name, sort }: View): Pick<ExploreBody, 'sorting'> {
  const { sort: first = [], description } = tableOf(name);
  const known = sort.filter(({ by }) => description.orders.includes(by));
  const sorting = (known.length > 0 ? known : first).map(({ by, order }) => ({
    ...{ sort_by: by, sort_order: order },
  }));
  return sorting.length > 0 ? { sorting } : {};
}

type Wanted = Pick<ExploreBody, 'filters' | 'select'>;

const asked = (one: ViewSelect, table: TableName): ViewSelect =>
  isOwn(table) ? askedInDecimals(one, tableOf(table)) : askedInDoubles(one);

/** The filter of a view without order and page: for exports and actions on all rows. */
export function wanted(
  view: Pick<View, 'q' | 'conditions' | 'table' | 'columns'>,
  at: Place,
  now: Date,
): Wanted {
  const { q, more } = textsOf(view.q, now);
  const { apart, views, onRequest } = tableOf(view.table);
  const select = view.conditions.map((one) => asked(selectOf(one, now), view.table));
  const isAdmin = at === views.admin;
  const alone = select.find((one) => isAdmin && isAlone(one, apart));
  // The admins' search alone has the filter: the project's would be refused.
  const requested = isAdmin && onRequest && view.columns?.includes(onRequest.column);
  return {
    filters: {
      ...(q && { q }),
      ...(alone && apart && { [apart.field]: apart.value }),
      ...(requested && { [onRequest.filter]: true }),
    },
    select: [...select.filter((one) => one !== alone), ...more],
  };
}

/** The field that rows are grouped by; undefined where the table does not count its values. */
export const groupOf = ({ table, group }: View): string | undefined =>
  tableOf(table).description.facets.find((field) => field === group);

/**
 * A facet leaves out conditions on its own field, but groups hold the rows that match. So each such condition is
 * sent as two that are the same together, `(C or X) and (C or not X)`: they name another field as well.
 * A table that counts one field alone has no other: its groups are then like its facet.
 */
function grouped(view: View, { filters, select }: Wanted): Wanted {
  const group = groupOf(view);
  const other = tableOf(view.table).description.facets.find((field) => field !== group);
  if (group === undefined || other === undefined) return { filters, select };
  const both = (any: readonly ViewSelect[]): readonly ViewSelect[] => [
    { any: [...any, { field: other, in: [null] }] },
    { any: [...any, { field: other, not_in: [null] }] },
  ];
  return {
    filters,
    select: select.flatMap((one) => (isOnAlone(one, group) ? both(partsOf(one)) : [one])),
  };
}

const partsOf = (one: ViewSelect) => one.any ?? [one];

/** A facet of the field leaves such a condition out. */
export const isOnAlone = (one: ViewSelect, field: string): boolean =>
  partsOf(one).every((part) => part.field === field);

/** Whether a facet of the field counts the same rows twice: only conditions that it leaves out differ from the baseline's. */
export function isComparedWithItself(
  { select, baseline }: Pick<ExploreBody, 'select' | 'baseline'>,
  field: string,
): boolean {
  const heeded = (all: readonly ViewSelect[]) =>
    all.flatMap((one) => (isOnAlone(one, field) ? [] : [JSON.stringify(one)])).sort();
  if (baseline === undefined || isSame(select, baseline)) return false;
  return isSame(heeded(select), heeded(baseline));
}

/** The question's filter with its baseline. */
function compared(view: View, other: View | undefined, at: Place, now: Date) {
  const own = grouped(view, wanted(view, at, now));
  if (!other && !ranks(view)) return own;
  const base = other && grouped(other, wanted(other, at, now));
  if (base && isSame(base.filters, own.filters)) return { ...own, baseline: base.select };
  const [mine, theirs] = [textAsCondition(own), base && textAsCondition(base)];
  if (!theirs) return { ...mine, baseline: [] };
  // Rows that are apart need a filter of their own, which a baseline cannot have.
  return isSame(theirs.filters, mine.filters) ? { ...mine, baseline: theirs.select } : own;
}

/** The baseline takes the place of conditions alone: so the search's own text becomes one. */
function textAsCondition({ filters: { q, ...filters }, select }: Wanted): Wanted {
  return { filters, select: q ? [{ text: String(q) }, ...select] : select };
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/** Whether it asks for nothing but rows that are apart. */
const isAlone = (one: ViewSelect, apart: Table['apart']) =>
  apart !== undefined &&
  one.field === apart.field &&
  one.in?.length === 1 &&
  one.in[0] === apart.value;

/** The date that the timeline shows. */
export function timeOf(view: View): string | undefined {
  const table = tableOf(view.table);
  const { times } = table.description;
  if (view.time && times.includes(view.time)) return view.time;
  return table.time ?? times[0];
}

/** The first word is the search's own text, and the others are conditions. */
function textsOf(text: string, now: Date) {
  const words = wordsIn(text);
  const first = words.find((group) => group.length === 1 && !group[0]!.not);
  const more = words
    .filter((group) => group !== first)
    .map((of) => selectOf({ kind: 'any', of }, now));
  return { q: first?.[0]?.text, more };
}

const zoomed = ({ from, to }: Pick<ViewSelect, 'from' | 'to'>) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});
