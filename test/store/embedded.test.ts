/**
 * The embedded mongod on the real thing: what it survives, and that nothing survives it.
 *
 * Each case starts mongods of its own on temporary folders; the run's shared one is not touched.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { MongoClient } from 'mongodb';
import { EmbeddedError } from '../../src/dev/embedded/binary.ts';
import { Mongod } from '../../src/dev/embedded/mongod.ts';
import { runningEmbedded } from '../../src/dev/embedded/running.ts';
import {
  type Embedded,
  type EmbeddedOptions,
  startEmbedded,
} from '../../src/dev/embedded/server.ts';
import { testLog as log } from '../support/mongod.ts';
import { until } from '../support/until.ts';

describe('embedded mongod', function () {
  this.timeout(60_000);
  let dataDir: string;
  const owned: Embedded[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-embedded-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const embedded of owned.splice(0)) await embedded.stop();
    await fs.rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  });

  async function start(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
    const embedded = await startEmbedded({ dataDir, log: silent, ...options });
    owned.push(embedded);
    return embedded;
  }

  /** With how long it took, milliseconds. */
  async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
    const since = performance.now();
    return [await work(), performance.now() - since];
  }

  /** Starts embeddedParent.ts in a process group of its own. */
  async function startParent(where: string): Promise<{ parent: ChildProcess } & Up> {
    const script = fileURLToPath(new URL('embeddedParent.ts', import.meta.url));
    const parent = spawn(process.execPath, ['--import=tsx', script, where], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    children.push(parent);
    const [line] = await once(parent.stdout!.setEncoding('utf8'), 'data');
    return { parent, ...(JSON.parse(line) as Up) };
  }

  describe('a kept folder', () => {
    it('is there again after a restart, about as soon as a new one, at the same address', async () => {
      const [first, newMs] = await timed(() => start());
      await write(first, 'one');
      await first.stop();
      const [second, againMs] = await timed(() => start());
      // An election by its own clock would take ten seconds.
      expect(againMs).to.be.below(2 * newMs + 3_000);
      expect(second.uri).to.equal(first.uri);
      await write(second, 'two');
      expect(await written(second)).to.deep.equal(['one', 'two']);
    });

    it('moves to another port when the last one is taken', async () => {
      const first = await start();
      await write(first, 'one');
      await first.stop();
      const occupant = net.createServer((socket) => socket.destroy());
      occupant.listen(first.port, '127.0.0.1');
      await once(occupant, 'listening');
      try {
        const second = await start();
        expect(second.port).not.to.equal(first.port);
        await write(second, 'two');
        expect(await written(second)).to.deep.equal(['one', 'two']);
        expect(await firstChange(second)).to.equal('insert');
      } finally {
        occupant.close();
      }
    });

    it('survives that its mongod was killed together with its owner', async () => {
      const { parent, pid } = await startParent(dataDir);
      process.kill(pid, 'SIGKILL');
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      expect(await written(await start())).to.deep.equal(['start']);
    });
  });

  describe('its end', () => {
    it('comes within seconds when the owner is killed, and the folder is free at once', async () => {
      const { parent, pid } = await startParent(dataDir);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      // Started while the old one is still closing the folder.
      const next = await start();
      // The folder is free a moment before the process is gone.
      await until(() => !isRunning(pid));
      expect(await written(next)).to.deep.equal(['start']);
    });

    it('waits, on Ctrl-C, until the owner has finished what is under way', async () => {
      const { parent, pid } = await startParent(dataDir);
      process.kill(-parent.pid!, 'SIGINT');
      const [code] = await once(parent, 'exit');
      expect(code).to.equal(0);
      expect(isRunning(pid)).to.equal(false);
      expect(await written(await start())).to.deep.equal(['start', 'after SIGINT']);
    });

    it('may be asked for twice', async () => {
      const embedded = await start();
      await Promise.all([embedded.stop(), embedded.stop()]);
      await embedded.stop();
      expect(isRunning(embedded.pid)).to.equal(false);
    });
  });

  describe('a crash', () => {
    it('is an error in the log, and the next start has the data', async () => {
      const said: string[] = [];
      const error = (_: object, message: string) => said.push(message);
      const embedded = await start({ log: { ...silent, error } });
      await write(embedded, 'one');
      process.kill(embedded.pid, 'SIGKILL');
      await until(() => said.length > 0);
      expect(said).to.deep.equal(['the embedded mongod ended unasked']);
      expect(await runningEmbedded(dataDir)).to.equal(undefined);
      expect(await written(await start())).to.deep.equal(['one']);
    });
  });

  describe('two on one folder', () => {
    it('are refused with the first one named, which goes on', async () => {
      const first = await start();
      const error = await failure(startEmbedded({ dataDir, log: silent }));
      expect(error.message).to.include(dataDir).and.include(`process ${first.pid}`);
      expect(await runningEmbedded(dataDir)).to.include({ uri: first.uri, pid: first.pid });
      await write(first, 'one');
    });

    it('that start at the same moment: one gets it', async () => {
      const both = await Promise.allSettled([start(), start()]);
      expect(both.map((outcome) => outcome.status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      const lost = both.find((outcome) => outcome.status === 'rejected');
      expect(lost?.reason.message).to.include('another mongod works on');
      await write(owned[0]!, 'one');
    });
  });

  describe('a mongod that cannot start', () => {
    it("tells mongod's own reason", async () => {
      await fs.mkdir(path.join(dataDir, 'db'));
      await fs.writeFile(path.join(dataDir, 'db', 'storage.bson'), 'not what belongs here');
      const error = await failure(startEmbedded({ dataDir, log: silent }));
      expect(error.message).to.include('Unable to read the storage engine metadata');
    });

    it('tells the reason of a bad parameter', async () => {
      const started = startEmbedded({ dataDir, parameters: ['noSuchParameter=1'], log: silent });
      expect((await failure(started)).message).to.include('noSuchParameter');
    });
  });

  describe('its output', () => {
    it('is read line by line, also where pieces end elsewhere', () => {
      const mongod = new Mongod({ path: 'mongod', version: '6.0.5', port: 1, dbPath: dataDir });
      const [first, second] = ['DBException in initAndListen, terminating', 'Now exiting'];
      const failed = `{"s":"E","msg":"${first}","attr":{"error":"DBPathInUse"}}\n{"s":"I",`;
      mongod.stdoutHandler(failed);
      mongod.stdoutHandler(`"msg":"${second}"}\n`);
      expect(mongod.errors).to.equal(`${first} {"error":"DBPathInUse"}`);
    });
  });

  describe('its settings', () => {
    it('keep it on loopback, its data from other eyes, without JavaScript, with a short journal interval', async () => {
      const embedded = await start();
      const client = await MongoClient.connect(embedded.uri);
      try {
        const { parsed } = await client.db('admin').command({ getCmdLineOpts: 1 });
        expect(parsed.net.bindIp).to.equal('127.0.0.1');
        expect(parsed.storage.journal.commitIntervalMs).to.equal(10);
        expect((await fs.stat(path.join(dataDir, 'db'))).mode & 0o077).to.equal(0);
        const things = client.db('kept').collection('things');
        await things.insertOne({});
        const error = await things.findOne({ $where: 'true' }).catch((thrown: Error) => thrown);
        expect(error)
          .to.be.instanceOf(Error)
          .with.property('message')
          .that.matches(/no globalScriptEngine/);
      } finally {
        await client.close();
      }
      for (const { address } of otherAddresses()) {
        expect(await accepts(embedded.port, address), address).to.equal(false);
      }
    });
  });
});

/** The line that embeddedParent.ts prints. */
interface Up {
  readonly pid: number;
  readonly uri: string;
}

/** For cases that expect trouble. */
const silent = { ...log, warn: () => {}, error: () => {} };

async function withThings<T>(
  embedded: Embedded,
  use: (things: ReturnType<ReturnType<MongoClient['db']>['collection']>) => Promise<T>,
): Promise<T> {
  const client = await MongoClient.connect(embedded.uri);
  try {
    return await use(client.db('kept').collection('things'));
  } finally {
    await client.close();
  }
}

const write = (embedded: Embedded, when: string) =>
  withThings(embedded, (things) => things.insertOne({ when }, { writeConcern: { j: true } }));

const written = (embedded: Embedded): Promise<string[]> =>
  withThings(embedded, async (things) => {
    const found = await things.find().sort({ _id: 1 }).toArray();
    return found.map((thing) => thing.when);
  });

/** Opens a change stream, writes, and returns the event: only a working primary gets that far. */
const firstChange = (embedded: Embedded): Promise<string> =>
  withThings(embedded, async (things) => {
    const changes = things.watch();
    const next = changes.next();
    await changes.tryNext();
    await things.insertOne({});
    const { operationType } = await next;
    await changes.close();
    return operationType;
  });

async function failure(started: Promise<Embedded>): Promise<EmbeddedError> {
  const error = await started.then(
    (embedded) => embedded.stop(),
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(EmbeddedError);
  return error as EmbeddedError;
}

/** A process that has ended but was not waited for yet (a zombie) counts as gone. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const otherAddresses = () =>
  Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host, timeout: 1000 });
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
