/**
 * Streams of the client: events as they come, connections that are lost and found again, exports that
 * are cut, logs that grow.
 */
import { expect } from 'chai';
import { CutStreamError, type WatchEvent } from '../../clients/typescript/index.ts';
import { task, uuid } from '../conformance/documents.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { readTime } from '../support/readTime.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { all, useWorld } from './world.ts';

const BIG = 4_000;
const EVENTS = 'text/event-stream';

describe('streams of the client', function streams() {
  this.timeout(90_000);
  const world = useWorld();
  const proxies: NetworkProxy[] = [];

  afterEach(async () => {
    for (const proxy of proxies.splice(0)) await proxy.close();
  });

  async function proxied() {
    const proxy = await NetworkProxy.to(world.service.url);
    proxies.push(proxy);
    return { proxy, baseUrl: proxy.url };
  }
  const tasks = () => world.database.db.collection<{ _id: number }>('tasks');
  const setWorker = (worker: string) => tasks().updateOne({ _id: 1 }, { $set: { worker } });

  /** The next event of this type. */
  async function next<A, T extends WatchEvent<A>['type']>(
    events: AsyncIterator<WatchEvent<A>>,
    type: T,
    fits: (event: Extract<WatchEvent<A>, { type: T }>) => boolean = () => true,
  ): Promise<Extract<WatchEvent<A>, { type: T }>> {
    for (;;) {
      const { value } = await events.next();
      if (!value) throw new Error(`ended before ${type}`);
      const one = value as Extract<WatchEvent<A>, { type: T }>;
      if (value.type === type && fits(one)) return one;
    }
  }

  it('show an explore again when its answer has changed', async () => {
    const body = { filters: { q: 'worker-watched' }, facets: [{ field: 'worker' }] } as const;
    const events = world.client.table('adminTasks').watch(body);
    const first = await next(events, 'answer');
    expect(first.answer.meta.pagination.total_items).equal(0);
    await setWorker('worker-watched');
    const second = await next(events, 'answer');
    expect(second.answer.data.map(({ id }) => id)).eql([1]);
    expect(second.answer.facets![0]!.values).eql([{ value: 'worker-watched', count: 1 }]);
    expect(second.asOf).match(/^\d+\.\d+$/);
    await events.return();
    expect(await events.next()).eql({ done: true, value: undefined });
  });

  it('give a slow reader the newest answer, not all that came meanwhile', async () => {
    const watched = () => world.client.table('adminTasks').watch({ filters: { q: 'worker-slow' } });
    const [slow, other] = [watched(), watched()];
    const workers: unknown[] = [];
    const take = async (events: typeof slow) =>
      (await next(events, 'answer')).answer.data[0]?.worker;
    await Promise.all([take(slow), take(other)]);
    for (let i = 1; i <= 5; i++) {
      await setWorker(`worker-slow-${i}`);
      while ((await take(other)) !== `worker-slow-${i}`);
    }
    while (workers.at(-1) !== 'worker-slow-5') workers.push(await take(slow));
    // The last one may have been on its way.
    expect(workers.length, workers.join()).most(2);
    await Promise.all([slow.return(), other.return()]);
  });

  it('tell how far the service has got while nothing changes', async () => {
    const service = await startService(world.database.uri, world.database.name, {
      watchCommentMs: 200,
    });
    try {
      const reached: string[] = [];
      const events = world
        .clientWith({ baseUrl: service.url })
        .table('adminTasks')
        .watch({ filters: { q: 'worker-still' } }, { onReached: (asOf) => reached.push(asOf) });
      const { asOf } = await next(events, 'answer');
      const over = next(events, 'answer');
      await until(() => reached.length > 1);
      const [from, to] = [asOf, reached.at(-1)!].map(readTime);
      expect(to!.greaterThanOrEqual(from!)).equal(true);
      await setWorker('worker-still');
      expect((await over).answer.meta.pagination.total_items).equal(1);
      await events.return();
    } finally {
      await service.stop();
    }
  });

  it('tell of a lost connection, and go on with what holds by then', async () => {
    const { proxy, baseUrl } = await proxied();
    const events = world
      .clientWith({ baseUrl })
      .table('adminTasks')
      .watch({ filters: { q: 'worker-lost' } });
    await next(events, 'answer');
    proxy.cut();
    const lost = await next(events, 'lost');
    expect(lost.error).instanceOf(CutStreamError);
    expect(lost.retryInMs).within(1, 3_000);
    await setWorker('worker-lost');
    const again = await next(events, 'lost');
    expect(again.error.message).match(/cannot be reached/);
    proxy.restore();
    const answer = await next(events, 'answer');
    expect(answer.answer.meta.pagination.total_items).equal(1);
    await events.return();
  });

  it('take a connection for lost that is silent for too long', async () => {
    const { proxy, baseUrl } = await proxied();
    const events = world
      .clientWith({ baseUrl })
      .table('adminTasks')
      .watch({ filters: { q: 'worker-unheard' } }, { silenceMs: 2_000 });
    await next(events, 'answer');
    proxy.silence();
    const lost = await next(events, 'lost');
    expect(lost.error).instanceOf(CutStreamError);
    await setWorker('worker-unheard');
    proxy.restore();
    await next(events, 'answer', ({ answer }) => answer.meta.pagination.total_items === 1);
    await events.return();
  });

  it('end with the right to see it: the end and its reason, then the refusal', async () => {
    const users = world.database.db.collection<{ _id: number }>('users');
    const events = world.member.table('users').watch({});
    await next(events, 'answer');
    await users.updateOne({ _id: 2 }, { $set: { active: false } });
    try {
      const end = await next(events, 'end');
      expect(end.reason).match(/no longer have access/);
      const error = await events.next().catch((e: unknown) => e);
      expect(error).include({ status: 401 });
    } finally {
      await users.updateOne({ _id: 2 }, { $set: { active: true } });
    }
  });

  it('find the service again that was stopped and started', async () => {
    const { database } = world;
    const one = await startService(database.uri, database.name);
    const { port } = new URL(one.url);
    const token = await one.token(1, true);
    const events = world.clientWith({ baseUrl: one.url, token }).table('users').watch({});
    await next(events, 'answer');
    const stopped = one.stop();
    expect((await next(events, 'end')).reason).match(/stopping/);
    await stopped;
    const two = await startService(database.uri, database.name, { PORT: port });
    expect((await next(events, 'answer')).answer.data.length).equal(4);
    await events.return();
    await two.stop();
  });

  it('throw refusals at once, and do not reconnect where that is not wanted', async () => {
    const refused = world.member.table('adminTasks').watch({});
    expect(await refused.next().catch((e: unknown) => e)).include({ code: 'Forbidden' });
    const { proxy, baseUrl } = await proxied();
    const events = world.clientWith({ baseUrl }).table('users').watch({}, { reconnect: false });
    await next(events, 'answer');
    proxy.cut();
    const error = await next(events, 'lost').catch((e: unknown) => e);
    expect(error).instanceOf(CutStreamError);
  });

  it('wait also where a proxy asks for no wait', async () => {
    const begun = new Response('retry: 10\n\n', { headers: { 'content-type': EVENTS } });
    const answers = [begun];
    const refused = () => new Response('', { status: 503, headers: { 'retry-after': '0' } });
    const client = world.clientWith({ fetch: async () => answers.pop() ?? refused() });
    const events = client.table('users').watch();
    const waits: number[] = [];
    while (waits.length < 4) waits.push((await next(events, 'lost')).retryInMs);
    expect(Math.min(...waits)).at.least(5);
    await events.return();
  });

  it('end with their signal', async () => {
    const abort = new AbortController();
    const events = world.client.table('users').watch({}, { signal: abort.signal });
    await next(events, 'answer');
    abort.abort(new Error('enough'));
    const error = (await events.next().catch((e: unknown) => e)) as Error;
    expect(error.message).equal('enough');
  });

  it('throw when an export is cut, and never take a part for the whole', async () => {
    const many = Array.from({ length: BIG }, (_, n) =>
      task(10_000 + n, { folder: 'x'.repeat(4_000) }),
    );
    await world.withTasks(many, async () => {
      const { proxy, baseUrl } = await proxied();
      const table = world.clientWith({ baseUrl }).table('adminTasks');
      const rows = await table.export();
      let count = 0;
      const error = await (async () => {
        for await (const _ of rows) if (++count === 50) proxy.cut();
      })().catch((e: unknown) => e);
      expect(error).instanceOf(CutStreamError);
      expect(count).within(50, rows.total - 1);
      proxy.restore();
      const file = await table.exportFile({}, { format: 'ndjson' });
      setTimeout(() => proxy.cut(), 1);
      const cut = await new Response(file.stream).text().catch((e: unknown) => e);
      expect(cut).instanceOf(CutStreamError);
    });
  });

  it('throw when fewer rows come than were promised, though the stream looks whole', async () => {
    const shortened: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      const lines = (await response.text()).split('\n').slice(1).join('\n');
      return new Response(lines, { headers: response.headers });
    };
    const rows = await world.clientWith({ fetch: shortened }).table('users').export();
    const error = (await all(rows).catch((e: unknown) => e)) as Error;
    expect(error).instanceOf(CutStreamError);
    expect(error.message).match(/3 of 4 rows/);
  });

  it('follow a log while its task runs, over connections that are lost, and end with it', async () => {
    const { proxy, baseUrl } = await proxied();
    const client = world.clientWith({ baseUrl });
    const seen: unknown[] = [];
    let lost = 0;
    let opened = 0;
    const onOpen = () => void opened++;
    for await (const event of client.tasks.followLog({ task_id: uuid(7) }, { last: 3, onOpen })) {
      if (event.type === 'lost') {
        if (++lost === 1) await world.log(7, 6, 3);
        proxy.restore();
      } else if (event.type === 'end') seen.push(event.status, event.retryInMs);
      else {
        const { seq } = event.line;
        seen.push(seq);
        if (seq === 5) proxy.cut();
        if (seq === 8) await tasks().updateOne({ _id: 7 }, { $set: { status: 'SUCCESS' } });
      }
    }
    expect(seen).eql([3, 4, 5, 6, 7, 8, 'SUCCESS', undefined]);
    expect(lost).greaterThan(0);
    expect(opened, 'connections that stood').within(2, lost + 1);
  });
});
