/**
 * Whether callers whose answers go on may still see them: asked of the store when something changes that
 * this depends on.
 *
 *     a user or a project changes ──► whose right is it? ──► the store is asked ──► no: ended
 *     the index cannot tell ────────► all of them, at every other look: within 0.8 s
 *     the token has expired ────────► ended
 *
 * What is known of a caller for a second is not used here: a right that is gone ends a watch or an
 * export within one second.
 */

import type { Resources } from '../tables/definition/definition.ts';
import type { TableChange } from '../tables/index/tables.ts';
import { changedValues } from '../tables/watch/watchedSearches.ts';
import type { Authenticator } from './auth/authenticator.ts';
import type { Principal } from './auth/principal.ts';
import type { RouteContext } from './route.ts';

/** The right by which a client is answered. */
export interface Right {
  readonly permission: 'user' | 'admin' | 'project';
  readonly principal: Principal;
  readonly params: RouteContext['params'];
}

/** A client that is answered for as long as its right holds. */
export interface Holder {
  readonly right: Right;
  /** To be ended; `reason` is a sentence for the client. */
  end(reason: string): void;
}

export interface RightsDeps {
  readonly authenticator: Pick<Authenticator, 'stillMay'>;
  readonly resources: Resources;
  /** Whether every change of users and projects is told. */
  readonly changesAreKnown: () => boolean;
}

/** How often it is looked whether something has ended, milliseconds. */
const LOOK_EVERY_MS = 400;

/** Least time between two questions about all of them, milliseconds: they come at every second look. */
const ASK_ALL_EVERY_MS = 600;

/** Rights that are asked for at once. */
const AT_ONCE = 8;

export class Rights {
  readonly #deps: RightsDeps;
  /** Those who watch by the same right. */
  readonly #holders = new Map<string, Set<Holder>>();
  readonly #doubted = new Set<string>();
  #asking = 0;
  #askedAllAt = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(deps: RightsDeps) {
    this.#deps = deps;
  }

  add(holder: Holder): void {
    const key = rightKey(holder.right);
    this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(holder));
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#looking.unref();
    // Something may have changed between the request's own look and now.
    this.#doubt(key);
  }

  delete(holder: Holder): void {
    const key = rightKey(holder.right);
    const same = this.#holders.get(key);
    same?.delete(holder);
    if (same?.size === 0) this.#holders.delete(key);
    if (this.#holders.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** To be called before rows change. */
  changing(change: TableChange): void {
    const { users, projects } = this.#deps.resources;
    if (this.#holders.size === 0) return;
    if (change.collection === users!.collection) {
      const ids = new Set<unknown>(change.changes.map(({ id }) => id));
      this.#doubtWhere(({ principal }) => ids.has(principal.userId));
    } else if (change.collection === projects!.collection) {
      const changed = changedValues(change, 'project_id');
      this.#doubtWhere(
        ({ permission, params }) => permission === 'project' && changed.has(params.project_id),
      );
    }
  }

  /** Ends answers whose time is over, and asks for all rights where changes are not told. */
  #look(): void {
    const now = Date.now() / 1_000;
    for (const same of this.#holders.values()) {
      for (const holder of [...same]) {
        if (holder.right.principal.expires <= now) holder.end('The token has expired.');
      }
    }
    if (this.#deps.changesAreKnown() || performance.now() - this.#askedAllAt < ASK_ALL_EVERY_MS) {
      this.#ask();
      return;
    }
    this.#askedAllAt = performance.now();
    this.#doubtWhere(() => true);
  }

  #doubtWhere(isDoubtful: (right: Right) => boolean): void {
    for (const [key, same] of this.#holders) {
      const [holder] = same;
      if (holder && isDoubtful(holder.right)) this.#doubt(key);
    }
  }

  #doubt(key: string): void {
    this.#doubted.add(key);
    // Not in the step that makes the change.
    setImmediate(() => this.#ask());
  }

  #ask(): void {
    for (const key of this.#doubted) {
      if (this.#asking >= AT_ONCE) return;
      this.#doubted.delete(key);
      this.#asking += 1;
      this.#askFor(key).then(
        () => {
          this.#asking -= 1;
          this.#ask();
        },
        // The store cannot tell now: it is asked again at the next look.
        () => {
          this.#asking -= 1;
          this.#doubted.add(key);
        },
      );
    }
  }

  async #askFor(key: string): Promise<void> {
    const same = this.#holders.get(key);
    const [holder] = same ?? [];
    if (!same || !holder) return;
    const { permission, principal, params } = holder.right;
    if (await this.#deps.authenticator.stillMay(permission, principal, params)) return;
    for (const one of [...same]) one.end('You no longer have access to this.');
  }
}

const rightKey = ({ permission, principal, params }: Right) =>
  [permission, principal.userId, principal.admin, params.project_id ?? ''].join(' ');
