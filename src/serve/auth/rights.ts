/**
 * The one service of rights: who is calling, may they, and may they still?
 *
 * ```
 * Authorization: Bearer … ──▶ claims ──▶ Principal ──▶ active, by the policy?     else 401
 * Principal, permission, path ──▶ admin? may use the path, by the policy?   else 403 or 404
 * an answer that goes on ──▶ may its caller still?                                else ended
 * ```
 *
 * Memory answers while it is known to be less than a second old, else the store does. Other
 * requests of the caller may share such a read for less than a second. So a change counts within a
 * second. While the store is away or slow and memory lags behind it, older memory may still admit
 * requests that memory alone will answer. Their answers tell the memory's age.
 *
 * A request that asks for a moment (`Deadline.notBefore`) gets the rights of that moment or a later
 * one. They come from memory or a shared read that has reached it, else from a new read.
 */
import type { Timestamp } from 'mongodb';
import { AppError } from '../../errors.ts';
import type { Deadline } from '../../store/deadline.ts';
import { Hedge } from '../../store/hedged.ts';
import type { Grants } from '../tables/grants.ts';
import { Holders } from './holders.ts';
import type { Ask, Fact, Policy, Right } from './policy.ts';
import type { Permission, Principal } from './principal.ts';
import { badToken, bearerToken, nothingHere } from './refusals.ts';
import { SharedReads } from './sharedReads.ts';
import { expired, hasExpired, type Refusal } from './token.ts';

/** The basis of a request's rights, for requests that may be answered while the store is away. */
export interface RightsBasis {
  /**
   * How old the memory was that decided, in ms since the store's last sign of life; undefined if
   * the store or current memory decided.
   */
  silentMs: number | undefined;
}

export interface RightsDeps {
  /** A token's claims, or the reason to refuse it. */
  readonly tokens: { claims(token: string): Promise<Principal | Refusal> };
  readonly policy: Policy;
  /** The tables that callers may see; none when left out. */
  readonly grants?: Pick<Grants, 'of'> | undefined;
  /** Throws, with the cause, if the store may not be used. */
  readonly requireStore?: () => void;
  /** The latest known moment that a read may ask for. */
  readonly latest?: (() => Timestamp | undefined) | undefined;
  /** After this silence an event stream gets a comment, milliseconds. */
  readonly commentMs?: number;
}

/** The longest time for which a read counts. The reply has the rest of the second to travel. */
const MAX_AGE_MS = 900;

export class Rights {
  /** The clients whose answers go on. */
  readonly holders: Holders;
  readonly #deps: RightsDeps;
  readonly #reads: SharedReads;
  readonly #hedge = new Hedge();

  constructor(deps: RightsDeps) {
    this.#deps = deps;
    this.#reads = new SharedReads(MAX_AGE_MS, deps.latest);
    this.holders = new Holders(deps.policy, (right) => this.#stillMay(right), deps.commentMs);
  }

  /**
   * The holder of the token in an `Authorization` header. Asks the store nothing.
   *
   * @throws AppError `Unauthenticated`, or `StoreUnavailable` when the key set cannot be reached.
   */
  async claims(authorization: string | undefined): Promise<Principal> {
    const claims = await this.#deps.tokens.claims(bearerToken(authorization));
    if ('refused' in claims) throw badToken(claims.refused);
    return claims;
  }

  /**
   * Returns when the caller is active and the token has not expired. While the store cannot be used
   * a good token gets no further, except with a `basis` and a caller in memory.
   *
   * @throws AppError `Unauthenticated`, with `Age` if older memory decided, or `StoreUnavailable`
   * when the store cannot say.
   */
  async authenticate(principal: Principal, deadline: Deadline, basis?: RightsBasis): Promise<void> {
    // Some requests wait long for this, and ask twice.
    if (hasExpired(principal)) throw badToken(expired(principal.expires).refused);
    const { policy, requireStore } = this.#deps;
    const fact = policy.refusal(principal);
    const isInMemory = basis && fact.inMemory('away', deadline.notBefore) !== undefined;
    if (!isInMemory) requireStore?.();
    const why = await deadline.wait(this.#look(fact, principal, deadline, basis));
    if (why !== '') throw badToken(why, basis?.silentMs);
  }

  /**
   * Returns when the caller may use a route with this permission on these path parameters.
   *
   * @throws AppError `Forbidden`; `NotFound`, the same for foreign and missing ones, with `Age`
   * if older memory decided.
   */
  async authorize(
    permission: Permission,
    principal: Principal,
    params: Right['params'],
    deadline: Deadline,
    basis?: RightsBasis,
  ): Promise<void> {
    if (permission === 'public' || permission === 'user') return;
    if (permission === 'admin') {
      if (!principal.admin) throw new AppError('Forbidden', 'Only admins may do this.');
      return;
    }
    if (permission !== 'path') {
      const granted = this.#deps.grants?.of(principal, params.table!);
      if (!granted) throw nothingHere(basis?.silentMs);
      if (permission === 'table' || (principal.admin && granted.isWhole)) return;
      throw new AppError('Forbidden', 'Only admins who may see the whole table may do this.');
    }
    if (!(await this.mayUse(principal, params, deadline, basis)))
      throw nothingHere(basis?.silentMs);
  }

  /** Whether the caller may use a path with these parameters. */
  async mayUse(
    principal: Principal,
    params: Right['params'],
    deadline: Deadline,
    basis?: RightsBasis,
  ): Promise<boolean> {
    const ask: Ask = (fact) => this.#look(fact, principal, deadline, basis);
    return await deadline.wait(this.#deps.policy.mayUse(principal, params, ask));
  }

  /**
   * Whether the store would admit now a caller who was admitted before.
   *
   * @throws AppError `StoreUnavailable` when the store cannot tell.
   */
  async #stillMay({ permission, principal, params }: Right): Promise<boolean> {
    const { policy } = this.#deps;
    const ask: Ask = (fact) => fact.read();
    if ((await ask(policy.refusal(principal))) !== '') return false;
    return permission !== 'path' || (await policy.mayUse(principal, params, ask));
  }

  /**
   * Memory answers while it is current, else the store. With a basis, older memory answers while
   * the store is away.
   */
  async #look<T>(
    fact: Fact<T>,
    { sub }: Principal,
    { notBefore }: Deadline,
    basis: RightsBasis | undefined,
  ): Promise<T> {
    const now = fact.inMemory('now', notBefore);
    if (now !== undefined) {
      // Shared reads may be older, and a right must not come, go and come again.
      this.#reads.forget(sub, fact);
      return now;
    }
    const read = () => this.#reads.get(sub, fact, notBefore);
    if (!basis) return await read();
    const found = await this.#hedge.ask<{ value: T; silentMs: number | undefined }>(
      () => read().then((value) => ({ value, silentMs: undefined })),
      () => {
        const value = fact.inMemory('away', notBefore);
        return value === undefined ? undefined : { value, silentMs: this.#deps.policy.silentMs };
      },
    );
    basis.silentMs ??= found.silentMs;
    return found.value;
  }
}
