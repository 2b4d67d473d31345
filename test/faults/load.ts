/**
 * All clients of the service, and the writers to its store, while a fault is on:
 *
 *     readers ──► each instance       one search after the other, any view, any filters
 *     changers ─► each instance       a change, then the search that has to show it
 *     a wanderer ► one after the other  the same, at another instance with each request
 *     writers ──► the store
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Db, MongoNetworkError, type Timestamp } from 'mongodb';
import { laterOf } from '../../src/store/clusterTime.ts';
import { PATHS } from '../properties/paths.ts';
import { anyRequest, type GeneratedRequest } from '../properties/worlds.ts';
import { until } from '../support/until.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Instance, tokenFor } from './instance.ts';
import { OWN_PATH, OWN_VIEW, ownRequest } from './ownTable.ts';
import { lasts, type Planned, planned, type Target, Targets } from './targets.ts';
import { Documents, writeUntil } from './writers.ts';

const WRITERS = 2;
const CHANGE_PAUSE_MS = 60;
const REFUSED_PAUSE_MS = 50;

export interface LoadOptions {
  /** The instances of the readers; one that takes another's place is asked from then on. */
  readonly instances: readonly Instance[];
  readonly db: Db;
  /** The store's connection string, for the writers. */
  readonly uri: string;
  readonly seed: number;
  /** The number of readers of each instance. */
  readonly readers: number;
  /** A reader's rest after an answer, milliseconds. */
  readonly restMs: number;
  /** Whether clients make changes too; the next search has to show each one, or is refused. */
  readonly changes: boolean;
  /** Whether writers write only documents whose rows the index has in memory: see `Documents`. */
  readonly inMemory: boolean;
}

/**
 * An instance that is killed leaves its transaction open. The server ends it after 60 to 90 s, and nobody can
 * write its documents before.
 */
const PREPARE_MS = 120_000;

/** The store has not settled yet. */
function whileAway(error: unknown): false {
  if (error instanceof MongoNetworkError) return false;
  throw error;
}

const isDone = ({ status }: Exchange): boolean => status === 200 || status === 204;

export class Load {
  readonly #options: LoadOptions;
  readonly #requests: readonly GeneratedRequest[];
  readonly #targets = new Targets();
  readonly #tokens = new Map<number, Promise<string>>();
  #exchanges: Exchange[] = [];
  #next = 0;
  #over = true;
  #running: Promise<unknown>[] = [];
  /** Writes that the store took in this run, rolled back or not. */
  written = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    const request = fc.oneof(
      { weight: 7, arbitrary: anyRequest },
      { weight: 1, arbitrary: ownRequest },
    );
    this.#requests = fc.sample(request, { numRuns: 3_000, seed: options.seed });
  }

  /** The exchanges of this run of the load. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  async start(): Promise<void> {
    const { instances, db, uri, seed, readers, changes } = this.#options;
    let reason: unknown;
    const prepare = () =>
      this.#targets.prepare(db, instances.length + 1).catch((error) => {
        reason = error;
        return whileAway(error);
      });
    const targets = await until(prepare, 'nothing to change', PREPARE_MS).catch((error) => {
      throw new Error(`${error.message}: ${reason}`, { cause: reason });
    });
    this.#exchanges = [];
    this.written = 0;
    this.#over = false;
    this.#running = [
      ...instances.flatMap((_, slot) =>
        Array.from({ length: readers }, (__, reader) => this.#read(slot, reader)),
      ),
      ...(changes ? instances.map((_, slot) => this.#change(slot, targets[slot]!)) : []),
      ...(changes ? [this.#wander(targets.at(-1)!)] : []),
      ...Array.from({ length: WRITERS }, (_, n) => this.#write(uri, seed + n + 1)),
    ];
  }

  /** Waits for requests and writes under way. */
  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#running);
  }

  async #read(slot: number, reader: number): Promise<void> {
    while (!this.#over) {
      const request = this.#requests[this.#next++ % this.#requests.length]!;
      const { status } = await this.search(slot, request, reader);
      await sleep(status === 200 ? this.#options.restMs : REFUSED_PAUSE_MS);
    }
  }

  /** One search by one instance. */
  async search(
    slot: number,
    request: GeneratedRequest,
    reader?: number,
    notBefore?: Timestamp,
  ): Promise<Exchange> {
    const { view, caller, ...body } = request;
    const seen = await exchange({
      instance: this.#options.instances[slot]!,
      method: 'POST',
      path: view === OWN_VIEW ? OWN_PATH : PATHS[view]!,
      token: await this.#token(caller),
      body,
      search: request,
      reader,
      notBefore,
    });
    this.#exchanges.push(seen);
    return seen;
  }

  #token(caller: number): Promise<string> {
    const token = this.#tokens.get(caller) ?? tokenFor(caller);
    this.#tokens.set(caller, token);
    return token;
  }

  #change(slot: number, targets: Target[]): Promise<void> {
    return this.#changeAll(targets, async ({ search, ...call }) => {
      const seen = await this.#send(slot, call);
      if (isDone(seen)) await this.search(slot, search);
      return seen;
    });
  }

  /** At each request another instance is asked, for the latest moment that any of them has told. */
  #wander(targets: Target[]): Promise<void> {
    const { instances } = this.#options;
    let turn = 0;
    let latest: Timestamp | undefined;
    const note = ({ asOf }: Exchange) => {
      if (asOf) latest = laterOf(latest, asOf);
    };
    return this.#changeAll(targets, async ({ search, ...call }) => {
      const seen = await this.#send(turn++ % instances.length, call, latest);
      note(seen);
      if (isDone(seen)) {
        note(await this.search(turn++ % instances.length, search, undefined, latest));
        // Changes are made at each of them.
        if (instances.length % 2 === 0) turn++;
      }
      return seen;
    });
  }

  async #changeAll(
    targets: Target[],
    make: (planned: Planned) => Promise<Exchange>,
  ): Promise<void> {
    let turn = 0;
    while (!this.#over) {
      const target = targets[turn++ % Math.max(1, targets.length)];
      if (target) {
        const isKnown = isDone(await make(planned(target)));
        if (isKnown) target.on = !target.on;
        if (!isKnown || !lasts(target)) targets.splice(targets.indexOf(target), 1);
      }
      await sleep(CHANGE_PAUSE_MS);
    }
  }

  async #send(
    slot: number,
    call: Omit<Planned, 'search'>,
    notBefore?: Timestamp,
  ): Promise<Exchange> {
    const instance = this.#options.instances[slot]!;
    const seen = await exchange({ ...call, instance, token: await this.#token(1), notBefore });
    this.#exchanges.push(seen);
    return seen;
  }

  async #write(uri: string, seed: number): Promise<void> {
    const { db, inMemory } = this.#options;
    const documents = new Documents(seed, inMemory);
    this.written += await writeUntil(() => this.#over, uri, db.databaseName, documents);
  }
}
