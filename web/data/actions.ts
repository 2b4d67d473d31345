/**
 * The actions on rows, as data: the rows each applies to, its call, and its undo.
 *
 * Each row is asked for once; what became of each is kept and told.
 */
import { ApiError, type ScheduleAddress } from '../../clients/typescript/index.ts';
import { ENDED, STATUS_WORDS, type Status } from '../present/status.ts';
import type { TableName } from '../state/view.ts';
import { say } from '../words/words.ts';
import { failureText } from './failureText.ts';
import { type Row, service } from './service.ts';
import { isAdmin } from './session.ts';

export type ActionId =
  | 'cancel'
  | 'preserve'
  | 'release'
  | 'enable'
  | 'disable'
  | 'remove'
  | 'cleanup';

export interface Action {
  readonly id: ActionId;
  readonly table: TableName;
  /** `Cancel`, for buttons; `cancelled`, for what was done. */
  readonly title: string;
  readonly done: string;
  /** Its effect on several rows; `aboutOne`: on one. */
  readonly about: string;
  readonly aboutOne: string;
  readonly dangerous: boolean;
  /** Rows that it skips, by reason; of several reasons the first counts. */
  readonly skips: readonly Skip[];
  /** Of all that match: those that it does not skip, as conditions. */
  readonly select: Conditions;
  /** Members of a record that it needs. */
  readonly columns: readonly string[];
  run(row: Row, signal: AbortSignal): Promise<Row | undefined>;
  readonly undo?: ActionId;
}

type Conditions = readonly Readonly<Record<string, unknown>>[];

/** Rows that an action is of no use for. */
export interface Skip {
  /** `{n} already ended` */
  readonly words: string;
  /** They are those of all that match, as conditions. */
  readonly select: Conditions;
  /** Why the row is one of them; undefined where it is not. */
  reason(row: Row): string | undefined;
}

/** Why the action skips the row; undefined where it does not. */
export function skipOf({ skips }: Action, row: Row) {
  for (const skip of skips) {
    const why = skip.reason(row);
    if (why !== undefined) return { skip, why };
  }
  return undefined;
}

const ENDED_ALREADY: Skip = {
  words: '{n} already ended',
  select: [{ field: 'status', in: ENDED }],
  reason: ({ status }) =>
    ENDED.includes(String(status))
      ? say('already ended: {state}', { state: say(STATUS_WORDS[status as Status]) })
      : undefined,
};

const IN_A_PROJECT = { field: 'scope', in: ['project'] };

const IN_NO_PROJECT: Skip = {
  words: '{n} not in a project',
  select: [{ field: 'scope', not_in: ['project'] }],
  reason: ({ project_id }) =>
    project_id === null ? say('not in a project; only project tasks can be preserved') : undefined,
};

const ALREADY_PRESERVED: Skip = {
  words: '{n} already preserved',
  select: [IN_A_PROJECT, { field: 'preserve', in: [true] }],
  reason: ({ preserve }) => (preserve === true ? say('already preserved') : undefined),
};

const NOT_PRESERVED: Skip = {
  words: '{n} not preserved',
  select: [IN_A_PROJECT, { field: 'preserve', not_in: [true] }],
  reason: ({ preserve }) => (preserve === true ? undefined : say('not preserved')),
};

const ALREADY_ENABLED: Skip = {
  words: '{n} already enabled',
  select: [{ field: 'enabled', in: [true] }],
  reason: ({ enabled }) => (enabled === true ? say('already enabled') : undefined),
};

const ALREADY_DISABLED: Skip = {
  words: '{n} already disabled',
  select: [{ field: 'enabled', in: [false] }],
  reason: ({ enabled }) => (enabled === false ? say('already disabled') : undefined),
};

const keep = (preserve: boolean) => (row: Row, signal: AbortSignal) =>
  service.tasks.preserve(
    { project_id: String(row.project_id), task_id: String(row.task_id) },
    preserve,
    { signal },
  ) as Promise<unknown> as Promise<Row>;

const TASK_COLUMNS = ['task_id', 'status', 'project_id', 'preserve', 'routing_key', 'project_name'];
const SCHEDULE_COLUMNS = [
  ...['schedule_id', 'enabled', 'project_id', 'scope'],
  ...['task_type', 'project_name'],
];

