/**
 * A quota: a number of units of one thing, held by callers for a while, and lines of waiting
 * requests.
 *
 * ```
 * hold(caller, 1) ─▶ room? ─▶ Hold ─▶ release() ─▶ whose turn is it?
 *                     └─ no ─▶ wait in the caller's own line, or 429, 503
 * ```
 *
 * Three rules, the same for every quota.
 *
 * 1. A caller holds at most as much as is left free.
 * 2. The next turn goes to the caller who holds least; among equals, to the one served longest ago.
 * 3. Every hold ends: `release` ends it once, and a wait ends when its caller is gone.
 *
 * One greedy caller gets half by the first rule, two get a third each, ten about a tenth each. This is
 * the dynamic threshold of shared-memory switches (Choudhury and Hahne, 1998). An eighth is for callers
 * who hold nothing: else the last of ten greedy callers would take the rest. The lines are bounded
 * likewise. If callers that came one after the other fill all places, the last one of the longest
 * line makes room for a caller with a shorter line. Fixed shares lost: they waste unused shares, or
 * let a few callers take all. Within a caller's line the order is that of arrival.
 */
import { AppError } from '../../errors.ts';

/**
 * The key under which requests count as one caller's: `user:<id>`, or `address:<ip>` before
 * authentication.
 */
export type Caller = string;

/** The share of units kept for callers who hold none: one in so many. */
const KEPT_SHARE = 8;

/** The service itself. */
export const INSIDE: Caller = 'inside';

/** A quota's limits. */
export interface Bound {
  /** The counted thing, as a refusal names it: "searches". */
  readonly what: string;
  /** Units for all callers together. */
  readonly overall: number;
  /** Units for one caller, if that is less than half of all. */
  readonly perCaller?: number;
  /** Places in all lines together; none when left out. */
  readonly waiting?: number;
}

export interface WaitOptions {
  /** Longest wait for a turn, milliseconds. */
  readonly timeoutMs: number;
  /** Ends the wait: the caller is gone. */
  readonly signal?: AbortSignal | undefined;
  /** Units to wait for; one when left out. */
  readonly units?: number;
}

/** Units that a caller holds. */
export interface Hold {
  /** Gives them back; the second time it does nothing. */
  release(): void;
}

interface Waiting {
  readonly units: number;
  readonly admit: (hold: Hold) => void;
  readonly refuse: (reason: AppError) => void;
}

/** A caller's account with a quota: the units held, and the line of waiting requests. */
interface Account {
  held: number;
  readonly line: Waiting[];
  /** Turns that the quota had given when this caller got the last one. */
  served: number;
}

export class Quota {
  readonly bound: Required<Bound>;
  readonly #accounts = new Map<Caller, Account>();
  #held = 0;
  #waiting = 0;
  #turns = 0;

  constructor(bound: Bound) {
    this.bound = { perCaller: bound.overall, waiting: 0, ...bound };
  }

  /** Units held, by all callers together. */
  get held(): number {
    return this.#held;
  }

  /** Requests that wait, in all lines together. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Takes units at once.
   *
   * @throws AppError `TooManyRequests` when the caller holds too much already, `Overloaded` when all do.
   */
  hold(caller: Caller, units = 1): Hold {
    const account = this.#account(caller);
    if (!this.#fits(account, units)) {
      this.#forget(caller, account);
      throw this.#refusal(account.held > 0 || units > this.bound.perCaller);
    }
    return this.#grant(caller, account, units);
  }

  /**
   * Takes a unit, or as many as the options say, in turn.
   *
   * @throws AppError `TooManyRequests` when the caller's line is full, `Overloaded` when all lines are, or
   *   when the turn did not come in time; the reason of the signal.
   */
  async wait(caller: Caller, options: WaitOptions): Promise<Hold> {
    const { signal, units = 1 } = options;
    signal?.throwIfAborted();
    const account = this.#account(caller);
    if (account.line.length === 0 && this.#fits(account, units)) {
      return this.#grant(caller, account, units);
    }
    if (account.line.length + 1 > this.bound.waiting - this.#waiting && !this.#makeRoom(account)) {
      this.#forget(caller, account);
      throw this.#refusal(account.held > 0 || account.line.length > 0);
    }
    return await this.#inLine(caller, account, options);
  }

