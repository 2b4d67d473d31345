/** A replica set of three on this machine, whose members can be killed and started again. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { findMongod } from '../../../src/mongo/embedded/binary.ts';
import { type Guarded, runGuarded } from '../../../src/mongo/embedded/guard.ts';
import { freePort, isListening } from '../../../src/mongo/embedded/port.ts';
import { testLog } from '../../support/mongod.ts';

interface Member {
  readonly port: number;
  readonly folder: string;
  running: Guarded;
}

export class ReplicaSet {
  readonly uri: string;
  readonly #members: readonly Member[];
  readonly #folder: string;
  readonly #command: string;
  readonly #parameters: readonly string[];

  private constructor(
    command: string,
    folder: string,
    members: readonly Member[],
    parameters: readonly string[],
  ) {
    this.#command = command;
    this.#folder = folder;
    this.#members = members;
    this.#parameters = parameters;
    const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join();
    this.uri = `mongodb://${hosts}/?replicaSet=three&serverSelectionTimeoutMS=20000`;
  }

  static async start(parameters: readonly string[] = []): Promise<ReplicaSet> {
    const { path: command } = await findMongod({ log: testLog });
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-three-'));
    const members: Member[] = [];
    for (const name of ['a', 'b', 'c']) {
      const port = await freePort();
      const own = path.join(folder, name);
      await fs.mkdir(own);
      members.push({ port, folder: own, running: await run(command, own, port, parameters) });
    }
    const set = new ReplicaSet(command, folder, members, parameters);
    await set.#initiate();
    return set;
  }

  async #initiate(): Promise<void> {
    const [first] = this.#members;
    for (const { port } of this.#members) while (!(await isListening(port))) await sleep(50);
    const client = await MongoClient.connect(
      `mongodb://127.0.0.1:${first!.port}/?directConnection=true`,
    );
    await client.db('admin').command({
      replSetInitiate: {
        _id: 'three',
        members: this.#members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` })),
        settings: { electionTimeoutMillis: 1_000, heartbeatIntervalMillis: 200 },
      },
    });
    await client.close();
  }

  /** Ends the member that is primary the hard way, and starts it again after `downMs`. */
  async killPrimary(client: MongoClient, downMs: number): Promise<void> {
    const { me } = await client.db('admin').command({ hello: 1 });
    const member = this.#members.find(({ port }) => me === `127.0.0.1:${port}`)!;
    process.kill(member.running.pid, 'SIGKILL');
    await member.running.exited;
    await sleep(downMs);
    member.running = await run(this.#command, member.folder, member.port, this.#parameters);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map(({ running }) => running.end()));
    await fs.rm(this.#folder, { recursive: true, force: true });
  }
}

/** Has the primary step down, and a second later its successor. */
export async function stepDownTwice(client: MongoClient): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const stepDown = { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 };
    await client
      .db('admin')
      .command(stepDown)
      .catch(() => {});
    await sleep(1_000);
  }
}

/** A mongod that belongs to no replica set. */
export async function startStandalone(): Promise<{ uri: string; stop(): Promise<void> }> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-alone-'));
  const port = await freePort();
  const { path: command } = await findMongod({ log: testLog });
  const args = [
    ['--dbpath', folder],
    ['--port', String(port)],
    ['--bind_ip', '127.0.0.1'],
    ['--nounixsocket'],
    ['--logpath', path.join(folder, 'mongod.log')],
  ].flat();
  const running = await runGuarded({ command, args, endSignal: 'KILL', removeAfter: folder });
  while (!(await isListening(port))) await sleep(50);
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    async stop() {
      await running.end();
    },
  };
}

function run(
  command: string,
  folder: string,
  port: number,
  parameters: readonly string[],
): Promise<Guarded> {
  const args = [
    ['--dbpath', folder],
    ['--port', String(port)],
    ['--bind_ip', '127.0.0.1'],
    ['--nounixsocket'],
    ['--replSet', 'three'],
    ['--journalCommitInterval', '10'],
    ['--wiredTigerCacheSizeGB', '0.25'],
    ['--oplogSize', '128'],
    ['--logpath', path.join(folder, 'mongod.log')],
    ['--logappend'],
    ['--setParameter', 'enableTestCommands=1'],
    ['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...parameters.map((parameter) => ['--setParameter', parameter]),
  ].flat();
  return runGuarded({ command, args, endSignal: 'KILL' });
}
