/**
 * Loading one collection's table while others go on writing.
 *
 *     describe ──► prepare ──► scan, in slices ──► finish ──► catch up ──► loaded
 *        │                         │                           │
 *        UUID                  some state of     ids that changed       from here an advance to any
 *                              each document     meanwhile, again       F ≥ readyAt that reads the ids
 *                                                                       still pending makes it exact
 *
 * A restored table goes on from describe to catch up: it is the state at the checkpoint's frontier,
 * and the stream tells of all changes since.
 *
 * `readyAt` is the greatest time of all replies: the scan may have seen a state as young as that,
 * so the table equals the state at no earlier time. The reads ask for a state that includes all
 * events seen so far. So the scan sees every change made before the stream began, or noted before
 * this load began.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { loop, PIECE_MS } from '../loop.ts';
import { type ClusterTime, epochMsOf, later, toTimestamp } from '../store/clusterTime.ts';
import { isOutOfTime } from '../store/faults.ts';
import type { Row } from '../textindex/index.ts';
import { type Described, describe, describeCommitted, provesItself } from './catalogue.ts';
import { hasOwnId, NAMELESS } from './changedId.ts';
import type { Batch, Channel } from './channel.ts';
import type { FollowedCollection } from './followedCollection.ts';
import { readIds, scan } from './read.ts';
import type { Sink } from './sink.ts';

/** The load calls it and waits for it between any two steps; tests write to the store in it. */
export type StepHook = (step: LoadStep, collection: string) => Promise<void> | void;

export type LoadStep =
  | 'begun'
  | 'described'
  | 'confirmed'
  | 'arrived'
  | 'slice'
  | 'batch'
  | 'scanned'
  | 'caught up';

export interface LoadContext {
  readonly channel: Channel;
  readonly sink: Sink;
  /** The time of the last event that was taken in. */
  readonly seen: () => ClusterTime;
  /** Whether the change stream tells of events as they happen, not of earlier ones. */
  readonly keepsUp: () => boolean;
  readonly step: StepHook;
  /** Ends the load between two steps. */
  readonly signal: AbortSignal;
}

/** The collection was restarted or turned off while it was being loaded. */
export class Superseded extends Error {}

/** The table refuses to grow, or cannot be exact. */
export class Refused extends Error {}

/** Rows handed over at a time, at most. */
const SLICE = 8;
/** How often it is looked whether the change stream keeps up, milliseconds. */
const LOOK_MS = 10;
/** Changed ids that are read again at a time. */
const READ_AGAIN = 256;
/** Time for a count with a filter, for which the store may have to read the whole collection, milliseconds. */
const COUNT_MS = 5_000;
/** With fewer ids than this left, the advance reads them. */
const FEW = 1_000;
/**
 * Rounds of reading again; a load does not wait longer for writers who change documents faster than
 * it reads them.
 */
const ROUNDS = 6;

/** Whether the account may run the commands that begin a load. */
export async function mayLoad(channel: Channel, collection: string): Promise<boolean> {
  try {
    await describe(channel, collection);
    await channel.send({ find: collection, projection: { _id: 1 }, limit: 1, singleBatch: true });
    return true;
  } catch {
    return false;
  }
}

export class Load {
  readonly #context: LoadContext;
  readonly #followed: FollowedCollection;
  readonly #generation: number;

  constructor(context: LoadContext, followed: FollowedCollection) {
    this.#context = context;
    this.#followed = followed;
    this.#generation = followed.generation;
  }

  /** Brings the collection from `loading` to `loaded`. */
  async run(): Promise<void> {
    const { sink } = this.#context;
    const followed = this.#followed;
    const { name } = followed;
    await this.#step('begun');
    const { uuid, unfit, isView, operationTime } = await this.#describe();
    followed.isView = isView;
    if (unfit !== null) throw new Refused(unfit);
    followed.uuid = uuid;
    if (followed.restored?.uuid === String(uuid)) {
      await this.#goOn(followed.restored);
      return;
    }
    // It was dropped since the checkpoint.
    if (followed.restored) sink.begin(name);
    followed.restored = undefined;
    followed.readyAt = operationTime;
    const expected = uuid === null ? undefined : await this.#estimate();
    await this.#inTurns(() => sink.prepare(name, PIECE_MS, expected));
    if (uuid !== null) {
      await this.#scanAll();
      await this.#step('scanned');
    }
    await this.#inTurns(() => sink.finish(name, PIECE_MS));
    if (uuid !== null) {
      await this.#catchUp();
      await this.#step('caught up');
    }
    this.#hasLoaded();
  }

  /** A load must not use the result of a wait if the collection was begun again meanwhile. */
  #check(): void {
    this.#context.signal.throwIfAborted();
    const { name, generation } = this.#followed;
    if (generation !== this.#generation) throw new Superseded(`load of ${name}`);
  }

