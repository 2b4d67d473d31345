/**
 * Random definitions, random dirty documents, random questions: all executors give the same answer, and
 * it is what the oracle finds by looking at every document.
 *
 * The long form: `OWN_RUNS=250 npx mocha test/tables/own/random.test.ts` asks 20,000 questions.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { BSON, type Document } from 'mongodb';
import { insertRaw, putUndefined } from '../../follow/support/rawInsert.ts';
import { askSameLetters, type SameLetters } from '../../properties/oracle.ts';
import { useDatabase } from '../../support/database.ts';
import { SEED } from '../../support/seed.ts';
import { world } from './arbitraries.ts';
import { OwnOracle } from './oracle.ts';
import { OwnStage } from './stage.ts';
import { LETTERS } from './values.ts';
import type { Question, World } from './world.ts';

/** Questions that are asked at once. */
const TOGETHER = 8;
const RUNS = Number(process.env.OWN_RUNS ?? 2);

describe('random tables of their own', function () {
  this.timeout(RUNS * 60_000);
  const database = useDatabase();

  it(`are answered alike by all executors (SEED=${SEED} OWN_RUNS=${RUNS})`, async () => {
    const differences: Error[] = [];
    const same = await askSameLetters(database.db, LETTERS);
    let asked = 0;
    for (let run = 0; run < RUNS; run++) {
      const [one] = fc.sample(world, { numRuns: 1, seed: SEED + run });
      asked += await compare(one!, same, `SEED=${SEED + run} OWN_RUNS=1`, differences);
    }
    expect(asked).to.be.at.least(RUNS * 40);
    if (differences.length === 0) return;
    const seeds = [...new Set(differences.map(({ message }) => message.split('\n', 1)[0]))];
    const message = `${differences.length} of ${asked} answers differ: ${seeds.join('; ')}`;
    throw new Error(`${message}\n${differences[0]!.message}`, { cause: differences[0]!.cause });
  });

  /** @returns how many questions were asked */
  async function compare(
    { tables, claims, contents, questions }: World,
    same: SameLetters,
    again: string,
    differences: Error[],
  ): Promise<number> {
    const { client, db } = database;
    for (const name of ['things', 'others']) await db.collection(name).deleteMany({});
    const stage = await OwnStage.start(db, JSON.stringify({ version: 1, tables }));
    const stored: Record<string, readonly Document[]> = {};
    let asked = 0;
    try {
      for (const content of contents) {
        await stage.write(async (_, options) => {
          for (const [name, documents] of Object.entries(content)) {
            if (stored[name] === documents) continue;
            stored[name] = documents;
            await db.collection(name).deleteMany({}, options);
            const { operationTime } = await insertRaw(
              ...([client, db.databaseName, name, documents, putUndefined] as const),
            );
            options.session.advanceOperationTime(operationTime);
          }
        });
        const oracle = new OwnOracle({ tables, claims }, content, same);
        const check = async (question: Question) => {
          try {
            oracle.check(question, await stage.answer({ table: 'things', claims, ...question }));
          } catch (error) {
            differences.push(differenceOf(error, again, { tables, claims, question, content }));
          }
        };
        // Some together, since most of the time goes by waiting for the store.
        for (let from = 0; from < questions.length; from += TOGETHER) {
          const some = questions.slice(from, from + TOGETHER);
          await Promise.all(some.map(check));
          asked += some.length;
        }
        stage.check();
        expect(stage.defects, again).to.deep.equal([]);
      }
    } finally {
      await stage.stop();
    }
    return asked;
  }
});

/** Everything that is needed to ask again. */
function differenceOf(error: unknown, again: string, world: object): Error {
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  const told = JSON.stringify({ actual, expected });
  const asked = BSON.EJSON.stringify(world, { relaxed: false });
  return new Error(`${again}\n${asked}\n${told}`, { cause: error });
}
