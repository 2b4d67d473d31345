/**
 * The guard suite in short: some attacks by one caller or ten. `npm run test:guard` has all. Here the bars
 * in milliseconds are not asserted but printed with a failure: they are about a machine that does nothing else.
 */
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { SEED } from '../support/seed.ts';
import { ATTACKS } from './attacks.ts';
import { missed, type Outcome, runAttack } from './course.ts';
import { sendGenerated } from './generated.ts';
import { tableOf, yardsticks } from './report.ts';
import { Stage } from './stage.ts';

/** Right or wrong on any machine. */
const CERTAIN: ReadonlySet<string> = new Set(['answers', 'memory', 'released', 'refused']);
const wrong = (outcome: Outcome) => missed(outcome).filter((bar) => CERTAIN.has(bar));

const SIZES = { large: 12, long: 6_000, many: 5_000, rows: 200, largeRows: 20 };
const RUN = { lastsMs: 500, share: 0.2 } as const;

describe('the service under attack', function suite() {
  this.timeout(120_000);
  if (process.platform !== 'linux') return;
  const database = useDatabase();
  let stage: Stage;

  before(async () => {
    const { uri, db } = database;
    stage = await Stage.build({ uri, db, sizes: SIZES, index: 'off', idleMs: 500 });
  });
  after(() => stage?.end());

  for (const [n, attack] of ATTACKS.filter(({ short }) => short).entries()) {
    const callers = n % 2 === 0 ? 1 : 10;
    it(`stays as it is: ${attack.name}, ${callers === 1 ? 'one caller' : 'ten'}`, async () => {
      const outcome = await runAttack(attack, callers, stage, RUN);
      expect(wrong(outcome), `${tableOf([outcome])}\n${yardsticks(stage)}`).eql([]);
    });
  }

  it('answers 1,000 generated requests, and none with a failure', async () => {
    for (const outcome of await sendGenerated(stage, {
      times: 1_000,
      seed: SEED,
    })) {
      expect(wrong(outcome), `${tableOf([outcome])}\n${yardsticks(stage)}`).eql([]);
    }
  });
});
