/** The web UI's files as they are sent: named, compressed, kept, and under which policy. */
import { expect } from 'chai';
import { PAGES } from '../../src/apps/admin/administration.ts';
import { uiRoutes } from '../../src/serve/routes/webUi.ts';
import { useDatabase } from '../support/database.ts';
import { type Edge, startEdge } from './edge.ts';

const PERSON = { user_id: 1, name: 'Maren', about: 'runs it', token: 'a.b.c' };

describe('the files of the web UI', () => {
  const database = useDatabase();
  let edge: Edge;
  let plain: Edge;
  before(async () => {
    edge = await startEdge({
      db: database.db,
      routes: uiRoutes({ pages: PAGES, demoPeople: async () => [PERSON] }),
    });
    plain = await startEdge({ db: database.db, routes: uiRoutes({ pages: PAGES }) });
  });
  after(async () => {
    await edge.close();
    await plain.close();
  });

  const get = (path: string, headers: Record<string, string> = {}, at = edge) =>
    fetch(`${at.url}${path}`, { headers });

  it('begin with an index that is never kept, under a policy that lets nothing in', async () => {
    for (const path of ['/', ...PAGES, '/signed-in']) {
      const answer = await get(path);
      expect(answer.status, path).equal(200);
      expect(answer.headers.get('content-type')).match(/^text\/html/);
      expect(answer.headers.get('cache-control')).equal('no-store');
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).match(/^default-src 'none'; /);
      expect(policy).not.match(/unsafe|https?:|\*|data:/);
      expect(await answer.text()).not.match(/<script>|<style|https?:|style=/);
    }
  });

  it('are named by what they hold, kept for ever, compressed, and less than 300 kB in all', async () => {
    const html = await (await get('/')).text();
    const names = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name]) => name!);
    expect(names.length).at.least(3);
    const sheet = await (await get(names.find((name) => name.endsWith('.css'))!)).text();
    names.push(...[...sheet.matchAll(/url\((\/assets\/[^)]+)\)/g)].map(([, name]) => name!));
    let bytes = 0;
    for (const name of names) {
      const answer = await get(name, { 'accept-encoding': 'br' });
      expect(answer.status, name).equal(200);
      expect(answer.headers.get('cache-control')).equal('public, max-age=31536000, immutable');
      expect(answer.headers.get('vary')).equal('Accept-Encoding');
      bytes += Number(answer.headers.get('content-length'));
      await answer.arrayBuffer();
    }
    expect(bytes).lessThan(300_000);
  });

  it('come as the client can decompress them', async () => {
    const html = await (await get('/')).text();
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(html)!;
    const codings: Record<string, string | null> = {
      br: 'br',
      gzip: 'gzip',
      'gzip;q=0.5, br': 'br',
      identity: null,
      zstd: null,
    };
    for (const [accepted, coding] of Object.entries(codings)) {
      const { headers } = await get(script!, { 'accept-encoding': accepted });
      expect(headers.get('content-encoding'), accepted).equal(coding);
    }
    // The decompressed file is the file that lies there uncompressed.
    const compressed = await (await get(script!, { 'accept-encoding': 'br' })).text();
    expect(compressed).equal(await (await get(script!, { 'accept-encoding': 'identity' })).text());
  });

  it('are all there is: no other path, and none of the API', async () => {
    for (const path of ['/assets/', '/assets/nope.js', '/index.html', '/tasks/', '/api']) {
      const answer = await get(path);
      expect(answer.status, path).equal(404);
      expect(answer.headers.get('content-type')).match(/problem\+json/);
      await answer.body?.cancel();
    }
  });

  it('tell a browser at an unknown address that it does not exist, and programs as ever', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    for (const path of ['/nope', '/tasks/', '/tasks%2F', '/apis', '/assets/']) {
      const answer = await get(path, browser);
      expect(answer.status, path).equal(404);
      expect(answer.headers.get('content-type'), path).match(/^text\/html/);
      expect(answer.headers.get('content-security-policy')).match(/^default-src 'none'; /);
      expect(answer.headers.get('cache-control')).equal('no-store');
      expect(await answer.text()).include('<div id="page">');
    }
    const isProblem = async (answer: Response) => {
      expect(answer.status).equal(404);
      expect(await answer.json()).include({ code: 'NotFound', status: 404 });
    };
    for (const path of ['/api', '/api/v2/nope', '/page/nope']) {
      await isProblem(await get(path, browser));
    }
    await isProblem(await get('/nope', { accept: 'application/json, text/plain, */*' }));
    await isProblem(await get('/nope'));
    await isProblem(await fetch(`${edge.url}/nope`, { method: 'POST', headers: browser }));
  });

  it('offer people in a demo alone, and to this machine alone', async () => {
    const people = async (headers: Record<string, string>, at: Edge) =>
      (await get('/page/sign-in', headers, at)).json();
    expect(await people({}, edge)).eql({ people: [PERSON], openid: null });
    expect(await people({ 'x-forwarded-for': '203.0.113.9' }, edge)).eql({
      people: null,
      openid: null,
    });
    expect(await people({}, plain)).eql({ people: null, openid: null });
  });
});
