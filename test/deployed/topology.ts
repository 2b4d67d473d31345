/** The processes of deploy/compose.yaml on this machine: three stores with users, two instances, the proxy. */
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type { Mongod } from '../../src/dev/embedded/mongod.ts';
import { freePort } from '../support/freePort.ts';
import { startMongod } from '../support/mongod.ts';
import type { Image } from './image.ts';

const run = promisify(execFile);
const DEPLOY = new URL('../../deploy/', import.meta.url);

/** A process of an image, that can be started, killed, told to end, started again. */
class Instance {
  readonly port: number;
  /** The folder of its checkpoint. */
  readonly checkpoints: string;
  readonly #image: Image;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  constructor(image: Image, port: number, env: Readonly<Record<string, string>>) {
    this.port = port;
    this.checkpoints = env.CHECKPOINT_DIR!;
    this.#image = image;
    this.#env = { ...image.env, ...env, PORT: String(port), HOST: '127.0.0.1' };
  }

  /** Until it is ready to answer. */
  async start(): Promise<void> {
    const [, ...args] = this.#image.command;
    const { folder: cwd } = this.#image;
    const log = await open(`${this.checkpoints}.log`, 'w');
    const stdio: StdioOptions = ['ignore', log.fd, log.fd];
    this.#child = spawn(process.execPath, args, { cwd, env: this.#env, stdio });
    await log.close();
    const ready = async () =>
      (await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined))?.status === 200;
    while (!(await ready())) {
      if (this.#child.exitCode !== null) {
        const said = await readFile(`${this.checkpoints}.log`, 'utf8');
        throw new Error(`it ended with ${this.#child.exitCode}: ${said}`);
      }
      await sleep(100);
    }
  }

  /** As a container runtime asks. */
  async isHealthy(): Promise<boolean> {
    const [, ...args] = this.#image.healthCheck;
    const asked = run(process.execPath, args, { env: this.#env });
    return await asked.then(
      () => true,
      () => false,
    );
  }

  /** Its exit code; null for a signal that it cannot heed. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    const [code] = await once(child, 'exit');
    return code;
  }
}

export interface Topology {
  /** The address of the proxy, or of the first instance where there is no nginx. */
  readonly url: string;
  readonly hasProxy: boolean;
  readonly instances: readonly [Instance, Instance];
  readonly rootUri: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** Functions that end what was started, the oldest first. */
type Ends = (() => unknown)[];

export async function startTopology(image: Image, folder: string): Promise<Topology> {
  const ends: Ends = [];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    return { ...(await start(image, folder, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(image: Image, folder: string, ends: Ends): Promise<Omit<Topology, 'stop'>> {
  const secrets = { root: randomBytes(12).toString('hex'), own: randomBytes(12).toString('hex') };
  const secret = randomBytes(32).toString('hex');
  const stores = await startStores(folder, ends);
  const members = stores.map(({ port }) => `127.0.0.1:${port}`).join();
  const setUp = path.join(image.folder, 'deploy/mongodb/setUp.mjs');
  const env = {
    MONGODB_ADMIN_URI: `mongodb://127.0.0.1:${stores[0]!.port}/?directConnection=true`,
    ...{ REPLICA_SET_MEMBERS: members, MONGODB_ROOT_PASSWORD: secrets.root },
    MONGODB_PASSWORD: secrets.own,
  };
  await run(process.execPath, [setUp], { env });
  const { services } = parse(await readFile(new URL('compose.yaml', DEPLOY), 'utf8'), {
    merge: true,
  });
  const uri = (user: string, password: string) =>
    `mongodb://${user}:${password}@${members}/?replicaSet=rs0&authSource=admin`;
  const instances: Instance[] = [];
  for (const name of ['instance-0', 'instance-1']) {
    const checkpoints = await volumeOf(services[name], image, folder);
    const own = {
      ...{ MONGODB_URI: uri('table_search', secrets.own), AUTH_JWT_SECRET: secret },
      METRICS_TOKEN: randomBytes(12).toString('hex'),
      CHECKPOINT_DIR: checkpoints,
    };
    instances.push(
      new Instance(image, await freePort(), { ...services[name].environment, ...own }),
    );
  }
  ends.push(() => Promise.all(instances.map((one) => one.end('SIGTERM'))));
  await Promise.all(instances.map((one) => one.start()));
  const proxy = await startProxy(
    folder,
    instances.map(({ port }) => port),
    ends,
  );
  return {
    url: `http://127.0.0.1:${proxy ?? instances[0]!.port}`,
    hasProxy: proxy !== undefined,
    instances: instances as unknown as Topology['instances'],
    rootUri: uri('root', secrets.root),
    secret,
  };
}

/**
 * The folder that stands for the instance's volume, with the image's files of its place, as the
 * runtime makes it.
 */
async function volumeOf(
  { volumes, environment }: { volumes: string[]; environment: Record<string, string> },
  image: Image,
  folder: string,
): Promise<string> {
  const [name, place] = volumes[0]!.split(':') as [string, string];
  if (place !== environment.CHECKPOINT_DIR) throw new Error('CHECKPOINT_DIR is on no volume');
  const own = path.join(folder, name);
  await cp(path.join(image.folder, place), own, { recursive: true });
  return own;
}

async function startStores(folder: string, ends: Ends) {
  const keyFile = path.join(folder, 'replica.key');
  await writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o600 });
  const stores: Mongod[] = [];
  for (const name of ['mongo-0', 'mongo-1', 'mongo-2']) {
    const dbPath = path.join(folder, name);
    await mkdir(dbPath);
    const args = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '128'];
    const port = await freePort();
    const store = await startMongod({ port, dbPath, replSet: 'rs0', keyFile, args });
    ends.push(() => store.kill());
    stores.push(store);
  }
  return stores;
}

/**
 * With the configuration of the compose file, its names and ports being those here.
 *
 * @returns its port; undefined without an nginx
 */
async function startProxy(folder: string, ports: readonly number[], ends: Ends) {
  const nginx = process.env.NGINX ?? 'nginx';
  const there = await run(nginx, ['-v']).catch(() => undefined);
  if (!there) return undefined;
  const port = await freePort();
  const text = await readFile(new URL('proxy/nginx.conf', DEPLOY), 'utf8');
  const own = text
    .replace('instance-0:8080', `127.0.0.1:${ports[0]}`)
    .replace('instance-1:8080', `127.0.0.1:${ports[1]}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/', `${folder}/nginx-`);
  const file = path.join(folder, 'nginx.conf');
  await writeFile(file, own);
  const args = ['-e', 'stderr', '-c', file, '-g', 'daemon off;'];
  const child = spawn(nginx, args, { stdio: 'ignore' });
  ends.push(() => child.kill('SIGTERM'));
  const answers = () => fetch(`http://127.0.0.1:${port}`).then(Boolean, () => false);
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await sleep(50);
  }
  return port;
}
