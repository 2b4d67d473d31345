/**
 * One person's right to a project, given and taken away straight in the store, and its users.
 *
 *     store     may ──── taken away ══════════════ given back ──── …   by membership, by activity
 *     readers   200      200 for a second, or      404 or 401             for a second, or with
 *                        while the store is away,                         its age, 404 or 401
 *                        with its age
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, type Document, MongoClient } from 'mongodb';
import { until } from '../support/until.ts';
import { type Exchange, exchange } from './exchange.ts';
import { MARKS } from './history.ts';
import { type Instance, tokenFor } from './instance.ts';

/** No other user or project of the suite has it. */
const ID = 900;
const PROJECT = 'e5e1f0aa-00ab-4c00-8d00-000000000900';
const PATH = `/api/v2/projects/${PROJECT}/tasks/search`;

const MEMBERS = [{ user_id: ID, role: 'member' }];
/** The states of the right, one after the other, with the time of each in milliseconds. */
const TURNS = [
  { members: MEMBERS, active: true, ms: 700 },
  { members: [], active: true, ms: 2_400 },
  // Longer than a right counts, so that a refusal that lasts too long is seen.
  { members: MEMBERS, active: true, ms: 2_400 },
  // Longer than the store is away in some faults, so that the refusal after them is seen.
  { members: MEMBERS, active: false, ms: 6_000 },
] as const;

const PAUSE_MS = 40;
/** A right counts for so long after it was taken away. */
const COUNTS_MS = 1_000;
/** The age of an answer is in whole seconds, and a stream's reply is of two seconds ago at most. */
const AGE_SLACK_MS = 2_500;

/** From when the store is whole and the right is there again until it has to be seen. */
const BACK_MS = 10_000;

/** From when on the person may, may not, or nothing is known of it. */
export interface Since {
  /** On the clock of `performance.now`, milliseconds. */
  readonly at: number;
  readonly may: boolean | undefined;
}

type Use = Pick<Exchange, 'startedAt' | 'endedAt' | 'status' | 'code' | 'age'>;

export interface RightsFigures {
  readonly wrong: readonly string[];
  /** The longest time after the right was taken away that a request began which was answered. */
  readonly lateMs: number;
}

export class Rights {
  readonly #uri: string;
  readonly #dbName: string;
  readonly #instances: readonly Instance[];
  #over = true;
  #running: Promise<unknown>[] = [];
  #history: Since[] = [];
  #uses: Exchange[] = [];

  constructor(uri: string, dbName: string, instances: readonly Instance[]) {
    this.#uri = uri;
    this.#dbName = dbName;
    this.#instances = instances;
  }

  /** The person and the project, to be written before anybody reads. */
  static async store(db: Db): Promise<void> {
    const user = { _id: ID, email: 'rights@x', active: true };
    const members = [...MEMBERS];
    const project = { _id: ID, identifier: PROJECT, name: 'rights', config: { n: ID }, members };
    await db.collection('users').insertOne(user as Document as never);
    await db.collection('projects').insertOne(project as Document as never);
  }

