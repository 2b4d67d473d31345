/** An action on rows or on all that match, from its confirmation to its result. */
import { signal } from '@preact/signals';
import { placeOf, selectOf, wanted } from '../query/question.ts';
import { countOf } from '../state/times.ts';
import { TABLE } from '../tables/tables.ts';
import { say } from '../words/words.ts';
import { ACTIONS, type Action, type ActionId, type Outcome, runAll } from './actions.ts';
import { put } from './arrivals.ts';
import { askAgain } from './asking.ts';
import { notify } from './notices.ts';
import { type Row, rowsAt, service } from './service.ts';
import { isAdmin } from './session.ts';
import { chosen, minute, NONE_CHOSEN, view } from './store.ts';

/** The rows that it is for, and those it is of no use for. */
export interface Plan {
  readonly action: Action;
  readonly rows: readonly Row[];
  readonly left: readonly { readonly key: string; readonly why: string }[];
}

/** What is under way. */
export interface Progress {
  readonly total: number;
  readonly outcomes: readonly Outcome[];
  readonly isOver: boolean;
}

export const progress = signal<Progress | undefined>(undefined);

export function planFor(action: Action, rows: readonly Row[]): Plan {
  const keyOf = keyFor(action);
  const left = rows.flatMap((row) => {
    const why = action.refusal(row);
    return why === undefined ? [] : [{ key: keyOf(row), why }];
  });
  return { action, rows: rows.filter((row) => action.refusal(row) === undefined), left };
}

/** All rows that match and that it is of use for: of one moment, by their ids. */
export async function planForAll(action: Action, until: AbortSignal): Promise<Plan> {
  const now = view.peek();
  const asker = { admin: isAdmin.peek() };
  const place = placeOf(TABLE[now.table], now.project, asker);
  if (!place) return { action, rows: [], left: [] };
  const select = now.conditions.flatMap((one) => selectOf(one, new Date(minute.peek())));
  const meant = wanted(now, place.view, select);
  const body = { ...meant, select: [...meant.select, ...action.select], columns: action.columns };
  const rows: Row[] = [];
  for await (const row of await rowsAt(place).export(body, { signal: until })) rows.push(row);
  return planFor(action, rows);
}

/** Whichever table is looked at meanwhile. */
const keyFor =
  ({ table }: Action) =>
  (row: Row): string =>
    String(row[TABLE[table].key]);

/** Carries it out; the last word is a notice, with a way back where there is one. */
export async function carryOut({ action, rows }: Plan, stop: AbortSignal): Promise<void> {
  const outcomes: Outcome[] = [];
  const done = new Set<string>();
  const keyOf = keyFor(action);
  progress.value = { total: rows.length, outcomes, isOver: false };
  await runAll({
    ...{ action, rows, keyOf, signal: stop },
    onDone(outcome, record) {
      outcomes.push(outcome);
      if (outcome.end === 'done') done.add(outcome.key);
      if (record) put(record);
      progress.value = { total: rows.length, outcomes: [...outcomes], isOver: false };
    },
  });
  progress.value = { total: rows.length, outcomes, isOver: true };
  const { undo } = action;
  const changed = rows.filter((row) => done.has(keyOf(row)));
  notify(
    say(`{what} ${action.done}`, {
      what: `${countOf(changed.length)} ${say(changed.length === 1 ? one() : many())}`,
    }),
    undo && changed.length > 0
      ? { title: say('Undo'), act: () => void takeBack(undo, changed) }
      : undefined,
  );
  chosen.value = NONE_CHOSEN;
  askAgain();
}

async function takeBack(undo: ActionId, rows: readonly Row[]): Promise<void> {
  const never = new AbortController().signal;
  let count = 0;
  const action = ACTIONS[undo];
  await runAll({
    ...{ action, rows, keyOf: keyFor(action), signal: never },
    onDone(outcome, record) {
      if (outcome.end === 'done') count += 1;
      if (record) put(record);
    },
  });
  notify(say('Undone: {n} of {total}', { n: countOf(count), total: countOf(rows.length) }));
  askAgain();
}

const one = () => TABLE[view.peek().table].one;
const many = () => TABLE[view.peek().table].many;

/** Revokes what runs for the system; how many it will be is asked first. */
export async function countForCleanup(until: AbortSignal): Promise<number> {
  const select = [
    { field: 'status', not_in: ['SUCCESS', 'FAILURE', 'REVOKED'] },
    { field: 'preserve', not_in: [true] },
  ];
  const rows = rowsAt({ view: 'adminTasks', path: {} });
  const counts = await Promise.all(
    (['system', 'backup_infrastructure'] as const).map((scope) =>
      rows.explore({ filters: { scope }, select, pagination: { per_page: 1 } }, { signal: until }),
    ),
  );
  return counts.reduce((sum, { meta }) => sum + meta.pagination.total_items, 0);
}

export async function cleanUp(): Promise<number> {
  const { revoked } = await service.tasks.cleanUp();
  const what = `${countOf(revoked)} ${say(revoked === 1 ? 'task' : 'tasks')}`;
  notify(say('{what} revoked', { what }));
  askAgain();
  return revoked;
}
