/**
 * Random searches over random documents: every answer of the service over HTTP is the one that the
 * oracle finds by looking at every document.
 *
 * `PROPERTY_RUNS` worlds are tried by each executor (12 requests a world); `SEED` repeats
 * a run. A failure shows the seed and the smallest world and request that fast-check could find.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EXECUTORS, SCAN } from '../conformance/executors.ts';
import { SEED } from '../support/seed.ts';
import { type Expected, Oracle } from './oracle.ts';
import { PATHS } from './paths.ts';
import { RUNS, useWorlds } from './service.ts';
import { anyRequest, anyWorld, type GeneratedRequest } from './worlds.ts';

const REQUESTS = 12;

for (const executor of [...EXECUTORS, SCAN]) {
  describe(`random searches (${executor.name})`, () => {
    const worlds = useWorlds(executor);

    it(`agree with the oracle: ${RUNS} worlds, seed ${SEED}`, async function agree() {
      this.timeout(60_000 + RUNS * 4_000);
      const requests = fc.array(anyRequest, { minLength: REQUESTS, maxLength: REQUESTS });
      const property = fc.asyncProperty(anyWorld, requests, async (world, asked) => {
        await worlds.store(world);
        const oracle = new Oracle(world, worlds.same);
        for (const request of asked) await checkAnswer(request, oracle.answer(request));
        await checkPages(asked[0]!, oracle);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    });

    async function ask({ view, caller, ...body }: GeneratedRequest) {
      const answer = await worlds.ask(PATHS[view]!, body, caller);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return { ids: worlds.idsOf(view, answer.body.data), meta: answer.body.meta };
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
