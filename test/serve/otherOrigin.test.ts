/**
 * A page of another origin: the browser's first requests, and the answers that it lets the page
 * read.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { loadFixtures } from '../../src/dev/fixtures/load/load.ts';
import { chromiumPath, launchChromium } from '../support/chromium.ts';
import { useDatabase } from '../support/database.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';

const SEARCH = '/api/v2/admin/tasks/search';
const APP = 'https://app.example.com';

describe('pages of other origins', function others() {
  this.timeout(60_000);
  const database = useDatabase();
  let service: TestService;
  let token: string;
  let origin: string;
  let pages: Server;

  before(async () => {
    await loadFixtures(database.db);
    pages = createServer((_, res) => {
      res.setHeader('Content-Type', 'text/html');
      res.end('<!doctype html><title>elsewhere</title>');
    });
    pages.listen(0, '127.0.0.1');
    await once(pages, 'listening');
    // Another port is another origin.
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    service = await startService(database.uri, database.name, {
      CORS_ORIGINS: `${APP}, ${origin}`,
    });
    token = await service.token(1, true);
  });
  after(async () => {
    pages.close();
    await service.stop();
  });

  const ask = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ) => service.ask(method, path, { headers, body });
  const cors = ({ headers }: TestAnswer) =>
    [...headers.keys()].filter((name) => /^access-control|^timing/.test(name));

  it('that are listed are told what they may send, whatever they ask for', async () => {
    for (const path of [SEARCH, '/livez', '/nowhere', '/api/v2/tasks/x/logs']) {
      const { status, headers } = await ask('OPTIONS', path, {
        origin: APP,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,last-event-id',
      });
      expect(status).equal(204);
      expect(headers.get('access-control-allow-origin')).equal(APP);
      expect(headers.get('access-control-allow-methods')).equal(
        'GET, HEAD, POST, PUT, PATCH, DELETE',
      );
      expect(headers.get('access-control-allow-headers'))
        .match(/\bAuthorization\b/)
        .match(/\bContent-Type\b/)
        .match(/\bLast-Event-ID\b/)
        .match(/\bSearch-Not-Before\b/);
      expect(headers.get('access-control-max-age')).equal('7200');
      expect(headers.has('access-control-allow-credentials')).equal(false);
      expect(headers.get('vary')).match(/\bOrigin\b/);
    }
  });

  it('that are listed may read answers, failures too, and the headers they carry', async () => {
    const json = { origin, authorization: `Bearer ${token}` };
    const answers = [
      await ask('POST', SEARCH, json, '{}'),
      await ask('POST', SEARCH, json, '{"nope":1}'),
      await ask('POST', SEARCH, { origin }, '{}'),
      await ask('GET', '/nowhere', { origin }),
      await ask('GET', '/openapi.json', { origin }),
    ];
    expect(answers.map(({ status }) => status)).eql([200, 422, 401, 404, 200]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).equal(origin);
      expect(headers.get('vary')).match(/\bOrigin\b/);
      const exposed = headers.get('access-control-expose-headers')!.split(', ');
      expect(exposed).include.members([
        'Search-Route',
        'Search-As-Of',
        'Search-Total',
        'Server-Timing',
        'X-Request-Id',
        'Retry-After',
        'Content-Disposition',
        'Age',
        'ETag',
      ]);
      expect(exposed.filter((name) => name === '*')).eql([]);
    }
  });

  it('that are not listed are told nothing', async () => {
    const others = [
      'https://evil.example',
      'null',
      `${APP}.evil.example`,
      'http://app.example.com',
      `${APP}:8443`,
      APP.toUpperCase(),
      `${APP}/`,
    ];
    for (const other of others) {
      const answers = [
        await ask('GET', '/livez', { origin: other }),
        await ask('OPTIONS', SEARCH, {
          origin: other,
          'access-control-request-method': 'POST',
        }),
      ];
      for (const answer of answers) {
        expect(cors(answer), other).eql([]);
        expect(answer.headers.get('vary')).match(/\bOrigin\b/);
      }
      expect(answers[1]!.headers.get('allow')).equal('POST, OPTIONS');
    }
    expect(cors(await ask('GET', '/livez', {}))).eql([]);
  });

  describe('in Chromium', () => {
    let browser: Browser | undefined;
    before(async function start() {
      if (chromiumPath() === undefined) {
        process.stderr.write('    no Chromium on this machine: what it reads is not tested\n');
        this.skip();
      }
      browser = await launchChromium();
    });
    after(() => browser?.close());

    it('read the headers of a search and a live stream, where they are listed', async () => {
      const page = await browser!.newPage();
      try {
        await page.goto(origin);
        const read = await page.evaluate(
          async ({ url, token, path }) => {
            const init = {
              method: 'POST',
              headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
              body: '{"facets":[{"field":"status"}],"pagination":{"per_page":50}}',
            };
            const search = await fetch(`${url}${path}/explore`, init);
            const { data } = (await search.json()) as { data: unknown[] };
            const accept = { ...init.headers, accept: 'text/event-stream' };
            const stream = await fetch(`${url}${path}/explore`, { ...init, headers: accept });
            const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
            let text = '';
            while (!text.includes('event: answer') || !text.endsWith('\n\n')) {
              text += (await reader.read()).value ?? '';
            }
            await reader.cancel();
            const log = await fetch(`${url}/api/v2/tasks/x/logs`, {
              headers: { authorization: `Bearer ${token}`, 'last-event-id': '3' },
            });
            return {
              headers: Object.fromEntries(search.headers),
              rows: data.length,
              text,
              refused: [log.status, ((await log.json()) as { code: string }).code],
            };
          },
          { url: service.url, token, path: SEARCH },
        );
        expect(read.headers['search-route']).match(/^(index|pipeline)$/);
        expect(read.headers['search-as-of']).match(/^\d+\.\d+$/);
        expect(read.headers['x-request-id']).match(/^[\w-]+$/);
        expect(read.headers['server-timing']).match(/dur=/);
        expect(read.rows).greaterThan(10);
        expect(read.text).match(/event: answer\nid: \d+\.\d+\ndata: \{"data":/);
        expect(read.refused).eql([404, 'NotFound']);
      } finally {
        await page.close();
      }
    });

    it('read nothing where they are not', async () => {
      const page = await browser!.newPage();
      try {
        await page.goto(origin.replace('127.0.0.1', 'localhost'));
        const read = await page.evaluate(
          (url) => fetch(`${url}/livez`).then(String, (error) => String(error)),
          service.url,
        );
        expect(read).equal('TypeError: Failed to fetch');
      } finally {
        await page.close();
      }
    });
  });
});
