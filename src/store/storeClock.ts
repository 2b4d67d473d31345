/**
 * How far the store's clock is: whether it has reached a moment that a request asks for.
 *
 *     moment ≤ what is known in memory ──► reached          nearly always: nothing is asked
 *            └─► a small read, one for all who ask ──► reached, or by how much it is not
 *
 * A moment can lie ahead of the store only if nobody has seen it: the server would refuse a read at it.
 */
import type { Db, Timestamp } from 'mongodb';
import { AppError } from '../errors.ts';
import { laterOf } from './clusterTime.ts';
import { readCommand } from './commands.ts';
import { type Deadline, withDeadline } from './deadline.ts';

/** No clock of a store is wrong by so much; a moment further ahead was made up, seconds. */
const MOST_AHEAD_S = 60;

/** Longest time of the read that asks for the time, and the pause between two such reads, milliseconds. */
const ASK_MS = 3_000;
const PAUSE_MS = 100;

export class StoreClock {
  readonly #db: Db;
  readonly #collection: string;
  readonly #known: () => Timestamp | undefined;
  #latest: Timestamp | undefined;
  #readable: Timestamp | undefined;
  #asking: Promise<Timestamp> | undefined;

  /**
   * @param collection any that the service may read
   * @param known a moment of which memory knows that the store has reached it
   */
  constructor(db: Db, collection: string, known: () => Timestamp | undefined) {
    this.#db = db;
    this.#collection = collection;
    this.#known = known;
  }

  /**
   * The latest known moment that a read may ask for without a wait. The cluster's clock may be ahead of the
   * last write; a replica set's read at such a moment would wait for the next write.
   */
  get readable(): Timestamp | undefined {
    const known = this.#known();
    if (known) this.#readable = laterOf(this.#readable, known);
    return this.#readable;
  }

  /** Whether memory knows that the store has reached the moment. */
  #isKnown(moment: Timestamp): boolean {
    return [this.#latest, this.readable].some((known) => known?.greaterThanOrEqual(moment));
  }

  /** Whether the store has reached the moment, as far as is known or it says. */
  async hasReached(moment: Timestamp, deadline: Deadline): Promise<boolean> {
    // A read under way may have begun before the moment: then one more is made.
    for (let asked = 0; asked < 2 && !this.#isKnown(moment); asked++) {
      await deadline.wait(this.#ask());
    }
    return this.#isKnown(moment);
  }

  /**
   * Waits until the store has reached the moment.
   *
   * @throws AppError `ValidationFailed` if it is too far ahead, `SearchTimeout` if time runs out first
   */
  async reach(moment: Timestamp, deadline: Deadline): Promise<void> {
    while (!this.#isKnown(moment)) {
      const now = await deadline.wait(this.#ask());
      const aheadS = moment.getHighBitsUnsigned() - now.getHighBitsUnsigned();
      if (aheadS > MOST_AHEAD_S) throw tooFarAhead();
      if (this.#isKnown(moment)) return;
      if (PAUSE_MS >= deadline.left) throw notReached(aheadS);
      await deadline.pause(PAUSE_MS);
    }
  }

  #ask(): Promise<Timestamp> {
    this.#asking ??= this.#read().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #read(): Promise<Timestamp> {
    // A read of data, since a router of a sharded cluster learns the time from its shards.
    const asked = { find: this.#collection, projection: { _id: 1 }, limit: 1, singleBatch: true };
    const reply = await withDeadline(ASK_MS, (deadline) => readCommand(this.#db, deadline, asked));
    const now: Timestamp = reply.$clusterTime?.clusterTime ?? reply.operationTime;
    this.#latest = laterOf(this.#latest, now);
    this.#readable = laterOf(this.#readable, reply.operationTime);
    return now;
  }
}

function tooFarAhead(): AppError {
  const detail = `The header Search-Not-Before is more than ${MOST_AHEAD_S} s ahead of the store.`;
  return new AppError('ValidationFailed', detail);
}

function notReached(aheadS: number): AppError {
  const detail = 'The store did not reach the moment of Search-Not-Before in time.';
  const headers = { 'Retry-After': String(Math.max(1, aheadS)) };
  return new AppError('SearchTimeout', detail, { headers });
}
