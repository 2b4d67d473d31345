/** `/livez`, `/readyz` and `/metrics`: their answers, their callers and their cost. */
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import type { Health } from '../../src/serve/health.ts';
import type { StoreState } from '../../src/store/storeVerdict.ts';
import type { IndexHealth } from '../../src/tables/index/indexHealth.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { type Edge, echo, startEdge } from './edge.ts';
import { exchangeBytes, parseAnswer } from './rawSocket.ts';

const TOKEN = 'metrics-token-0123456789';
const PROXIES = [
  ...['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto'],
  ...['true-client-ip', 'cf-connecting-ip', 'x-original-uri'],
];

describe('health', () => {
  const database = useDatabase();
  let edge: Edge;
  let open: Edge;
  let storeHealth: StoreState = { state: 'up' };
  let isReady = true;
  let indexHealth: IndexHealth = { state: 'off', reason: 'SEARCH_INDEX is off.' };
  const health: Health = {
    store() {
      return storeHealth;
    },
    isReady: () => isReady,
    index: () => indexHealth,
    checkpointUpTo: () => undefined,
    fallbacks: () => ({ frontier_late: 3 }),
  };

  before(async () => {
    const searched = {
      ...echo('POST', '/searched', 'public'),
      handle(ctx: Parameters<ReturnType<typeof echo>['handle']>[0]) {
        ctx.state.search = { view: 'tasks', route: 'index' };
        ctx.body = {};
      },
    };
    edge = await startEdge({
      db: database.db,
      health,
      env: { METRICS_TOKEN: TOKEN },
      routes: [searched],
    });
    open = await startEdge({ db: database.db, health, env: { HOST: '0.0.0.0' } });
  });
  after(() => Promise.all([edge.close(), open.close()]));

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(edge.url + path, { headers });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  };

  it('says that the process lives, whatever the store says', async () => {
    storeHealth = { state: 'down', reason: 'away' };
    expect((await get('/livez')).status).equal(200);
  });

  it('says whether searches can be answered, and what the index does', async () => {
    storeHealth = { state: 'up' };
    const tasks = { phase: 'loading', documents: 3, of: 10, bytes: 1 };
    indexHealth = { state: 'loading', collections: { tasks } };
    const up = await get('/readyz');
    expect(up.status).equal(200);
    expect(JSON.parse(up.text)).eql({
      status: 'ready',
      store: { state: 'up' },
      index: indexHealth,
    });

    // Memory may answer, or nothing: the state of the store alone does not say.
    storeHealth = { state: 'down', reason: 'away' };
    expect((await get('/readyz')).status).equal(200);
    isReady = false;
    const down = await get('/readyz');
    expect(down.status).equal(503);
    expect(down.headers.get('retry-after')).equal('1');
    expect(JSON.parse(down.text)).to.deep.include({ status: 'not ready', store: storeHealth });
    expect((await get('/readyz', { authorization: 'Bearer nonsense' })).status).equal(503);
  });

  it('leaves no line in the log for each probe', async () => {
    const lines = edge.lines.length;
    for (const path of ['/livez', '/readyz', '/metrics']) await get(path);
    await fetch(`${edge.url}/livez`, { method: 'DELETE' });
    await until(() => edge.lines.length > lines);
    expect(edge.lines.slice(lines).map((line) => JSON.parse(line).status)).eql([405]);
  });

  it('shows strangers whether it is ready, and no counts', async () => {
    storeHealth = { state: 'up' };
    isReady = true;
    indexHealth = {
      state: 'live',
      bytes: 1,
      collections: { tasks: { phase: 'live', documents: 3, bytes: 1 } },
    };
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    const shown = async (headers: Record<string, string>) =>
      JSON.parse((await get('/readyz', headers)).text).index;
    expect(await shown(stranger)).eql({ state: 'live' });
    expect(await shown({ ...stranger, authorization: `Bearer ${TOKEN}x` })).eql({ state: 'live' });
    expect(await shown({ ...stranger, authorization: `Bearer ${TOKEN}` })).eql(indexHealth);
    expect(await shown({})).eql(indexHealth);
  });

  describe('in figures', () => {
    const scraper = { authorization: `Bearer ${TOKEN}` };

    it('counts requests by route and status, searches by what answered, and the index', async () => {
      indexHealth = { state: 'live', lag_ms: 1_500, bytes: 12_345 };
      await fetch(`${edge.url}/searched`, { method: 'POST' });
      await get('/nope/1');
      await get('/nope/2');
      // An answer is counted when it has left, which may be after it has come.
      await until(async () => (await get('/metrics', scraper)).text.includes('status="404"} 2\n'));
      const { status, headers, text } = await get('/metrics', scraper);
      expect(status).equal(200);
      expect(headers.get('content-type')).match(/^text\/plain; version=0\.0\.4/);
      const count = 'table_search_request_seconds_count';
      expect(text).match(
        new RegExp(`^${count}\\{method="POST",route="/searched",status="200"\\} 1$`, 'm'),
      );
      expect(text).match(
        new RegExp(`^${count}\\{method="GET",route="none",status="404"\\} 2$`, 'm'),
      );
      expect(text).not.include('/nope');
      expect(text).match(/^table_search_searches_total\{view="tasks",route="index"\} 1$/m);
      expect(text).match(/^table_search_index_state\{state="live"\} 1$/m);
      expect(text).match(/^table_search_index_state\{state="loading"\} 0$/m);
      expect(text).match(/^table_search_index_lag_seconds 1\.5$/m);
      expect(text).match(/^table_search_index_bytes 12345$/m);
      expect(text).match(/^table_search_index_left_total\{reason="frontier_late"\} 3$/m);
      expect(text).match(/^process_resident_memory_bytes \d+$/m);
    });

    it('does not grow with the methods that callers make up', async () => {
      await exchangeBytes(edge.port, 'PURGE /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const text = await until(async () => {
        const metrics = await get('/metrics', scraper);
        return metrics.text.includes('method="other"') && metrics.text;
      });
      expect(text).not.include('PURGE');
    });

    it('is for the token alone where there is one, and else for this machine without proxies', async () => {
      expect((await get('/metrics')).status).equal(401);
      const from = async (headers: Record<string, string>) =>
        (await fetch(`http://127.0.0.1:${open.port}/metrics`, { headers })).status;
      expect(await from({})).equal(200);
      for (const name of PROXIES) expect(await from({ [name]: '127.0.0.1' }), name).equal(403);
      const bytes = async (version: string, host: string) => {
        const text = `GET /metrics HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        return parseAnswer(await exchangeBytes(open.port, text)).status;
      };
      expect(await bytes('1.1', '127.0.0.1')).equal(200);
      expect(await bytes('1.1', 'search.example')).equal(403);
      expect(await bytes('1.0', '127.0.0.1'), 'as nginx asks').equal(403);
    });

    it('is for elsewhere with the token alone', async () => {
      const from = { 'x-forwarded-for': '203.0.113.9' };
      const bearer = (token: string) => ({ ...from, authorization: `Bearer ${token}` });
      expect((await get('/metrics', bearer(TOKEN))).status).equal(200);
      for (const wrong of [`${TOKEN}x`, TOKEN.slice(1), TOKEN.toUpperCase(), 'x']) {
        const { status, headers } = await get('/metrics', bearer(wrong));
        expect(status).equal(401);
        expect(headers.get('www-authenticate')).match(/^Bearer/);
      }
    });

    it('is not for other machines', async function elsewhere() {
      const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
      const address = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
      if (address === undefined) return this.skip();
      expect((await fetch(`http://${address}:${open.port}/metrics`)).status).equal(403);
      expect((await fetch(`http://127.0.0.1:${open.port}/metrics`)).status).equal(200);
    });
  });
});
