/**
 * What authentication and permission read of the store: a user by id, a project by identifier, a
 * task by its external id. Three point reads on indexed fields, each of the few members needed.
 *
 * Real data is dirty, so every member is looked at before it counts: a user is active when `active`
 * is `true` and nothing else, a member counts when its `user_id` is a number. Where two documents
 * share an identifier, the one with the lowest `_id` counts.
 */
import type { Db, Document } from 'mongodb';
import { AppError } from '../errors.ts';
import { findOne } from '../mongo/commands.ts';
import { Deadline } from '../mongo/deadline.ts';
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
  taskOwner(taskId: string, deadline: Deadline): Promise<TaskOwner | null>;
}

/**
 * Longest time a permission waits for the store before it is 503, in milliseconds. A read of a user or
 * a project serves all who ask for the same, so this is the only time it has; each of them waits for it
 * no longer than its own request may.
 */
const PATIENCE_MS = 3_000;

/**
 * The reads on a database. Every failure of the store becomes `StoreUnavailable`: that nobody knows
 * who the caller is must not look like a wrong token.
 */
export function authReads(db: Db): AuthReads {
  const read = async (
    collection: string,
    filter: Document,
    projection: Document,
    deadline = new Deadline(PATIENCE_MS),
  ) => {
    try {
      const asked = { filter, projection, sort: { _id: 1 } };
      return await findOne<Document>(db, deadline, collection, asked);
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
      return project === undefined ? null : { members: memberIds(project.members) };
    },
    async taskOwner(taskId, whole) {
      const projection = { scope: 1, project_id: 1 };
      const part = whole.within(PATIENCE_MS);
      const task = await whole.wait(read(COLLECTIONS.tasks, { task_id: taskId }, projection, part));
      if (task === undefined) return null;
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
