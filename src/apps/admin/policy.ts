/**
 * The policy of the administration service: users and the members of projects decide about callers,
 * as memory or the store knows them.
 *
 * ```
 * :project_id ──▶ among the caller's own? ──▶ a member?          admins: is there such a project?
 * :task_id    ──▶ its project, among the caller's own ──▶ a member?    admins: is there such a task?
 * ```
 *
 * A project that is not among the caller's own is not read, so timing does not reveal whether it
 * exists. Each read uses an index and returns only the few members needed.
 *
 * Real data is dirty, so every member is checked before it counts. A user is active when `active`
 * is exactly `true`; a member counts when its `user_id` is the user's number. Where two documents
 * share an identifier, the one with the lowest `_id` counts.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { AppError } from '../../errors.ts';
import type { Ask, Fact, Policy, Right } from '../../serve/auth/policy.ts';
import type { Principal } from '../../serve/auth/principal.ts';
import { findOne, MAJORITY, readCommand } from '../../store/commands.ts';
import { type Deadline, withDeadline } from '../../store/deadline.ts';
import type { KnownAsOf } from '../../store/hedged.ts';
import type { Resource } from '../../tables/definition/definition.ts';
import { at } from '../../tables/definition/record.ts';
import type { KnownRows, KnownTable } from '../../tables/index/knownRows.ts';
import type { TableChange } from '../../tables/index/tables.ts';
import { changedValues } from '../../tables/watch/watchedSearches.ts';
import { COLLECTIONS } from './documents.ts';
import { findsOneIn } from './manage/taskLookup.ts';
import { findTaskOf } from './ownTask.ts';
import { projects } from './resources/projects.ts';
import { users } from './resources/users.ts';

/** How a user stands to a project; `absent`: there is no such project. */
export type Standing = 'member' | 'stranger' | 'absent';

/** Identifiers of projects; `many`: more than are read. */
export type OwnProjects = ReadonlySet<string> | 'many';

export interface DataPolicyDeps {
  /** The database, by a client whose connections no search uses. */
  readonly db: Db;
  /** The rows in memory; undefined while there are none. */
  readonly known?: () => KnownRows | undefined;
  /** Whether the index follows users and projects. */
  readonly seesChanges?: () => boolean;
}

/**
 * Changes that rows in memory show later than this are not seen in time: so it is while a checkpoint of
 * a large table is written, milliseconds.
 */
const LATE_MS = 400;

/** Most projects of one user that are listed; with more, each is looked up by itself. */
const MAX_OWN = 1_000;

/**
 * Longest time a permission waits for the store before it is 503, in milliseconds. The requests
 * that share a read share this one time limit; each waits no longer than its own time allows.
 */
const READ_TIMEOUT_MS = 3_000;

const userIdOf = ({ sub }: Principal) => Number(sub);

export class DataPolicy implements Policy {
  readonly #deps: DataPolicyDeps;

  constructor(deps: DataPolicyDeps) {
    this.#deps = deps;
  }

  get silentMs(): number {
    return this.#deps.known?.()?.silentMs ?? 0;
  }