  start(): void {
    this.#history = [{ at: performance.now(), may: undefined }];
    this.#uses = [];
    this.#over = false;
    this.#running = [this.#write(), ...this.#instances.map((_, slot) => this.#use(slot))];
  }

  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#running);
  }

  /**
   * Gives the right back once the store is whole; instances that go on refusing are its problems.
   */
  async givenBack(): Promise<string[]> {
    await this.#connected((db) =>
      until(() => this.#put(db, MEMBERS, true), 'the right is not written', BACK_MS),
    );
    const token = await tokenFor(ID);
    const asked = this.#instances.map(async (instance) => {
      let last: Exchange | undefined;
      const may = async () => {
        last = await exchange({ instance, method: 'POST', path: PATH, token, body: {} });
        return last.status === 200;
      };
      const refused = () => [
        `a right: ${instance.name} says ${last?.status} ${last?.code ?? ''}, age ${last?.age}, ${BACK_MS} ms after it was given back`,
      ];
      return await until(may, 'it is refused', BACK_MS).then(() => [], refused);
    });
    return (await Promise.all(asked)).flat();
  }

  figures(): RightsFigures {
    return judged(this.#uses, this.#history);
  }

  async #write(): Promise<void> {
    await this.#connected(async (db) => {
      for (let turn = 0; !this.#over; ) {
        const { members, active, ms } = TURNS[turn % TURNS.length]!;
        this.#history.push({ at: performance.now(), may: undefined });
        const isDone = await this.#put(db, members, active);
        // One that failed is made again: nothing is known of it.
        if (isDone) {
          this.#history.push({ at: performance.now(), may: active && members.length > 0 });
          turn++;
        }
        const over = performance.now() + (isDone ? ms : PAUSE_MS);
        while (!this.#over && performance.now() < over) await sleep(PAUSE_MS);
      }
    });
  }

  async #connected<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const client = new MongoClient(this.#uri, {
      writeConcern: { w: 'majority', wtimeoutMS: 2_000 },
      serverSelectionTimeoutMS: 2_000,
      socketTimeoutMS: 5_000,
      connectTimeoutMS: 2_000,
    });
    try {
      return await work(client.db(this.#dbName));
    } finally {
      await client.close();
    }
  }

  /**
   * Whether the majority has both writes, and knows that it has them. A primary elected right after
   * a write was acknowledged may not know yet, and read the state before it. A primary that has a
   * later write knows: the mark is that write.
   */
  async #put(db: Db, members: readonly Document[], active: boolean): Promise<boolean> {
    const _id = ID as never;
    try {
      await db.collection('projects').updateOne({ _id }, { $set: { members } });
      await db.collection('users').updateOne({ _id }, { $set: { active } });
      await db.collection(MARKS).insertOne({});
      return true;
    } catch {
      return false;
    }
  }

  async #use(slot: number): Promise<void> {
    const token = await tokenFor(ID);
    while (!this.#over) {
      const instance = this.#instances[slot]!;
      this.#uses.push(await exchange({ instance, method: 'POST', path: PATH, token, body: {} }));
      await sleep(PAUSE_MS);
    }
  }
}

/** How old an answer from memory may be: `staleAnswersMs` in src/config.ts. */
const STALE_MS = 10_000;

/** Answers that no state of the right explains, and the longest time that a lost right counted. */
export function judged(uses: readonly Use[], history: readonly Since[]): RightsFigures {
  const wrong: string[] = [];
  let lateMs = 0;
  for (const { startedAt, endedAt, status, code, age } of uses) {
    const held = history.findLast(({ at }) => at <= startedAt);
    const say = (what: string) =>
      wrong.push(
        `a right: ${status} ${code ?? ''}, age ${age}, ${what}; ${Math.round(startedAt - (held?.at ?? 0))} ms after ${held?.may}`,
      );
    const olderMs = age === null ? COUNTS_MS : 1_000 * age + AGE_SLACK_MS;
    const could = (may: boolean) => couldBe(may, history, startedAt - olderMs, endedAt);
    if (age !== null && 1_000 * age > STALE_MS + 500) say('older than answers may be');
    if (status === 200) {
      if (held?.may === false) lateMs = Math.max(lateMs, startedAt - held.at);
      if (!could(true)) say('though it was taken away');
    } else if (status === 401 || status === 404) {
      if (!could(false)) say('though it was there all the time');
    } else if (status !== null && status !== 503 && status !== 429) say('which says nothing of it');
  }
  return { wrong, lateMs };
}

/** Whether the person may have been allowed, or not, at some moment of a time. */
const couldBe = (may: boolean, history: readonly Since[], from: number, to: number): boolean =>
  history.some((since, i) => {
    const end = history[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    return since.at <= to && end >= from && (since.may === undefined || since.may === may);
  });
