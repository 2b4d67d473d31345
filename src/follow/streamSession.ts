/**
 * Following the store for as long as one change stream can be kept going.
 *
 *     feed loop      stream ──► pending ids, restarts, `reached` ──┐
 *     load loop      one collection at a time, in their order ─────┤ loaded
 *     advance loop   ◄─────────────────────────────────────────────┘ ──► sink, frontier
 *
 * `reached` is the time up to which the stream is complete. The frontier follows it by advances. A
 * refused read or a lost connection holds an advance back, and changes no shown row. When the stream
 * cannot be resumed the session ends with the reason, and the follower begins another one: a new
 * stream, every table loaded again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Logger } from '../logger.ts';
import { loop } from '../loop.ts';
import { type ClusterTime, later } from '../store/clusterTime.ts';
import { advance, pauseWindows, ReadFailed, takesPart } from './advance.ts';
import { AutoResetEvent } from './autoResetEvent.ts';
import { NAMELESS } from './changedId.ts';
import { type ChangedEvent, ChangeFeed, type FeedBatch, type FeedEvent } from './changeFeed.ts';
import { backoff, Channel } from './channel.ts';
import { isAhead, type Moment, OtherHistory, type Restored } from './checkpoint.ts';
import { inWords, isUuidMismatch, streamFaultOf, timeOfFailure } from './faults.ts';
import {
  byCollection,
  type FollowedCollection,
  MISSING,
  nextToLoad,
} from './followedCollection.ts';
import type { Frontier } from './frontier.ts';
import { HEARTBEAT_COLLECTION, type Heartbeat } from './heartbeat.ts';
import { Load, mayLoad, Refused, Superseded } from './load.ts';
import { Pulse } from './pulse.ts';
import { readToken } from './resumeToken.ts';
import type { Sink } from './sink.ts';
import { StandStill } from './standStill.ts';
import type { Tuning } from './tuning.ts';

/** `FollowerOptions` and `Tuning` describe the members that have no comment here. */
export interface StreamSessionOptions extends Required<Omit<Tuning, 'heartbeats' | 'staleMs'>> {
  readonly db: Db;
  readonly sink: Sink;
  readonly log: Logger;
  readonly restored: Restored | undefined;
  readonly collections: readonly FollowedCollection[];
  readonly frontier: Frontier;
  readonly heartbeat: Heartbeat;
  readonly tablesFit: () => Promise<boolean>;
  /** Called when the stream is open, before its first batch is taken in. */
  readonly opened: () => void;
  /** Called when a phase may have changed. */
  readonly changed: () => void;
  /** Ends the session. */
  readonly signal: AbortSignal;
}

/** The stream has come to its end: the database was dropped, or the server closed it. */
class StreamEnded extends Error {}

/** Ids that may wait for an advance before the stream is left alone: an advance is one step. */
const MAX_PENDING = 500;
/** Reads of one collection refused in a row before it is loaded again. */
const MAX_REFUSALS = 20;

export class StreamSession {
  readonly #options: StreamSessionOptions;
  /** The followed collections by the collection in the store. */
  readonly #showing: ReadonlyMap<string, readonly FollowedCollection[]>;
  readonly #abort = new AbortController();
  readonly #toLoad = new AutoResetEvent();
  readonly #toAdvance = new AutoResetEvent();
  /** Fewer ids may be pending, or none will be taken in: the stream looks whether it may go on. */
  readonly #pendingLess = new AutoResetEvent();
  /** Not loaded before their pause is over. */
  readonly #pausing = new Set<FollowedCollection>();
  #reached: ClusterTime = 0n;
  #seen: ClusterTime = 0n;
  /** No advance to a time before this one. */
  #holdUntil: ClusterTime = 0n;
  #advancing = false;
  readonly #standStill: StandStill;
  /** How well the tables follow. */
  readonly pulse: Pulse;

