/**
 * Two instances over one store, and a client that changes instance at each request. It sends the moment
 * that it has seen (`Search-Not-Before`), and never misses its own write, on any route, by any right.
 */
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { printTime } from '../../src/store/clusterTime.ts';
import { type Any, HARBOUR, LIBRARIAN, SAILOR, useScene } from '../apps/admin/scene.ts';
import { watch } from '../support/eventStream.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { startService, type TestAnswer, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The second instance is so far from the store that it always lags behind the last write. */
const EACH_WAY_MS = 10;
const PLAIN_WRITES = 20;
const TASKS = '/api/v2/admin/tasks/search';

interface Sent {
  readonly as?: number;
  readonly body?: unknown;
  readonly notBefore?: string | undefined;
  readonly accept?: string;
}

for (const [other, settings, WRITES, TIMES] of [
  ['follows the store', {}, 40, 20],
  // Its searches and logs read the store itself, however far an index is.
  ['asks pipelines', { SEARCH_INDEX: 'off' }, 10, 5],
] as const) {
  describe(`a moment that was seen at one instance, asked for at another that ${other}`, function suite() {
    this.timeout(120_000);
    const scene = useScene();
    let proxy: NetworkProxy;
    let second: TestService;
    let task: Any;

    before(async () => {
      proxy = await NetworkProxy.to(scene.database.uri);
      second = await startService(proxy.uri, scene.database.name, settings);
      task = await scene.task();
      await scene.schedule();
      for (const { url } of [scene.service, second]) await settled(url);
      proxy.slow(EACH_WAY_MS);
    });
    after(async () => {
      proxy?.restore();
      await second?.stop();
      await proxy?.close();
    });

    const ask = async (
      at: TestService,
      method: string,
      path: string,
      { as, body, notBefore, accept }: Sent = {},
    ) =>
      at.ask(method, path, {
        ...{ token: await scene.token(as), body },
        headers: {
          ...(notBefore !== undefined && { 'search-not-before': notBefore }),
          ...(accept !== undefined && { accept }),
        },
      });

    const preserve = (at: TestService, is: boolean) =>
      ask(at, 'PUT', `/api/v2/projects/${HARBOUR}/tasks/${task.task_id}/preserve`, {
        body: { preserve: is },
      });
    const asOf = ({ headers }: TestAnswer) => headers.get('search-as-of') ?? undefined;

    /** How many of the writes at one instance an immediate read at the other one misses. */
    async function missed(sendsMoment: boolean, writes: number): Promise<number> {
      const instances = [scene.service, second] as const;
      let misses = 0;
      for (let i = 0; i < writes; i++) {
        // In pairs, so that each of the two is written at.
        const [writer, reader] = i % 2 === 0 ? instances : [instances[1], instances[0]];
        const is = i % 2 === 0;
        const changed = await preserve(writer, is);
        expect(changed.status, changed.text).equal(200);
        const notBefore = sendsMoment ? asOf(changed) : undefined;
        const found = await ask(reader, 'POST', TASKS, {
          body: { filters: { task_id: task.task_id } },
          notBefore,
        });
        expect(found.status, found.text).equal(200);
        if (found.body.data[0].preserve !== is) misses += 1;
      }
      return misses;
    }

    it(`shows there: of ${WRITES} writes none is missed`, async function reads() {
      const without = await missed(false, PLAIN_WRITES);
      // Some may be: it is no failure when the other instance is quick.
      this.test!.title += `; without the moment ${without} of ${PLAIN_WRITES}`;
      expect(await missed(true, WRITES)).equal(0);
    });

    it('is told by every change, by those that change nothing and by refusals', async () => {
      const { task_id } = await scene.task();
      const { _id } = await scene.schedule();
      const path = `/api/v2/admin/schedules/${_id}`;
      for (const [method, at, body, status] of [
        ['POST', `/api/v2/tasks/${task_id}/cancel`, undefined, 200],
        ['POST', `/api/v2/tasks/${task_id}/cancel`, undefined, 409],
        ['POST', '/api/v2/admin/tasks/cleanup', undefined, 200],
        ['PATCH', path, { enabled: false }, 200],
        ['PATCH', path, { enabled: false }, 200],
        ['DELETE', path, undefined, 204],
        ['DELETE', path, undefined, 404],
      ] as const) {
        const answer = await ask(second, method, at, { body });
        expect(answer.status, answer.text).equal(status);
        expect(asOf(answer), `${method} ${at}`).match(/^\d+\.\d+$/);
      }
    });

    it('holds on every route that reads', async () => {
      for (let i = 0; i < TIMES; i++) {
        const { task_id, moment } = await stored(i);
        const sent = { notBefore: moment, body: { filters: { task_id } } };
        const own = `/api/v2/tasks/${task_id}`;
        const [searched, explored, explained, exported, metadata, page, text] = await Promise.all([
          ask(second, 'POST', TASKS, sent),
          ask(second, 'POST', `${TASKS}/explore`, sent),
          ask(second, 'POST', `${TASKS}/explain`, sent),
          ask(second, 'POST', `${TASKS}/export`, sent),
          ask(
            second,
            'GET',
            `/api/v2/projects/${HARBOUR}/tasks/${task_id}/metadata`,
            sent0(moment),
          ),
          ask(second, 'GET', `${own}/logs`, sent0(moment)),
          ask(second, 'GET', `${own}/logs`, { ...sent0(moment), accept: 'text/plain' }),
        ]);
        expect(searched.body.meta.pagination.total_items, 'search').equal(1);
        expect(explored.body.meta.pagination.total_items, 'explore').equal(1);
        expect(explained.body.total_items, 'explain').equal(1);
        expect(exported.headers.get('search-total'), 'export').equal('1');
        expect(metadata.body?.log_lines, 'metadata').equal(1);
        expect(page.body?.data.length, 'log').equal(1);
        expect(text.text, 'log as text').contain('the line');
      }
    });

    it('holds for the first event of a stream, also where others watch the same', async () => {
      const url = `${second.url}${TASKS}/explore`;
      const options = { body: { filters: { q: 'watched' } }, token: await scene.token() };
      const others = await watch(url, options);
      await others.first('answer');
      for (let i = 1; i <= 10; i++) {
        const { moment } = await stored(i, { folder: 'watched' });
        const headers = { 'search-not-before': moment };
        const events = await watch(url, { ...options, headers });
        const { data } = await events.first('answer');
        expect(data.meta.pagination.total_items).equal(i);
        events.leave();
      }
      others.leave();
    });

    it('holds for rights', async () => {
      const path = `/api/v2/projects/${HARBOUR}/tasks/search`;
      const projects = scene.db.collection<Any>('projects');
      for (let i = 0; i < 20; i++) {
        const isMember = i % 2 === 0;
        const members = [SAILOR, ...(isMember ? [LIBRARIAN] : [])];
        const moment = await written((session) =>
          projects.updateOne(
            { identifier: HARBOUR },
            { $set: { members: members.map((user_id) => ({ user_id, role: 'owner' })) } },
            { session },
          ),
        );
        const sent = { as: LIBRARIAN, notBefore: moment };
        const found = await ask(second, 'POST', path, { ...sent, body: {} });
        expect(found.status, `${i}: ${found.text}`).equal(isMember ? 200 : 404);
        const log = await ask(second, 'GET', `/api/v2/tasks/${task.task_id}/logs`, sent);
        expect(log.status, `${i}: ${log.text}`).equal(isMember ? 200 : 404);
      }
    });

    it('is refused where it is no moment, or lies more than a minute ahead', async () => {
      const now = Math.floor(Date.now() / 1_000);
      for (const notBefore of ['', 'now', '1', '1.2.3', '-1.0', `${2 ** 32}.0`, `${now + 120}.1`]) {
        const answer = await ask(second, 'POST', TASKS, { body: {}, notBefore });
        expect(answer.status, notBefore).equal(422);
        expect(answer.body.code).equal('ValidationFailed');
        expect(answer.body.detail).contain('Search-Not-Before');
        // The service refuses a caller without the right first.
        const foreign = await ask(second, 'POST', TASKS, { as: SAILOR, body: {}, notBefore });
        expect(foreign.status, notBefore).equal(403);
      }
      const zero = await ask(second, 'POST', TASKS, { body: {}, notBefore: '0.0' });
      expect(zero.status).equal(200);
    });

    async function stored(i: number, changes = {}) {
      const { task_id, ...fields } = await scene.task(changes);
      expect(fields._id).a('number');
      const line = { _id: `${task_id} ${i}`, task_id, seq: 1, level: 'INFO', message: 'the line' };
      const moment = await written((session) =>
        scene.db.collection<Any>('task_logs').insertOne({ ...line, ts: new Date() }, { session }),
      );
      return { task_id, moment };
    }

    /** Writes as a worker does, past the service; the moment by which it is there. */
    async function written(write: (session: Any) => Promise<unknown>): Promise<string> {
      const session = scene.database.client.startSession();
      try {
        await write(session);
        return printTime(session.operationTime!);
      } finally {
        await session.endSession();
      }
    }
  });
}

