/** `table-search open`: from a URI to tables that a token of this run may search, and nothing written. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { loadDemo } from '../../src/dev/fixtures/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { run, start } from '../support/tableSearch.ts';
import { until } from '../support/until.ts';
import { fillOddities } from '../tables/sample/oddities.ts';

interface Table {
  readonly name: string;
  readonly count: number | null;
}

describe('table-search open', function opens() {
  this.timeout(180_000);
  const database = useDatabase();
  const ended = new AbortController();
  let child: ChildProcess;
  let said = '';
  let remarks = '';
  let url: string;
  let token: string;
  let stored: unknown;

  const uriWith = (name: string) => {
    const [, host, options = ''] = /^(mongodb:\/\/[^/]+)\/?(\?.*)?$/.exec(database.uri)!;
    return `${host}/${name}${options}`;
  };
  const inStore = async () => {
    const collections = await database.db.listCollections({}, { bsonRegExp: true }).toArray();
    const each = collections.map(async ({ name, type }) => [
      name,
      await database.db.collection(name).countDocuments(),
      type === 'collection' && (await database.db.collection(name).indexes()),
    ]);
    return (await Promise.all(each)).sort();
  };

  after(() => child.kill('SIGKILL'));
  const folder = useFolder('open');
  before(async () => {
    await loadDemo(database.db, { tasks: 1_000, seed: 5, buildIndexes: async () => {} });
    await fillOddities(database.db);
    stored = await inStore();
    // Settings for another service are not those of this run.
    const env = { TMPDIR: folder, AUTH_JWKS_URL: 'https://keys.example.com/', PORT: '1' };
    child = start(['open', uriWith(database.name)], env);
    child.stdout!.on('data', (chunk) => {
      said += chunk;
    });
    child.stderr!.on('data', (chunk) => {
      remarks += chunk;
    });
    child.once('exit', () => ended.abort());
    const link = await until(
      () => /^(\S+)\/#token=(\S+)\n/.exec(said) ?? undefined,
      'no link',
      120_000,
    );
    [, url, token] = link as unknown as [string, string, string];
  });

  const ask = async (route: string, body?: object, bearer = token) => {
    const response = await fetch(`${url}/api/v2/tables${route}`, {
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: ended.signal,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('prints a link alone on stdout, to loopback', () => {
    expect(url).match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(said.trim()).equal(`${url}/#token=${token}`);
  });

  it('says on stderr how to stop, and how to keep the tables', async () => {
    const says = /it signs in\. Ctrl-C ends it\.\n.*table-search init … -o tables\.yaml\n/;
    await until(() => says.test(remarks), `stderr has no such line: ${remarks}`);
  });

  it('shows the collections as tables to this token alone', async () => {
    const tables = (await ask('')).body.data as readonly Table[];
    expect(tables.map(({ name }) => name)).include.members([
      ...['orders', 'customers', 'mixed_grossen', 'large', 'empty', 'tasks', 'users'],
    ]);
    expect(tables.map(({ name }) => name)).not.include('views');
    expect(tables[0]!.name, 'of the largest collection').equal('orders');
    const { status, body } = await ask('/orders/search', { filters: { q: 'shipped' } });
    expect(status).equal(200);
    expect(body.meta).nested.property('pagination.total_items', 1_000);
    expect((await ask('', undefined, `${token.slice(0, -4)}AAAA`)).status).equal(401);
  });

  it('comes to count every table by the index, and sees changes', async () => {
    const counts = async () => {
      const tables = (await ask('')).body.data as readonly Table[];
      return Object.fromEntries(tables.map(({ name, count }) => [name, count]));
    };
    const whole = async () => {
      return !Object.values(await counts()).includes(null);
    };
    await until(whole, 'the index did not come', 90_000);
    expect(await counts()).include({
      ...{ orders: 3_000, customers: 300, mixed_grossen: 5, large: 4, empty: 0 },
      tasks: await database.db.collection('tasks').countDocuments(),
    });
    const { db } = database;
    await db.collection('orders').deleteOne({ number: 'O-7' });
    await until(async () => (await counts()).orders === 2_999, 'the change did not come', 60_000);
    await db.collection('orders').insertOne({ number: 'O-7' });
  });

  it('ends with Ctrl-C, and has written nothing to the store or to disk', async () => {
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).equal(0);
    expect(await inStore()).eql(stored);
    expect(readdirSync(folder).filter((name) => !name.startsWith('tsx-'))).eql([]);
  });

  it('ends with Ctrl-C at once while the store is silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    const connected = once(silent, 'connection');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      const waiting = start(['open', `mongodb://127.0.0.1:${port}/shop`], {});
      await connected;
      waiting.kill('SIGINT');
      const [code, signal] = await once(waiting, 'exit');
      expect(signal ?? code).to.equal('SIGINT');
    } finally {
      silent.close();
    }
  });

  it('says in one line that there is nothing to open', async () => {
    const { code, out, err } = await run(['open', uriWith(`${database.name}_none`)], {});
    expect({ code, out }).eql({ code: 4, out: '' });
    expect(err).match(/has no collection to make a table of\.\n$/);
  });

  it('names its option where the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, out, err } = await run(['open', uriWith(database.name), '--port', `${port}`], {});
    other.close();
    expect({ code, out }).eql({ code: 1, out: '' });
    const said = `table-search: --port ${port} cannot be listened on (EADDRINUSE); leave it out for any.`;
    expect(err.trimEnd().split('\n').at(-1)).equal(said);
  });

  it('says why each named collection is no table', async () => {
    const { code, err } = await run(['open', uriWith(database.name), 'lookedAt', 'ordrs'], {});
    expect(code).equal(4);
    expect(err)
      .match(/^Left out: lookedAt, a view: .*\n/)
      .match(/Left out: ordrs, there is no such collection; the nearest is orders\.\n/);
  });
});
