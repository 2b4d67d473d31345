/**
 * The client repeats reads that were refused for now, after the time that `Retry-After` says, a
 * bounded number of times. The answers come from the real service; the test only puts refusals
 * before them.
 */
import { expect } from 'chai';
import { ApiError, ConnectionError } from '../../clients/typescript/index.ts';
import { uuid } from '../conformance/documents.ts';
import { useWorld } from './world.ts';

const PROBLEM = {
  type: 'about:blank',
  title: 'Busy',
  status: 503,
  detail: 'Busy.',
  code: 'Overloaded',
};

describe('retries of the client', function retries() {
  this.timeout(60_000);
  const world = useWorld();

  /** The platform's fetch behind so many failures; `sent` counts all requests. */
  function failing(times: number, fail: () => Promise<Response>) {
    let sent = 0;
    const through: typeof fetch = (...request) => {
      sent += 1;
      return sent <= times ? fail() : fetch(...request);
    };
    return { fetch: through, sent: () => sent };
  }
  const refusing = (times: number, retryAfter?: string, status = 503) =>
    failing(times, async () => {
      const headers = {
        'content-type': 'application/problem+json',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      };
      return new Response(JSON.stringify({ ...PROBLEM, status }), { status, headers });
    });

  it('wait as long as they are told, and then are answered', async () => {
    const refused = refusing(2, '0.2');
    const began = performance.now();
    const { data } = await world.clientWith(refused).table('users').search();
    expect([data.length, refused.sent()]).eql([4, 3]);
    expect(performance.now() - began).greaterThan(390);
    for (const status of [429, 503]) {
      const once = refusing(1, undefined, status);
      await world.clientWith(once).tasks.routingKeys();
      expect(once.sent()).equal(2);
    }
    const exported = refusing(1, '0');
    const rows = await world.clientWith(exported).table('users').export();
    expect([rows.total, exported.sent()]).eql([4, 2]);
  });

  it('have an end', async () => {
    const refused = refusing(99, '0');
    const error = await world
      .clientWith({ ...refused, retries: 2 })
      .table('users')
      .search()
      .catch((e) => e);
    expect(error).instanceOf(ApiError);
    expect([error.code, error.retryAfterS, refused.sent()]).eql(['Overloaded', 0, 3]);
    const long = refusing(99, '3600');
    const given = await world
      .clientWith(long)
      .table('users')
      .search()
      .catch((e) => e);
    expect([given.retryAfterS, long.sent()]).eql([3600, 1]);
  });

  it('wait for weeks where they are told to: a timer of that length fires at once', async () => {
    const long = refusing(99, '9999999');
    const client = world.clientWith({ ...long, maxRetryWaitMs: Number.POSITIVE_INFINITY });
    const search = client.table('users').search({}, { signal: AbortSignal.timeout(100) });
    await search.catch(() => {});
    expect(long.sent()).equal(1);
  });

  it('do not repeat requests that are refused for good', async () => {
    for (const status of [401, 404, 409, 422, 500]) {
      const refused = refusing(99, '0', status);
      await world
        .clientWith(refused)
        .table('users')
        .search()
        .catch(() => {});
      expect(refused.sent(), String(status)).equal(1);
    }
  });

  it('do not repeat changes, whose fate may be unknown', async () => {
    for (const change of [
      (client: ReturnType<typeof world.clientWith>) => client.tasks.cancel(uuid(7)),
      (client: ReturnType<typeof world.clientWith>) => client.tasks.cleanUp(),
      (client: ReturnType<typeof world.clientWith>) =>
        client.schedules.delete({ schedule_id: uuid(1) }),
    ]) {
      const refused = refusing(99, '0');
      expect(await change(world.clientWith(refused)).catch((e) => e)).instanceOf(ApiError);
      const lost = failing(99, () => Promise.reject(new TypeError('fetch failed')));
      expect(await change(world.clientWith(lost)).catch((e) => e)).instanceOf(ConnectionError);
      expect([refused.sent(), lost.sent()]).eql([1, 1]);
    }
  });

  it('send a read once more when its connection is lost, and no more than once', async () => {
    const once = failing(1, () => Promise.reject(new TypeError('fetch failed')));
    expect((await world.clientWith(once).table('users').search()).data.length).equal(4);
    const always = failing(99, () => Promise.reject(new TypeError('fetch failed')));
    const error = await world
      .clientWith(always)
      .table('users')
      .search()
      .catch((e) => e);
    expect(error).instanceOf(ConnectionError);
    expect(always.sent()).equal(2);
  });

  it('end with the signal of the call, and with that of the client', async () => {
    for (const ofClient of [true, false]) {
      const refused = refusing(99, '20');
      const abort = new AbortController();
      const options = ofClient ? { ...refused, signal: abort.signal } : refused;
      const own = ofClient ? {} : { signal: abort.signal };
      const search = world.clientWith(options).table('users').search({}, own);
      setTimeout(() => abort.abort(new Error('enough')), 20);
      const error = await search.catch((e) => e);
      expect(error.message).equal('enough');
    }
  });
});
