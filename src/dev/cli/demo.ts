/**
 * `npm run demo`, `table-search demo`: a store, demo data, the service, and what to try.
 *
 *     port ─► mongod (embedded, or MONGODB_URI) ─► demo data if the store is empty ─► service ─► lines to paste
 *
 * Ctrl-C ends all of it, the embedded mongod too. The data stays in DATA_DIR for the next start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { buildIndexes } from '../../apps/admin/databaseIndexes.ts';
import { CliError } from '../../cli/failure.ts';
import { aborted, interruption } from '../../cli/interruption.ts';
import { type Config, readConfig, storeUri, tokenKeysIn } from '../../config.ts';
import { createLog, formatted, type Log } from '../../log.ts';
import { Progress } from '../../progress.ts';
import { mintToken } from '../../serve/auth/mint.ts';
import type { DemoPeople } from '../../serve/routes/webUi.ts';
import { type Door, openDoor } from '../../serve/server/door.ts';
import { startService } from '../../service.ts';
import { textIn } from '../../settings.ts';
import { dataDirOf, demoSecret } from '../demoSecret.ts';
import { runningEmbedded } from '../embedded/running.ts';
import { startEmbedded } from '../embedded/server.ts';
import { type LoadReport, loadDemo } from '../fixtures/load/load.ts';

const DEMO = { tasks: 50_000, seed: 1 };
const MEMBERS_PROJECT = '0993998b-42f5-49de-a4db-b30aa9798041';

/** How often it is asked whether the service is ready, milliseconds. */
const READY_MS = 100;

const say = (text: string) => console.log(text);

/**
 * The environment, with the demo's own secret where no other way to check tokens is set. Requests are in
 * the log where LOG_LEVEL asks for them: the address is to stay the last line on the screen.
 */
function settings(given: NodeJS.ProcessEnv): Config {
  const env: NodeJS.ProcessEnv = { ...given, LOG_LEVEL: textIn(given, 'LOG_LEVEL') ?? 'warn' };
  if (tokenKeysIn(env).length > 0) return readConfig(env);
  return readConfig({ ...env, AUTH_JWT_SECRET: demoSecret(dataDirOf(env)) });
}

/**
 * Runs until it is ended.
 *
 * @throws CliError where it cannot go on, and when it is ended before it is ready
 */
export async function runDemo(env: NodeJS.ProcessEnv): Promise<void> {
  const config = settings(env);
  const log = createLog(config.logLevel, formatted(process.stdout));
  await refuseSecond(config);
  const door = await openDoor(config, log);
  try {
    await behind(door, config, log);
  } finally {
    // Where the service has not closed it: an open port keeps the process.
    await door.close(0);
  }
}

/** @throws CliError when another demo or service works on the folder */
async function refuseSecond(config: Config): Promise<void> {
  const { dataDir } = config;
  if (storeUri(config, undefined) !== undefined || !(await runningEmbedded(dataDir))) return;
  const command =
    process.env.npm_lifecycle_event === 'demo' ? 'npm run demo --' : 'table-search demo';
  const another = `Another one beside it: ${command} --port 0 --data-dir ${dataDir}-2`;
  throw new CliError(`A demo or a service runs already on ${dataDir}. ${another}`);
}

async function behind(door: Door, config: Config, log: Log): Promise<void> {
  const began = performance.now();
  const note = (_: object, message: string) => say(message);
  // The embedded store is made for demos, in any environment.
  const named = storeUri(config, undefined);
  const { uri, stop } =
    named === undefined
      ? await startEmbedded({
          dataDir: config.dataDir,
          log: { info: note, warn: note, error: note },
        }).catch(async (error) => {
          // The other of two simultaneous starts may hold the folder only now.
          await refuseSecond(config);
          throw error;
        })
      : { uri: named, stop: async () => {} };
  const stays = named === undefined ? ` The data stays in ${config.dataDir}.` : '';
  // Until there is something to end in order, Ctrl-C ends the process at once, and the mongod ends with it.
  const ended = interruption();
  ended.addEventListener('abort', () => console.error(`\nStopping.${stays}`));
  try {
    await load(uri, config, ended);
    const demoPeople = peopleOf(config);
    const service = await startService({ config, uri, log, door, demoPeople });
    try {
      await untilReady(service.url, ended);
      say(await whatToTry(service.url, demoPeople));
      if (named === undefined) say(`Its MongoDB, for clients of this machine: ${uri}`);
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      say(`Ready after ${seconds} s: ${service.url}/ is the web UI. Ctrl-C ends it.`);
      await aborted(ended);
    } finally {
      await service.stop();
    }
  } finally {
    await stop();
  }
}

