/**
 * What authentication and permission read of the store: a user by id, a project by identifier, a
 * task by its external id. Three point reads on indexed fields, each of the few members needed.
 *
 * Real data is dirty, so every member is looked at before it counts: a user is active when `active`
 * is `true` and nothing else, a member counts when its `user_id` is a number. Where two documents
 * share an identifier, the one with the lowest `_id` counts.
 */
import type { Abortable, Db, Document, FindOptions } from 'mongodb';
import { AppError } from '../errors.ts';
import { COLLECTIONS } from '../mongo/documents.ts';
import { SCOPES, type Scope } from '../resources/scope.ts';

/** The project a permission is asked for: who its members are. */
export interface Membership {
  readonly members: ReadonlySet<number>;
}

/** Where a task belongs. A scope that is none of the three is null: then it is for admins alone. */
export interface TaskOwner {
  readonly scope: Scope | null;
  readonly projectId: string | null;
}

export interface AuthReads {
  /** Whether the user exists and is active. */
  userIsActive(userId: number): Promise<boolean>;
  /** Null when there is no such project. */
  membership(projectId: string): Promise<Membership | null>;
  /** Null when there is no such task. */
  taskOwner(taskId: string): Promise<TaskOwner | null>;
}

/** Longest time a permission waits for the store before it is 503, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * The reads on a database. Every failure of the store becomes `StoreUnavailable`: that nobody knows
 * who the caller is must not look like a wrong token.
 */
export function authReads(db: Db): AuthReads {
  const read = async (collection: string, filter: Document, projection: Document) => {
    const options: FindOptions & Abortable = {
      projection,
      sort: { _id: 1 },
      readPreference: 'primary',
      maxTimeMS: PATIENCE_MS,
      // The server's own clock says nothing when the server is stuck; the driver's `timeoutMS` has no
      // effect since 7.8. An abort gives the connection up.
      signal: AbortSignal.timeout(PATIENCE_MS),
    };
    try {
      return await db.collection<Document>(collection).findOne(filter, options);
    } catch (cause) {
      const headers = { 'Retry-After': '1' };
      throw new AppError('StoreUnavailable', 'The store cannot be reached just now.', {
        cause,
        headers,
      });
    }
  };
  return {
    async userIsActive(userId) {
      return (await read(COLLECTIONS.users, { _id: userId }, { active: 1 }))?.active === true;
    },
    async membership(projectId) {
      const project = await read(
        COLLECTIONS.projects,
        { identifier: projectId },
        { 'members.user_id': 1 },
      );
      return project === null ? null : { members: memberIds(project.members) };
    },
    async taskOwner(taskId) {
      const task = await read(COLLECTIONS.tasks, { task_id: taskId }, { scope: 1, project_id: 1 });
      if (task === null) return null;
      const scope = SCOPES.find((known) => known === task.scope) ?? null;
      return { scope, projectId: typeof task.project_id === 'string' ? task.project_id : null };
    },
  };
}

function memberIds(members: unknown): ReadonlySet<number> {
  const ids = new Set<number>();
  if (!Array.isArray(members)) return ids;
  for (const member of members) {
    if (typeof member?.user_id === 'number') ids.add(member.user_id);
  }
  return ids;
}