  /** Does work while holding a unit that it waited for. See `wait`. */
  async run<T>(caller: Caller, work: () => Promise<T>, options: WaitOptions): Promise<T> {
    const hold = await this.wait(caller, options);
    try {
      return await work();
    } finally {
      hold.release();
    }
  }

  #inLine(
    caller: Caller,
    account: Account,
    { timeoutMs, signal, units = 1 }: WaitOptions,
  ): Promise<Hold> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onGone);
        account.line.splice(account.line.indexOf(waiting), 1);
        this.#waiting -= 1;
      };
      const giveUp = (reason: unknown) => {
        leave();
        // The next one in line may need fewer units.
        this.#serve();
        this.#forget(caller, account);
        reject(reason);
      };
      const onGone = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(this.#refusal(false)), timeoutMs);
      const waiting: Waiting = {
        units,
        admit: (hold) => {
          leave();
          resolve(hold);
        },
        refuse: giveUp,
      };
      signal?.addEventListener('abort', onGone, { once: true });
      account.line.push(waiting);
      this.#waiting += 1;
    });
  }

  /**
   * Makes room in the longest line, if it is longer than this one would become: its last request is
   * refused.
   */
  #makeRoom({ line: { length } }: Account): boolean {
    let longest: Account | undefined;
    for (const one of this.#accounts.values()) {
      if (one.line.length > (longest?.line.length ?? length + 1)) longest = one;
    }
    if (longest === undefined) return false;
    longest.line.at(-1)!.refuse(this.#refusal(true));
    return true;
  }

  #fits(account: Account, units: number): boolean {
    const { overall, perCaller } = this.bound;
    const free = overall - this.#held;
    const kept = account.held === 0 ? 0 : Math.floor(overall / KEPT_SHARE);
    return account.held + units <= Math.min(perCaller, free) && units <= free - kept;
  }

  #grant(caller: Caller, account: Account, units: number): Hold {
    account.held += units;
    account.served = ++this.#turns;
    this.#held += units;
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        account.held -= units;
        this.#held -= units;
        this.#serve();
        this.#forget(caller, account);
      },
    };
  }

  /** Gives free units to waiting requests. */
  #serve(): void {
    while (this.#waiting > 0) {
      const next = this.#next();
      if (next === undefined) return;
      const [caller, account] = next;
      const [first] = account.line as [Waiting];
      first.admit(this.#grant(caller, account, first.units));
    }
  }

  #next(): [Caller, Account] | undefined {
    let best: [Caller, Account] | undefined;
    for (const entry of this.#accounts) {
      const [, { line, held, served }] = entry;
      const [first] = line;
      if (!first || !this.#fits(entry[1], first.units)) continue;
      const [, than] = best ?? [];
      if (!than || held < than.held || (held === than.held && served < than.served)) best = entry;
    }
    return best;
  }

  #account(caller: Caller): Account {
    let account = this.#accounts.get(caller);
    if (account === undefined) {
      account = { held: 0, line: [], served: this.#turns };
      this.#accounts.set(caller, account);
    }
    return account;
  }

  #forget(caller: Caller, { held, line }: Account): void {
    if (held === 0 && line.length === 0) this.#accounts.delete(caller);
  }

  #refusal(ownFault: boolean): AppError {
    const { what } = this.bound;
    return ownFault
      ? new AppError('TooManyRequests', `Too many ${what} of one caller at once.`)
      : new AppError('Overloaded', `Too many ${what} at once; try again shortly.`);
  }
}