  async #step(at: LoadStep): Promise<void> {
    await this.#context.step(at, this.#followed.name);
    this.#check();
  }

  #hasLoaded(): void {
    this.#followed.phase = 'loaded';
    this.#followed.reason = 'waiting for the change stream to pass the load';
  }

  /** Brings a table that was restored as far as the change stream is: the scan is there already. */
  async #goOn({ at, rows }: NonNullable<FollowedCollection['restored']>): Promise<void> {
    const followed = this.#followed;
    // An attempt that failed on its way may have read a later state.
    followed.readyAt = later(followed.readyAt, at);
    followed.estimated = rows;
    const since = new Date(epochMsOf(at)).toISOString();
    followed.reason = `the changes since its checkpoint of ${since} are being read`;
    for (;;) {
      const isCurrent = this.#context.keepsUp();
      followed.read = Math.max(0, rows - followed.pending.size);
      await this.#catchUp();
      if (isCurrent) break;
      await delay(LOOK_MS, undefined, { signal: this.#context.signal });
      await this.#step('slice');
    }
    followed.read = rows;
    await this.#takeOut();
    this.#hasLoaded();
  }

  /** Takes out, in slices, the rows that would otherwise leave in the one step of the advance. */
  async #takeOut(): Promise<void> {
    const followed = this.#followed;
    const at = this.#context.seen();
    const ids = this.#context.sink.outdated(followed.name, toTimestamp(at));
    // The stream may not be complete up to there, and at an earlier time some of them are rows.
    if (ids.length > 0) followed.readyAt = later(followed.readyAt, at);
    for (let taken = 0; taken < ids.length; ) {
      const mayGoOn = loop.piece();
      do {
        this.#give([], ids.slice(taken, taken + SLICE));
        taken += SLICE;
      } while (taken < ids.length && mayGoOn());
      await this.#turn();
    }
  }

  /** No read will show that there is no collection to follow, so the load confirms it first. */
  async #describe(): Promise<Described> {
    const { channel, signal } = this.#context;
    const { collection } = this.#followed;
    const described = await describe(channel, collection);
    await this.#step('described');
    if (provesItself(described)) return described;
    const confirmed = await describeCommitted(channel, collection, signal);
    await this.#step('confirmed');
    return confirmed;
  }

  /** Work in slices, with turns for other work in between. */
  async #inTurns(slice: () => boolean): Promise<void> {
    while (slice()) await this.#turn();
  }

  async #turn(): Promise<void> {
    await loop.turn('maintenance');
    await this.#step('slice');
  }

  /** How many documents the load will read; undefined where the store cannot count them in time. */
  async #estimate(): Promise<number | undefined> {
    const followed = this.#followed;
    const { collection, spec, readyAt } = followed;
    const query = spec.filter?.(toTimestamp(readyAt));
    const command = { count: collection, ...(query && { query, maxTimeMS: COUNT_MS }) };
    const counted = await this.#context.channel.send(command).catch((error: unknown) => {
      if (!query || !isOutOfTime(error)) throw error;
    });
    this.#check();
    followed.reason = 'the documents of this table are being loaded';
    const expected = counted ? Number(counted.document.n) : undefined;
    followed.estimated = expected ?? 0;
    return expected;
  }

  async #scanAll(): Promise<void> {
    const { channel, seen } = this.#context;
    const followed = this.#followed;
    for await (const batch of scan(channel, followed, later(seen(), followed.readyAt))) {
      this.#check();
      followed.readyAt = later(followed.readyAt, batch.operationTime);
      await this.#takeIn(batch);
      await this.#step('batch');
    }
  }

  async #takeIn({ documents }: Batch): Promise<void> {
    const followed = this.#followed;
    // The batch was taken apart in this turn already.
    await loop.turn('maintenance');
    await this.#step('arrived');
    let taken = 0;
    while (taken < documents.length) {
      const mayGoOn = loop.piece();
      do {
        const rows: Row[] = [];
        do {
          const document = documents[taken++]!;
          const row = followed.spec.extract(document);
          if (!hasOwnId(document, row)) throw new Refused(NAMELESS);
          rows.push(row);
        } while (taken < documents.length && rows.length < SLICE && mayGoOn());
        this.#give(rows, []);
        followed.read += rows.length;
      } while (taken < documents.length && mayGoOn());
      await this.#turn();
    }
  }

  /**
   * Reads again, in some later state, the documents that changed during the scan. This leaves little
   * for the advance, which must be one step. As with the scan, a change after such a read is pending
   * again.
   */
  async #catchUp(): Promise<void> {
    const { channel, seen } = this.#context;
    const followed = this.#followed;
    for (let round = 0; round < ROUNDS && followed.pending.size > FEW; round++) {
      const after = seen();
      const ids = followed.pending.ids();
      for (let from = 0; from < ids.length; from += READ_AGAIN) {
        const some = ids.slice(from, from + READ_AGAIN);
        const { rows, operationTime } = await readIds(channel, followed, some, { after });
        await this.#step('slice');
        followed.readyAt = later(followed.readyAt, operationTime);
        const gone = some.filter((id) => !rows.has(id.key)).map((id) => id.id);
        this.#give([...rows.values()], gone);
        followed.pending.settle(some, after);
      }
    }
  }

  #give(rows: readonly Row[], gone: readonly Row['id'][]): void {
    const { sink } = this.#context;
    const { name } = this.#followed;
    sink.load(name, rows, gone);
    const refusal = sink.refusal(name);
    if (refusal !== null) throw new Refused(refusal);
  }
}
