/**
 * A write that the change stream matches, to make it move on.
 *
 * A stream that waits answers at once when something it matches is written, and else only when its
 * waiting time is over. So a beat is written if the frontier is needed past a write that the stream
 * does not match (10 to 12 ms with one). One document for all instances, overwritten.
 */
import type { Db } from 'mongodb';
import { command } from '../store/commands.ts';
import { withDeadline } from '../store/deadline.ts';
import { streamFaultOf } from './faults.ts';

/** Holds one document; safe to drop. */
export const HEARTBEAT_COLLECTION = 'search_heartbeat';

/** Requests at the same time share a beat; beats come no more often than this, in milliseconds. */
const PAUSE_MS = 5;
/** A beat that was not written by then is given up, and hinders no other one, milliseconds. */
const BEAT_TIMEOUT_MS = 5_000;

/** Overwrites the one document. */
const BEAT = {
  update: HEARTBEAT_COLLECTION,
  updates: [
    { q: { _id: 'beat' }, u: { $currentDate: { at: { $type: 'timestamp' } } }, upsert: true },
  ],
  writeConcern: { w: 1 },
};

export class Heartbeat {
  readonly #db: Db;
  #sending = false;
  #again = false;
  readonly #wanted: boolean;
  #denied: boolean;

  /** @param wanted false: beats do nothing, as for an account that may only read */
  constructor(db: Db, wanted: boolean) {
    this.#wanted = wanted;
    this.#denied = !wanted;
    this.#db = db;
  }

  /** The account may only read, or beats are not wanted: they do nothing. */
  get denied(): boolean {
    return this.#denied;
  }

  /** A write begins now, or right after the one under way. */
  beat(): void {
    if (this.#denied) return;
    if (this.#sending) this.#again = true;
    else void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    do {
      this.#again = false;
      await this.#write();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } while (this.#again && !this.#denied);
    this.#sending = false;
  }

  /** One write, which shows whether the account may write; other failures pass, as elections do. */
  async #write(): Promise<void> {
    try {
      await withDeadline(BEAT_TIMEOUT_MS, (deadline) => command(this.#db, deadline, BEAT));
      this.#denied = false;
    } catch (error) {
      this.#denied = streamFaultOf(error) === 'denied';
    }
  }

  /** Tries once whether the account may write. */
  async probe(): Promise<void> {
    if (this.#wanted) await this.#write();
  }
}
