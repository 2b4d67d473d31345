/**
 * Random searches over random documents: whatever the service answers over HTTP is what the oracle
 * finds by looking at every document.
 *
 * `PROPERTY_RUNS` worlds are tried by each executor (12 requests a world); `PROPERTY_SEED` repeats
 * a run. A failure shows the seed and the smallest world and request that fast-check could find.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { readTime } from '../../src/mongo/clusterTime.ts';
import { EXECUTORS } from '../conformance/executors.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { askSameLetters, type Expected, Oracle, type SameLetters } from './oracle.ts';
import { PATHS } from './paths.ts';
import {
  anyRequest,
  anyWorld,
  type GeneratedRequest,
  type GeneratedWorld,
  LETTERS,
} from './worlds.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 15);
const SEED = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
const REQUESTS = 12;

for (const executor of EXECUTORS) {
  describe(`random searches (${executor.name})`, () => {
    const database = useDatabase();
    let service: TestService;
    let same: SameLetters;
    const tokens: string[] = [];
    const routes = new Map<string, number>();

    before(async () => {
      const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
      same = await askSameLetters(database.db, [...LETTERS, ...ascii]);
      await store({ users: [], projects: [], schedules: [], tasks: [] });
      service = await startService(
        database.uri,
        database.name,
        executor.settings,
        executor.createTable,
      );
      for (const id of [1, 2, 3]) tokens[id] = await service.token(id, id === 1);
    });
    after(() => service?.stop());

    it(`agree with the oracle: ${RUNS} worlds, seed ${SEED}`, async function agree() {
      this.timeout(60_000 + RUNS * 4_000);
      const requests = fc.array(anyRequest, { minLength: REQUESTS, maxLength: REQUESTS });
      const property = fc.asyncProperty(anyWorld, requests, async (world, asked) => {
        await store(world);
        const oracle = new Oracle(world, same);
        for (const request of asked) await checkAnswer(request, oracle.answer(request));
        await checkPages(asked[0]!, oracle);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
      expect([...routes.keys()]).to.include(executor.route);
    });

    /** Replaces everything stored, and waits until answers show it. */
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

    async function ask({ view, caller, ...body }: GeneratedRequest) {
      const answer = await service.post(PATHS[view]!, body, tokens[caller]);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      const route = answer.headers.get('search-route')!;
      routes.set(route, (routes.get(route) ?? 0) + 1);
      const id = view.endsWith('schedules') ? 'schedule_id' : 'id';
      const ids = answer.body.data.map((row: { config: { n: number }; [id]: unknown }) =>
        view.endsWith('projects') ? row.config.n : row[id],
      );
      return { ids, meta: answer.body.meta };
    }

    async function checkAnswer(request: GeneratedRequest, expected: Expected): Promise<void> {
      const { ids, meta } = await ask(request);
      const { total_items: total, current_page: page, per_page: perPage } = meta.pagination;
      expect({ total, page, perPage, ids, applied: meta.applied_filters }).to.deep.equal({
        total: expected.total,
        page: expected.page,
        perPage: expected.perPage,
        ids: expected.ids,
        applied: expected.applied,
      });
    }

    /** The pages, from the first to the one that has no next, are the whole in order. */
    async function checkPages(request: GeneratedRequest, oracle: Oracle): Promise<void> {
      const seen: unknown[] = [];
      for (let page: number | null = 1; page !== null; ) {
        const { ids, meta } = await ask({ ...request, pagination: { page, per_page: 3 } });
        seen.push(...ids);
        page = meta.pagination.next_page_num;
      }
      expect(seen).to.deep.equal(oracle.answer(request).whole);
    }
  });
}
