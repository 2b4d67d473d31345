/** The state of the web UI, in one place: the view and its latest answer. */

import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { SimpleCondition } from '../../clients/typescript/viewAddress.ts';
import type { Answer, Row } from '../present/answer.ts';
import { type Chosen, NONE_CHOSEN } from '../present/chosen.ts';
import { FACET_VALUES } from '../present/facetLayout.ts';
import { keyTextOf } from '../present/rowName.ts';
import {
  baselineQuestion,
  type FacetWish,
  groupOf,
  type Question,
  questionOf,
  timeOf,
} from '../query/question.ts';
import { addressOf, isKnownPath, viewOf } from '../state/address.ts';
import { wordsIn } from '../state/searchText.ts';
import { now } from '../state/surroundings.ts';
import { TIME_ZONE } from '../state/times.ts';
import { asking, baselineIn, comparing, isRanked, type View } from '../state/view.ts';
import { addressFields, firstTable, tableOf, tablesFor } from '../tables/tables.ts';
import { sheet } from './dialogs.ts';
import { facetsOpen, preferences } from './preferences.ts';
import { isAdmin, session } from './service/session.ts';

/** The one state of the UI. It changes by `go`, and by the browser's back and forward. */
export const view = signal<View>(read());

/** Whether the address is one that the UI does not have. */
export const isLost = signal(!isKnownPath(location.pathname, addressFields));

function read(): View {
  return viewOf(location.pathname, location.search, addressFields, firstTable());
}

/**
 * How long the address waits for the next key stroke, milliseconds. To the browser each change of it is a
 * navigation: it costs more than all that the UI does, and more than 200 in half a minute are refused.
 */
const TYPED_MS = 250;
let typing: ReturnType<typeof setTimeout> | undefined;

/** The view of the address: it lacks only the text of the last key strokes. */
const addressed = signal(view.peek());
/** The address of the rows that are shown, without the one that is open: where links of rows lead from. */
export const rowsAddress = computed(() =>
  addressOf({ ...addressed.value, open: null, tab: 'record' }, addressFields),
);

/** How many entries of the history lie before this one: they are told apart by it. */
let place = placeNow();
function placeNow(): number {
  const { state } = history as { readonly state: { readonly place?: number } | null };
  return state?.place ?? 0;
}
/** Addresses, by place, of history entries that somebody left before the typed text came into them. */
const late = new Map<number, string>();

function write(how: 'pushState' | 'replaceState', address: string): void {
  if (how === 'pushState') {
    place += 1;
    // The entries that lay ahead are gone.
    for (const one of late.keys()) if (one >= place) late.delete(one);
  }
  history[how]({ place }, '', address);
}

/** Brings the address up to the view. */
function settle(): void {
  if (typing === undefined) return;
  clearTimeout(typing);
  typing = undefined;
  write('replaceState', addressOf(view.peek(), addressFields));
  addressed.value = view.peek();
}
for (const end of ['pagehide', 'blur']) addEventListener(end, settle);

/** Shows another view: a new entry of the history; or the same one, changed at once or once typing rests. */
export function go(next: View, how: 'push' | 'replace' | 'typed' = 'push'): void {
  const address = addressOf(next, addressFields);
  if (address === addressOf(view.peek(), addressFields) && !isLost.peek()) return;
  if (how === 'typed') {
    clearTimeout(typing);
    typing = setTimeout(settle, TYPED_MS);
    view.value = next;
    return;
  }
  settle();
  write(how === 'push' ? 'pushState' : 'replaceState', address);
  batch(() => {
    view.value = next;
    addressed.value = next;
    isLost.value = false;
  });
}

/** Asks for other rows, from the first page. */
export const ask = (change: Partial<View>, how?: 'typed'): void =>
  go(asking(view.peek(), change), how);

