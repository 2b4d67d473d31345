/**
 * Finds wrong answers, given while a fault was on or after it.
 *
 * Each answer must equal the oracle's, made from the history at the answer's own moment. No moment may lie
 * before one that the instance had shown or changed by then. Nor may it lie before the one that the request
 * names, which another instance had told. Each change must be made once and recorded once, or not at all, or
 * its result is not known. Any other reply must be a refusal that the contract knows.
 */
import type { Timestamp } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { printTime } from '../../src/store/clusterTime.ts';
import { type JoinedRow, present, valuesAt } from '../../src/tables/definition/record.ts';
import { Oracle, type SameLetters } from '../properties/oracle.ts';
import type { GeneratedRequest, GeneratedWorld, Stored } from '../properties/worlds.ts';
import { type Answered, type Exchange, isAnswered } from './exchange.ts';
import { type HistoryEvent, keyOf, type State } from './history.ts';
import { OWN_VIEW, ownAnswer } from './ownTable.ts';
import type { Kind } from './writers.ts';

const { labels } = taskCatalogue();

/** Searches whose answers differ from the store at their moment. */
export function wrongAnswers(
  exchanges: readonly Exchange[],
  from: State,
  same: SameLetters,
): string[] {
  const state = from.copy();
  const answered = exchanges.filter(isAnswered).sort((a, b) => a.asOf.compare(b.asOf));
  let world: GeneratedWorld | undefined;
  const wrong: string[] = [];
  for (const one of answered) {
    if (state.moveTo(one.asOf) || !world) world = worldOf(state);
    const difference = differenceOf(JSON.parse(one.text), storedFor(one.search, world, same));
    if (difference) wrong.push(`${named(one)}\n${difference}`);
  }
  return wrong;
}

const worldOf = (state: State): GeneratedWorld => ({
  users: state.documents('users'),
  projects: state.documents('projects'),
  schedules: state.documents('schedules'),
  tasks: state.documents('tasks'),
});

const named = ({ instance, search, route, asOf }: Answered): string =>
  `${instance.name} by ${route} at ${printTime(asOf)}: ${JSON.stringify(search)}`;

interface Body {
  readonly data: readonly unknown[];
  // biome-ignore lint/suspicious/noExplicitAny: what came is compared, whatever it is
  readonly meta: any;
}

/** Pagination, then the records of the page, as they have to be. */
function storedFor(
  search: GeneratedRequest,
  world: GeneratedWorld,
  same: SameLetters,
): readonly unknown[] {
  const { view } = search;
  if (view === OWN_VIEW) return ownAnswer(search, world.tasks, same);
  const { total, page, perPage, ids, applied } = new Oracle(world, same).answer(search);
  const kind = view.split(' ').at(-1) as Kind;
  const options = new Set(applied.get_artifacts_metadata ? ['get_artifacts_metadata'] : []);
  const records = ids.map((id) =>
    present(RESOURCES[kind].record, rowOf(kind, id, world), { labels, options }),
  );
  return [[total, page, perPage, ids.length], ...records];
}

function differenceOf({ data, meta }: Body, stored: readonly unknown[]): string | undefined {
  const { total_items, current_page, per_page } = meta.pagination;
  const shown = [[total_items, current_page, per_page, data.length], ...data];
  const at = stored.findIndex((part, i) => JSON.stringify(part) !== JSON.stringify(shown[i]));
  if (at < 0) return undefined;
  return `  shown  ${JSON.stringify(shown[at])}\n  stored ${JSON.stringify(stored[at])}`;
}

/** The document with the parts of others that its record shows, found by looking at all of them. */
function rowOf(kind: Kind, id: unknown, world: GeneratedWorld): JoinedRow {
  const document = world[kind].find((one) => keyOf(one._id) === keyOf(id))!;
  const first = (a: Stored, b: Stored) => a._id - b._id;
  if (kind === 'projects') {
    const ids = valuesAt(document, 'members.user_id');
    return {
      document,
      joined: { member_email: world.users.filter(({ _id }) => ids.includes(_id)) },
    };
  }
  const keys = valuesAt(document, 'project_id').filter((key) => typeof key === 'string');
  const project = world.projects.filter(({ identifier }) => keys.includes(identifier)).sort(first);
  return { document, joined: { project_name: project.slice(0, 1) } };
}

/** Moments before one that the same instance had shown, or had changed something at, by then. */
export function backInTime(
  exchanges: readonly Exchange[],
  events: readonly HistoryEvent[],
): string[] {
  const wrong: string[] = [];
  for (const instance of new Set(exchanges.map((one) => one.instance))) {
    const own = exchanges.filter((one) => one.instance === instance);
    const searches = own.filter(isAnswered).sort((a, b) => a.startedAt - b.startedAt);
    const known = [
      ...searches.map(({ endedAt, asOf }) => ({ endedAt, time: asOf })),
      ...changesMade(own, events),
    ].sort((a, b) => a.endedAt - b.endedAt);
    let floor: Timestamp | undefined;
    let next = 0;
    for (const search of searches) {
      for (; next < known.length && known[next]!.endedAt <= search.startedAt; next++) {
        const { time } = known[next]!;
        if (!floor?.greaterThan(time)) floor = time;
      }
      if (floor?.greaterThan(search.asOf)) {
        wrong.push(`${named(search)}\n  is before ${printTime(floor)}`);
      }
    }
  }
  return wrong;
}

