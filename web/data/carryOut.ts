/** An action on rows or on all that match, from its confirmation to its result: a request for each row. */

import { batch } from '@preact/signals';
import { ApiError } from '../../clients/typescript/errors.ts';
import type { Row } from '../present/answer.ts';
import { type Chosen, NONE_CHOSEN } from '../present/chosen.ts';
import { failureText } from '../present/failureText.ts';
import {
  keyFor,
  type Outcome,
  type Plan,
  type Progress,
  planFor,
  skippedOf,
} from '../present/plan.ts';
import { placeOf, wanted } from '../query/question.ts';
import { countOf } from '../state/times.ts';
import type { Action, Skip, Sweep } from '../tables/action.ts';
import { actionOf, rowsText, tableOf } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { closing, dialog, openDialog } from './dialogs.ts';
import { goOn } from './moves.ts';
import { notify } from './notices.ts';
import { put } from './rows/arrivals.ts';
import { askAgain } from './rows/asking.ts';
import { firstOf, isOfToken, rowsAt, service } from './service/service.ts';
import { isAdmin } from './service/session.ts';
import { chosen, minute, table, view } from './store.ts';

/** All rows that match and that it is of use for: of one moment, by their ids. */
export async function planForAll(action: Action, until: AbortSignal): Promise<Plan> {
  const now = view.peek();
  const place = placeOf(tableOf(now.table), now.project, isAdmin.peek());
  if (!place) return planFor(action, []);
  const meant = wanted(now, place.view, new Date(minute.peek()));
  const body = { ...meant, select: [...meant.select, ...action.select], columns: action.columns };
  const countOf = async (skip: Skip) => {
    const skipped = { ...meant, select: [...meant.select, ...skip.select] };
    return [skip, (await firstOf(place, skipped, until)).count] as const;
  };
  const rows: Row[] = [];
  const list = async () => {
    for await (const row of await rowsAt(place).export(body, { signal: until })) rows.push(row);
  };
  const [counted] = await Promise.all([Promise.all(action.skips.map(countOf)), list()]);
  const counts = new Map(counted);
  const skipped = skippedOf(action, (skip) => counts.get(skip) ?? 0);
  return { ...planFor(action, rows), skipped };
}

/** How many are under way at once: the service has quotas, and other callers. */
const AT_ONCE = 4;

/**
 * Does it to each row once, and shows the rows as they are then. The signal stops it, and so does a token that is
 * refused, which the other rows would be as well: the remaining rows stay as they are.
 *
 * @param tell takes the outcomes so far, after each row
 */
async function runAll(
  action: Action,
  rows: readonly Row[],
  stop?: AbortSignal,
  tell?: (outcomes: readonly Outcome[]) => void,
): Promise<readonly Outcome[]> {
  const keyOf = keyFor(action);
  const left = new Map(rows.map((row) => [keyOf(row), row]));
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (const [key, row] of left) {
      if (stop?.aborted) return;
      left.delete(key);
      // A signal of its own: a stop waits for the requests that have begun, since their ends must be known.
      const by = { service, admin: isAdmin.peek(), signal: new AbortController().signal };
      try {
        const record = (await action.run(row, by)) as Row | undefined;
        outcomes.push({ key, end: 'done' });
        if (record) put(record, action.table);
      } catch (error) {
        outcomes.push(failed(key, error));
        if (isOfToken(error)) left.clear();
      }
      tell?.([...outcomes]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
}

function failed(key: string, error: unknown): Outcome {
  const isKnown = error instanceof ApiError && error.status < 500;
  return { key, end: isKnown ? 'refused' : 'unknown', why: failureText(error) };
}

const isDone = ({ end }: Outcome) => end === 'done';
const isNotDone = (one: Outcome) => !isDone(one);

/**
 * Carries it out; its result is a notice, with a way back where there is one, and lies in nobody's way.
 *
 * @param tell takes how far it is, at first and after each row
 */
export async function carryOut(
  { action, rows, left }: Plan,
  stop: AbortSignal,
  tell: (now: Progress) => void,
): Promise<void> {
  const keyOf = keyFor(action);
  const total = rows.length;
  const open = dialog.peek();
  tell({ total, outcomes: [] });
  const ends = await runAll(action, rows, stop, (outcomes) => tell({ total, outcomes }));
  const done = new Set(ends.filter(isDone).map(({ key }) => key));
  const changed = rows.filter((row) => done.has(keyOf(row)));
  const undone = ends.filter(isNotDone);
  const { undo } = action;
  const goesOn = open.kind === 'action' && open.goesOn && changed.length === 1;
  batch(() => {
    closing(open)();
    chosen.value = withoutSettled([...done, ...left.map(({ key }) => key)]);
  });
  // The dialog has given the focus back by then.
  if (goesOn) setTimeout(() => goOn(keyOf(changed[0]!)));
  notify(resultText(action, changed.length, undone.length, total - ends.length), {
    ...(undo && changed.length > 0 && { undo: () => void takeBack(undo, changed) }),
    ...offerReasons(undone),
  });
  askAgain();
}

/** The selection without rows that are done or skipped: the others can be tried again. */
function withoutSettled(keys: readonly string[]): Chosen {
  const picked = chosen.peek();
  if (picked === 'all') return NONE_CHOSEN;
  const next = new Map(picked);
  for (const key of keys) next.delete(key);
  return next;
}

function offerReasons(failed: readonly Outcome[]) {
  if (failed.length === 0) return {};
  return { details: () => openDialog({ kind: 'failures', outcomes: failed }) };
}

/** `58 tasks cancelled, 1 failed` */
function resultText({ done, table }: Action, changed: number, failed: number, rest: number) {
  const what = rowsText(tableOf(table), changed);
  return [
    say(`{what} ${done}`, { what }),
    ...(failed > 0 ? [say('{n} failed', { n: countOf(failed) })] : []),
    ...(rest > 0 ? [say('{n} not started', { n: countOf(rest) })] : []),
  ].join(', ');
}

async function takeBack(undo: string, rows: readonly Row[]): Promise<void> {
  const ends = await runAll(actionOf(undo), rows);
  const count = { n: countOf(ends.filter(isDone).length), total: countOf(rows.length) };
  notify(say('Undone: {n} of {total}', count), offerReasons(ends.filter(isNotDone)));
  askAgain();
}

/** How many rows a sweep finds. */
export async function countForSweep({ finds }: Sweep, until: AbortSignal): Promise<number> {
  const at = { view: table.peek().views.admin, path: {} };
  const found = await Promise.all(finds.map((one) => firstOf(at, one, until)));
  return found.reduce((sum, { count }) => sum + count, 0);
}

export async function sweep({ run, done }: Sweep): Promise<void> {
  const swept = table.peek();
  notify(say(done, { what: rowsText(swept, await run(service)) }));
  askAgain();
}
