/**
 * Answers from the tables whether a user is active, and which projects list that user as a member.
 *
 *     user id ──► users: active            both as of the frontier, which is known to be the store's
 *     user id ──► projects: members        present of less than a second ago; else nothing is known
 *
 * Rights are never older than a cached read of the store may be. While the store is away they may
 * be as old as answers may be (`STALE_ANSWERS_MS`). The store decides if the tables are not exact:
 * a user whose `active` is an array.
 */
import { LRUCache } from 'lru-cache';
import type { Timestamp } from 'mongodb';
import type { Follower } from '../../follow/follower.ts';
import { isAway, type KnownAsOf } from '../../store/hedged.ts';
import type { Query, RowId } from '../../textindex/index.ts';
import type { Resource, Resources } from '../definition/definition.ts';
import { at } from '../definition/record.ts';
import type { MemoryRows } from '../rows/rests/memoryRows.ts';
import type { Tables } from './tables.ts';

export interface RightsInMemoryDeps {
  readonly resources: Resources;
  readonly tables: Tables;
  readonly memoryRows: MemoryRows;
  readonly follower: Pick<Follower, 'isExact' | 'isLive' | 'ageMs' | 'silentMs' | 'frontier'>;
  /** `STALE_ANSWERS_MS` */
  readonly maxSilentMs: number;
}

/**
 * The greatest age of tables that count as current, milliseconds. The answer has the rest of a
 * second to travel.
 */
const MAX_AGE_MS = 900;
/**
 * Most projects of one user that are listed; for a user with more, each project is looked up by
 * itself.
 */
const MAX_OWN = 1_000;
/** Users whose projects are kept until a project changes. */
const MAX_USERS = 2_000;

interface Own {
  readonly version: number;
  readonly projects: ReadonlySet<string> | 'many';
}

/** Every answer is undefined when only the store can give it. */
export class RightsInMemory {
  readonly #deps: RightsInMemoryDeps;
  readonly #own = new LRUCache<number, Own>({ max: MAX_USERS });

  constructor(deps: RightsInMemoryDeps) {
    this.#deps = deps;
  }

  get silentMs(): number {
    return this.#deps.follower.silentMs;
  }

  /** Whether the tables show this moment or a later one. */
  hasReached(moment: Timestamp): boolean {
    return this.#deps.follower.frontier?.greaterThanOrEqual(moment) === true;
  }

  userState(userId: number, asOf: KnownAsOf): 'active' | 'inactive' | 'absent' | undefined {
    const { users } = this.#deps.resources;
    if (!this.#counts(users!, asOf)) return undefined;
    const table = this.#deps.tables.tableOf(users!.collection);
    const shown = table.shown(userId, ['active']);
    if (shown) return shown.values[0] === true ? 'active' : 'inactive';
    return table.valuesOf(userId, []) === undefined ? 'absent' : undefined;
  }

  /** The projects that list the user as a member; `many` for more than MAX_OWN. */
  ownProjects(userId: number, asOf: KnownAsOf): ReadonlySet<string> | 'many' | undefined {
    const { projects } = this.#deps.resources;
    if (!this.#counts(projects!, asOf)) return undefined;
    const version = this.#deps.tables.versionOf(projects!.collection);
    const kept = this.#own.get(userId);
    if (kept?.version === version) return kept.projects;
    const found = this.#projectsOf(userId);
    if (found) this.#own.set(userId, { version, projects: found });
    return found;
  }

  /**
   * How the user stands to the project; if several have the identifier, the one with the least id
   * counts.
   */
  standing(
    userId: number,
    projectId: string,
    asOf: KnownAsOf,
  ): 'member' | 'stranger' | 'absent' | undefined {
    const { projects } = this.#deps.resources;
    if (!this.#counts(projects!, asOf)) return undefined;
    const ids = this.#find({ op: 'equals', column: 'project_id', values: [projectId] }, 1);
    if (!ids) return undefined;
    if (ids.length === 0) return 'absent';
    const row = this.#deps.memoryRows.documentOf(projects!, ids[0]!);
    if (!row) return undefined;
    const { members } = row;
    const isMember =
      Array.isArray(members) && members.some((member) => at(member, 'user_id') === userId);
    return isMember ? 'member' : 'stranger';
  }

  #counts({ collection }: Resource, asOf: KnownAsOf): boolean {
    const { follower, maxSilentMs } = this.#deps;
    if (asOf === 'now') return follower.isLive([collection]) && follower.ageMs < MAX_AGE_MS;
    return isAway(follower.silentMs, maxSilentMs) && follower.isExact([collection]);
  }

  #projectsOf(userId: number): ReadonlySet<string> | 'many' | undefined {
    const where: Query = { op: 'equals', column: 'member_ids', values: [userId] };
    const ids = this.#find(where, MAX_OWN + 1);
    if (!ids) return undefined;
    if (ids.length > MAX_OWN) return 'many';
    const found = new Set<string>();
    for (const id of ids) {
      const row = this.#table.shown(id, ['project_id']);
      if (!row) return undefined;
      const [identifier] = row.values;
      if (typeof identifier === 'string') found.add(identifier);
    }
    return found;
  }

  #find(where: Query, perPage: number): readonly RowId[] | undefined {
    const order = { sortBy: 'id', descending: false, page: 1 };
    return this.#table.search({ where, ...order, perPage })?.ids;
  }

  get #table() {
    return this.#deps.tables.tableOf(this.#deps.resources.projects!.collection);
  }
}