  get seesChanges(): boolean {
    const { lagMs = Number.POSITIVE_INFINITY } = this.#deps.known?.() ?? {};
    return lagMs < LATE_MS && (this.#deps.seesChanges?.() ?? false);
  }

  refusal({ sub }: Principal): Fact<string> {
    const id = Number(sub);
    const absent = `The token is good, but there is no user ${sub}, whom it names (sub), in the store.`;
    const of = (active: unknown) =>
      active === true ? '' : `The token is good, but its user ${sub} is not active.`;
    return this.#fact(users, 'active', {
      inMemory(table) {
        const values = table.values(id, ['active']);
        return values ? of(values[0]) : values === null ? absent : undefined;
      },
      read: async (deadline) => {
        const user = await this.#first(COLLECTIONS.users, { _id: id }, { active: 1 }, deadline);
        return user ? of(user.active) : absent;
      },
    });
  }

  async mayUse(principal: Principal, params: Right['params'], ask: Ask): Promise<boolean> {
    const { project_id: projectId, task_id: taskId } = params;
    const { admin } = principal;
    if (projectId === undefined) return await ask(this.#taskUse(principal, taskId!));
    const own = admin ? 'many' : await ask(this.own(userIdOf(principal)));
    if (own !== 'many' && !own.has(projectId)) return false;
    const standing = await ask(this.standing(userIdOf(principal), projectId));
    return standing === 'member' || (admin && standing === 'stranger');
  }

  endedBy(change: TableChange): ((right: Right) => boolean) | undefined {
    if (change.name === users.name) {
      const ids = new Set<unknown>(change.changes.map(({ id }) => id));
      return ({ principal }) => ids.has(userIdOf(principal));
    }
    if (change.name !== projects.name) return undefined;
    const changed = changedValues(change, 'project_id');
    // The path of a task does not tell its project.
    return ({ permission, params: { project_id: id } }) =>
      permission === 'path' && (id === undefined || changed.has(id));
  }

  /** The projects that may list the user as a member; `standing` says whether one does. */
  own(userId: number): Fact<OwnProjects> {
    return this.#fact<OwnProjects>(projects, 'own', {
      inMemory: (table) => ownInMemory(table, userId),
      read: async (deadline) => {
        const { cursor } = await readCommand(this.#deps.db, deadline, {
          find: COLLECTIONS.projects,
          filter: { 'members.user_id': userId },
          projection: { _id: 0, identifier: 1 },
          ...{ limit: MAX_OWN + 1, batchSize: MAX_OWN + 1, singleBatch: true },
          readConcern: MAJORITY,
        });
        const found: Document[] = cursor.firstBatch;
        if (found.length > MAX_OWN) return 'many';
        return new Set(found.map((one) => one.identifier).filter((id) => typeof id === 'string'));
      },
    });
  }

  standing(userId: number, projectId: string): Fact<Standing> {
    return this.#fact<Standing>(projects, `project ${projectId}`, {
      inMemory(table) {
        const ids = table.ids('project_id', projectId, 1);
        if (ids?.length === 0) return 'absent';
        const project = ids && table.document(ids[0]!);
        if (!project) return undefined;
        const { members } = project;
        const isUser = (member: unknown) => at(member, 'user_id') === userId;
        return Array.isArray(members) && members.some(isUser) ? 'member' : 'stranger';
      },
      read: async (deadline) => {
        // The server looks, so that the answer is as long for a project with a thousand members.
        const member = { $and: [{ $isArray: '$members' }, { $in: [userId, '$members.user_id'] }] };
        const filter = { identifier: projectId };
        const project = await this.#first(COLLECTIONS.projects, filter, { member }, deadline);
        if (!project) return 'absent';
        return project.member === true ? 'member' : 'stranger';
      },
    });
  }

  /**
   * Whether a caller may use a task. It is one fact, whose reads are shared with nothing: the ages
   * of shared ones would add up.
   */
  #taskUse(principal: Principal, taskId: string): Fact<boolean> {
    const userId = userIdOf(principal);
    // One user may have tokens with the role and without.
    const name = principal.admin ? 'task of any project' : 'task of own projects';
    return {
      name: `${name} ${taskId}`,
      inMemory: () => undefined,
      read: async (notBefore) => {
        const projection = { scope: 1, project_id: 1 };
        const taskAt = (deadline: Deadline) =>
          this.#first(COLLECTIONS.tasks, { task_id: taskId }, projection, deadline);
        if (principal.admin) return (await within(notBefore, taskAt)) !== undefined;
        const mine = await this.own(userId).read(notBefore);
        const task = await within(notBefore, (deadline) =>
          mine === 'many' ? taskAt(deadline) : this.#taskOf([...mine], taskId, deadline),
        );
        const { scope, project_id: id } = task ?? {};
        if (scope !== 'project' || typeof id !== 'string') return false;
        return (await this.standing(userId, id).read(notBefore)) === 'member';
      },
    };
  }

  #taskOf(projectIds: readonly string[], taskId: string, deadline: Deadline) {
    const find = findsOneIn(this.#deps.db, deadline);
    return findTaskOf<Document>(find, taskId, projectIds, { _id: 1 });
  }

  #first(collection: string, filter: Document, projection: Document, deadline: Deadline) {
    const asked = { filter, projection, sort: { _id: 1 } };
    return findOne<Document>(this.#deps.db, deadline, collection, asked);
  }

  #fact<T>(
    resource: Resource,
    name: string,
    {
      inMemory,
      read,
    }: {
      readonly inMemory: (table: KnownTable) => NonNullable<T> | undefined;
      readonly read: (deadline: Deadline) => Promise<T>;
    },
  ): Fact<T> {
    return {
      name,
      inMemory: (asOf: KnownAsOf, notBefore) => {
        const table = this.#deps.known?.()?.of(resource, asOf, notBefore);
        return table && inMemory(table);
      },
      read: (notBefore) => within(notBefore, read),
    };
  }
}

function ownInMemory(table: KnownTable, userId: number): OwnProjects | undefined {
  const ids = table.ids('member_ids', userId, MAX_OWN + 1);
  if (!ids || ids.length > MAX_OWN) return ids && 'many';
  const found = new Set<string>();
  for (const id of ids) {
    const values = table.values(id, ['project_id']);
    if (!values) return undefined;
    if (typeof values[0] === 'string') found.add(values[0]);
  }
  return found;
}

/**
 * Every failure of the store becomes `StoreUnavailable`: a caller who cannot be looked up must not
 * look like one with a wrong token.
 */
async function within<T>(
  notBefore: Timestamp | undefined,
  read: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(READ_TIMEOUT_MS, (deadline) => {
      deadline.notBefore = notBefore;
      return read(deadline);
    });
  } catch (cause) {
    throw new AppError('StoreUnavailable', 'The store cannot be reached just now.', { cause });
  }
}
