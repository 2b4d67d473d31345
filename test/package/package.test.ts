/** The tarballs of `npm run package`, installed into empty folders: the commands and the imports work there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { runningEmbedded } from '../../src/dev/embedded/running.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { ENV, installPackages, type Packages, run } from './installed.ts';

const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
const SECRET = 'a secret for tests only, of more than 32 bytes';

describe('the packages, installed from their tarballs', function packages() {
  this.timeout(240_000);
  const database = useDatabase();
  let installed: Packages;
  const running: ChildProcess[] = [];

  before(async function install() {
    this.timeout(300_000);
    installed = await installPackages();
  });
  afterEach(async () => {
    for (const child of running.splice(0)) {
      if (child.exitCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });
  after(() => installed?.remove());
  const dataDir = useFolder('package-data');

  /** The command that npm has put into `node_modules/.bin`. */
  const command = () => path.join(installed.service.folder, 'node_modules/.bin/table-search');

  function start(args: readonly string[], env: NodeJS.ProcessEnv) {
    const cwd = installed.service.folder;
    const child = spawn(command(), args, { cwd, env: { ...ENV, ...env } });
    running.push(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        printed += piece;
      });
    }
    const shows = (what: RegExp) =>
      until(
        () => {
          if (child.exitCode !== null) throw new Error(`it ended: ${printed}`);
          return what.exec(printed)?.[1];
        },
        `it does not print ${what}: ${printed}`,
        60_000,
      );
    return { child, shows, text: () => printed };
  }

  async function ends(child: ChildProcess): Promise<void> {
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).equal(0);
  }

  it('hold what they need: neither sources, nor maps, nor anything that runs at install', async () => {
    const { service, client } = installed;
    const first = (files: readonly string[]) => [
      ...new Set(files.map((file) => file.split('/')[0])),
    ];
    const of = [
      ...['build', 'deploy', 'dist', 'fixtures', 'package.json', 'README.md'],
      'tables.schema.json',
    ];
    expect(first(service.files)).members(of);
    expect(first(client.files)).members(['dist', 'package.json', 'README.md']);
    const all = [...service.files, ...client.files];
    expect(all.filter((file) => /\.map$|(?<!\.d)\.ts$|tsbuildinfo/.test(file))).eql([]);
    const lock = await readFile(path.join(service.folder, 'package-lock.json'), 'utf8');
    const there = JSON.parse(lock).packages as Record<string, { hasInstallScript?: boolean }>;
    const scripts = Object.keys(there).filter((name) => there[name]!.hasInstallScript);
    expect(scripts).eql([]);
    expect(Object.keys(there).filter((name) => /sdk-trace|swagger-ui/.test(name))).eql([]);
    const { dependencies } = JSON.parse(
      await readFile(path.join(client.folder, 'node_modules', client.name, 'package.json'), 'utf8'),
    );
    expect(dependencies).equal(undefined);
  });

  it('run a demo that searches, assistants and programs can ask', async () => {
    const { folder } = installed.service;
    const demo = start(['demo', '--port', '0', '--data-dir', dataDir], {});
    await demo.shows(/(Ready) after/);
    const url = await demo.shows(/Listening on (\S+)/);
    const token = await demo.shows(/Admin's token \(user 1\): +(\S+)/);
    for (const page of ['/', '/docs/swagger-ui-bundle.js']) {
      expect((await fetch(`${url}${page}`)).status, page).equal(200);
    }
    const env = { ...ENV, TABLE_SEARCH_URL: url, TABLE_SEARCH_TOKEN: token };

    // npx finds the installed package, and fetches nothing.
    const search = ['--no', 'table-search', 'search', 'tasks', '-q', 'backup', '-n', '1', '--json'];
    const asking = spawn('npx', search, { cwd: folder, env });
    running.push(asking);
    expect(JSON.parse(await text(asking.stdout)).data.length).equal(1);

    const assistant = new Client({ name: 'a test', version: '1' });
    await assistant.connect(
      new StdioClientTransport({
        command: command(),
        args: ['mcp'],
        env: env as Record<string, string>,
      }),
    );
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).include('search');
    await assistant.close();

    const { client, service } = installed;
    await imported(client.folder, client.name, ['nodenext', 'preserve'], url, token);
    // The same types by other `exports`.
    await imported(folder, `${service.name}/client`, ['nodenext'], url, token);
    // Requests do not push the address away.
    expect(demo.text().trimEnd().split('\n').at(-1)).include(url);
    await ends(demo.child);
  });

  /** A program that uses the client compiles with all its types looked at, and runs. */
  async function imported(
    folder: string,
    name: string,
    modules: readonly string[],
    baseUrl: string,
    token: string,
  ) {
    const program = `
import { createClient, type Task } from '${name}';
const client = createClient({ baseUrl: '${baseUrl}', token: '${token}' });
const { data, meta } = await client.table('adminTasks').search({ pagination: { per_page: 1 } });
const first: Task | undefined = data[0];
// @ts-expect-error: the types are there, and know what a page has
meta.pagination.nothing;
console.log(typeof first?.task_id, meta.pagination.total_items > 0);
`;
    await writeFile(path.join(folder, 'program.ts'), program);
    for (const module of modules) {
      const options = [
        '--module',
        module,
        '--target',
        'es2023',
        '--lib',
        'es2023,dom,dom.iterable',
      ];
      const checks = ['--strict', '--skipLibCheck', 'false', '--types', ''];
      await run(TSC, ['--ignoreConfig', ...options, ...checks, 'program.ts'], folder).catch(
        (error) => {
          throw new Error(error.stdout);
        },
      );
    }
    const { stdout } = await run(process.execPath, ['program.js'], folder);
    expect(stdout).equal('string true\n');
  }

  it('run a service over a store, which says what is missing for traces', async () => {
    const settings = {
      MONGODB_URI: database.uri,
      MONGODB_DB: database.name,
      AUTH_JWT_SECRET: SECRET,
      PORT: '0',
    };
    const service = start(['serve'], settings);
    const url = await service.shows(/"url":"([^"]+)"/);
    expect((await fetch(`${url}/livez`)).status).equal(200);
    await ends(service.child);

    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const env = { ...ENV, ...settings, ...endpoint };
    const traced = spawn(command(), ['serve'], { cwd: installed.service.folder, env });
    running.push(traced);
    const [said, [code]] = await Promise.all([text(traced.stdout), once(traced, 'close')]);
    expect(code).equal(1);
    const lines = said.trimEnd().split('\n');
    expect(lines.length, said).equal(1);
    expect(JSON.parse(lines[0]!).msg).match(
      /^OTEL_EXPORTER_OTLP_ENDPOINT asks for traces, .*npm install @opentelemetry\/api@\^1/,
    );
  });

  // The demo ends in this way too: test/cli/demoFailures.test.ts.
  it('end the service with 1 where a part of them is missing, and its mongod with it', async () => {
    const folder = path.join(installed.service.folder, 'node_modules', installed.service.name);
    await rm(path.join(folder, 'build/kernel.wasm'));
    const settings = { DATA_DIR: dataDir, PORT: '0', AUTH_JWT_SECRET: SECRET };
    const { child, text: printed } = start(['serve'], settings);
    await until(() => child.exitCode !== null, `it does not end: ${printed()}`, 60_000);
    expect(child.exitCode, printed()).equal(1);
    expect(printed(), printed()).match(/kernel\.wasm/);
    expect(await runningEmbedded(dataDir), 'its mongod').equal(undefined);
  });
});
