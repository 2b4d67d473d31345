/**
 * `npm run test:faults`: three mongods, two instances, readers, writers and clients that make
 * changes, and one fault after the other. Passes (exit code 0) when nothing was wrong.
 */
import { parseArgs } from 'node:util';
import { startTestMongod } from '../support/mongod.ts';
import { type Outcome, runFault } from './course.ts';
import { FAULTS } from './faults.ts';
import { type Killed, kills } from './kills.ts';
import { problemsOf, tableOf } from './report.ts';
import { Stage } from './stage.ts';

const HELP = `npm run test:faults -- [options]

  --only <names>   some of: ${FAULTS.map(({ name }) => name).join(', ')}
  --seconds <n>    that a fault stays on (6)
  --seed <n>       of documents, writes and searches
  --readers <n>    of each instance (2)
  --read-only      nobody makes changes through the instances
  --in-memory      all rows are such that the index shows them without asking the store
  --rest <ms>      of a reader after an answer (15)
  --before <ms>    of load before a fault (1000)
  --max-gap <ms>   a reader who waits longer for an answer, or is refused, is a problem
  --kills <n>      no fault: one instance is killed so often, at random moments of its life
  --help           what each fault is`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '6' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    readers: { type: 'string', default: '2' },
    'read-only': { type: 'boolean', default: false },
    'in-memory': { type: 'boolean', default: false },
    rest: { type: 'string', default: '15' },
    before: { type: 'string', default: '1000' },
    'max-gap': { type: 'string' },
    kills: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  const width = Math.max(...FAULTS.map(({ name }) => name.length));
  const list = FAULTS.map(({ name, what }) => `  ${name.padEnd(width)}  ${what}`);
  console.log(`${HELP}\n\n${list.join('\n')}`);
} else if (options.kills !== undefined) {
  process.exitCode = (await runKills(Number(options.kills), Number(options.seed))) ? 0 : 1;
} else {
  process.exitCode = (await run()) ? 0 : 1;
}

async function runKills(lives: number, seed: number): Promise<boolean> {
  const say = (life: number, { wrong, ...figures }: Killed) =>
    console.log(`${life} lives, ${wrong.length} wrong, seed ${seed}: ${JSON.stringify(figures)}`);
  const { uri, stop } = await startTestMongod();
  const options = { lives, seed, main: ['dist/main.js'], uri, onJudged: say };
  const { wrong } = await kills(options).finally(stop);
  for (const one of wrong.slice(0, 10)) console.log(one);
  return wrong.length === 0;
}

async function run(): Promise<boolean> {
  const names = options.only?.split(',') ?? FAULTS.map(({ name }) => name);
  const unknown = names.filter((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}`);
  const faults = FAULTS.filter(({ name }) => names.includes(name));
  const seconds = Number(options.seconds);
  const seed = Number(options.seed);
  console.log(`${faults.length} faults of ${seconds} s, seed ${seed}`);
  const started = performance.now();
  const stage = await Stage.build({
    main: ['dist/main.js'],
    seed,
    seconds,
    readers: Number(options.readers),
    readOnly: options['read-only'],
    inMemory: options['in-memory'],
    restMs: Number(options.rest),
    beforeMs: Number(options.before),
    maxGapMs: options['max-gap'] === undefined ? undefined : Number(options['max-gap']),
  });
  const outcomes: Outcome[] = [];
  try {
    for (const fault of faults) {
      const outcome = await runFault(fault, stage);
      outcomes.push(outcome);
      const { requests, wrong } = outcome;
      console.log(`${fault.name}: ${requests} requests, ${wrong.length} wrong`);
      if (wrong.length > 0) console.log(problemsOf([outcome]));
    }
  } catch (error) {
    console.log(`the suite itself failed: ${(error as Error).stack}`);
  } finally {
    await stage.end();
    if (outcomes.length > 0) console.log(`\n${tableOf(outcomes)}`);
  }
  const wrong = outcomes.filter((outcome) => outcome.wrong.length > 0);
  const total = Math.round((performance.now() - started) / 1_000);
  const notRun = faults.length - outcomes.length;
  const passed = wrong.length === 0 && notRun === 0;
  const failures = `FAILED: ${wrong.length} of ${faults.length} wrong, ${notRun} not run`;
  console.log(`\n${passed ? 'PASSED' : failures}, ${total} s, seed ${seed}`);
  return passed;
}
