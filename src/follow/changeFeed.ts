/**
 * The change stream of the database, batch by batch, each with the time up to which it is complete, for as
 * long as the server can go on with it.
 *
 *     open ──► batch ──► batch ──╳ interrupted ──► resume, with pauses ──► fits? ──► batch …
 *                │                                    └─ lost, or refused too often: rejects
 *                ├─ events: "this id changed", "this name now stands for another collection"
 *                └─ delivered: every event up to this time has been seen
 *
 * The stream asks only for names, ids and times: an event with a whole 16 MB document in it would
 * end the stream for good. Insert, update, replace and delete are one thing: the id has to be read
 * again. `updateLookup` would add some later state, which is of no use where one moment is wanted.
 *
 * A stream that was opened or resumed may be answered by another server than before, or by one that was
 * restored from a backup. So the tables and the latest event are compared with it, and the stream counts
 * as moving only when they fit.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BSON, type Document, type Timestamp } from 'mongodb';
import type { Logger } from '../logger.ts';
import { endOfName } from '../store/bson/raw.ts';
import { type ClusterTime, toClusterTime, toTimestamp } from '../store/clusterTime.ts';
import { isEndedBy } from '../store/deadline.ts';
import { faultOf } from '../store/faults.ts';
import { type ChangedId, changedIdAt } from './changedId.ts';
import { type Batch, backoff, type Channel } from './channel.ts';
import { OtherHistory } from './checkpoint.ts';
import { inWords, streamFaultOf } from './faults.ts';
import { deliveredUpTo, readToken, type Token } from './resumeToken.ts';

export type FeedEvent =
  | ChangedEvent
  /** These names may stand for other collections, or for none, from this time on. */
  | { kind: 'renamed'; collections: readonly NameChange[]; at: ClusterTime }
  /** The stream ends here. */
  | { kind: 'ended'; at: ClusterTime };

/** A name that stands for another collection, or for none, and the reason in words. */
export interface NameChange {
  readonly collection: string;
  readonly how: string;
}

/** A document of the collection is new, another one or gone. */
export interface ChangedEvent {
  readonly kind: 'changed';
  readonly collection: string;
  /** Null if no query can name it. */
  readonly id: ChangedId | null;
  readonly at: ClusterTime;
}

export interface FeedBatch {
  readonly events: readonly FeedEvent[];
  /** Every event at or before this time has been delivered, by this batch or an earlier one. */
  readonly delivered: ClusterTime;
  /** The store's time when it answered. */
  readonly operationTime: ClusterTime;
  /** Whether it is up to date: its events are of the second of that time, or the one before. */
  readonly isCurrent: boolean;
  /** The token of its last event; undefined when it has none. */
  readonly last: Token | undefined;
}

export interface FeedOptions {
  readonly channel: Channel;
  /** Collections whose changes are wanted. */
  readonly collections: readonly string[];
  /** How long the server may hold back an empty reply, in milliseconds. */
  readonly awaitMs: number;
  /** An event that the store must have, at whose time the stream starts; left out, it starts now. */
  readonly anchor?: Token | undefined;
  /** See `FollowerOptions.tablesFit`. */
  readonly tablesFit: () => Promise<boolean>;
  /** The stream does not move; with the reason. */
  readonly onInterrupted: (reason: string) => void;
  /** The stream is open, its first batch was taken in, and the tables fit the server. */
  readonly onMended: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The server is another than the one that the tables were built for. */
class TablesOutdated extends Error {}

/** Resuming fails this often though the server answers: the stream is given up. */
const MAX_RESUMES = 12;

/** An advance makes the changes of one batch in one step if it can. */
const BATCH = 500;
/** The events that `readEvent` reads. */
const EVENTS = ['insert', 'update', 'replace', 'delete', 'create', 'drop', 'rename'];
const ENDS = ['dropDatabase', 'invalidate'];
/** How much longer than `awaitMs` a reply may take before the connection counts as lost. */
const GRACE_MS = 5_000;
/**
 * The time for the first reply, milliseconds; doubled each time that it did not suffice, up to the second number.
 * Before it the server reads all of the oplog since the stream's start, some 80,000 changes a second. A lost
 * connection takes as long.
 */
const OPENING_MS = [30_000, 900_000] as const;

export class ChangeFeed {
  readonly #options: FeedOptions;
  readonly #channel: Channel;
  /** Whether the tables suit the server on which the stream is open. */
  #fits = false;
  #cursor = 0n;
  #token: Token | null = null;
  /** The first event of the latest time, and the latest event that a store of these tables has for certain. */
  #latest: Token | undefined;
  #known: Token | undefined;
  /** Whether a store that has that event was found. */
  #wasKnown: boolean;
  /** The time that the open cursor started from. */
  #openedAt: ClusterTime = 0n;
  /** The token of the last batch of this cursor that held events. */
  #deliveredToken = '';
  #batchSize = BATCH;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#channel = options.channel;
    this.#known = options.anchor;
    this.#wasKnown = options.anchor === undefined;
  }

