/**
 * The store's answers for authentication and permission: a user by id, that user's projects, a
 * project by identifier, a task by external id. Each read uses an index and returns only the few
 * members needed.
 *
 * Real data is dirty, so every member is checked before it counts. A user is active when `active`
 * is exactly `true`; a member counts when its `user_id` is the user's number. Where two documents
 * share an identifier, the one with the lowest `_id` counts.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { AppError } from '../../errors.ts';
import { findOne, MAJORITY, readCommand } from '../../store/commands.ts';
import { Deadline } from '../../store/deadline.ts';
import type { KnownAsOf } from '../../store/hedged.ts';
import { COLLECTIONS } from './documents.ts';
import { type FindsOne, findTaskOf } from './ownTask.ts';
import { SCOPES, type Scope } from './resources/scope.ts';

export type UserState = 'active' | 'inactive' | 'absent';

/** How a user stands to a project; `absent`: there is no such project. */
export type Standing = 'member' | 'stranger' | 'absent';

/** Where a task belongs. A scope that is none of the three is null: then it is for admins alone. */
export interface TaskOwner {
  readonly scope: Scope | null;
  readonly projectId: string | null;
}

/** Identifiers of projects; `many`: more than are read. */
export type OwnProjects = ReadonlySet<string> | 'many';

/** Each read shows the moment `notBefore`, if there is one, or a later one. */
export interface AuthReads {
  userState(userId: number, notBefore?: Timestamp): Promise<UserState>;
  /** The projects that may list the user as a member; `standing` says whether one does. */
  ownProjects(userId: number, notBefore?: Timestamp): Promise<OwnProjects>;
  standing(userId: number, projectId: string, notBefore?: Timestamp): Promise<Standing>;
  /** The one of these projects that the task belongs to; a missing task costs the same reads. */
  projectAmong(
    taskId: string,
    projectIds: readonly string[],
    notBefore?: Timestamp,
  ): Promise<string | null>;
  /** Null when there is no such task. */
  taskOwner(taskId: string, notBefore?: Timestamp): Promise<TaskOwner | null>;
}

/** The same from memory; undefined when only the store can tell. */
export interface KnownRights {
  /** Since the store's last sign of life, milliseconds; 0 while nothing says that it is away. */
  readonly silentMs: number;
  /** Whether memory shows this moment or a later one. */
  hasReached(moment: Timestamp): boolean;
  userState(userId: number, asOf: KnownAsOf): UserState | undefined;
  ownProjects(userId: number, asOf: KnownAsOf): OwnProjects | undefined;
  standing(userId: number, projectId: string, asOf: KnownAsOf): Standing | undefined;
}

/** Projects of one user that one read returns, and that are cached. */
const MAX_OWN = 1_000;

/**
 * Longest time a permission waits for the store before it is 503, in milliseconds. The requests
 * that share a read share this one time limit; each waits no longer than its own time allows.
 */
const READ_TIMEOUT_MS = 3_000;

/**
 * The reads on a database. Every failure of the store becomes `StoreUnavailable`: a caller who
 * cannot be looked up must not look like one with a wrong token.
 */
export function authReads(db: Db): AuthReads {
  const within = async <T>(
    notBefore: Timestamp | undefined,
    work: (deadline: Deadline) => Promise<T>,
  ): Promise<T> => {
    const deadline = new Deadline(READ_TIMEOUT_MS);
    deadline.notBefore = notBefore;
    try {
      return await work(deadline);
    } catch (cause) {
      const headers = { 'Retry-After': '1' };
      throw new AppError('StoreUnavailable', 'The store cannot be reached just now.', {
        cause,
        headers,
      });
    } finally {
      deadline.close();
    }
  };
  const read = (
    collection: string,
    filter: Document,
    projection: Document,
    notBefore: Timestamp | undefined,
  ) =>
    within(notBefore, (deadline) => {
      const asked = { filter, projection, sort: { _id: 1 } };
      return findOne<Document>(db, deadline, collection, asked);
    });
  return {
    async userState(userId, notBefore) {
      const user = await read(COLLECTIONS.users, { _id: userId }, { active: 1 }, notBefore);
      if (user === undefined) return 'absent';
      return user.active === true ? 'active' : 'inactive';
    },
    async standing(userId, projectId, notBefore) {
      const filter = { identifier: projectId };
      const projection = { member: isMember(userId) };
      const project = await read(COLLECTIONS.projects, filter, projection, notBefore);
      if (project === undefined) return 'absent';
      return project.member === true ? 'member' : 'stranger';
    },
    async ownProjects(userId, notBefore) {
      const { cursor } = await within(notBefore, (deadline) =>
        readCommand(db, deadline, {
          find: COLLECTIONS.projects,
          filter: { 'members.user_id': userId },
          projection: { _id: 0, identifier: 1 },
          ...{ limit: MAX_OWN + 1, batchSize: MAX_OWN + 1, singleBatch: true },
          readConcern: MAJORITY,
        }),
      );
      const projects: Document[] = cursor.firstBatch;
      if (projects.length > MAX_OWN) return 'many';
      return new Set(projects.map((one) => one.identifier).filter((id) => typeof id === 'string'));
    },
    async projectAmong(taskId, projectIds, notBefore) {
      const found = await within(notBefore, (deadline) => {
        const find: FindsOne = (collection, asked) => findOne(db, deadline, collection, asked);
        return findTaskOf<Document>(find, taskId, projectIds, { _id: 1 });
      });
      return found === undefined ? null : found.project_id;
    },
    async taskOwner(taskId, notBefore) {
      const projection = { scope: 1, project_id: 1 };
      const task = await read(COLLECTIONS.tasks, { task_id: taskId }, projection, notBefore);
      if (task === undefined) return null;
      const scope = SCOPES.find((known) => known === task.scope) ?? null;
      return { scope, projectId: typeof task.project_id === 'string' ? task.project_id : null };
    },
  };
}

/** The server looks, so that the answer is as long for a project with a thousand members. */
const isMember = (userId: number): Document => ({
  $and: [{ $isArray: '$members' }, { $in: [userId, '$members.user_id'] }],
});
