/**
 * Clients whose answers go on: the store is asked about a right when something changes that it
 * depends on, and a right that is gone ends its answers. Event streams have no end of their own: they get
 * comments while they are silent, and end when the service stops.
 *
 *     rows change ──► whose right is it? (policy) ──► the store is asked ──► no: ended
 *     changes are not seen ──► all rights, at every other look: within 0.8 s
 *     the token has expired ──► ended
 *
 * Memory does not count here: a right that is gone ends a watch, an export or a download within a second.
 */
import { loop } from '../../loop.ts';
import type { TableChange } from '../../tables/index/tables.ts';
import { Asking } from '../asking.ts';
import { ANSWERS_MS, lookEvery } from '../looking.ts';
import type { Policy, Right } from './policy.ts';
import { hasExpired } from './token.ts';

/** A client that is answered for as long as its right holds. */
export interface Holder {
  readonly right: Right;
  /** Ends the answer; `reason` is a sentence for the client. */
  end(reason: string): void;
  /** Keeps a connection that was silent for so long, milliseconds. Only answers without an end of their own have it. */
  comment?(silentMs: number): void;
}

const STOPPING = 'The service is stopping.';

/** Least time between two questions about all rights, milliseconds: so at every second look. */
const ASK_ALL_EVERY_MS = 600;

/** Rights that are checked at once. */
const AT_ONCE = 8;

export class Holders {
  readonly #policy: Policy;
  readonly #stillMay: (right: Right) => Promise<boolean>;
  /** Holders with the same right, by its key. */
  readonly #holders = new Map<string, Set<Holder>>();
  /** Rights that are asked about, by their keys. */
  readonly #doubted = new Asking<string>(AT_ONCE, (key) => this.#ask(key));
  /** Rights that the store could not tell, by their keys. */
  readonly #unknown = new Set<string>();
  readonly #commentMs: number;
  #askedAllAt = 0;
  #stopping = false;

  /** @param commentMs after this silence an answer gets a comment, milliseconds */
  constructor(policy: Policy, stillMay: (right: Right) => Promise<boolean>, commentMs = 15_000) {
    this.#policy = policy;
    this.#stillMay = stillMay;
    this.#commentMs = commentMs;
    lookEvery(ANSWERS_MS, this, (own) => own.#look());
  }

  add(holder: Holder): void {
    const key = rightKey(holder.right);
    this.#holders.set(key, (this.#holders.get(key) ?? new Set()).add(holder));
    // Something may have changed between the request's own look and now.
    this.#doubt(key);
    if (this.#stopping && holder.comment) holder.end(STOPPING);
  }

  /** Ends the answers that have no end of their own: the service stops. */
  stop(): void {
    this.#stopping = true;
    for (const holder of this.#all()) if (holder.comment) holder.end(STOPPING);
  }

  delete(holder: Holder): void {
    const key = rightKey(holder.right);
    const same = this.#holders.get(key);
    same?.delete(holder);
    if (same?.size === 0) this.#holders.delete(key);
  }

  /** Notes that rows are about to change. */
  changing(change: TableChange): void {
    if (this.#holders.size === 0) return;
    const isTouched = this.#policy.endedBy(change);
    if (isTouched) this.#doubtWhere(isTouched);
  }

  /** Ends answers whose token has expired; asks for all rights while changes are not seen. */
  #look(): void {
    const now = Date.now() / 1_000;
    for (const holder of this.#all()) {
      if (hasExpired(holder.right.principal, now)) holder.end('The token has expired.');
      else holder.comment?.(this.#commentMs);
    }
    for (const key of this.#unknown) this.#doubted.add(key);
    this.#unknown.clear();
    if (this.#policy.seesChanges || performance.now() - this.#askedAllAt < ASK_ALL_EVERY_MS) return;
    this.#askedAllAt = performance.now();
    this.#doubtWhere(() => true);
  }

  #all(): readonly Holder[] {
    return [...this.#holders.values()].flatMap((same) => [...same]);
  }

  #doubtWhere(isDoubtful: (right: Right) => boolean): void {
    for (const [key, same] of this.#holders) {
      const [holder] = same;
      if (holder && isDoubtful(holder.right)) this.#doubt(key);
    }
  }

  #doubt(key: string): void {
    // Not in the step that makes the change.
    void loop.turn('request', this).then(() => this.#doubted.add(key));
  }

  async #ask(key: string): Promise<void> {
    const same = this.#holders.get(key);
    const [holder] = same ?? [];
    if (!same || !holder) return;
    try {
      if (await this.#stillMay(holder.right)) return;
    } catch {
      // The next look asks again.
      this.#unknown.add(key);
      return;
    }
    for (const one of [...same]) one.end('You no longer have access to this.');
  }
}

const rightKey = ({ permission, principal, params }: Right) =>
  JSON.stringify([permission, principal.sub, principal.roles, params]);
