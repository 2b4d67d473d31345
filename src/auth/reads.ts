/**
 * What authentication and permission read of the store: a user by id, a project by identifier, a
 * task by its external id. Three point reads on indexed fields, each of the few members needed.
 *
 * Real data is dirty, so every member is looked at before it counts: a user is active when `active`
 * is `true` and nothing else, a member counts when its `user_id` is the user's number. Where two
 * documents share an identifier, the one with the lowest `_id` counts.
 */
import type { Db, Document } from 'mongodb';
import { AppError } from '../errors.ts';
import { findOne } from '../mongo/commands.ts';
import { Deadline } from '../mongo/deadline.ts';
import { COLLECTIONS } from '../mongo/documents.ts';
import { SCOPES, type Scope } from '../resources/scope.ts';

export type UserState = 'active' | 'inactive' | 'absent';

/** What a user is to a project; `absent`: there is no such project. */
export type Standing = 'member' | 'stranger' | 'absent';

/** Where a task belongs. A scope that is none of the three is null: then it is for admins alone. */
export interface TaskOwner {
  readonly scope: Scope | null;
  readonly projectId: string | null;
}

export interface AuthReads {
  userState(userId: number): Promise<UserState>;
  standing(userId: number, projectId: string): Promise<Standing>;
  /** Null when there is no such task. */
  taskOwner(taskId: string): Promise<TaskOwner | null>;
}

/**
 * Longest time a permission waits for the store before it is 503, in milliseconds. A read serves all
 * who ask for the same, so this is the only time it has; each of them waits for it no longer than its
 * own request may.
 */
const PATIENCE_MS = 3_000;

/**
 * The reads on a database. Every failure of the store becomes `StoreUnavailable`: that nobody knows
 * who the caller is must not look like a wrong token.
 */
export function authReads(db: Db): AuthReads {
  const read = async (collection: string, filter: Document, projection: Document) => {
    const deadline = new Deadline(PATIENCE_MS);
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
    async userState(userId) {
      const user = await read(COLLECTIONS.users, { _id: userId }, { active: 1 });
      if (user === undefined) return 'absent';
      return user.active === true ? 'active' : 'inactive';
    },
    async standing(userId, projectId) {
      const filter = { identifier: projectId };
      const project = await read(COLLECTIONS.projects, filter, { member: isMember(userId) });
      if (project === undefined) return 'absent';
      return project.member === true ? 'member' : 'stranger';
    },
    async taskOwner(taskId) {
      const task = await read(COLLECTIONS.tasks, { task_id: taskId }, { scope: 1, project_id: 1 });
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
