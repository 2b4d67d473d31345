/**
 * An instance that is killed at random moments of its life, again and again, while its store changes:
 *
 *     begins ─► reads its checkpoint ─► catches up ─► is live ─► is told to end ─► writes the next one
 *        ✗              ✗                   ✗            ✗              ✗                 ✗
 *
 * A life that is not killed early has to become live, by its checkpoint or without. All of its answers are
 * judged by the history of the store, at their own moments.
 */
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { askSameLetters, type SameLetters } from '../properties/oracle.ts';
import { anyRequest, type GeneratedRequest, LETTERS } from '../properties/worlds.ts';
import { until } from '../support/until.ts';
import { randomFrom } from '../worlds/random.ts';
import { isAnswered } from './exchange.ts';
import { History, State } from './history.ts';
import { checkpointOf, Instance, type Launch } from './instance.ts';
import { backInTime, wrongAnswers, wrongStatuses } from './judge.ts';
import { Load } from './load.ts';
import { OWN_VIEW, ownRequest } from './ownTable.ts';
import { Documents, fill, type Random, writeUntil } from './writers.ts';

/** How far lives had come when they were killed, and the answers of those that were live. */
export interface Killed {
  reading: number;
  catchingUp: number;
  live: number;
  ending: number;
  writing: number;
  /** Lives that went on from a checkpoint, and lives that loaded all, until they were live. */
  restored: number;
  loaded: number;
  answers: number;
  byIndex: number;
  readonly wrong: string[];
}

type Moment = 'reading' | 'catchingUp' | 'live' | 'ending' | 'writing';

const DB = `kills_${process.pid}`;
const NAME = 'A';
/** After the start of a process, and after it has read its checkpoint, milliseconds at most. */
const EARLY_MS = 1_200;
const READ_MS = 300;
/** After an instance is live or was told to end, milliseconds at most. */
const LATE_MS = 120;
const LIVE_MS = 120_000;
/** Searches of a life that is live. */
const ASKED = 8;
/** Lives after which answers are judged. */
const JUDGED = 10;

type Lines = Instance['lines'];

const said = (lines: Lines, text: string) => lines.some(({ msg }) => msg === text);
const hasRead = (lines: Lines) =>
  said(lines, 'checkpoint read') || said(lines, 'no checkpoint is read; collections are loaded');
const isLive = (lines: Lines) =>
  lines.some(({ msg, phase }) => msg === 'index state' && phase === 'live');

export interface KillsOptions {
  readonly lives: number;
  readonly seed: number;
  /** Arguments of node that run the service. */
  readonly main: readonly string[];
  /** The store's connection string. */
  readonly uri: string;
  /** Told after some lives. */
  readonly onJudged?: (life: number, killed: Killed) => void;
}

export async function kills(options: KillsOptions): Promise<Killed> {
  const { lives, seed, main, uri, onJudged } = options;
  const checkpoints = await mkdtemp(join(tmpdir(), 'checkpoints-'));
  const client = await MongoClient.connect(uri);
  const db = client.db(DB);
  try {
    const history = new History(client, DB);
    await history.begin();
    const documents = new Documents(seed);
    await fill(db, documents.first());
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
    const same = await askSameLetters(db, [...LETTERS, ...ascii]);
    const launch = { main, uri, dbName: DB, checkpoints };
    const course = new Course(launch, history, seed, same, db);
    let over = false;
    const writing = writeUntil(() => over, uri, DB, documents);
    try {
      for (let life = 1; life <= lives; life++) {
        // The last one says whether all is well after all.
        await course.live(life === lives);
        if (life % JUDGED > 0 && life < lives) continue;
        await course.judge();
        onJudged?.(life, course.killed);
      }
    } finally {
      over = true;
      await writing;
    }
    return course.killed;
  } finally {
    await db.dropDatabase();
    await client.close();
    await rm(checkpoints, { recursive: true, force: true });
  }
}

class Course {
  readonly killed: Killed = {
    ...{ reading: 0, catchingUp: 0, live: 0, ending: 0, writing: 0, restored: 0, loaded: 0 },
    ...{ answers: 0, byIndex: 0, wrong: [] },
  };
  readonly #launch: Launch;
  readonly #history: History;
  readonly #random: Random;
  readonly #same: SameLetters;
  readonly #instances: Instance[] = [];
  readonly #load: Load;
  readonly #requests: readonly GeneratedRequest[];
  #asked = 0;
  #judged = 0;
  #from: State | undefined;

