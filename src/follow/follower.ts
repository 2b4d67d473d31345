/**
 * Keeps tables the exact state of the store at one moment, the frontier F, which moves on with it.
 *
 *     loading ──► live ◄──► behind          the stream is interrupted, or advances do not keep up
 *        │          └─────► reloading       a collection was dropped or renamed, the stream lost
 *        └──► off                           the deployment or the account does not allow it, or no
 *                                           collection can be followed
 *
 * A stream session does the work. This file is its public side, and the supervisor that begins the
 * next session when one ends. When in doubt a collection is not live. `isLive` (while the store is
 * away, `isExact`) is asked before every answer; after a no the search goes to the pipeline.
 *
 * @example
 *     const follower = new Follower({ db, collections, sink, log });
 *     if (await follower.waitFor(notBefore, 250) && follower.isLive(['orders', 'customers'])) {
 *       answerFrom(tables, follower.frontier);
 *     }
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db, MongoClient, Timestamp } from 'mongodb';
import type { Logger } from '../logger.ts';
import { toClusterTime } from '../store/clusterTime.ts';
import { isFromRouter, isTooOld } from '../store/hello.ts';
import type { Moment, Restored } from './checkpoint.ts';
import { inWords, streamFaultOf } from './faults.ts';
import { type CollectionSpec, FollowedCollection, NOT_BEGUN } from './followedCollection.ts';
import { Frontier } from './frontier.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Sink } from './sink.ts';
import { StreamSession } from './streamSession.ts';
import { type Tuning, USUAL } from './tuning.ts';

export interface FollowerOptions {
  readonly db: Db;
  /** Loaded in this order: put the small ones first. */
  readonly collections: readonly CollectionSpec[];
  readonly sink: Sink;
  readonly log: Logger;
  /**
   * Asked after each opening or resuming of a change stream, before the tables count as live: do
   * the tables built so far suit the server that answers now? If not, all tables are dropped and
   * loaded again. When it rejects, it is asked again.
   */
  readonly tablesFit?: () => Promise<boolean>;
  /**
   * Tables that the sink has restored: the follower goes on from there if the store has the history
   * that they were made of, and loads all collections otherwise.
   */
  readonly restored?: Restored | undefined;
  /** Others than `USUAL`. */
  readonly options?: Partial<Tuning>;
}

export const FOLLOWER_PHASES = ['off', 'loading', 'live', 'behind', 'reloading'] as const;
export type FollowerPhase = (typeof FOLLOWER_PHASES)[number];

export interface FollowerState {
  readonly phase: FollowerPhase;
  /** Why it is not live; empty when it is. */
  readonly reason: string;
  readonly frontier: Timestamp | null;
  /**
   * For how long the store has been known to be ahead of the frontier, or not to answer, milliseconds.
   * 0 when nothing is outstanding. Null before the first frontier of a stream, and when it follows nothing.
   */
  readonly lagMs: number | null;
  /** Whether the frontier passes others' writes, which the stream does not match, quickly. */
  readonly heartbeats: boolean;
  readonly collections: readonly CollectionState[];
}

export interface CollectionState
  extends Readonly<
    Pick<FollowedCollection, 'name' | 'phase' | 'reason' | 'isView' | 'read' | 'estimated'>
  > {
  /** It goes on with rows that are there, as of a checkpoint, and no load reads them. */
  readonly isRestored: boolean;
}

/** Twice this and a round trip are less than the age that rights may have. */
const AWAIT_MS = 400;
const AWAIT_WITHOUT_HEARTBEATS_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