export const ACTIONS: Readonly<Record<ActionId, Action>> = {
  cancel: {
    ...{ id: 'cancel', table: 'tasks', title: 'Cancel', done: 'cancelled', dangerous: true },
    about: 'These tasks will be revoked. Running tasks are told to stop.',
    aboutOne: 'This task will be revoked. If it is running, it is told to stop.',
    skips: [ENDED_ALREADY],
    select: [{ field: 'status', not_in: ENDED }],
    columns: TASK_COLUMNS,
    run: (row, signal) =>
      service.tasks.cancel(String(row.task_id), { signal }) as Promise<unknown> as Promise<Row>,
  },
  preserve: {
    ...{ id: 'preserve', table: 'tasks', title: 'Preserve', done: 'preserved', dangerous: false },
    about: 'Cleanup will keep these tasks.',
    aboutOne: 'Cleanup will keep this task.',
    skips: [IN_NO_PROJECT, ALREADY_PRESERVED],
    select: NOT_PRESERVED.select,
    columns: TASK_COLUMNS,
    run: keep(true),
    undo: 'release',
  },
  release: {
    ...{ id: 'release', table: 'tasks', title: 'Stop preserving', done: 'no longer preserved' },
    dangerous: false,
    about: 'Cleanup may delete these tasks again.',
    aboutOne: 'Cleanup may delete this task again.',
    skips: [IN_NO_PROJECT, NOT_PRESERVED],
    select: ALREADY_PRESERVED.select,
    columns: TASK_COLUMNS,
    run: keep(false),
    undo: 'preserve',
  },
  enable: {
    ...{ id: 'enable', table: 'schedules', title: 'Enable', done: 'enabled', dangerous: false },
    about: 'These schedules will run on their crontab again.',
    aboutOne: 'This schedule will run on its crontab again.',
    skips: [ALREADY_ENABLED],
    select: [{ field: 'enabled', not_in: [true] }],
    columns: SCHEDULE_COLUMNS,
    run: (row, signal) =>
      service.schedules.enable(addressOf(row), { signal }) as Promise<unknown> as Promise<Row>,
    undo: 'disable',
  },
  disable: {
    ...{ id: 'disable', table: 'schedules', title: 'Disable', done: 'disabled', dangerous: false },
    about: 'These schedules will not run until you enable them again.',
    aboutOne: 'This schedule will not run until you enable it again.',
    skips: [ALREADY_DISABLED],
    select: [{ field: 'enabled', not_in: [false] }],
    columns: SCHEDULE_COLUMNS,
    run: (row, signal) =>
      service.schedules.disable(addressOf(row), { signal }) as Promise<unknown> as Promise<Row>,
    undo: 'enable',
  },
  remove: {
    ...{ id: 'remove', table: 'schedules', title: 'Delete', done: 'deleted', dangerous: true },
    about: 'These schedules will be deleted permanently. Disable them to stop them for a while.',
    aboutOne: 'This schedule will be deleted permanently. Disable it to stop it for a while.',
    skips: [],
    select: [],
    columns: SCHEDULE_COLUMNS,
    run: async (row, signal) => {
      await service.schedules.delete(addressOf(row), { signal });
      return undefined;
    },
  },
  cleanup: {
    ...{ id: 'cleanup', table: 'tasks', title: 'Clean up', done: 'cleaned up', dangerous: true },
    about: 'Revokes every unfinished system and backup task that is not preserved.',
    aboutOne: 'Revokes every unfinished system and backup task that is not preserved.',
    skips: [],
    select: [],
    columns: TASK_COLUMNS,
    run: async () => undefined,
  },
};

/** The actions on rows of the table, for one row or many. */
export const actionsFor = (table: TableName): readonly Action[] =>
  Object.values(ACTIONS).filter((one) => one.table === table && one.id !== 'cleanup');

function addressOf(row: Row): ScheduleAddress {
  const schedule_id = String(row.schedule_id);
  if (isAdmin.peek()) return { schedule_id };
  return { schedule_id, project_id: String(row.project_id) };
}

/** The result for one row. */
export interface Outcome {
  readonly key: string;
  readonly end: 'done' | 'refused' | 'unknown';
  readonly why?: string;
}

/** How many are under way at once: the service has quotas, and other callers. */
const AT_ONCE = 4;

export interface Running {
  readonly action: Action;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly signal: AbortSignal;
  readonly onDone: (outcome: Outcome, record: Row | undefined) => void;
}

/** Does it to each row once. The signal stops it: the remaining rows stay as they are. */
export async function runAll({ action, rows, keyOf, signal, onDone }: Running): Promise<void> {
  const seen = new Set<string>();
  const left = rows.filter((row) => !seen.has(keyOf(row)) && seen.add(keyOf(row)));
  const worker = async () => {
    for (let row = left.shift(); row && !signal.aborted; row = left.shift()) {
      const key = keyOf(row);
      // One that has begun is waited for, also when the rest is stopped: its end has to be known.
      const never = new AbortController().signal;
      let record: Row | undefined;
      let outcome: Outcome = { key, end: 'done' };
      try {
        record = await action.run(row, never);
      } catch (error) {
        outcome = failed(key, error);
      }
      onDone(outcome, record);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function failed(key: string, error: unknown): Outcome {
  const why = failureText(error);
  const isKnown = error instanceof ApiError && error.status < 500;
  return { key, end: isKnown ? 'refused' : 'unknown', why };
}
