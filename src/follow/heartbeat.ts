/**
 * A write that the change stream matches, to make it move on.
 *
 * A stream that waits answers at once when something it matches is written, and else only when its
 * waiting time is over. So a beat is written if the frontier is needed past a write that the stream
 * does not match (10 to 12 ms with one). One document for all instances, overwritten.
 *
 * A beat also comes after a long time without an event. A checkpoint begins at the latest one, and the oplog
 * has to reach back to it.
 */
import type { Db } from 'mongodb';
import type { ClusterTime } from '../store/clusterTime.ts';
import { command } from '../store/commands.ts';
import { withDeadline } from '../store/deadline.ts';
import type { FeedBatch } from './changeFeed.ts';
import { streamFaultOf } from './faults.ts';
import type { Tuning } from './tuning.ts';

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
  readonly #longestQuiet: ClusterTime;
  /** The time of the latest event, or of a beat that was made because there was none. */
  #latest: ClusterTime | undefined;

  /** How it beats, as `Tuning` describes it; where beats are not wanted they do nothing. */
  constructor(db: Db, { heartbeats: wanted, quietS }: Pick<Tuning, 'heartbeats' | 'quietS'>) {
    this.#wanted = wanted;
    this.#longestQuiet = BigInt(quietS) << 32n;
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

  /** The stream has told of all events up to a time. */
  noteEvents({ last, delivered }: Pick<FeedBatch, 'last' | 'delivered'>): void {
    this.#latest = last?.time ?? this.#latest ?? delivered;
    if (delivered - this.#latest < this.#longestQuiet) return;
    this.#latest = delivered;
    this.beat();
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