export class Follower {
  readonly #options: FollowerOptions;
  readonly #collections: readonly FollowedCollection[];
  readonly #heartbeat: Heartbeat;
  readonly #frontier: Frontier;
  readonly #abort = new AbortController();
  readonly #listeners = new Set<(state: FollowerState) => void>();
  readonly #tuning: Tuning;
  readonly #watch: NodeJS.Timeout;
  readonly #running: Promise<void>;
  #session: StreamSession | null = null;
  /** For the first session alone: a stream that it gives up cannot go on from there. */
  #restored: Restored | undefined;
  #off: string | null = null;
  #reason = 'starting';
  #everLive = false;
  /** The reason that the log last warned of, since the latest opening of a stream. */
  #warned = '';
  #told = '';

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#restored = options.restored;
    this.#collections = options.collections.map((spec) => new FollowedCollection(spec));
    this.#tuning = { ...USUAL, ...options.options };
    this.#heartbeat = new Heartbeat(options.db, this.#tuning);
    this.#frontier = new Frontier(() => this.#heartbeat.beat());
    this.#watch = setInterval(() => this.#changed(), this.#tuning.staleMs / 4);
    this.#watch.unref();
    this.#running = this.#run();
  }

  /** The time whose state the live tables show. Never moves back; null before the first. */
  get frontier(): Timestamp | null {
    return this.#frontier.timestamp;
  }

  get state(): FollowerState {
    return {
      ...this.#assess(),
      frontier: this.frontier,
      lagMs: this.#lagMs(),
      heartbeats: !this.#heartbeat.denied,
      collections: this.#collections.map((one) => {
        const { name, phase, reason, isView, read, estimated, restored } = one;
        return { name, phase, reason, isView, read, estimated, isRestored: restored !== undefined };
      }),
    };
  }

  #lagMs(): number | null {
    const followed = this.#collections.some(({ phase }) => phase !== 'off');
    const ms = this.#session?.pulse.lagMs ?? Number.POSITIVE_INFINITY;
    return followed && this.frontier && Number.isFinite(ms) ? Math.round(ms) : null;
  }

  /** Whether the tables of all these collections are the state at the frontier, and it is recent. */
  isLive(collections: readonly string[]): boolean {
    // A search that waits for the frontier in a loop ends at once when the service stops.
    if (this.#abort.signal.aborted) return false;
    if (this.#behind !== null) return false;
    return this.isExact(collections);
  }

  /** Whether the tables of all these collections are the state at the frontier, however old that is. */
  isExact(collections: readonly string[]): boolean {
    if (!this.#session) return false;
    return collections.every((name) =>
      this.#collections.some((followed) => followed.name === name && followed.phase === 'live'),
    );
  }

  /** Milliseconds since the store's last sign of life; 0 while nothing says that it is away. */
  get silentMs(): number {
    return this.#session?.pulse.silentMs ?? Number.POSITIVE_INFINITY;
  }

  /** Milliseconds since when at most the store may have had more than the frontier; Infinity at first. */
  get ageMs(): number {
    return this.#session?.pulse.ageMs ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Whether the frontier reaches `time` within this many milliseconds. If it usually gets there
   * sooner, the wait is twice the time it took lately, or 250 ms. Nobody waits for a frontier that
   * does not move at the moment.
   */
  waitFor(time: Timestamp, deadlineMs: number): Promise<boolean> {
    const moves = this.frontier !== null && !this.#abort.signal.aborted && this.#behind === null;
    return this.#frontier.waitFor(toClusterTime(time), moves ? deadlineMs : 0);
  }

  /** Calls the listener after every change of a phase; returns a function that removes it. */
  onStateChange(listener: (state: FollowerState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Loads a collection again whose table is not right any more, after `backoffMs` milliseconds. Until
   * then, and until it is loaded, it is not live.
   */
  restart(collection: string, reason: string, backoffMs: number): void {
    // Between two sessions everything is about to be loaded anyway.
    this.#session?.restart(collection, reason, backoffMs);
  }

  /**
   * Calls `work` between two advances, while all tables show one moment and nothing changes them:
   * they lag behind the store meanwhile. Undefined when they are not all live, or an event that
   * the moment can be anchored at has not come yet.
   */
  async standStill<T>(work: (moment: Moment) => Promise<T>): Promise<T | undefined> {
    return await this.#session?.standStill(work);
  }

  /** Ends following: frees open cursors, and all waits end with false. */
  async stop(): Promise<void> {
    this.#abort.abort(new Error('the follower was stopped'));
    clearInterval(this.#watch);
    this.#frontier.giveUp();
    await this.#running;
  }

  /** Why the frontier may be too old to answer from; null when it moves as it should. */
  get #behind(): string | null {
    return this.#session ? this.#session.pulse.behind(this.#tuning.staleMs) : this.#reason;
  }

  #assess(): { phase: FollowerPhase; reason: string } {
    if (this.#off !== null) return { phase: 'off', reason: this.#off };
    const waiting = this.#everLive ? 'reloading' : 'loading';
    if (!this.#session) return { phase: waiting, reason: this.#reason };
    const behind = this.#behind;
    if (this.#collections.every(({ phase }) => phase === 'off')) {
      return { phase: 'off', reason: 'no collection can be followed' };
    }
    const unready = this.#collections.find(
      ({ phase }) => phase === 'loading' || phase === 'loaded',
    );
    if (unready) {
      return { phase: waiting, reason: behind ?? `${unready.name}: ${unready.reason}` };
    }
    return behind === null ? { phase: 'live', reason: '' } : { phase: 'behind', reason: behind };
  }

  #changed(): void {
    const { phase, reason } = this.#assess();
    if (phase === 'live') this.#everLive = true;
    const phases = this.#collections.map((followed) => followed.phase);
    const told = [phase, reason, ...phases].join();
    if (told === this.#told) return;
    this.#told = told;
    this.#options.log.info({ phase, reason }, 'index state');
    const { state } = this;
    for (const listener of this.#listeners) listener(state);
  }

  async #run(): Promise<void> {
    for (let attempt = 0; !this.#abort.signal.aborted; attempt++) {
      const began = performance.now();
      const reason = await this.#follow();
      this.#session = null;
      if (this.#abort.signal.aborted) return;
      if (performance.now() - began > LONGEST_PAUSE_MS) attempt = 0;
      this.#reason = inWords(reason);
      if (streamFaultOf(reason) === 'denied') this.#turnOff(this.#reason);
      // An attempt that fails otherwise does not say that the account may follow now.
      else if (this.#off === null) {
        for (const followed of this.#collections) followed.restart(this.#reason);
      }
      const level = this.#warned === this.#reason ? 'info' : 'warn';
      this.#warned = this.#reason;
      this.#options.log[level]({ err: reason }, 'the change stream has to begin again');
      this.#changed();
      const pause = Math.min(50 * 2 ** attempt, LONGEST_PAUSE_MS);
      await delay(this.#off === null ? pause : this.#tuning.deniedMs, undefined, {
        signal: this.#abort.signal,
      }).catch(() => {});
    }
  }

  /** One stream session, from the look at the deployment to the reason that ended it. */
  async #follow(): Promise<unknown> {
    const { db, sink, log, tablesFit } = this.#options;
    try {
      // Once connected this does nothing. A first attempt that failed leaves the driver's client
      // unusable until it is connected again.
      await db.client.connect();
      const unfit = await unfollowable(db.client);
      if (unfit !== null) return await this.#stayOff(unfit);
      await this.#heartbeat.probe();
      const restored = this.#restored;
      this.#restored = undefined;
      const presetMs = this.#heartbeat.denied ? AWAIT_WITHOUT_HEARTBEATS_MS : AWAIT_MS;
      this.#session = new StreamSession({
        ...{ awaitMs: presetMs, ...this.#tuning },
        ...{ db, sink, log, restored },
        collections: this.#collections,
        frontier: this.#frontier,
        heartbeat: this.#heartbeat,
        tablesFit: tablesFit ?? (async () => true),
        opened: () => this.#opened(restored),
        changed: () => this.#changed(),
        signal: this.#abort.signal,
      });
      return await this.#session.run();
    } catch (error) {
      return error;
    }
  }

  /** Until here collections that were off stay off: the next attempt may be denied as well. */
  #opened(restored: Restored | undefined): void {
    this.#off = null;
    this.#warned = '';
    for (const followed of this.#collections) {
      followed.restart(NOT_BEGUN);
      const table = restored?.tables.get(followed.name);
      if (table) followed.restored = { ...table, at: restored!.at };
    }
    this.#changed();
  }

  #turnOff(reason: string): void {
    this.#off = reason;
    for (const followed of this.#collections) {
      followed.turnOff(reason);
      this.#options.sink.forget(followed.name);
    }
    this.#changed();
  }

  /** A deployment does not become another one: off until the end. */
  #stayOff(reason: string): Promise<unknown> {
    this.#turnOff(reason);
    return new Promise((resolve) => {
      this.#abort.signal.addEventListener('abort', resolve, { once: true });
      if (this.#abort.signal.aborted) resolve(undefined);
    });
  }
}

/**
 * Why the deployment cannot be followed exactly, in words for `/readyz`; null when it can.
 *
 * @throws when it may well be able to in a moment
 */
async function unfollowable(client: MongoClient): Promise<string | null> {
  const hello = await client.db('admin').command({ hello: 1 });
  if (isFromRouter(hello)) {
    return 'sharded cluster: a transaction across shards is visible before its time in the stream';
  }
  if (typeof hello.setName !== 'string') return 'standalone server: it has no change streams';
  if (isTooOld(hello.maxWireVersion)) return 'the server is older than MongoDB 6.0';
  if (!hello.isWritablePrimary) throw new Error('the server is not primary at the moment');
  return null;
}