  /** The next batch; the stream is opened first, or resumed, as often as it takes. Rejects when it is lost. */
  async next(): Promise<FeedBatch> {
    const { channel, signal, log, onInterrupted } = this.#options;
    let isOpen = this.#token !== null;
    let slow = 0;
    let refused = 0;
    let warned = '';
    for (let attempt = 0; ; attempt++) {
      try {
        if (!isOpen) return await this.#open(slow);
        if (!this.#fits) await this.#mend();
        return await this.#more();
      } catch (error) {
        signal.throwIfAborted();
        if (this.#isFinal(error)) throw error;
        if (!isOpen && isEndedBy('time', error)) slow++;
        isOpen = false;
        // Long ids can make a reply too large for the server to send: error 10334, or a lost connection.
        this.#batchSize = Math.max(1, this.#batchSize >> 2);
        const reason = inWords(error);
        onInterrupted(reason);
        // A network that is down says nothing of the stream, nor does a server that has just started: only one
        // that answers does.
        if (faultOf(error) !== 'notYet' && (await answers(channel))) refused++;
        if (streamFaultOf(error) === 'lost' || refused > MAX_RESUMES) throw error;
        const level = reason === warned ? 'info' : 'warn';
        warned = reason;
        log[level]({ err: error, attempt }, 'change stream interrupted');
        await delay(backoff(attempt), undefined, { signal });
      }
    }
  }

  /** Whether another try would end the same way. A right that is missing may come back to an open stream. */
  #isFinal(error: unknown): boolean {
    if (error instanceof TablesOutdated || error instanceof OtherHistory) return true;
    return this.#token === null && streamFaultOf(error) === 'denied';
  }

  /** Opens the stream, or resumes it after the last batch. Its first batch may hold events. */
  async #open(slow: number): Promise<FeedBatch> {
    this.#fits = false;
    this.#deliveredToken = '';
    const before = this.#cursor;
    const command = {
      aggregate: 1,
      pipeline: this.#pipeline(this.#from()),
      cursor: { batchSize: this.#batchSize },
    };
    const timeoutMs = Math.min(OPENING_MS[0] * 2 ** slow, OPENING_MS[1]);
    const batch = await this.#channel.batch(command, timeoutMs);
    await this.#channel.kill('$cmd.aggregate', before);
    this.#openedAt =
      this.#token?.time ?? this.#options.anchor?.time ?? readToken(batch.token ?? '').time;
    return this.#take(batch);
  }

  async #mend(): Promise<void> {
    if (!(await this.#options.tablesFit())) {
      throw new TablesOutdated('the server is another one, which folds case otherwise');
    }
    if (!(await this.#isKnown())) throw new OtherHistory();
    this.#wasKnown = true;
    this.#fits = true;
    this.#options.onMended();
  }

  /** The next batch, of a store that is known; empty after `awaitMs` in which nothing happened. */
  async #more(): Promise<FeedBatch> {
    const { awaitMs } = this.#options;
    const batch = await this.#channel.batch(
      {
        getMore: this.#cursor,
        collection: '$cmd.aggregate',
        batchSize: this.#batchSize,
        maxTimeMS: awaitMs,
      },
      awaitMs + GRACE_MS,
    );
    const taken = this.#take(batch);
    this.#known = this.#latest ?? this.#known;
    if (taken.events.length > 0) this.#batchSize = Math.min(BATCH, this.#batchSize * 2);
    return taken;
  }

  async close(): Promise<void> {
    await this.#channel.kill('$cmd.aggregate', this.#cursor);
    await this.#channel.close();
  }

  #take(batch: Batch): FeedBatch {
    const token = readToken(batch.token ?? '');
    const last = this.#note(batch.documents);
    const events = batch.documents.map(readEvent).filter((event) => event !== null);
    const delivered = deliveredUpTo({
      token,
      events: batch.documents.length,
      batchSize: this.#batchSize,
      bytes: batch.bytes,
      openedAt: this.#openedAt,
      deliveredBefore: this.#deliveredToken === token.data,
    });
    if (batch.documents.length > 0) this.#deliveredToken = token.data;
    this.#cursor = batch.cursor;
    this.#token = token;
    if (batch.cursor === 0n && events.at(-1)?.kind !== 'ended') {
      events.push({ kind: 'ended', at: token.time });
    }
    const { operationTime } = batch;
    const isCurrent = operationTime >> 32n <= (delivered >> 32n) + 1n;
    return { events, delivered, operationTime, isCurrent, last };
  }

