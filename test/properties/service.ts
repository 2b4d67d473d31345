/** A service over a database whose documents are replaced by one random world after the other. */
import { expect } from 'chai';
import { after, before } from 'mocha';
import type { ExecutorUnderTest } from '../conformance/executors.ts';
import { useDatabase } from '../support/database.ts';
import { readTime } from '../support/readTime.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { askSameLetters, type SameLetters } from './oracle.ts';
import { PATHS } from './paths.ts';
import { type GeneratedWorld, LETTERS, type Stored } from './worlds.ts';

export const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);

export interface Worlds {
  /** The letters that are the same to the server. */
  readonly same: SameLetters;
  /** Replaces everything stored, and waits until answers show it. */
  store(world: GeneratedWorld): Promise<void>;
  ask(path: string, body: object, caller: number): Promise<TestAnswer>;
  /** The ids of a page's records; of projects, `config.n`. */
  idsOf(view: string, data: readonly Stored[]): unknown[];
}

/** Call it inside a `describe`: at the end answers must have gone by this executor. */
export function useWorlds(executor: ExecutorUnderTest): Worlds {
  const database = useDatabase();
  let service: TestService;
  let same: SameLetters;
  const tokens: string[] = [];
  const routes = new Set<string | null>();

  before(async () => {
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
    same = await askSameLetters(database.db, [...LETTERS, ...ascii]);
    await store({ users: [], projects: [], schedules: [], tasks: [] });
    const { settings, createTable } = executor;
    service = await startService(database.uri, database.name, settings, createTable);
    for (const id of [1, 2, 3]) tokens[id] = await service.token(id, id === 1);
  });
  after(async () => {
    await service?.stop();
    expect([...routes]).to.include(executor.route);
  });

  async function store(world: GeneratedWorld): Promise<void> {
    await database.client.withSession(async (session) => {
      for (const [name, documents] of Object.entries(world)) {
        const collection = database.db.collection(name);
        await collection.deleteMany({}, { session });
        if (documents.length > 0) await collection.insertMany([...documents], { session });
      }
      if (service === undefined) return;
      await until(async () => {
        const answer = await service.post(PATHS.users!, {}, tokens[1]);
        const asOf = readTime(answer.headers.get('search-as-of') ?? '0.0');
        return answer.status === 200 && asOf.greaterThanOrEqual(session.operationTime!);
      }, 'answers do not show the new documents');
    });
  }

  return {
    get same() {
      return same;
    },
    store,
    async ask(path, body, caller) {
      const answer = await service.post(path, body, tokens[caller]);
      routes.add(answer.headers.get('search-route'));
      return answer;
    },
    idsOf(view, data) {
      if (view.endsWith('projects')) return data.map(({ config }) => config.n);
      const id = view.endsWith('schedules') ? 'schedule_id' : 'id';
      return data.map((row) => row[id]);
    },
  };
}