describe('a moment that the store does not reach', function suite() {
  this.timeout(60_000);
  const scene = useScene({ QUERY_TIMEOUT_MS: '1000' });

  it('is waited for within the time of the request, then refused', async () => {
    const headers = { 'search-not-before': `${Math.floor(Date.now() / 1_000) + 30}.1` };
    const began = performance.now();
    const answer = await scene.call('POST', TASKS, { body: {}, headers });
    expect(answer.status).equal(503);
    expect(answer.body.code).equal('SearchTimeout');
    expect(Number(answer.headers.get('retry-after'))).within(1, 60);
    expect(performance.now() - began).within(500, 5_000);
  });
});

describe('a moment that the store has yet to reach', function suite() {
  this.timeout(60_000);
  const scene = useScene({ SEARCH_INDEX: 'off' });
  const ahead = (seconds: number) => `${Math.floor(Date.now() / 1_000) + seconds}.1`;

  it('is waited for before the body is read, for some seconds at most', async () => {
    const began = performance.now();
    const since = () => performance.now() - began;
    const headers = {
      authorization: `Bearer ${await scene.token()}`,
      'content-type': 'application/json',
      'search-not-before': ahead(50),
      expect: '100-continue',
    };
    const request = http.request(scene.service.url + TASKS, { method: 'POST', headers });
    request.flushHeaders();
    let askedForBody = 0;
    request.on('continue', () => {
      askedForBody = since();
      request.end('{}');
    });
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(((await json(answer)) as Any).code).equal('SearchTimeout');
    expect(askedForBody).within(2_500, 8_000);
    expect(since() - askedForBody, 'with the body').lessThan(2_400);
  });

  it('is refused after what is wrong with the body', async () => {
    const headers = { 'search-not-before': ahead(50) };
    const url = scene.service.url + TASKS;
    const authorization = `Bearer ${await scene.token()}`;
    for (const [type, body, status] of [
      ['text/plain', '{}', 415],
      ['application/json', '{', 400],
    ] as const) {
      const answer = await fetch(url, {
        ...{ method: 'POST', body },
        headers: { ...headers, authorization, 'content-type': type },
      });
      expect(answer.status, type).equal(status);
    }
  });

  it('is answered, by the rights of that moment, once the store is there', async () => {
    const path = `/api/v2/projects/${HARBOUR}/tasks/search`;
    const headers = { 'search-not-before': ahead(2) };
    const answer = scene.call('POST', path, { as: SAILOR, body: {}, headers });
    const projects = scene.db.collection<Any>('projects');
    // The rights of now are known by then. Each write moves the store's clock.
    await sleep(400);
    const ended = answer.then(() => true);
    let ends = false;
    while (!ends) {
      await projects.updateOne({ identifier: HARBOUR }, { $set: { members: [] } });
      await projects.updateOne({ identifier: HARBOUR }, { $inc: { writes: 1 } });
      ends = await Promise.race([ended, sleep(100, false)]);
    }
    expect((await answer).status).equal(404);
    const later = { 'search-not-before': ahead(1) };
    const admins = scene.call('POST', path, { body: {}, headers: later });
    const write = setInterval(
      () => void projects.updateOne({ identifier: HARBOUR }, { $inc: { writes: 1 } }),
      100,
    );
    try {
      expect((await admins).status).equal(200);
    } finally {
      clearInterval(write);
    }
  });

  it('is not waited for with the body of a form, which has been read', async () => {
    const began = performance.now();
    const answer = await fetch(`${scene.service.url}${TASKS}/export`, {
      method: 'POST',
      headers: { 'search-not-before': ahead(50) },
      body: new URLSearchParams({ access_token: await scene.token(), request: '{}' }),
    });
    expect(((await answer.json()) as Any).code).equal('SearchTimeout');
    expect(performance.now() - began).lessThan(2_400);
  });

  it('is not asked of the store for callers without a token', async () => {
    const { db } = scene;
    await db.command({ profile: 2 });
    for (const authorization of [undefined, 'Bearer x.y.z']) {
      const answer = await fetch(scene.service.url + TASKS, {
        ...{ method: 'POST', body: '{}' },
        headers: { 'search-not-before': ahead(3_600), ...(authorization && { authorization }) },
      });
      expect(answer.status).equal(401);
    }
    await db.command({ profile: 0 });
    const ns = `${db.databaseName}.users`;
    expect(await db.collection('system.profile').countDocuments({ ns })).equal(0);
  });
});

const sent0 = (notBefore: string): Sent => ({ notBefore });

async function settled(url: string): Promise<void> {
  await until(async () => {
    const { index } = (await (await fetch(`${url}/readyz`)).json()) as Any;
    return index.state === 'live' || index.state === 'off';
  }, 'the index is not live');
}
