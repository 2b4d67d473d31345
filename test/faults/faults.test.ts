/** The fault suite in short: real processes, two faults of a few seconds. `npm run test:faults` has all. */
import { expect } from 'chai';
import { testMongoUri } from '../support/mongod.ts';
import { SEED } from '../support/seed.ts';
import { SERVICE } from '../support/tableSearch.ts';
import { runFault } from './course.ts';
import { FAULTS } from './faults.ts';
import { kills } from './kills.ts';
import { problemsOf, tableOf } from './report.ts';
import { Stage } from './stage.ts';

describe(`two instances while their store is in trouble, seed ${SEED}`, function suite() {
  this.timeout(240_000);
  let stage: Stage;

  before(async () => {
    stage = await Stage.build({ main: SERVICE.slice(1), seed: SEED, seconds: 2.5 });
  });
  after(() => stage?.end());

  for (const name of ['kill', 'silence']) {
    const fault = FAULTS.find((one) => one.name === name)!;
    it(`${fault.what}: every answer and every change is right`, async () => {
      const outcome = await runFault(fault, stage);
      expect(outcome.wrong, `${tableOf([outcome])}\n${problemsOf([outcome])}`).to.deep.equal([]);
      expect(outcome.compared).to.be.greaterThan(20);
      expect(outcome.changes.done).to.be.greaterThan(2);
      expect(outcome.elsewhere).to.be.greaterThan(0);
    });
  }
});

describe(`an instance that is killed at random moments, seed ${SEED}`, function suite() {
  this.timeout(120_000);

  it('becomes live again, by its checkpoint, with right answers alone', async () => {
    const { wrong, ...figures } = await kills({
      ...{ lives: 3, seed: SEED, main: SERVICE.slice(1), uri: await testMongoUri() },
    });
    expect(wrong, JSON.stringify(figures)).to.deep.equal([]);
    expect(figures.byIndex, JSON.stringify(figures)).to.be.greaterThan(0);
  });
});
