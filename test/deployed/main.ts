/**
 * `npm run test:deploy`: the deployment of deploy/, without containers. It takes some minutes and
 * the network: packages are installed.
 *
 *     Dockerfile's steps ──► image in a folder ──► three stores, setUp.mjs, two instances, nginx ──► questions, while instances end
 *
 * nginx is the one on the PATH, or the one that NGINX names; without it the instances are asked themselves.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { createClient } from '../../clients/typescript/index.ts';
import { loadFixtures } from '../../src/dev/fixtures/load/load.ts';
import { mintToken } from '../../src/serve/auth/mint.ts';
import { buildImage } from './image.ts';
import { startTopology, type Topology } from './topology.ts';

const WRITES = 100;
const say = (text: string) => console.log(text);
const folder = await mkdtemp(path.join(os.tmpdir(), 'table-search-deployed-'));
let topology: Topology | undefined;
try {
  const image = await buildImage(folder, say);
  say('The image is there; three stores, two instances and the proxy are started.');
  topology = await startTopology(image, folder);
  await asked(topology);
  say('All of it holds.');
} finally {
  await topology?.stop();
  await rm(folder, { recursive: true, force: true });
}

async function asked({ url, hasProxy, instances, rootUri, secret }: Topology): Promise<void> {
  const root = await MongoClient.connect(rootUri);
  await loadFixtures(root.db('table_search'));
  await root.close();
  say(hasProxy ? 'proxy: nginx' : 'proxy: SKIPPED, there is no nginx (NGINX names one)');

  for (const one of instances) expect(await one.isHealthy(), 'health check').equal(true);
  const options = { authIssuer: undefined, authAudience: undefined };
  const token = await mintToken({ userId: 1, admin: true, lifeS: 3_600 }, secret, options);
  // No tries of its own: what is lost shows.
  const client = createClient({ baseUrl: url, token, retries: 0 });
  const tasks = client.table('adminTasks');
  const { total_items: total } = (await tasks.search()).meta.pagination;
  expect(total).greaterThan(30);
  expect(await (await fetch(url)).text(), 'the web UI').include('<script');
  if (hasProxy) expect((await fetch(`${url}/metrics`)).status, 'figures').equal(404);
  const schedules = await client.table('adminSchedules').search({ filters: { enabled: true } });
  const { schedule_id } = schedules.data[0]! as { schedule_id: string };
  await client.schedules.disable({ schedule_id });
  const audit = await client.table('audit').search();
  expect(audit.data.map(({ action }) => action)).eql(['schedule.disable']);
  for await (const event of tasks.watch()) {
    expect(event.type).equal('answer');
    break;
  }
  say('health checks, the web UI, searches, a change, an event stream: as they should be');
  await changeInstances(instances, token);
  say(`${WRITES} writes, each read at once at the other instance: none is missed`);
  if (hasProxy)
    await whileInstancesEnd(instances, async () => {
      expect((await tasks.search()).meta.pagination.total_items).equal(total);
    });
  const codes = [];
  for (const one of instances) codes.push(await one.end('SIGTERM'));
  expect(codes, 'exit codes').eql([0, 0]);
  for (const { checkpoints } of instances) {
    const files = await readdir(checkpoints);
    expect(files, 'files of a checkpoint').length(1);
    const { mode } = await stat(path.join(checkpoints, files[0]!));
    expect(mode & 0o777, 'mode of the checkpoint').equal(0o600);
  }
  say('each instance has left a checkpoint in its volume');
}

/** A client whose every request goes to another instance, as behind a balancer that knows no sessions. */
async function changeInstances(instances: Topology['instances'], token: string): Promise<void> {
  let turn = 0;
  const client = createClient({
    ...{ baseUrl: 'http://127.0.0.1', token, retries: 0 },
    fetch(input, init) {
      const url = new URL(String(input));
      url.port = String(instances[turn++ % instances.length]!.port);
      return fetch(url, init);
    },
  });
  const schedules = client.table('adminSchedules');
  const { schedule_id } = (await schedules.search()).data[0]! as { schedule_id: string };
  let missed = 0;
  for (let i = 0; i < WRITES; i++) {
    const isOn = i % 2 === 0;
    await (isOn
      ? client.schedules.enable({ schedule_id })
      : client.schedules.disable({ schedule_id }));
    const { data } = await schedules.search({ filters: { schedule_id } });
    if (data[0]!.enabled !== isOn) missed += 1;
    // So that the next write is at the other one.
    turn += 1;
  }
  expect(missed, 'missed writes').equal(0);
}

/** Asked all the time, while one is killed and comes back, and then the other is told to end and comes back. */
async function whileInstancesEnd(
  [first, second]: Topology['instances'],
  ask: () => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  let [answered, lost] = [0, 0];
  const asking = (async () => {
    while (!stop.signal.aborted) {
      await ask().then(
        () => answered++,
        (error: Error) => {
          lost++;
          say(`lost: ${error.message}`);
        },
      );
      await sleep(5);
    }
  })();
  await sleep(1_000);
  await first.end('SIGKILL');
  await sleep(1_000);
  await first.start();
  // As long as the proxy avoids one that had failed, and more: see docs/operations.md.
  await sleep(5_000);
  expect(await second.end('SIGTERM')).equal(0);
  await second.start();
  await sleep(1_000);
  stop.abort();
  await asking;
  say(
    `${answered} searches while one instance was killed, then the other told to end; ${lost} lost`,
  );
  expect(lost).equal(0);
}
