/**
 * A small store for the management tests: two projects, their members, an admin, and tasks and
 * schedules made on demand. Its client speaks to the real service.
 */
import { randomUUID } from 'node:crypto';
import { after, before } from 'mocha';
import type { Db } from 'mongodb';
import { type TestDatabase, useDatabase } from '../../support/database.ts';
import {
  type Asked,
  startService,
  type TestAnswer,
  type TestService,
} from '../../support/service.ts';
import type { TestSettings } from '../../support/settings.ts';

export const HARBOUR = '0993998b-42f5-49de-a4db-b30aa9798041';
export const LIBRARY = '2f1d7c55-8f7e-4c0a-9c37-3f0f6f1b7a02';

/** User ids: 1 may everything by token, 2 is a member of the harbour, 3 of the library. */
export const ADMIN = 1;
export const SAILOR = 2;
export const LIBRARIAN = 3;

/** A secret in the arguments of each schedule: it must turn up nowhere. */
export const CANARY = 'canary-8f3a51';

// biome-ignore lint/suspicious/noExplicitAny: stored documents and answers of any shape
export type Any = any;

interface CallOptions extends Omit<Asked, 'token'> {
  readonly as?: number;
}

/** The scene of a suite; its members can be read once the suite runs. */
export interface Scene {
  readonly database: TestDatabase;
  readonly db: Db;
  readonly service: TestService;
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** A token, for clients of the suite's own. */
  token(userId?: number): Promise<string>;
  /** Stores a started task of the harbour; `changes` replace its members. */
  task(changes?: Record<string, unknown>): Promise<Any>;
  schedule(changes?: Record<string, unknown>): Promise<Any>;
  /** Audit records in the order they were made. */
  audit(filter?: Record<string, unknown>): Promise<Any[]>;
  /**
   * Ends transactions whose end was lost or whose process is gone: each would keep its locks for a
   * minute. A shorter life for all transactions is no way: on a busy machine no batch would finish.
   */
  endTransactions(): Promise<unknown>;
}

export function useScene(settings: TestSettings = {}): Scene {
  let service: TestService | undefined;
  let nextTask = 1;
  const tokens = new Map<number, string>();

  // Registered before the database's own hook, so that it is not used any more when it is dropped.
  after(async () => {
    await service?.stop();
  });
  const database = useDatabase();

  before(async () => {
    await storePeople(database.db);
    service = await startService(database.uri, database.name, settings);
  });

  const collection = (name: string) => database.db.collection<Any>(name);
  return {
    database,
    get db() {
      return database.db;
    },
    get service() {
      return service!;
    },
    async token(userId = ADMIN) {
      const known = tokens.get(userId);
      if (known !== undefined) return known;
      const token = await service!.token(userId, userId === ADMIN);
      tokens.set(userId, token);
      return token;
    },
    async call(method, path, { as = ADMIN, body, headers = {} } = {}) {
      return await service!.ask(method, path, { token: await this.token(as), body, headers });
    },
    async task(changes = {}) {
      const task = taskDocument({ _id: nextTask++, ...changes });
      await collection('tasks').insertOne(task);
      return task;
    },
    async schedule(changes = {}) {
      const schedule = scheduleDocument(changes);
      await collection('schedules').insertOne(schedule);
      return schedule;
    },
    endTransactions: () => database.client.db('admin').command({ killAllSessions: [] }),
    audit: (filter = {}) => collection('audit').find(filter).sort({ _id: 1 }).toArray(),
  };
}

export function taskDocument(changes: Record<string, unknown>): Any {
  return {
    task_id: randomUUID(),
    scope: 'project',
    project_id: HARBOUR,
    folder: 'maritime',
    user_email: 'sailor@pharos.example',
    args: { model: 'harbours.xml' },
    status: 'STARTED',
    datamimic_status: 'running',
    date_queued: new Date('2026-11-16T06:00:00Z'),
    date_started: new Date('2026-11-16T06:00:03Z'),
    date_done: null,
    eta: null,
    exception_type: null,
    traceback: null,
    worker: 'worker-1',
    retries: 0,
    preserve: false,
    name: 'service.tasks.generate_data',
    routing_key: 'service.generate_data',
    task_type: 'generate_data',
    artifacts: [],
    snapshot_file_id: null,
    ...changes,
  };
}

export function scheduleDocument(changes: Record<string, unknown>): Any {
  return {
    _id: randomUUID(),
    scope: 'project',
    project_id: HARBOUR,
    folder: 'maritime',
    enabled: true,
    crontab: '0 6 * * *',
    date_last_run_at: new Date('2026-11-16T06:00:00Z'),
    total_run_count: 12,
    task_type: 'generate_data',
    task_name: 'service.tasks.generate_data',
    task_args: { user_email: 'sailor@pharos.example', other: { key: CANARY }, password: CANARY },
    ...changes,
  };
}

async function storePeople(db: Db): Promise<void> {
  const person = (_id: number, email: string) => ({ _id, email, active: true });
  await db
    .collection<Any>('users')
    .insertMany([
      person(ADMIN, 'admin@pharos.example'),
      person(SAILOR, 'sailor@pharos.example'),
      person(LIBRARIAN, 'librarian@pharos.example'),
    ]);
  const project = (_id: number, identifier: string, name: string, member: number) => ({
    _id,
    identifier,
    name,
    type: 'custom',
    members: [{ user_id: member, role: 'owner' }],
  });
  await db
    .collection<Any>('projects')
    .insertMany([
      project(1, HARBOUR, 'Harbour Atlas', SAILOR),
      project(2, LIBRARY, 'Library', LIBRARIAN),
    ]);
}