addEventListener('popstate', () => {
  if (typing !== undefined) late.set(place, addressOf(view.peek(), addressFields));
  clearTimeout(typing);
  typing = undefined;
  place = placeNow();
  const address = late.get(place);
  if (address !== undefined) write('replaceState', address);
  late.delete(place);
  batch(() => {
    view.value = read();
    addressed.value = view.peek();
    isLost.value = !isKnownPath(location.pathname, addressFields);
  });
});

export const table = computed(() => tableOf(view.value.table));
export const time = computed(() => timeOf(view.value));
/** The field that rows are grouped by. */
export const group = computed(() => groupOf(view.value));

/** The address of the view, with all of its text. */
export const viewAddress = computed(() => addressOf(view.value, addressFields));

// Parts of the view: their components render when they change, not with each key stroke.
export const searched = computed(() => view.value.q);
export const project = computed(() => view.value.project);
export const conditions = computed(() => view.value.conditions);
export const sorts = computed(() => view.value.sort);
export const page = computed(() => view.value.page);
export const perPage = computed(() => view.value.perPage);
export const compare = computed(() => view.value.compare);
export const opened = computed(() => view.value.open);
export const tab = computed(() => view.value.tab);

/** The search text of each facet, by table and field; and how many values or groups are listed, by table and key. */
export const facetSearch = signal<Readonly<Record<string, Readonly<Record<string, string>>>>>({});
const facetLimit = signal<Readonly<Record<string, number>>>({});

/** As many values as the service lists of a facet. */
export const MOST_VALUES = 1_000;

const limitPlace = (key: string) => `${view.value.table} ${key}`;
const limitOf = (key: string, first: number) => facetLimit.value[limitPlace(key)] ?? first;

/** Four times as many are listed. `key`: a facet's field, or a `groupLimitKey`; `first`: how many are listed at first. */
export function listMore(key: string, first: number): void {
  const limit = Math.min(MOST_VALUES, limitOf(key, first) * 4);
  facetLimit.value = { ...facetLimit.peek(), [limitPlace(key)]: limit };
}

/** The minute: spans end now, and the question stays the same within it. */
export const minute = computed(() => Math.floor(now.value / 60_000) * 60_000);

/** Most bars that fit. */
export const buckets = signal(bucketsFor(innerWidth));

/** In steps: the question is not to change with every pixel. At least half as many bars show. */
export function bucketsFor(width: number): number {
  return width < 480 ? 45 : width < 1_000 ? 60 : 120;
}

/** Plain data that is a new object where it says something else alone. */
export function steady<T>(of: () => T): ReadonlySignal<T> {
  const text = computed(() => JSON.stringify(of()));
  return computed(() => text.value && JSON.parse(text.value));
}

/**
 * The question; undefined while nobody is signed in, no project is selected, or the address is unknown. A record that
 * opens asks for no rows.
 */
export const question = steady(questionNow);

function questionNow(): Question | undefined {
  if (!session.value || isLost.value) return undefined;
  // Its description has not come yet, or the caller may not see it.
  if (!tablesFor(isAdmin.value).includes(view.value.table)) return undefined;
  const of = group.value;
  // The groups are a facet as well: it has no second place at the side.
  const open = facetsOpen(view.value.table).filter((field) => field !== of);
  const facets = open.map((field) => {
    const contains = facetSearch.value[view.value.table]?.[field]?.trim();
    return {
      field,
      limit: limitOf(field, FACET_VALUES),
      ...(contains && { contains }),
    };
  });
  return questionOf(view.value, isAdmin.value, {
    facets: [
      ...(preferences.value.sides || sheet.value === 'facets' ? facets : []),
      ...(of === undefined ? [] : [groupWish(of)]),
    ],
    timeZone: TIME_ZONE,
    now: minuteOfQuestion(),
    // Groups show their rows over the time of the bars.
    buckets: preferences.value.timeline || of !== undefined ? buckets.value : 0,
  });
}

/** The question stands still where nothing in it ends now. */
function minuteOfQuestion(): Date {
  const { conditions, compare, other } = view.value;
  const moves = [...conditions, ...(baselineIn(compare) === 'with' ? other.conditions : [])]
    .flatMap((one) => (one.kind === 'any' ? one.of : [one]))
    .some((one) => one.kind === 'span' || isOpenRange(one));
  return new Date(moves ? minute.value : 0);
}

