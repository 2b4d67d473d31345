/**
 * The state of the store, kept in memory for every request, and the client's first connection.
 *
 *     probe ─ cannot be used ─▶ wait ─▶ probe ─▶ … ─ up ─▶ connect ─▶ the driver's events, from here on
 *
 * Each probe uses a new client of its own. The service's client never meets an unusable store. A
 * client of the driver (7.8) whose first connection failed answers every command with
 * `MongoTopologyClosedError`, whatever the cause was. A client that met a standalone server does
 * not look for other members once the server has become a replica set.
 *
 * Afterwards the driver's monitors tell the state. This needs no command, and no place in the pool,
 * which searches may have filled.
 */

import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isFromRouter } from './hello.ts';
import { GRACE_MS } from './primary.ts';
import {
  away,
  NOT_INITIATED,
  otherSet,
  type Shortcoming,
  STANDALONE,
  type StoreState,
  type Verdict,
  verdictOn,
} from './storeVerdict.ts';

/** Pause between two probes, beside the two seconds that one may take. */
const PAUSE_MS = 500;
const SAID_NOTHING = { cause: '', at: Number.NEGATIVE_INFINITY };

/** An unchanged cause is logged again after this time. */
const REPEAT_MS = 10_000;

export class StoreWatch {
  readonly #client: MongoClient;
  readonly #uri: string;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  readonly #stopping = new AbortController();
  readonly #events = new EventEmitter<{ connected: []; judged: [] }>().setMaxListeners(0);
  /**
   * Resolves once the first verdict is known: usable, or the reason why not. Some two seconds at
   * most.
   */
  readonly settled = once(this.#events, 'judged');
  readonly #connecting: Promise<void>;
  #connected = false;
  #grace: NodeJS.Timeout | undefined;
  #verdict: Verdict = away('nothing is known of it yet');
  /** The driver's latest word, which the grace may hold back. */
  #latest = this.#verdict;
  #said = SAID_NOTHING;

  constructor(client: MongoClient, uri: string, log: Pick<Logger, 'info' | 'warn'>) {
    this.#client = client;
    this.#uri = uri;
    this.#log = log;
    this.#connecting = this.#connect();
  }

  /** From memory: at most as old as the monitors need to notice, some seconds for a silent store. */
  get state(): StoreState {
    const verdict = this.#verdict;
    return verdict.state === 'up' ? verdict : { state: 'down', reason: verdict.reason };
  }

  /** Whether the store may be used for reads, or for builds. */
  get usable(): boolean {
    return this.#connected && (this.#verdict.state === 'up' || !this.#verdict.unfit);
  }

  /** @throws AppError `StoreUnavailable` until the store was there, and while it is unfit. */
  requireUsable(): void {
    if (this.usable || this.#verdict.state === 'up') return;
    const cause = new Error(this.#verdict.cause);
    throw new AppError('StoreUnavailable', 'The store cannot be reached just now.', { cause });
  }

  /** Resolves once the client is connected; rejects when the signal comes first. */
  async whenUsable(signal: AbortSignal): Promise<void> {
    if (!this.#connected) await once(this.#events, 'connected', { signal });
  }

  /** Ends the attempts; resolves when none is under way, so that the client can be closed for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#client.off('topologyDescriptionChanged', this.#onTopology);
    clearTimeout(this.#grace);
    await this.#connecting;
  }

  async #connect(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const found = await probed(this.#uri);
      if (found.state === 'up' && !signal.aborted && (await this.#connectClient())) return;
      if (found.state === 'down') this.#judge(found);
      await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #connectClient(): Promise<boolean> {
    const client = this.#client;
    try {
      await client.connect();
    } catch (error) {
      this.#judge(away((error as Error).message));
      return false;
    }
    if (this.#stopping.signal.aborted) return true;
    client.on('topologyDescriptionChanged', this.#onTopology);
    this.#connected = true;
    this.#said = SAID_NOTHING;
    this.#judge({ state: 'up' });
    this.#log.info({}, 'connected to the store');
    this.#events.emit('connected');
    return true;
  }

  readonly #onTopology = ({ newDescription }: TopologyDescriptionChangedEvent): void => {
    const verdict = verdictOn(newDescription);
    this.#latest = verdict;
    const isLost = verdict.state === 'down' && !verdict.unfit && this.#verdict.state === 'up';
    // Servers that change meanwhile do not put off the end of the grace.
    if (isLost) this.#grace ??= setTimeout(() => this.#judge(this.#latest), GRACE_MS).unref();
    else this.#judge(verdict);
  };

  #judge(verdict: Verdict): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
    const back = verdict.state === 'up' && this.#said.cause !== '';
    this.#verdict = verdict;
    this.#events.emit('judged');
    if (verdict.state === 'down') this.#say(verdict);
    if (!back) return;
    this.#said = SAID_NOTHING;
    this.#log.info({}, 'the store can be used again');
  }

  /** The cause, in one line: when it is a new one, and every few seconds while it lasts. */
  #say({ cause, unfit }: Shortcoming): void {
    const now = performance.now();
    if (cause === this.#said.cause && now - this.#said.at < REPEAT_MS) return;
    this.#said = { cause, at: now };
    this.#log.warn({ cause }, unfit ? 'the store cannot be used' : 'the store cannot be reached');
  }
}

/** One look at a store by a client that is gone afterwards. Never rejects. */
export async function probed(uri: string): Promise<Verdict> {
  const client = new MongoClient(uri, {
    appName: 'table-search-probe',
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    maxPoolSize: 1,
  });
  let verdict: Verdict | undefined;
  let unfit: Shortcoming | undefined;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    // A description left over from the closing client says nothing.
    if (newDescription.type !== 'Unknown' || verdict === undefined) {
      verdict = verdictOn(newDescription);
    }
  });
  // A connection string that names a replica set makes the driver drop other servers from the topology.
  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    const { replicaSet } = client.options;
    if (replicaSet && reply.setName && reply.setName !== replicaSet) {
      unfit = otherSet(reply.setName, replicaSet);
    } else if (reply.setName === undefined && !isFromRouter(reply)) {
      unfit = reply.isreplicaset === true ? NOT_INITIATED : STANDALONE;
    }
  });
  try {
    await client.connect();
    return verdict ?? { state: 'up' };
  } catch (error) {
    return unfit ?? away((error as Error).message);
  } finally {
    await client.close().catch(() => {});
  }
}
