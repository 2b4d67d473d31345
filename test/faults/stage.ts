/** The stage of a fault: the cluster, two instances, their clients, and the history. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { askSameLetters, type SameLetters } from '../properties/oracle.ts';
import { LETTERS } from '../properties/worlds.ts';
import { until } from '../support/until.ts';
import { Cluster } from './cluster.ts';
import { History, State } from './history.ts';
import { Instance, type Launch } from './instance.ts';
import { Load } from './load.ts';
import { OWN_VIEW } from './ownTable.ts';
import { Rights } from './rights.ts';
import { Documents, fill } from './writers.ts';

export interface StageOptions {
  /** Arguments of node that run the service. */
  readonly main: readonly string[];
  readonly seed: number;
  /** How long a fault stays on, seconds. */
  readonly seconds: number;
  /** Readers of each instance; 2 when left out. */
  readonly readers?: number;
  /** Nobody makes changes through the instances. */
  readonly readOnly?: boolean;
  /** All rows are such that the index shows them without asking the store. */
  readonly inMemory?: boolean;
  /** A reader's rest after an answer, milliseconds; 15 when left out. */
  readonly restMs?: number;
  /** Load before a fault, milliseconds; 1,000 when left out, in which an instance is not warm yet. */
  readonly beforeMs?: number;
  /** A reader who waits longer for an answer, or is refused, is a problem; nothing is when left out. */
  readonly maxGapMs?: number | undefined;
}

const READERS = 2;
const REST_MS = 15;
const BEFORE_MS = 1_000;

const DB = 'faults';
const NAMES = ['A', 'B'];
const START_TIMEOUT_MS = 60_000;

export class Stage {
  readonly cluster: Cluster;
  readonly instances: Instance[];
  readonly history: History;
  readonly load: Load;
  readonly rights: Rights;
  readonly documents: Documents;
  readonly db: Db;
  readonly same: SameLetters;
  readonly seconds: number;
  readonly restMs: number;
  readonly beforeMs: number;
  readonly maxGapMs: number | undefined;
  readonly launch: Launch;
  /** Deviations from the course that a fault is meant to take. */
  readonly problems: string[] = [];
  /** When an instance was told to end, or killed for the first time, on the clock of `performance.now`. */
  endsAt: number | undefined;

  private constructor(
    parts: Pick<
      Stage,
      | 'cluster'
      | 'instances'
      | 'history'
      | 'load'
      | 'rights'
      | 'documents'
      | 'db'
      | 'same'
      | 'launch'
    >,
    options: StageOptions,
  ) {
    ({
      cluster: this.cluster,
      instances: this.instances,
      history: this.history,
      load: this.load,
      rights: this.rights,
      documents: this.documents,
      db: this.db,
      same: this.same,
      launch: this.launch,
    } = parts);
    this.seconds = options.seconds;
    this.restMs = options.restMs ?? REST_MS;
    this.beforeMs = options.beforeMs ?? BEFORE_MS;
    this.maxGapMs = options.maxGapMs;
  }

  static async build(options: StageOptions): Promise<Stage> {
    const { main, seed } = options;
    const cluster = await Cluster.start();
    try {
      await cluster.whole();
      const db = cluster.client.db(DB);
      const history = new History(cluster.client, DB);
      await history.begin();
      const { inMemory = false } = options;
      const documents = new Documents(seed, inMemory);
      await fill(db, documents.first());
      await Rights.store(db);
      const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
      const same = await askSameLetters(db, [...LETTERS, ...ascii]);
      const { restMs = REST_MS } = options;
      const checkpoints = await mkdtemp(join(tmpdir(), 'checkpoints-'));
      const launch = { main, uri: cluster.serviceUri, dbName: DB, checkpoints };
      const instances = await Promise.all(NAMES.map((name) => Instance.start(name, launch)));
      const { readers = READERS, readOnly = false } = options;
      const uri = cluster.set.uri;
      const changes = !readOnly;
      const load = new Load({ instances, db, uri, seed, readers, restMs, changes, inMemory });
      const rights = new Rights(uri, DB, instances);
      const parts = { cluster, instances, history, load, rights, documents, db, same, launch };
      return new Stage(parts, options);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The state of the store at the time that the history was read to. */
  async known(): Promise<State> {
    const state = new State(this.history.events);
    state.moveTo(await this.history.read());
    return state;
  }

  /** Lets the fault be. */
  async wait(share = 1): Promise<void> {
    await sleep(this.seconds * 1_000 * share);
  }

  /** Starts an instance in the place of one that has ended. */
  async replace(slot: number): Promise<void> {
    this.instances[slot] = await Instance.start(NAMES[slot]!, this.launch);
  }

  /** Waits until every instance answers all kinds of searches by its index. */
  async followed(): Promise<void> {
    for (const slot of this.instances.keys()) {
      for (const view of ['users', 'admin projects', 'admin schedules', 'admin tasks', OWN_VIEW]) {
        const search = { view, caller: 1, filters: {}, pagination: {}, sorting: {} };
        await until(
          async () => (await this.load.search(slot, search)).route === 'index',
          `no index for ${view}`,
          START_TIMEOUT_MS,
        );
      }
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.kill()));
    // A fault that failed has left them at work.
    await Promise.all([this.load.stop(), this.rights.stop()]);
    await this.cluster.stop();
    await rm(this.launch.checkpoints, { recursive: true, force: true });
  }
}