  constructor(options: StreamSessionOptions) {
    this.#options = options;
    this.#showing = byCollection(options.collections);
    const { frontier, awaitMs, collections } = options;
    this.#standStill = new StandStill(collections, frontier);
    const isShown = () => collections.some(({ phase }) => phase === 'live');
    this.pulse = new Pulse({ frontier, awaitMs, isShown });
  }

  /** Follows until the stream is lost or the signal ends it; rejects with the reason. */
  async run(): Promise<never> {
    const { signal } = this.#options;
    const stop = () => this.#abort.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    this.#abort.signal.addEventListener('abort', () => {
      for (const event of [this.#toLoad, this.#toAdvance, this.#pendingLess]) event.set();
    });
    const loops = [this.#feedLoop(), this.#loadLoop(), this.#advanceLoop()];
    try {
      return await Promise.race(loops);
    } finally {
      this.#abort.abort(new Error('the session is over'));
      signal.removeEventListener('abort', stop);
      this.#standStill.giveUp();
      await Promise.allSettled(loops);
    }
  }

  /** Loads a collection that is followed again, after a pause; turns it off if it is refused. */
  restart(name: string, reason: string, backoffMs: number): void {
    const followed = this.#options.collections.find((one) => one.name === name);
    if (!followed || followed.phase === 'off' || this.#over) return;
    const refusal = this.#options.sink.refusal(name);
    if (refusal !== null) {
      this.#turnOff(followed, refusal);
      return;
    }
    this.#pausing.add(followed);
    setTimeout(() => {
      this.#pausing.delete(followed);
      this.#toLoad.set();
    }, backoffMs).unref();
    this.#restart(followed, reason);
  }

  /** See `Follower.standStill`. */
  standStill<T>(work: (moment: Moment) => Promise<T>): Promise<T | undefined> {
    const done = this.#standStill.ask(work);
    this.#toAdvance.set();
    return done;
  }

  get #over(): boolean {
    return this.#abort.signal.aborted;
  }

  #channel(): Channel {
    return new Channel(this.#options.db, this.#abort.signal);
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#abort.signal });
  }

  // The stream.

  async #feedLoop(): Promise<never> {
    const { awaitMs, tablesFit, log, restored } = this.#options;
    const { signal } = this.#abort;
    const anchor = restored && readToken(restored.anchor);
    const feed = new ChangeFeed({
      channel: this.#channel(),
      collections: [...this.#showing.keys(), HEARTBEAT_COLLECTION],
      ...{ awaitMs, anchor, tablesFit, log, signal },
      onInterrupted: (reason) => this.#break(reason),
      onMended: () => this.#mend(),
    });
    try {
      const first = await feed.next();
      if (restored && isAhead(restored, first.operationTime)) throw new OtherHistory();
      this.#options.opened();
      this.#takeIn(first);
      for (;;) {
        const asked = this.pulse.noteAsked();
        const batch = await feed.next();
        this.#takeIn(batch);
        if (batch.events.length === 0) this.pulse.noteComplete(batch.delivered, asked);
        // Meanwhile others come, and one reply and one read do for all of them.
        else await loop.turn('maintenance');
        while (this.#tooMuchPending()) await this.#pendingLess.wait();
      }
    } finally {
      await feed.close();
    }
  }

  #mend(): void {
    this.pulse.noteMended(this.#seen);
    this.#options.changed();
    this.#toLoad.set();
    this.#advanceIfDue();
  }

  #takeIn(batch: FeedBatch): void {
    for (const event of batch.events) this.#takeEvent(event);
    if (batch.last) this.#standStill.note(batch.last);
    this.#options.heartbeat.noteEvents(batch);
    this.#reached = later(this.#reached, batch.delivered);
    this.#seen = later(this.#seen, this.#reached);
    this.pulse.noteAnswer(batch.isCurrent);
    this.#advanceIfDue();
  }

  #advanceIfDue(): void {
    if (!this.#canAdvance()) return;
    this.pulse.noteDue();
    this.#toAdvance.set();
  }

  #takeEvent(event: FeedEvent): void {
    this.#seen = later(this.#seen, event.at);
    if (event.kind === 'ended') throw new StreamEnded('the database was dropped');
    if (event.kind === 'renamed') {
      for (const { collection, how } of event.collections) {
        for (const followed of this.#showing.get(collection) ?? []) this.#restart(followed, how);
      }
      return;
    }
    for (const followed of this.#showing.get(event.collection) ?? []) {
      if (followed.phase !== 'off') this.#takeChange(followed, event);
    }
  }

  #takeChange(followed: FollowedCollection, { id, at }: ChangedEvent): void {
    if (id === null) {
      this.#turnOff(followed, NAMELESS);
      return;
    }
    followed.pending.add(id, at);
    if (followed.phase === 'live' && followed.pending.size > this.#options.maxAdvance) {
      this.#restart(followed, 'more changed at once than one step should take');
    }
  }

