/** `npm run demo` where it cannot go on: a sentence and an exit code, never a stack. */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { runningEmbedded } from '../../src/dev/embedded/running.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { endOf, start as tableSearch } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';

const module = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;

/** Node's options for an installation without the optional packages: Node itself does not find them. */
const HOOKS = module(
  "export const resolve = (name, at, next) => next(name.startsWith('@opentelemetry/') ? `file:///nowhere/${name}` : name, at);",
);
const WITHOUT_OPEN_TELEMETRY = `--import ${module(
  `import { register } from 'node:module'; register(${JSON.stringify(HOOKS)});`,
)}`;

describe('npm run demo, when it cannot', function demo() {
  this.timeout(30_000);
  const database = useDatabase();
  const dataDir = useFolder('demo-failures');

  function start(env: Readonly<Record<string, string>>) {
    const child = tableSearch(['demo'], { PORT: '0', DATA_DIR: dataDir, ...env });
    return { child, ended: endOf(child) };
  }

  it('listen says that the port is taken, and what to do, before it loads anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const store = { MONGODB_URI: database.uri, MONGODB_DB: database.name };
    const { code, out, err } = await start({ ...store, PORT: String(port) }).ended;
    other.close();
    expect(code, err).equal(1);
    expect(out).equal('');
    expect(await database.db.listCollections().toArray()).eql([]);
    expect(err).equal(
      `table-search: Port ${port} is taken: set PORT to another, or to 0 for any.\n`,
    );
  });

  it('start the service ends all that it started, the mongod too', async () => {
    const folder = join(dataDir, 'started');
    mkdirSync(folder);
    const { child, ended } = start({
      DATA_DIR: folder,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      NODE_OPTIONS: WITHOUT_OPEN_TELEMETRY,
    });
    const over = new Promise<string>((resolve) => setTimeout(resolve, 60_000, 'alive').unref());
    const end = await Promise.race([ended, over]);
    const left = await runningEmbedded(folder);
    child.kill('SIGKILL');
    expect(end, 'the process').not.equal('alive');
    const { code, out, err } = await ended;
    expect(code, err).equal(1);
    expect(out).include('Demo data loaded');
    expect(err).match(/^table-search: OTEL_EXPORTER_OTLP_ENDPOINT .* npm install @open.*\n$/m);
    expect(left, 'its mongod').equal(undefined);
  }).timeout(90_000);

  it('reach the store says so', async () => {
    const { code, err } = await start({ MONGODB_URI: 'mongodb://127.0.0.1:1/' }).ended;
    expect(code).equal(5);
    expect(err).match(/^table-search: The store failed: .*127\.0\.0\.1:1\n$/);
  });

  it('rely on its secret says why', async () => {
    const folder = join(dataDir, 'secret');
    mkdirSync(folder);
    writeFileSync(join(folder, 'demo-secret'), 'short\n', { mode: 0o600 });
    const { code, err } = await start({ DATA_DIR: folder }).ended;
    expect(code).equal(1);
    expect(err).match(
      /^table-search: \S+demo-secret holds no secret; remove it to get a new one\n$/,
    );
  });

  it('use its folder says why', async () => {
    const file = join(dataDir, 'a-file');
    writeFileSync(file, '');
    const { code, err } = await start({ DATA_DIR: file }).ended;
    expect(code).equal(1);
    expect(err).match(/^table-search: \S+a-file cannot be used: .*\n$/);
  });

  for (const command of ['demo', 'fixtures']) {
    it(`be waited for: Ctrl-C ends ${command} at once while it looks for a mongod`, async () => {
      const slow = join(dataDir, `slow-mongod-${command}`);
      const asked = join(dataDir, `asked-${command}`);
      writeFileSync(slow, `#!/bin/sh\ntouch '${asked}'\nexec sleep 60 >/dev/null 2>&1\n`);
      chmodSync(slow, 0o755);
      const env = { PORT: '0', DATA_DIR: dataDir, MONGOMS_SYSTEM_BINARY: slow };
      const child = tableSearch([command], env);
      const ended = once(child, 'exit');
      await until(() => existsSync(asked));
      const began = performance.now();
      child.kill('SIGINT');
      const [code, signal] = await ended;
      expect(signal ?? code).equal('SIGINT');
      expect(performance.now() - began).lessThan(30_000);
    });
  }
});
