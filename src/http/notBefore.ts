/**
 * `Search-Not-Before: <seconds>.<increment>`: the answer shows this moment of the store or a later one,
 * whichever instance gives it. Clients send what `Search-As-Of` told them.
 *
 * ```
 * the store has reached it ─▶ rights, searches and reads go by it: the index waits for it, or the store does
 * not yet ─▶ rights of now ─▶ waits until the store has: 503 when time is over ─▶ rights of that moment
 * malformed, or more than a minute ahead ─▶ 422, once it is known that the caller may use the route
 * ```
 */
import type { IncomingMessage } from 'node:http';
import type { Timestamp } from 'mongodb';
import { AppError } from '../errors.ts';
import { parseTime } from '../mongo/clusterTime.ts';
import type { Deadline } from '../mongo/deadline.ts';
import type { StoreClock } from '../mongo/storeClock.ts';
import type { JsonSchema } from '../resources/jsonSchema.ts';

export const NOT_BEFORE = 'Search-Not-Before';

export const NOT_BEFORE_HEADER: { readonly meaning: string; readonly schema: JsonSchema } = {
  meaning:
    'The answer shows this moment or a later one: the latest `Search-As-Of` that the client has seen.',
  schema: { type: 'string', pattern: '^\\d{1,10}\\.\\d{1,10}$' },
};

/** The moment that one request asks for. */
export class NotBefore {
  readonly #moment: Timestamp | undefined;
  readonly #isMalformed: boolean;
  readonly #clock: Pick<StoreClock, 'hasReached' | 'reach'>;

  constructor({ headers }: IncomingMessage, clock: Pick<StoreClock, 'hasReached' | 'reach'>) {
    const sent = headers['search-not-before'];
    this.#moment = sent === undefined ? undefined : parseTime(String(sent));
    this.#isMalformed = sent !== undefined && this.#moment === undefined;
    this.#clock = clock;
  }

  /** Has the request's reads go by the moment, where the store has reached it. */
  async begin(deadline: Deadline): Promise<void> {
    const moment = this.#moment;
    if (!moment || moment.isZero()) return;
    if (await this.#clock.hasReached(moment, deadline)) deadline.notBefore = moment;
  }

  /**
   * Waits for a moment that the store has not reached yet. Then rights have to be asked for anew: true.
   *
   * @throws AppError `ValidationFailed`, `SearchTimeout`
   */
  async settle(deadline: Deadline): Promise<boolean> {
    if (this.#isMalformed) throw malformed();
    const moment = this.#moment;
    if (!moment || moment.isZero() || deadline.notBefore) return false;
    await this.#clock.reach(moment, deadline);
    deadline.notBefore = moment;
    return true;
  }
}

function malformed(): AppError {
  const detail = `The header ${NOT_BEFORE} must be a moment that Search-As-Of told: <seconds>.<increment>.`;
  return new AppError('ValidationFailed', detail);
}