/** Bars of a range without an end reach until now. */
const isOpenRange = (one: SimpleCondition) =>
  one.kind === 'range' && one.field === time.value && one.to === undefined;

/** The question about the baseline, in the buckets of the bars; undefined where the view compares with none. */
export const baseline = computed(() => {
  const axis = histogramShown.value;
  if (!question.value || !axis) return undefined;
  const circumstances = { timeZone: TIME_ZONE, now: minuteOfQuestion() };
  const asked = baselineQuestion(view.value, isAdmin.value, circumstances, axis);
  const { compare, other } = view.value;
  // The same from minute to minute: bars stay while the next ones are on their way.
  const by = [baselineIn(compare), other, time.value, axis.interval];
  const of = JSON.stringify([matchedBy(view.value), ...by]);
  return asked && { question: asked, of };
});

/** Groups that show at first. */
export const GROUPS = 50;
/** The key of the number of groups by the field. */
export const groupLimitKey = (field: string) => `group ${field}`;

/** The groups by a field, each split as the timeline is. */
function groupWish(field: string): FacetWish {
  const { by } = table.value;
  const limit = limitOf(groupLimitKey(field), GROUPS);
  return { field, limit, ...(by !== undefined && by !== field && { by }) };
}

/** Rows as they are shown, with the answer they came in. */
interface Shown {
  readonly answer: Answer;
  readonly rows: readonly Row[];
  /** The view that they answer. */
  readonly of: View;
  /** The rows that its counts by value are compared with. */
  readonly compare: View['compare'];
}

export const shown = signal<Shown | undefined>(undefined);

// Parts of the shown answer, for the same reason.
export const facetsShown = computed(() => shown.value?.answer.facets);
/** Groups take the place of rows: no values are ranked beside them. */
const areRanked = computed(
  () => group.value === undefined && isRanked(shown.value?.compare ?? null),
);
/** The rows that the visible facets are compared with. */
export const compareShown = computed(() =>
  facetsShown.value?.some((one) => one.baseline_total !== undefined)
    ? comparing(baselineIn(shown.value!.compare), areRanked.value)
    : null,
);
export const histogramShown = computed(() => shown.value?.answer.histogram);
export const paginationShown = computed(() => shown.value?.answer.meta.pagination);
export const sortApplied = computed(() => shown.value?.answer.meta.applied_sorting);
export const total = computed(() => paginationShown.value?.total_items);

/** Cells that have just changed, by the key of their row. */
export const flashes = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map());

/** How many rows of the latest answer are new, while others are held so that nothing jumps; undefined while none are. */
export const waiting = signal<number | undefined>(undefined);

export const chosen = signal<Chosen>(NONE_CHOSEN);
export const isChoosing = computed(() => chosen.value === 'all' || chosen.value.size > 0);
/** The place of the row that Tab leads to, where there are as many. */
export const cursor = signal(0);

/**
 * Identifies the rows of a view: views with the same text show the same rows. Words count, not how they are written: the
 * question is the same for both, and the rows stay those of the first.
 */
export const askedFor = ({ q, columns, time, compare, other, open, tab, ...rest }: View): string =>
  JSON.stringify([wordsIn(q), rest]);

export const keyOf = (row: Row): string => keyTextOf(row, table.peek());

/** Identifies all rows that match, whichever of them a page shows. */
export const matchedBy = ({ table, project, q, conditions }: View): string =>
  JSON.stringify([table, project, wordsIn(q), conditions]);

/** Other rows, or groups in their place: the selection is cleared. */
const matching = computed(() => matchedBy(view.value));
effect(() => {
  matching.value;
  group.value;
  chosen.value = NONE_CHOSEN;
});

export function forget(): void {
  batch(() => {
    shown.value = undefined;
    waiting.value = undefined;
    chosen.value = NONE_CHOSEN;
    cursor.value = 0;
  });
}