  constructor(
    launch: Launch,
    history: History,
    seed: number,
    same: SameLetters,
    db: ReturnType<MongoClient['db']>,
  ) {
    this.#launch = launch;
    this.#history = history;
    this.#random = randomFrom(seed);
    this.#same = same;
    const { uri } = launch;
    this.#load = new Load({
      ...{ instances: this.#instances, db, uri, seed, readers: 1, restMs: 0 },
      ...{ changes: false, inMemory: false },
    });
    const request = fc.oneof(
      { weight: 7, arbitrary: anyRequest },
      { weight: 1, arbitrary: ownRequest },
    );
    this.#requests = fc.sample(request, { numRuns: 2_000, seed });
  }

  /** A process from its start to the kill. */
  async live(isLast: boolean): Promise<void> {
    this.#from ??= await this.#known();
    const kind = isLast ? 0.8 : this.#random();
    // A first load writes a checkpoint as soon as it is live.
    if (kind > 0.9) await rm(this.#file, { force: true });
    this.killed[kind < 0.6 ? await this.#early() : await this.#late()]++;
  }

  /** Compares all answers since the last time with the history. */
  async judge(): Promise<void> {
    await this.#history.read();
    const exchanges = this.#load.exchanges.slice(this.#judged);
    this.#judged += exchanges.length;
    this.killed.wrong.push(
      ...wrongAnswers(exchanges, this.#from!, this.#same),
      ...backInTime(exchanges, this.#history.events),
      ...wrongStatuses(exchanges, () => false),
    );
    const answered = exchanges.filter(isAnswered);
    this.killed.answers += answered.length;
    this.killed.byIndex += answered.filter(({ route }) => route === 'index').length;
  }

  /** The state from which the history goes on. */
  async #known(): Promise<State> {
    const state = new State(this.#history.events);
    state.moveTo(await this.#history.read());
    return state;
  }

  get #file(): string {
    return checkpointOf(this.#launch, NAME);
  }

  /** When the file was last written that is not whole yet, or never will be; undefined for none. */
  get #unfinished(): number | undefined {
    return statSync(`${this.#file}.new`, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Kills a process that was begun a moment ago, or has looked at its checkpoint a moment ago. */
  async #early(): Promise<Moment> {
    const { child, exited, lines } = Instance.begin(NAME, this.#launch);
    if (this.#random() < 0.5) {
      await sleep(EARLY_MS * this.#random());
    } else {
      await until(() => hasRead(lines), 'no checkpoint was looked at', LIVE_MS);
      await sleep(READ_MS * this.#random());
    }
    child.kill('SIGKILL');
    await exited;
    return isLive(lines) ? 'live' : hasRead(lines) ? 'catchingUp' : 'reading';
  }

  /** Kills an instance that is live and has answered, perhaps as it ends. */
  async #late(): Promise<Moment> {
    const instance = await Instance.start(NAME, this.#launch);
    this.#instances[0] = instance;
    const { lines } = instance;
    const left = this.#unfinished;
    await until(() => isLive(lines), `no index: ${JSON.stringify(lines)}`, LIVE_MS);
    this.killed[said(lines, 'checkpoint read') ? 'restored' : 'loaded']++;
    await this.#search({ view: OWN_VIEW, caller: 1, filters: {}, pagination: {}, sorting: {} });
    for (let n = 0; n < ASKED; n++) await this.#search(this.#next());
    const ends = this.#random() < 0.8;
    if (ends) instance.tellToEnd();
    await sleep(LATE_MS * this.#random());
    await instance.kill();
    const unfinished = this.#unfinished;
    if (unfinished !== undefined && unfinished !== left) return 'writing';
    return ends ? 'ending' : 'live';
  }

  #next(): GeneratedRequest {
    return this.#requests[this.#asked++ % this.#requests.length]!;
  }

  async #search(request: GeneratedRequest): Promise<void> {
    await this.#load.search(0, request);
  }
}
