/**
 * Well-kept documents for the worlds of the suite; a case names only the members that it is about.
 *
 *     task(7, { status: 'FAILURE' })   a whole task with _id 7
 *     task(7, { status: undefined })   the same without the member `status`
 *
 * The people are in every world: the callers have to exist.
 */
import type { Document } from 'mongodb';

/** The callers. */
export const ADMIN = 1;
export const ANA = 2;
export const BO = 3;
export const INACTIVE = 4;

/** A UUID that holds the number's hexadecimal digits at its end. */
export const uuid = (n: number): string =>
  `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

export const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

function documentOf(members: Document, changes: Document): Document {
  const all = { ...members, ...changes };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export const user = (id: unknown, changes: Document = {}): Document =>
  documentOf(
    {
      _id: id,
      email: `user${id}@mail.test`,
      first_name: 'First',
      last_name: 'Last',
      language: 'en',
      active: true,
      tc_creation: day(1),
      tc_update: day(2),
      auth_groups: [],
      preferences: {},
    },
    changes,
  );

export const project = (id: unknown, changes: Document = {}): Document =>
  documentOf(
    {
      _id: id,
      identifier: typeof id === 'number' ? uuid(id) : null,
      name: `Project ${id}`,
      type: 'custom',
      config: {},
      members: [{ user_id: ANA, role: 'member' }],
      tc_creation: day(1),
      tc_update: day(2),
    },
    changes,
  );

export const schedule = (id: unknown, changes: Document = {}): Document =>
  documentOf(
    {
      _id: typeof id === 'number' ? uuid(id) : id,
      scope: 'system',
      project_id: null,
      folder: null,
      enabled: true,
      crontab: '0 3 * * *',
      date_last_run_at: null,
      total_run_count: 0,
      task_type: 'housekeeping',
      task_name: 'service.tasks.housekeeping',
      task_args: { user_email: 'ops@mail.test', other: {} },
    },
    changes,
  );

export const task = (id: unknown, changes: Document = {}): Document =>
  documentOf(
    {
      _id: id,
      task_id: typeof id === 'number' ? uuid(id) : null,
      scope: 'system',
      project_id: null,
      folder: null,
      user_email: null,
      args: {},
      status: 'PENDING',
      datamimic_status: null,
      date_queued: null,
      date_started: null,
      date_done: null,
      eta: null,
      exception_type: null,
      traceback: null,
      worker: null,
      retries: 0,
      preserve: false,
      name: 'service.tasks.housekeeping',
      routing_key: 'service.housekeeping',
      task_type: 'housekeeping',
      artifacts: [],
      snapshot_file_id: null,
    },
    changes,
  );

export const PEOPLE: readonly Document[] = [
  user(ADMIN, { email: 'root@mail.test', first_name: 'Root', last_name: 'Admin' }),
  user(ANA, { email: 'ana@mail.test', first_name: 'Ana', last_name: 'Kovač' }),
  user(BO, { email: 'bo@mail.test', first_name: 'Bo', last_name: 'Li' }),
  user(INACTIVE, { email: 'gone@mail.test', active: false }),
];