  /** @returns the token of the last event */
  #note(events: readonly Uint8Array[]): Token | undefined {
    const [last] = events.slice(-1).map(tokenOf);
    if (!last || last.time === this.#latest?.time) return last;
    this.#latest = last;
    for (const event of events.slice(0, -1).reverse()) {
      const token = tokenOf(event);
      if (token.time !== last.time) break;
      this.#latest = token;
    }
    return last;
  }

  /**
   * Whether the store has the latest event before the stream was opened or resumed. An older copy of the store
   * resumes the stream all the same when its token names a time and no event. Where it keeps no history as old,
   * the answer is yes if it was known before.
   *
   * @throws also where that history was lost since the stream was opened, and no look has found the event
   */
  async #isKnown(): Promise<boolean> {
    const known = this.#known;
    if (!known) return true;
    const startAtOperationTime = toTimestamp(known.time);
    const pipeline = [
      { $changeStream: { startAtOperationTime, showExpandedEvents: true } },
      // The stream is of all collections, since that of the event may not be followed any more.
      { $project: { _id: 1 } },
    ];
    const collection = '$cmd.aggregate';
    const { awaitMs } = this.#options;
    // Ids of any collection may be too long for one reply: each try asks for fewer events.
    const batchSize = this.#batchSize;
    let cursor = 0n;
    try {
      // Most often it is the first one to come, and the server need not look for another.
      let command: Document = { aggregate: 1, pipeline, cursor: { batchSize: 1 } };
      for (;;) {
        const batch = await this.#channel.batch(command);
        cursor = batch.cursor;
        const events = batch.documents.map(tokenOf);
        if (events.some(({ data }) => data === known.data)) return true;
        const reached = [...events, readToken(batch.token ?? '')];
        if (reached.some(({ time }) => time > known.time)) return false;
        command = { getMore: cursor, collection, batchSize, maxTimeMS: awaitMs };
      }
    } catch (error) {
      if (streamFaultOf(error) === 'lost' && this.#wasKnown) return true;
      throw error;
    } finally {
      await this.#channel.kill(collection, cursor);
    }
  }

  /** Where the stream starts. */
  #from(): Document {
    const { anchor } = this.#options;
    if (this.#token) return { resumeAfter: { _data: this.#token.data } };
    return anchor ? { startAtOperationTime: toTimestamp(anchor.time) } : {};
  }

  #pipeline(from: Document): Document[] {
    const names = { $in: this.#options.collections };
    return [
      // Without these `create` has no event.
      { $changeStream: { ...from, showExpandedEvents: true } },
      {
        $match: {
          $or: [
            { operationType: { $in: EVENTS }, $or: [{ 'ns.coll': names }, { 'to.coll': names }] },
            { operationType: { $in: ENDS } },
          ],
        },
      },
      { $project: { _id: 1, operationType: 1, ns: 1, to: 1, documentKey: 1, clusterTime: 1 } },
    ];
  }
}

/** An event as the driver decodes it, with the insides of its members left as bytes. */
interface RawEvent {
  readonly _id: Uint8Array;
  readonly operationType: string;
  readonly ns?: Uint8Array;
  readonly to?: Uint8Array;
  readonly documentKey?: Uint8Array;
  readonly clusterTime: Timestamp;
}

const GONE = 'it was dropped or renamed';
const TAKEN = 'another collection was renamed to its name';

const rawEvent = (bytes: Uint8Array) => BSON.deserialize(bytes, { raw: true }) as RawEvent;

const tokenOf = (bytes: Uint8Array): Token =>
  readToken(BSON.deserialize(rawEvent(bytes)._id)._data);

function readEvent(bytes: Uint8Array): FeedEvent | null {
  const { operationType, ns, to, documentKey, clusterTime } = rawEvent(bytes);
  const at = toClusterTime(clusterTime);
  const [from, target] = [ns, to].map((one) => one && BSON.deserialize(one).coll);
  switch (operationType) {
    case 'insert':
    case 'update':
    case 'replace':
    case 'delete':
      return { kind: 'changed', collection: from, id: idOf(documentKey!), at };
    case 'create':
    case 'drop':
    case 'rename':
      return {
        kind: 'renamed',
        collections: [
          { collection: from, how: operationType === 'create' ? 'it was created' : GONE },
          ...(target === undefined ? [] : [{ collection: target, how: TAKEN }]),
        ],
        at,
      };
    case 'dropDatabase':
    case 'invalidate':
      return { kind: 'ended', at };
    default:
      return null;
  }
}

/** The only member of a document key; a sharded cluster's has more, and is not followed. */
function idOf(key: Uint8Array): ChangedId | null {
  return changedIdAt(key, key[4]!, endOfName(key, 5) + 1);
}

/** Whether the server answers at all. */
const answers = (channel: Channel): Promise<boolean> =>
  channel.send({ ping: 1 }, 2_000).then(
    () => true,
    () => false,
  );