  #tooMuchPending(): boolean {
    let pending = 0;
    for (const { phase, pending: ids } of this.#options.collections) {
      if (phase === 'live') pending += ids.size;
    }
    return pending > MAX_PENDING && !this.#over && (this.#advancing || this.#canAdvance());
  }

  #break(reason: string): void {
    this.pulse.noteBroken(reason);
    this.#options.changed();
  }

  // The collections.

  #restart(followed: FollowedCollection, reason: string): void {
    const { log, sink } = this.#options;
    log.info({ collection: followed.name, reason }, 'loading the collection again');
    followed.restart(reason);
    sink.begin(followed.name);
    this.#options.changed();
    this.#toLoad.set();
    this.#pendingLess.set();
  }

  #turnOff(followed: FollowedCollection, reason: string): void {
    this.#options.log.warn({ collection: followed.name, reason }, 'collection not followed');
    followed.turnOff(reason);
    this.#options.sink.forget(followed.name);
    this.#options.changed();
    this.#pendingLess.set();
  }

  // The loads.

  async #loadLoop(): Promise<never> {
    let attempt = 0;
    const { sink, restored, collections } = this.#options;
    for (const { name } of collections) if (!restored?.tables.has(name)) sink.begin(name);
    for (;;) {
      this.#abort.signal.throwIfAborted();
      const next = nextToLoad(collections, this.#pausing);
      if (!next || this.#reached === 0n) await this.#toLoad.wait();
      else if (await this.#load(next)) attempt = 0;
      else await this.#pause(backoff(attempt++));
    }
  }

  async #load(followed: FollowedCollection): Promise<boolean> {
    const { sink, step, log, heartbeat, changed } = this.#options;
    const channel = this.#channel();
    const { name, generation } = followed;
    const started = performance.now();
    try {
      const stream = { seen: () => this.#seen, keepsUp: () => this.pulse.isCurrent };
      const context = { channel, sink, step, signal: this.#abort.signal, ...stream };
      await new Load(context, followed).run();
      const ms = Math.round(performance.now() - started);
      const loaded = `collection ${followed.restored ? 'caught up' : 'loaded'}`;
      log.info({ collection: name, documents: followed.read, ms }, loaded);
      if (followed.uuid === null && followed.isExpected) {
        log.warn({ table: name, collection: followed.collection }, MISSING);
      }
      followed.isExpected = followed.uuid !== null;
      followed.failedLoads = 0;
      changed();
      heartbeat.beat();
      this.#toAdvance.set();
      return true;
    } catch (error) {
      this.#abort.signal.throwIfAborted();
      if (error instanceof Superseded || followed.generation !== generation) return true;
      if (error instanceof Refused || streamFaultOf(error) === 'denied') {
        this.#giveUp(followed, error);
        return true;
      }
      followed.failedLoads++;
      // A restored table is as good as before, and its changes are still pending.
      if (!followed.restored) this.#restart(followed, inWords(error));
      return false;
    } finally {
      await channel.close();
    }
  }

  /** Turns it off; until a look succeeds, where a right is missing: it may be granted, or again. */
  #giveUp(followed: FollowedCollection, error: unknown): void {
    this.#turnOff(followed, error instanceof Refused ? error.message : inWords(error));
    if (streamFaultOf(error) === 'denied') void this.#awaitRight(followed).catch(() => {});
  }

  async #awaitRight(followed: FollowedCollection): Promise<void> {
    const { generation, collection } = followed;
    const channel = this.#channel();
    try {
      do await this.#pause(this.#options.deniedMs);
      while (followed.generation === generation && !(await mayLoad(channel, collection)));
      if (followed.generation === generation) {
        this.#restart(followed, 'the account may read it now');
      }
    } finally {
      await channel.close();
    }
  }

  // The advances.

  #canAdvance(): boolean {
    // The times of a stream that was resumed may be another store's, until it is known.
    if (!this.pulse.isMended) return false;
    const at = this.#reached;
    const now = this.#options.frontier.at ?? 0n;
    if (at < now || at < this.#holdUntil) return false;
    for (const followed of this.#options.collections) {
      if (takesPart(followed, at) && (followed.phase === 'loaded' || at > now)) return true;
    }
    return false;
  }

  async #advanceLoop(): Promise<never> {
    const { collections } = this.#options;
    const channels = new Map(collections.map((followed) => [followed, this.#channel()]));
    let attempt = 0;
    try {
      for (;;) {
        this.#abort.signal.throwIfAborted();
        if (this.#standStill.isAsked) await this.#standStill.next(this.pulse);
        else if (!this.#canAdvance()) await this.#toAdvance.wait();
        else if (await this.#tryToAdvance((followed) => channels.get(followed)!)) attempt = 0;
        else await this.#pause(backoff(attempt++));
      }
    } finally {
      await Promise.all([...channels.values()].map((channel) => channel.close()));
    }
  }

  /** Whether it did, or may try again at once. */
  async #tryToAdvance(channelFor: (followed: FollowedCollection) => Channel): Promise<boolean> {
    const { sink, frontier, collections, changed } = this.#options;
    const at = this.#reached;
    const waiting = collections.some(({ phase }) => phase === 'loaded');
    const catchingUp = this.pulse.isCatchingUp;
    const began = performance.now();
    this.#advancing = true;
    if (pauseWindows(this.#options, at)) this.#toLoad.set();
    try {
      await advance(channelFor, sink, frontier, collections, at);
      this.pulse.noteAdvanced(this.#canAdvance(), began);
      if (waiting || catchingUp) changed();
      for (const followed of collections) {
        const refusal = followed.phase === 'live' ? sink.refusal(followed.name) : null;
        if (refusal !== null) this.#turnOff(followed, refusal);
      }
      return true;
    } catch (error) {
      this.#abort.signal.throwIfAborted();
      if (!(error instanceof ReadFailed)) throw error;
      return this.#heldBack(error, at);
    } finally {
      this.#advancing = false;
      this.#pendingLess.set();
    }
  }

  /** Decides on a refused read; true when the next advance need not be put off. */
  #heldBack({ followed, cause }: ReadFailed, at: ClusterTime): boolean {
    this.#options.log.info({ collection: followed.name, reason: inWords(cause) }, 'read refused');
    const fault = streamFaultOf(cause);
    if (fault === 'denied') this.#giveUp(followed, cause);
    if (fault === 'passing') this.pulse.noteUnreadable();
    if (fault !== 'early') return false;
    followed.refusals++;
    // The stream has passed the time at which the name stood for another collection, without
    // telling of it: the collection must be looked up again.
    const passed = at >= this.#holdUntil && followed.refusals > 1;
    if ((passed && isUuidMismatch(cause)) || followed.refusals > MAX_REFUSALS) {
      this.#restart(followed, inWords(cause));
      return true;
    }
    this.#holdUntil = later(timeOfFailure(cause) ?? at + 1n, at + 1n);
    this.#options.heartbeat.beat();
    return true;
  }
}