/** The service's first look at its store may fail on a busy machine, and it looks again. */
async function untilReady(url: string, ended: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/readyz`);
    await answer.body?.cancel();
    ended.throwIfAborted();
    if (answer.ok) return;
    await delay(READY_MS);
  }
}

/** Demo data into an empty store; a store that holds something else is left as it is. */
async function load(uri: string, config: Config, signal: AbortSignal): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  const progress = new Progress(process.stderr);
  try {
    // A first operation that cannot connect says no more than that the topology is closed.
    await client.connect();
    const report = await loadDemo(client.db(config.mongodbDb), {
      ...DEMO,
      now: new Date(),
      buildIndexes,
      onProgress: ({ phase, done, total }) => progress.show(phase, done, total),
      signal,
    });
    signal.throwIfAborted();
    progress.end();
    if (report.outcome === 'kept') say(`The store keeps what it holds: ${report.holds}.`);
    else if (report.outcome === 'present')
      say(`The demo data is there already${datedText(report)}.`);
    else say(`Demo data loaded in ${report.seconds.toFixed(1)} s.`);
  } finally {
    progress.end();
    await client.close();
  }
}

/** When old demo data was new: its records of today were of that day. */
function datedText({ now }: LoadReport): string {
  const days = now ? Math.floor((Date.now() - now.getTime()) / 86_400_000) : 0;
  if (days < 1) return '';
  return `, ${days} ${days === 1 ? 'day' : 'days'} old (demo --data-dir <another folder> makes it anew)`;
}

async function whatToTry(url: string, people: DemoPeople | undefined): Promise<string> {
  const lines = ['', `Listening on ${url}`];
  if (!people) return lines.join('\n');
  const [admin = '', member = ''] = (await people()).map(({ token }) => token);
  return [
    ...lines,
    '',
    `Admin's token (user ${ADMIN}):   ${admin}`,
    '',
    `Member's token (user ${MEMBER}):  ${member}`,
    '',
    '# tasks with "timeout" anywhere: id, project, person, worker, exception …',
    curl(
      url,
      '/api/v2/admin/tasks/search',
      admin,
      '{"filters":{"q":"timeout"},"pagination":{"per_page":2}}',
    ),
    '',
    '# projects and people in any script, in any case',
    curl(url, '/api/v2/admin/projects/search', admin, '{"filters":{"q":"ΒΙΒΛΙΟΘΉΚΗ"}}'),
    '',
    "# the member's view: failed tasks of one project, latest first",
    curl(
      url,
      `/api/v2/projects/${MEMBERS_PROJECT}/tasks/search`,
      member,
      '{"filters":{"q":"failure"},"sorting":{"sort_by":"date_done"},"pagination":{"per_page":2}}',
    ),
    '',
  ].join('\n');
}

const curl = (url: string, path: string, token: string, body: string) =>
  `curl -s ${url}${path} -H 'Content-Type: application/json' -H 'Authorization: Bearer ${token}' -d '${body}'`;

/** Users of the hand-made set: Maren runs the platform, Tomás is a member of a few projects. */
export const ADMIN = 1;
export const MEMBER = 2;

/** For how long the demo's tokens are good, seconds. */
const LIFE_S = 30 * 86_400;

/** Whom the web UI of a demo offers to come in as, the admin first; nobody where tokens are made elsewhere. */
export function peopleOf(config: Config): DemoPeople | undefined {
  const { authJwtSecret: secret } = config;
  if (secret === undefined) return undefined;
  const person = async (userId: number, admin: boolean, name: string, about: string) => {
    const token = await mintToken({ userId, admin, lifeS: LIFE_S }, secret, config);
    return { user_id: userId, name, about, token };
  };
  return () =>
    Promise.all([
      person(ADMIN, true, 'Maren Østergaard', 'Admin: sees and changes everything'),
      person(MEMBER, false, 'Tomás Núñez Íñiguez', 'Member: sees their own projects'),
    ]);
}
