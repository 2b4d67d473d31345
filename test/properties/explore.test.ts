/**
 * Random explores over random documents: rows, and counts by value and by time, are those that the
 * oracle finds by looking at every document. `PROPERTY_RUNS` and `SEED` as in search.test.ts.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EXECUTORS, SCAN } from '../conformance/executors.ts';
import { SEED } from '../support/seed.ts';
import { builtIn } from './builtIn.ts';
import { ExploreOracle } from './exploreOracle.ts';
import { Oracle } from './oracle.ts';
import { PATHS } from './paths.ts';
import { RUNS, useWorlds } from './service.ts';
import { anyExplore, anyWorld, type GeneratedExplore } from './worlds.ts';

const REQUESTS = 12;

for (const executor of [...EXECUTORS, SCAN]) {
  describe(`random explores (${executor.name})`, () => {
    const worlds = useWorlds(executor);

    it(`agree with the oracle: ${RUNS} worlds, seed ${SEED}`, async function agree() {
      this.timeout(60_000 + RUNS * 4_000);
      const asked = fc.array(anyExplore, { minLength: REQUESTS, maxLength: REQUESTS });
      const property = fc.asyncProperty(anyWorld, asked, async (world, requests) => {
        await worlds.store(world);
        const oracle = new Oracle(world, worlds.same);
        for (const request of requests) {
          const subject = builtIn(world, oracle, worlds.same, request);
          await check(request, oracle, new ExploreOracle(subject, request));
        }
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    });

    async function check(request: GeneratedExplore, oracle: Oracle, explore: ExploreOracle) {
      const { view, caller, sorts, ...asked } = request;
      const body = { ...asked, ...(sorts && { sorting: sorts }) };
      const answer = await worlds.ask(`${PATHS[view]}/explore`, body, caller);
      expect(answer.status, JSON.stringify({ body, answer: answer.body })).to.equal(200);
      const expected = oracle.answer(request, explore.hits(), explore.inOrder());
      const { meta, data, facets, histogram, stats } = answer.body;
      const { total_items: total, current_page: page } = meta.pagination;
      expect({ total, page, ids: worlds.idsOf(view, data) }, JSON.stringify(body)).to.deep.equal({
        total: expected.total,
        page: expected.page,
        ids: expected.ids,
      });
      expect(meta.applied_filters).to.deep.equal(expected.applied);
      expect(meta.applied_select).to.have.length(request.select?.length ?? 0);
      if (request.facets) explore.checkFacets(facets);
      else expect(answer.body).not.to.have.property('facets');
      if (request.histogram) explore.checkHistogram(histogram);
      else expect(answer.body).not.to.have.property('histogram');
      if (request.stats) explore.checkStats(stats);
      else expect(answer.body).not.to.have.property('stats');
    }
  });
}
