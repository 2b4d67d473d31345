/**
 * Random definitions, random dirty documents, random questions: all executors give the same answer.
 *
 * The long form: `OWN_RUNS=250 npx mocha test/tables/own/random.test.ts` asks 20,000 questions.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { BSON, type Document } from 'mongodb';
import { useDatabase } from '../../support/database.ts';
import { SEED } from '../../support/seed.ts';
import { type World, world } from './arbitraries.ts';
import { EXECUTORS, OwnStage } from './stage.ts';

const RUNS = Number(process.env.OWN_RUNS ?? 2);

describe('random tables of their own', function () {
  this.timeout(RUNS * 60_000);
  const database = useDatabase();

  it(`are answered alike by all executors (SEED=${SEED} OWN_RUNS=${RUNS})`, async () => {
    let asked = 0;
    for (let run = 0; run < RUNS; run++) {
      const [one] = fc.sample(world, { numRuns: 1, seed: SEED + run });
      asked += await compare(one!, `SEED=${SEED + run} OWN_RUNS=1`);
    }
    expect(asked).to.be.at.least(RUNS * 40);
  });

  /** @returns how many questions were asked */
  async function compare({ tables, contents, bodies }: World, again: string): Promise<number> {
    const { client, db } = database;
    for (const name of ['things', 'others']) await db.collection(name).deleteMany({});
    const stage = await OwnStage.start(client, db, JSON.stringify({ version: 1, tables }));
    let asked = 0;
    try {
      for (const content of contents) {
        await stage.write(async (_, options) => {
          for (const [name, documents] of Object.entries(content)) {
            await db.collection(name).deleteMany({}, options);
            await insert(name, documents, options);
          }
        });
        for (const body of bodies) {
          const answers = [];
          for (const name of EXECUTORS)
            answers.push(await stage.ask(name, { table: 'things', body }));
          const told = () =>
            `${again}\n${JSON.stringify(tables)}\n${JSON.stringify(body)}\n${BSON.EJSON.stringify(content, { relaxed: false })}`;
          expect(answers[0], told()).not.to.have.property('wrong');
          for (const i of [1, 2])
            expect(answers[i], `${EXECUTORS[i]} ${told()}`).to.deep.equal(answers[0]);
          asked++;
        }
        stage.check();
        expect(stage.defects, again).to.deep.equal([]);
      }
    } finally {
      await stage.stop();
    }
    return asked;
  }

  /** Documents with an `_id` that is there already are left out. */
  async function insert(
    name: string,
    documents: readonly Document[],
    options: Document,
  ): Promise<void> {
    const all = documents as never[];
    await database.db
      .collection(name)
      .insertMany(all, { ...options, ordered: false, ignoreUndefined: true })
      .catch((error: { code?: number }) => {
        if (error.code !== 11_000) throw error;
      });
  }
});
