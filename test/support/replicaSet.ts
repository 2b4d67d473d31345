/** A replica set of three on this machine, whose members can be killed, frozen and started again. */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Mongod } from '../../src/dev/embedded/mongod.ts';
import { freePort } from './freePort.ts';
import { startMongod } from './mongod.ts';

export interface ReplicaSetOptions {
  /** Server parameters, such as `syncdelay=1`. */
  readonly parameters?: readonly string[];
  /** The port under which the others and all clients know a member, for one that is a proxy's. */
  readonly knownAs?: (port: number) => Promise<number>;
  /** How long the others do without a primary before they elect one. */
  readonly electionTimeoutMs?: number;
  readonly oplogMb?: number;
}

interface Launch {
  readonly parameters: readonly string[];
  readonly oplogMb: number;
}

/** One mongod of the set. */
export class Member {
  /** Where it listens. */
  readonly port: number;
  /** Where the set says it is. */
  readonly address: string;
  readonly #folder: string;
  readonly #launch: Launch;
  #running: Mongod | undefined;

  constructor(options: { port: number; knownAs: number; folder: string; launch: Launch }) {
    this.port = options.port;
    this.address = `127.0.0.1:${options.knownAs}`;
    this.#folder = options.folder;
    this.#launch = options.launch;
  }

  /** To this member alone, whatever stands between it and the others. */
  get directUri(): string {
    return `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
  }

  /** Starts it, on the data it has. */
  async start(): Promise<void> {
    const { parameters, oplogMb } = this.#launch;
    const args = [
      ['--journalCommitInterval', '10'],
      ['--wiredTigerCacheSizeGB', '0.25'],
      ['--oplogSize', String(oplogMb)],
      ['--setParameter', 'enableTestCommands=1'],
      ['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...parameters.map((parameter) => ['--setParameter', parameter]),
    ].flat();
    const options = { port: this.port, dbPath: this.#folder, replSet: 'three', args };
    this.#running = await startMongod(options);
  }

  /** Ends it the hard way. */
  async kill(): Promise<void> {
    await this.#running?.kill();
  }

  /** It keeps its connections, and does nothing any more. */
  freeze(): void {
    this.#running!.mongodProcess!.kill('SIGSTOP');
  }

  /** Goes on; one that has ended by itself stays so. */
  thaw(): void {
    this.#running!.mongodProcess?.kill('SIGCONT');
  }
}

export class ReplicaSet {
  readonly uri: string;
  readonly members: readonly Member[];
  readonly #folder: string;

  private constructor(folder: string, members: readonly Member[]) {
    this.#folder = folder;
    this.members = members;
    const hosts = members.map(({ address }) => address).join();
    this.uri = `mongodb://${hosts}/?replicaSet=three&serverSelectionTimeoutMS=20000`;
  }

  static async start(options: ReplicaSetOptions = {}): Promise<ReplicaSet> {
    const { parameters = [], oplogMb = 128 } = options;
    const launch = { parameters, oplogMb };
    const root = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-three-'));
    const members: Member[] = [];
    for (const name of ['a', 'b', 'c']) {
      const port = await freePort();
      const folder = path.join(root, name);
      await fs.mkdir(folder);
      const knownAs = (await options.knownAs?.(port)) ?? port;
      const member = new Member({ port, knownAs, folder, launch });
      await member.start();
      members.push(member);
    }
    const set = new ReplicaSet(root, members);
    await set.#initiate(options.electionTimeoutMs ?? 1_000);
    return set;
  }

  async #initiate(electionTimeoutMillis: number): Promise<void> {
    const client = await MongoClient.connect(this.members[0]!.directUri);
    await client.db('admin').command({
      replSetInitiate: {
        _id: 'three',
        members: this.members.map(({ address }, _id) => ({ _id, host: address })),
        settings: { electionTimeoutMillis, heartbeatIntervalMillis: 200 },
      },
    });
    await client.close();
  }

  /** The member that is primary now. */
  async primary(client: MongoClient): Promise<Member> {
    const hello = () => client.db('admin').command({ hello: 1 });
    // The driver runs no command again whose connection an election has closed.
    const { me } = await hello().catch(hello);
    const member = this.members.find(({ address }) => address === me);
    if (!member) throw new Error(`${me} is no member`);
    return member;
  }

  /** Ends the member that is primary the hard way, and starts it again after `downMs`. */
  async killPrimary(client: MongoClient, downMs: number): Promise<void> {
    const member = await this.primary(client);
    await member.kill();
    await sleep(downMs);
    await member.start();
  }

  /** The secondaries get nothing more of the primary's, until the returned function is called. */
  async stopReplication(client: MongoClient): Promise<() => Promise<void>> {
    const primary = await this.primary(client);
    const secondaries = this.members.filter((member) => member !== primary);
    const clients = await Promise.all(
      secondaries.map(({ directUri }) => MongoClient.connect(directUri)),
    );
    const admins = clients.map((one) => one.db('admin'));
    const configureFailPoint = 'stopReplProducer';
    const counts = await Promise.all(
      admins.map((admin) => admin.command({ configureFailPoint, mode: 'alwaysOn' })),
    );
    await Promise.all(
      admins.map((admin, i) =>
        admin.command({
          waitForFailPoint: configureFailPoint,
          timesEntered: Number(counts[i]!.count) + 1,
          maxTimeMS: 20_000,
        }),
      ),
    );
    return async () => {
      await Promise.all(admins.map((admin) => admin.command({ configureFailPoint, mode: 'off' })));
      await Promise.all(clients.map((one) => one.close()));
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
    await fs.rm(this.#folder, { recursive: true, force: true });
  }
}

/** Has the primary step down, and a second later its successor. */
export async function stepDownTwice(client: MongoClient): Promise<void> {
  for (let i = 0; i < 2; i++) {
    await stepDown(client);
    await sleep(1_000);
  }
}

/** Has the primary step down. */
async function stepDown(client: MongoClient): Promise<void> {
  const command = { replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 };
  await client
    .db('admin')
    .command(command)
    .catch(() => {});
}

/** A mongod that belongs to no replica set. */
export async function startStandalone(): Promise<{ uri: string; stop(): Promise<void> }> {
  const dbPath = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-alone-'));
  const port = await freePort();
  const mongod = await startMongod({ port, dbPath });
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    async stop() {
      await mongod.kill();
      await fs.rm(dbPath, { recursive: true, force: true });
    },
  };
}
