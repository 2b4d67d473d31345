/**
 * An application on the engine: its tables, its rights and its routes.
 *
 *     settings ──► applications ──► tables, labels, database indexes ──► engine
 *                  policy, routes ◄───────────────────────────────────── engine
 */
import type { Db } from 'mongodb';
import type { Deadline } from '../store/deadline.ts';
import type { DatabaseIndexes } from '../store/indexes.ts';
import type { Resource, Resources } from '../tables/definition/definition.ts';
import type { ValueLabels } from '../tables/definition/valueLabels.ts';
import type { Outage } from '../tables/index/indexHealth.ts';
import type { KnownRows } from '../tables/index/knownRows.ts';
import type { Policy, Right } from './auth/policy.ts';
import type { Principal } from './auth/principal.ts';
import type { AppReference } from './openapi/document.ts';
import type { Route } from './route.ts';
import type { SearchServices } from './searching.ts';
import type { Grants } from './tables/grants.ts';

export interface Application {
  readonly resources: Resources;
  readonly labels: ValueLabels;
  readonly databaseIndexes: DatabaseIndexes;
  readonly reference: AppReference;
  /** Paths at which the web UI shows it. */
  readonly pages: readonly string[];
  /** Decides about callers; without it, the token alone does. */
  readonly policy?: (sources: RightSources) => Policy;
  /** The tables that callers may see by their roles. */
  readonly grants?: Grants;
  /** Whether the caller may see a table of this application, or some of its rows. */
  readonly sees: (principal: Principal, table: string) => boolean;
  readonly routes: (engine: Engine) => readonly Route[];
}

/** Where a policy finds out about callers. */
export interface RightSources {
  /** The database, by a client whose connections no search uses. */
  readonly db: Db;
  /** The rows in memory; undefined while there are none. */
  readonly known: () => KnownRows | undefined;
  /** Why the index does not follow a resource; undefined if it does. */
  readonly unavailable: (resource: Resource) => Outage | undefined;
}

export interface Engine extends SearchServices {
  /** The store. */
  readonly db: Db;
  /** Whether the caller may use a path with these parameters. */
  readonly mayUse: (
    principal: Principal,
    params: Right['params'],
    deadline: Deadline,
  ) => Promise<boolean>;
  /** Whether the caller may see a table of any application. */
  readonly sees: Application['sees'];
  /** The tables of all applications, for all callers. */
  readonly tables: readonly string[];
  /** Why the index does not answer for a resource; undefined if it does, or never will. */
  readonly unavailable: (resource: Resource) => Outage | undefined;
}
