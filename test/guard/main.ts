/**
 * `npm run test:guard`: every attack by one caller and by ten, generated requests, and whether time tells
 * foreign from absent. Prints tables; passes (exit code 0) when every bar is reached.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { mochaGlobalTeardown, testMongoUri } from '../support/mongod.ts';
import type { Attack } from './attack.ts';
import { ATTACKS, CROWD } from './attacks.ts';
import { missed, type Outcome, runAttack } from './course.ts';
import { sendGenerated } from './generated.ts';
import { LEGEND, tableOf, yardsticks } from './report.ts';
import { Stage } from './stage.ts';
import { isTold, type Told, tellApart, toldTable } from './timing.ts';

const HELP = `npm run test:guard -- [options]

  --only <text>      attacks with this in their name
  --callers <n>      1 or 10 (both)
  --requests <n>     generated requests (100000)
  --pairs <n>        of foreign and absent for each route (500); 0: none
  --routes <text>    those with this in their name
  --seed <n>         of generated requests`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    callers: { type: 'string', default: '1,10' },
    requests: { type: 'string', default: '100000' },
    pairs: { type: 'string', default: '500' },
    routes: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', default: false },
  },
});

const SIZES = { large: 40, long: 10_000, many: 200_000, rows: 5_000, largeRows: 60 };
/** How long attacks last that end only with their attackers, milliseconds. */
const LASTS_MS = 3_000;
/** How long requests are sent where there are many. */
const FLOOD_MS = 2_000;
const IDLE_MS = 3_000;
/** Open files that the crowd needs on each side. */
const OPEN_FILES = 12_000;

if (options.help) {
  console.log(`${HELP}\n\n${[...ATTACKS, CROWD].map(({ name }) => `  ${name}`).join('\n')}`);
} else {
  process.exitCode = (await run()) ? 0 : 1;
}

async function run(): Promise<boolean> {
  const started = performance.now();
  const outcomes: Outcome[] = [];
  const told: Told[] = [];
  const stages: string[] = [];
  const client = await MongoClient.connect(await testMongoUri());
  const seed = Number(options.seed);
  const attacks = chosen();
  console.log(`${attacks.length} attacks, ${options.requests} generated requests, seed ${seed}`);
  let failure: unknown;
  try {
    const attackOn = async (stage: Stage, those: readonly Attack[]) => {
      for (const attack of those) {
        for (const callers of [1, 10] as const) {
          if (!options.callers.split(',').includes(String(callers))) continue;
          if (attack.kind === 'crowd' && callers === 1) continue;
          outcomes.push(
            said(await runAttack(attack, callers, stage, { lastsMs: LASTS_MS, floodMs: FLOOD_MS })),
          );
        }
      }
    };
    const times = Number(options.requests);
    const [byPipeline, byIndex] = [false, true].map((is) =>
      attacks.filter((attack) => (attack.byIndex ?? false) === is),
    ) as [Attack[], Attack[]];
    if (byPipeline.length > 0) {
      stages.push(await stageOf(client, 'off', (stage) => attackOn(stage, byPipeline)));
    }
    if (byIndex.length > 0 || times > 0) {
      const on = stageOf(client, 'on', async (stage) => {
        await attackOn(stage, byIndex);
        if (times > 0) outcomes.push(...(await sendGenerated(stage, { times, seed })).map(said));
      });
      stages.push(await on);
    }
    told.push(...(await foreignFromAbsent(client)));
    console.log(
      `\n${tableOf(outcomes)}\n\n${stages.join('\n')}\n\n${LEGEND}\n\n${toldTable(told)}`,
    );
  } catch (error) {
    failure = error;
    console.log(`the suite itself failed: ${(error as Error).stack}\n\n${tableOf(outcomes)}`);
  } finally {
    await client.close();
    await mochaGlobalTeardown();
  }
  const failed = outcomes.filter((outcome) => missed(outcome).length > 0);
  const toldApart = told.filter(isTold);
  const passed = failure === undefined && failed.length === 0 && toldApart.length === 0;
  const total = Math.round((performance.now() - started) / 1_000);
  const verdict = passed
    ? 'PASSED'
    : `FAILED: ${failed.length} of ${outcomes.length} attacks, ${toldApart.length} of ${told.length} routes`;
  console.log(`\n${verdict}, ${total} s, seed ${seed}`);
  return passed;
}

async function foreignFromAbsent(client: MongoClient): Promise<Told[]> {
  const pairs = Number(options.pairs);
  if (pairs === 0) return [];
  const db = client.db('guard_foreign');
  try {
    const onTold = (one: Told) => console.log(toldTable([one]).split('\n').at(-1));
    return await tellApart(await testMongoUri(), db, { pairs, routes: options.routes, onTold });
  } finally {
    await db.dropDatabase();
  }
}

function chosen(): readonly Attack[] {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
  const crowded = files >= OPEN_FILES;
  if (!crowded) console.log(`skipped: ${CROWD.name}; it takes ${OPEN_FILES} files, not ${files}`);
  const all = crowded ? [...ATTACKS, CROWD] : ATTACKS;
  return all.filter(({ name }) => name.includes(options.only ?? ''));
}

/** Returns the figures that the bars are relative to, once the work on the stage is done. */
async function stageOf(
  client: MongoClient,
  index: 'on' | 'off',
  work: (stage: Stage) => Promise<void>,
): Promise<string> {
  const db = client.db(`guard_${index}`);
  const uri = await testMongoUri();
  const stage = await Stage.build({ uri, db, sizes: SIZES, index, idleMs: IDLE_MS });
  try {
    console.log(yardsticks(stage));
    await work(stage);
    return `with the index ${index}, ${yardsticks(stage)}`;
  } finally {
    await stage.end();
    await db.dropDatabase();
  }
}

/** A run that dies leaves its findings. */
function said(outcome: Outcome): Outcome {
  const figures = tableOf([outcome]).split('\n').at(-1);
  console.log(figures);
  return outcome;
}
