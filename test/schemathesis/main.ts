/**
 * `npm run test:schemathesis`: all of Schemathesis' phases on all operations, as an admin and as a
 * member. Prints failures; passes (exit code 0) when every failed check has a named exception.
 */
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { mochaGlobalTeardown, testMongoUri } from '../support/mongod.ts';
import { pythonTools } from '../support/pythonTools.ts';
import { EXCEPTIONS, excusesOf } from './exceptions.ts';
import type { Report } from './report.ts';
import { REQUIREMENTS, schemathesis } from './run.ts';
import { stageOf } from './stage.ts';

const HELP = `npm run test:schemathesis -- [options]

  --draws <n>     requests drawn for each operation (60)
  --phases <p,…>  examples,coverage,fuzzing,stateful (all)
  --seed <n>      of what is drawn`;

const { values: options } = parseArgs({
  options: {
    draws: { type: 'string', default: '60' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', default: false },
  },
});

/** In the hand-made set: a member of the project that is asked for. */
const MEMBER = 2;
const DATABASE = `schemathesis_${process.pid}`;

if (options.help) console.log(HELP);
else process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  const tools = await pythonTools(REQUIREMENTS);
  const uri = await testMongoUri();
  const client = await MongoClient.connect(uri);
  const used = new Set<string>();
  let wrong = 0;
  try {
    const stage = await stageOf({ uri, name: DATABASE, db: client.db(DATABASE) });
    const tokens = { admin: stage.token, member: await stage.service.token(MEMBER) };
    for (const [who, token] of Object.entries(tokens)) {
      const seed = Number(options.seed);
      const phases = options.phases.split(',');
      console.log(`\nAs ${who}, seed ${seed}:`);
      const onOutput = (text: string) => void process.stderr.write(text);
      const asked = { ...stage, token, seed, phases, draws: Number(options.draws), onOutput };
      const report = await schemathesis(tools, asked);
      wrong += judge(report, used);
      if (who === 'admin') wrong += await untried(report, stage.url);
    }
    await stage.service.stop();
  } finally {
    await client.db(DATABASE).dropDatabase();
    await client.close();
    await mochaGlobalTeardown();
  }
  const unused = EXCEPTIONS.filter(({ name }) => !used.has(name));
  for (const { name } of unused) console.log(`The exception "${name}" was of no use.`);
  console.log(wrong === 0 ? 'Nothing is wrong.' : `${wrong} answers are wrong.`);
  return wrong === 0;
}

/** How many operations gave no success, with their names printed: nothing was asked that is there. */
async function untried({ answered }: Report, url: string): Promise<number> {
  const document = await fetch(`${url}/openapi.json`);
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // No definition file is served here: the routes of its tables have tests of their own.
  const missing = operations.filter(
    (one) => !one.includes('{table}') && !answered.has(`${one} 2xx`),
  );
  for (const one of missing) console.log(`${one} never succeeded.`);
  return missing.length;
}

function judge({ failed, errors, requests }: Report, used: Set<string>): number {
  const wrong = failed.filter((one) => excusesOf(one) === undefined);
  const excuses = failed.flatMap((one) => excusesOf(one) ?? []);
  console.log(
    `${requests} requests, ${failed.length - wrong.length} failed checks that are right:`,
  );
  for (const { name, why } of EXCEPTIONS) {
    const count = excuses.filter((one) => one.name === name).length;
    if (count === 0) continue;
    used.add(name);
    console.log(`  ${count}: ${name}. ${why}`);
  }
  for (const text of [...errors, ...wrong.slice(0, 50).map(({ shown }) => shown)])
    console.log(text);
  return wrong.length + errors.length;
}
