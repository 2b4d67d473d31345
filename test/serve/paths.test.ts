/** Paths, methods and the order in which things can be wrong. */
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { bearer, type Edge, echo, PROJECT_A, PROJECT_B, startEdge, storePeople } from './edge.ts';
import { exchangeBytes, parseAnswer } from './rawSocket.ts';

const SCHEDULE = '00000000-0000-4000-8000-000000000001';

describe('paths', () => {
  const database = useDatabase();
  let edge: Edge;
  let auth: Record<string, string>;
  let admin: Record<string, string>;

  before(async () => {
    await storePeople(database.db);
    auth = await bearer('member');
    admin = await bearer('admin');
    edge = await startEdge({
      db: database.db,
      routes: [
        // The parameter stands first on purpose: `search` must not be taken for an id.
        echo('DELETE', '/api/v2/admin/schedules/:schedule_id', 'admin'),
        echo('PATCH', '/api/v2/admin/schedules/:schedule_id', 'admin', 'json'),
        echo('POST', '/api/v2/admin/schedules/search', 'admin', 'json'),
        echo('POST', '/api/v2/projects/:project_id/tasks/search', 'path', 'json'),
        echo('POST', '/api/v2/projects/search', 'user', 'json'),
        echo('GET', '/api/v2/projects/:project_id/tasks/:task_id/logs', 'path'),
        echo('GET', '/api/v2/tasks/routing-keys', 'user'),
        echo('GET', '/api/v2/tables/:table/documents/:id', 'user'),
      ],
    });
  });
  after(() => edge.close());

  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string> = auth,
    body?: string,
  ) => {
    const text = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    const answer = parseAnswer(
      await exchangeBytes(edge.port, `${text.join('\r\n')}\r\n\r\n${body ?? ''}`),
    );
    return { ...answer, json: answer.body === '' ? undefined : JSON.parse(answer.body) };
  };

  describe('are 404, for all callers and before they are asked who they are', () => {
    const search = `/api/v2/projects/${PROJECT_A}/tasks/search`;
    const ODD = [
      '/',
      '/api/v2',
      '/api/v2/nope',
      `${search}/`,
      `/${search}`,
      search.replace('/tasks/', '//tasks/'),
      search.replace('/projects/', '/PROJECTS/'),
      search.replace(PROJECT_A, PROJECT_A.toUpperCase()),
      search.replace(PROJECT_A, PROJECT_A.slice(1)),
      search.replace(PROJECT_A, `${PROJECT_A}0`),
      search.replace(PROJECT_A, PROJECT_A.replaceAll('-', '')),
      search.replace(PROJECT_A, `{${PROJECT_A}}`),
      search.replace(PROJECT_A, `${PROJECT_A}%00`),
      search.replace(PROJECT_A, `${PROJECT_A}%0a`),
      search.replace(PROJECT_A, `%61${PROJECT_A.slice(1)}`),
      search.replace(PROJECT_A, `${PROJECT_B}%2F..%2F${PROJECT_A}`),
      search.replace(PROJECT_A, 'a%2F..%2Fb'),
      search.replace(PROJECT_A, '%00'),
      search.replace(PROJECT_A, '%ff'),
      search.replace(PROJECT_A, '%'),
      search.replace(PROJECT_A, '%zz'),
      search.replace(PROJECT_A, '..'),
      search.replace(PROJECT_A, `${PROJECT_B}/../${PROJECT_A}`),
      search.replace(PROJECT_A, `${PROJECT_A};x=1`),
      search.replace('/search', '/%73earch'),
      search.replace('/search', '/Search'),
      `${search}#x`,
      search.replace('/tasks/', '\\tasks/'),
      `${search.replace('/tasks/', '\\tasks/')}#`,
    ];
    for (const path of ODD) {
      it(path, async () => {
        for (const headers of [auth, admin, {}]) {
          const { status, json } = await ask('POST', path, headers, '{}');
          expect(status).equal(404);
          expect(json.code).equal('NotFound');
        }
      });
    }
  });

  it('are taken with a query, and as a whole address', async () => {
    const json = { ...auth, 'Content-Type': 'application/json' };
    expect((await ask('POST', '/api/v2/projects/search?page=9&x=%ff', json, '{}')).status).equal(
      200,
    );
    const whole = 'http://elsewhere.example/api/v2/projects/search';
    expect((await ask('POST', whole, json, '{}')).status).equal(200);
    const document = '/api/v2/tables/orders/documents/a%2Fb%20%C3%A9';
    for (const path of [document, `HTTP://elsewhere.example:80${document}`]) {
      expect((await ask('GET', path)).json)
        .property('params')
        .eql({ table: 'orders', id: 'a/b é' });
    }
    expect((await ask('POST', `${whole}#x`, json, '{}')).status).equal(404);
  });

  it('with a parameter do not hide those without', async () => {
    const json = { ...admin, 'Content-Type': 'application/json' };
    expect((await ask('POST', '/api/v2/admin/schedules/search', json, '{}')).status).equal(200);
    const { status, headers } = await ask('PATCH', '/api/v2/admin/schedules/search', json, '{}');
    expect(status).equal(405);
    expect(headers.get('allow')).equal('POST, OPTIONS');
  });

  describe('that are known', () => {
    it('name their methods to others', async () => {
      const path = `/api/v2/admin/schedules/${SCHEDULE}`;
      for (const method of ['GET', 'POST', 'PUT', 'TRACE', 'PROPFIND']) {
        const { status, headers, json } = await ask(method, path, {});
        expect(status, method).equal(405);
        expect(headers.get('allow')).equal('DELETE, PATCH, OPTIONS');
        expect(json.code).equal('MethodNotAllowed');
      }
    });

    it('name their methods to OPTIONS, and nothing to other origins', async () => {
      const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
      const preflight = await ask('OPTIONS', '/api/v2/projects/search', headers);
      expect(preflight.status).equal(204);
      expect(preflight.headers.get('allow')).equal('POST, OPTIONS');
      const plain = await ask('GET', '/livez', headers);
      for (const answer of [preflight, plain]) {
        const cors = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
        expect(cors).eql([]);
      }
    });

    it('give HEAD the headers of GET and no body', async () => {
      const get = await ask('GET', '/api/v2/tasks/routing-keys');
      const head = await ask('HEAD', '/api/v2/tasks/routing-keys');
      expect(head.status).equal(200);
      expect(head.body).equal('');
      expect(head.headers.get('content-length')).equal(get.headers.get('content-length'));
      const refused = await ask('HEAD', '/api/v2/tasks/routing-keys', {});
      expect(refused.status).equal(401);
      expect(refused.body).equal('');
    });
  });

  it('hold what every answer holds', async () => {
    const asked = [
      ask('GET', '/livez'),
      ask('GET', '/nope'),
      ask('GET', '/api/v2/tasks/routing-keys'),
      ask('POST', '/api/v2/projects/search'),
      ask('OPTIONS', '/livez'),
    ];
    for (const { headers } of await Promise.all(asked)) {
      expect(headers.get('x-request-id')).match(/^[0-9a-f-]{36}$/);
      expect(headers.get('cache-control')).equal('no-store');
      expect(headers.get('x-content-type-options')).equal('nosniff');
      expect(headers.has('x-powered-by')).equal(false);
    }
  });

  it("keep a caller's sane request id, and replace others", async () => {
    const sane = 'abc-123:X_y.z';
    const kept = await ask('GET', '/nope', { 'X-Request-Id': sane });
    expect(kept.headers.get('x-request-id')).equal(sane);
    expect(kept.json.request_id).equal(sane);
    for (const odd of ['a b', 'x'.repeat(129), '<script>', 'é', '{"a":1}']) {
      const { headers, json } = await ask('GET', '/nope', { 'X-Request-Id': odd });
      expect(headers.get('x-request-id')).match(/^[0-9a-f-]{36}$/);
      expect(json.request_id).equal(headers.get('x-request-id'));
    }
  });

  describe('report the first of several things that are wrong', () => {
    const own = `/api/v2/projects/${PROJECT_A}/tasks/search`;
    const foreign = own.replace(PROJECT_A, PROJECT_B);
    const text = { 'Content-Type': 'text/plain' };
    const json = { 'Content-Type': 'application/json' };
    const large = 'x'.repeat(2 * 2 ** 20);
    const member = () => auth;
    const nobody = () => ({});
    const wrong = () => ({ Authorization: 'Bearer wrong' });

    const ORDER: [
      what: string,
      method: string,
      path: string,
      who: () => object,
      extra: object,
      status: number,
    ][] = [
      ['unknown path before method and caller', 'PATCH', `${own}/x`, nobody, text, 404],
      ['method before caller', 'PATCH', own, nobody, text, 405],
      ['odd id before method', 'PATCH', own.replace(PROJECT_A, 'x'), nobody, text, 404],
      ['caller before permission', 'POST', foreign, wrong, text, 401],
      ['permission (404) before type', 'POST', foreign, member, text, 404],
      ['permission (403) before type', 'POST', '/api/v2/admin/schedules/search', member, text, 403],
      ['type before size', 'POST', own, member, text, 415],
      ['size before form', 'POST', own, member, json, 413],
    ];
    for (const [what, method, path, who, extra, status] of ORDER) {
      it(what, async () => {
        const answer = await ask(
          method,
          path,
          { ...who(), ...extra } as Record<string, string>,
          large,
        );
        expect(answer.status).equal(status);
      });
    }
  });
});