/** Answers of a moment before the one asked for, and changes that told one at which they do not show. */
export function beforeAsked(
  exchanges: readonly Exchange[],
  events: readonly HistoryEvent[],
): string[] {
  const early = exchanges
    .filter(isAnswered)
    .filter(({ asOf, notBefore }) => notBefore?.greaterThan(asOf));
  const recorded = recordsOf(events);
  const untold = exchanges.filter(({ change, status, asOf }) => {
    const record = change && isDone(status) ? recorded.get(change.requestId)?.[0] : undefined;
    return record !== undefined && (!asOf || record.at.greaterThan(asOf));
  });
  return [
    ...early.map((one) => `${named(one)}\n  is before ${printTime(one.notBefore!)}, asked for`),
    ...untold.map(({ instance, change }) => `${instance.name} told no moment of ${change!.id}`),
  ];
}

/** Acknowledged changes, with the times at which they were made. */
function changesMade(exchanges: readonly Exchange[], events: readonly HistoryEvent[]) {
  const recorded = recordsOf(events);
  return exchanges.flatMap(({ change, status, endedAt }) => {
    const record = change && isDone(status) ? recorded.get(change.requestId)?.[0] : undefined;
    return record ? [{ endedAt, time: record.at }] : [];
  });
}

/** Audit records by the request that made them. */
function recordsOf(events: readonly HistoryEvent[]): Map<string, HistoryEvent[]> {
  const records = new Map<string, HistoryEvent[]>();
  for (const event of events) {
    if (event.collection !== 'audit' || event.change.kind !== 'put') continue;
    const id = String(event.change.document.request_id);
    records.set(id, [...(records.get(id) ?? []), event]);
  }
  return records;
}

const isDone = (status: number | null): boolean => status === 200 || status === 204;

/** Whether nothing is known of a change: no answer came, or one that says so. */
const isUnknown = ({ status, text }: Exchange): boolean =>
  status === null || (status === 503 && text.includes('did not say in time whether'));

export interface ChangeFigures {
  readonly done: number;
  readonly denied: number;
  readonly unknown: number;
}

/** Changes that differ from the answers to them. */
export function wrongChanges(
  exchanges: readonly Exchange[],
  events: readonly HistoryEvent[],
): { readonly wrong: string[]; readonly figures: ChangeFigures } {
  const recorded = recordsOf(events);
  const changes = exchanges.filter(({ change }) => change !== undefined);
  const done = changes.filter(({ status }) => isDone(status));
  const unknown = changes.filter(isUnknown);
  const denied = changes.filter((one) => !done.includes(one) && !unknown.includes(one));
  const wrong: string[] = [];
  const say = (one: Exchange, what: string) =>
    wrong.push(`${what}: ${one.status} ${one.code ?? ''} ${JSON.stringify(one.change)}`);
  for (const one of changes) {
    const records = recorded.get(one.change!.requestId) ?? [];
    if (records.length > 1) say(one, `${records.length} audit records`);
    if (done.includes(one) && records.length === 0) say(one, 'acknowledged without a record');
    if (denied.includes(one) && records.length > 0) say(one, 'denied, and yet made');
    for (const { at } of records) if (!isMade(one, at, events)) say(one, 'recorded, not made');
  }
  const figures = { done: done.length, denied: denied.length, unknown: unknown.length };
  return { wrong, figures };
}

/** Whether the target was changed as asked, in the very transaction of the record. */
function isMade({ change }: Exchange, at: Timestamp, events: readonly HistoryEvent[]): boolean {
  const { collection, after, id } = change!;
  return events.some(({ at: time, collection: name, change: made }) => {
    if (!time.equals(at) || name !== collection || !('key' in made)) return false;
    if (made.key !== keyOf(id)) return false;
    return after ? made.kind === 'set' && made.set[after[0]] === after[1] : made.kind === 'gone';
  });
}

/** Refusals that the contract allows while the store is in trouble. */
const REFUSALS: ReadonlySet<string | null> = new Set([
  'StoreUnavailable',
  'SearchTimeout',
  'IndexLoading',
  'Overloaded',
  'TooManyRequests',
]);

/** Answers that are neither a success nor a refusal of the contract's. */
export function wrongStatuses(
  exchanges: readonly Exchange[],
  isExpected: (one: Exchange) => boolean,
): string[] {
  return exchanges
    .filter(({ status }) => !isDone(status))
    .filter((one) => !isExpected(one))
    .flatMap((one) => {
      const { instance, status, code, search, change } = one;
      const what = `${instance.name}: ${status ?? 'no answer'} ${code}`;
      const asked = JSON.stringify(search ?? change);
      if (status === null || !REFUSALS.has(code)) {
        return [`${what} to ${asked}${one.reason && `\n  ${one.reason}`}`];
      }
      return one.retryAfter ? [] : [`${what} without Retry-After`];
    });
}
