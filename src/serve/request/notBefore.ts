/**
 * `Search-Not-Before: <seconds>.<increment>`: the answer shows this moment of the store or a later one,
 * whichever instance gives it. Clients send the moment that `Search-As-Of` told them.
 *
 * ```
 * the store has reached it ─▶ rights, searches and reads go by it: the index waits for it, or the store does
 * not yet ─▶ rights of now ─▶ waits at most 3 s until the store has, else 503 ─▶ rights of that moment
 * malformed, or more than a minute ahead ─▶ 422, once it is known that the caller may use the route
 * ```
 *
 * The wait comes before the body, so that nobody holds a parsed body meanwhile. Its failure is thrown in its
 * place among the errors, after the body's.
 */
import type { IncomingMessage } from 'node:http';
import type { Timestamp } from 'mongodb';
import { AppError } from '../../errors.ts';
import { parseTime } from '../../store/clusterTime.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { StoreClock } from '../../store/storeClock.ts';
import type { JsonSchema } from '../../tables/definition/jsonSchema.ts';

export const NOT_BEFORE = 'Search-Not-Before';

/** Longest wait for the store's clock, milliseconds. Moments from other instances are milliseconds ahead. */
const WAIT_MS = 3_000;

export const NOT_BEFORE_HEADER: { readonly meaning: string; readonly schema: JsonSchema } = {
  meaning:
    'The answer shows this moment or a later one: the latest `Search-As-Of` that the client has seen.',
  // Both numbers have 32 bits; the pattern leaves out the last of them.
  schema: { type: 'string', pattern: '^[0-3]?[0-9]{1,9}\\.[0-3]?[0-9]{1,9}$' },
};

export type Clock = Pick<StoreClock, 'hasReached' | 'reach'>;

/** The moment that one request asks for. */
export class NotBefore {
  readonly #moment: Timestamp | undefined;
  readonly #isMalformed: boolean;
  readonly #clock: Clock;
  #failure: unknown;

  constructor({ headers }: IncomingMessage, clock: Clock) {
    const sent = headers['search-not-before'];
    const moment = sent === undefined ? undefined : parseTime(String(sent));
    this.#moment = moment?.isZero() ? undefined : moment;
    this.#isMalformed = sent !== undefined && moment === undefined;
    this.#clock = clock;
  }

  /** Has the request's reads go by the moment, where the store has reached it. Not for strangers: it may ask the store. */
  async begin(deadline: Deadline): Promise<void> {
    const moment = this.#moment;
    if (!moment) return;
    await this.#try(async () => {
      if (await this.#clock.hasReached(moment, deadline)) deadline.notBefore = moment;
    });
  }

  /**
   * Waits for a moment that the store has not reached yet, unless its request holds a body already.
   *
   * @returns whether the caller has to ask for the rights again
   */
  async reach(deadline: Deadline, hasBody: boolean): Promise<boolean> {
    const moment = this.#moment;
    if (!moment || deadline.notBefore || this.#failure) return false;
    await this.#try(async () => {
      const waitMs = hasBody ? 0 : WAIT_MS;
      await deadline.during(waitMs, (part) => this.#clock.reach(moment, part));
      deadline.notBefore = moment;
    });
    return deadline.notBefore !== undefined;
  }

  /** @throws AppError `ValidationFailed`, `SearchTimeout`; why the store could not be asked */
  check(): void {
    if (this.#isMalformed) throw malformed();
    if (this.#failure) throw this.#failure;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      this.#failure = failure;
    }
  }
}

function malformed(): AppError {
  const detail = `The header ${NOT_BEFORE} must be a moment that Search-As-Of told: <seconds>.<increment>.`;
  return new AppError('ValidationFailed', detail);
}
