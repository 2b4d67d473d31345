/** The client against the real service: every call, its answer, and its refusals. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { GridFSBucket, ObjectId } from 'mongodb';
import {
  ApiError,
  ConnectionError,
  createClient,
  type Views,
} from '../../clients/typescript/index.ts';
import { uuid } from '../conformance/documents.ts';
import { all, TASKS, useWorld } from './world.ts';

async function thrown(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => expect.fail('it did not throw'),
    (error: Error) => error,
  );
}

const refusal = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await thrown(work);
  expect(error).instanceOf(ApiError);
  return error as ApiError;
};

/** Moments: seconds first, then the increment. */
const byTime = (a: string, b: string) => {
  const [[s, i], [t, j]] = [a, b].map((one) => one.split('.').map(Number)) as [number[], number[]];
  return s! - t! || i! - j!;
};

describe('the client', function client() {
  this.timeout(60_000);
  const world = useWorld();
  const project = { project_id: uuid(1) };

  it('searches each of the tables', async () => {
    const { client, member } = world;
    const totals: Record<keyof Views, number> = {
      adminSchedules: 4,
      projectSchedules: 2,
      adminTasks: TASKS,
      projectTasks: TASKS / 3,
      users: 4,
      ownProjects: 2,
      adminProjects: 2,
      audit: 0,
    };
    const tables = [
      client.table('adminSchedules'),
      client.table('projectSchedules', project),
      client.table('adminTasks'),
      client.table('projectTasks', project),
      client.table('users'),
      client.table('ownProjects'),
      client.table('adminProjects'),
      client.table('audit'),
    ];
    for (const table of tables) {
      const { data, meta } = await table.search({ pagination: { per_page: 3 } });
      expect(meta.pagination.total_items, table.name).equal(totals[table.name]);
      expect(data.length).equal(Math.min(3, totals[table.name]));
    }
    const own = await member.table('ownProjects').search();
    expect(own.data.map(({ identifier }) => identifier)).eql([uuid(1)]);
  });

  it('says what answered, of which moment, and where the time went', async () => {
    const { info } = await world.client.table('users').search();
    expect(info.asOf).match(/^\d+\.\d+$/);
    expect(info.route).oneOf(['index', 'pipeline']);
    expect(Object.keys(info.timing)).eql(['plan', 'search', 'rows', 'total']);
    expect(info.requestId).equal(info.headers.get('x-request-id'));
    const { info: ofMember } = await world.member.table('users').search();
    expect(ofMember.timing).eql({});
  });

  it('goes through all pages', async () => {
    const ids: unknown[] = [];
    const pages = world.client.table('adminTasks').pages({ pagination: { per_page: 25 } });
    for await (const { data, meta } of pages) {
      ids.push(...data.map(({ id }) => id));
      expect(meta.pagination.current_page).equal(Math.ceil(ids.length / 25));
    }
    expect(ids).eql(Array.from({ length: TASKS }, (_, n) => TASKS - n));
    const none = world.client.table('users').pages({ filters: { q: 'nobody' } });
    expect((await all(none)).map(({ data }) => data)).eql([[]]);
  });

  it('explores, and counts by value', async () => {
    const table = world.client.table('adminTasks');
    const { data, facets, histogram, meta } = await table.explore({
      select: [{ field: 'status', in: ['FAILURE'] }],
      facets: [{ field: 'worker', limit: 2 }],
      histogram: { field: 'date_queued', interval: 'P1D' },
    });
    expect(data.every(({ status }) => status === 'FAILURE')).equal(true);
    expect(facets![0]!.values.length).equal(2);
    expect(histogram!.buckets.length).equal(9);
    expect(meta.applied_select.length).equal(1);
    const [status, worker] = await table.facets(['status', { field: 'worker', limit: 1 }], {
      filters: { q: 'worker-1' },
    });
    const total = status!.values.reduce((sum, { count }) => sum + count, 0);
    expect([total, worker!.values]).eql([12, [{ value: 'worker-1', count: 12 }]]);
  });

  it('exports the rows of one moment, and files of them', async () => {
    const table = world.client.table('adminTasks');
    const rows = await table.export({
      columns: ['task_id', 'status'],
      sorting: { sort_order: 'asc' },
    });
    expect([rows.total, rows.info.asOf !== undefined]).eql([TASKS, true]);
    const exported = await all(rows);
    expect(exported[0]).eql({ task_id: uuid(1), status: 'FAILURE' });
    expect(exported.length).equal(TASKS);
    const none = await world.client.table('users').export({ filters: { q: 'nobody' } });
    expect([none.total, await all(none)]).eql([0, []]);
    const file = await table.exportFile({ columns: ['task_id'] });
    expect(file.fileName).match(/^tasks-.*\.csv$/);
    const text = await new Response(file.stream).text();
    expect(text.trim().split('\r\n').length).equal(TASKS + 1);
  });

  it('manages schedules', async () => {
    const { schedules } = world.client;
    const [anywhere, ofProject] = [
      { schedule_id: uuid(1), scope: 'system' },
      { schedule_id: uuid(2), ...project },
    ] as const;
    expect((await schedules.disable(anywhere)).enabled).equal(false);
    expect((await schedules.enable(anywhere)).enabled).equal(true);
    expect((await world.member.schedules.disable(ofProject)).enabled).equal(false);
    expect((await schedules.enable({ ...ofProject, admin: true })).enabled).equal(true);
    const guarded = { schedule_id: uuid(1), scope: 'project' } as const;
    expect((await refusal(schedules.delete(guarded))).code).equal('NotFound');
    await schedules.delete({ schedule_id: uuid(3) });
    await world.member.schedules.delete({ schedule_id: uuid(4), ...project });
    const left = await world.client.table('adminSchedules').search();
    expect(left.data.map(({ schedule_id }) => schedule_id)).have.members([uuid(1), uuid(2)]);
    expect((await world.client.table('audit').search()).meta.pagination.total_items).equal(6);
  });

  it('manages tasks', async () => {
    const { client, member } = world;
    const ours = { task_id: uuid(3), ...project };
    expect((await member.tasks.preserve(ours)).preserve).equal(true);
    expect((await member.tasks.preserve(ours, false)).preserve).equal(false);
    const metadata = await member.tasks.metadata(ours);
    expect([metadata.status, metadata.log_lines]).eql(['FAILURE', 0]);
    const ended = await refusal(client.tasks.cancel(uuid(8)));
    expect([ended.status, ended.code]).eql([409, 'TaskNotCancellable']);
    const started = { status: 'STARTED' };
    await world.database.db
      .collection<{ _id: number }>('tasks')
      .updateMany({ _id: { $in: [10, 11] } }, { $set: started });
    expect((await client.tasks.cancel(uuid(10))).status).equal('REVOKED');
    const called = client.call('cancelTask', { path: { task_id: uuid(11) } });
    expect((await called).status).equal('REVOKED');
    expect((await client.tasks.routingKeys()).length).greaterThan(5);
    expect((await client.call('listViews')).records).eql([]);
  });

  it('reads logs by page, as text, and line by line', async () => {
    const { client, member } = world;
    const address = { task_id: uuid(8) };
    const page = await client.tasks.log(address, { after: 2, limit: 3 });
    expect(page.data.map(({ seq }) => seq)).eql([3, 4, 5]);
    expect((await client.tasks.log({ ...address, admin: true })).data.length).equal(12);
    const text = await new Response(await client.tasks.logText(address)).text();
    expect(text.split('\n').length).equal(13);
    const lines = await all(client.tasks.logLines(address, { limit: 5 }));
    expect(lines.map(({ message }) => message)).eql(
      Array.from({ length: 12 }, (_, n) => `line ${n + 1}`),
    );
    const latest = await all(client.tasks.logLines(address, { last: 2 }));
    expect(latest.map(({ seq }) => seq)).eql([11, 12]);
    const foreign = { task_id: uuid(8), project_id: uuid(1) };
    expect((await refusal(member.tasks.log(foreign))).status).equal(404);
  });

  it('downloads snapshots, whole and in part', async () => {
    const snapshot = new ObjectId();
    const bucket = new GridFSBucket(world.database.db, { bucketName: 'snapshots' });
    const upload = bucket.openUploadStreamWithId(snapshot, 'a b.json');
    await new Promise((resolve) => upload.end('{"a":12345}', resolve as () => void));
    const tasks = world.database.db.collection<{ _id: number }>('tasks');
    await tasks.updateOne({ _id: 12 }, { $set: { snapshot_file_id: snapshot } });
    const whole = await world.client.tasks.snapshot(uuid(12));
    expect([whole.size, whole.isPart]).eql([11, false]);
    expect(whole.disposition).include('a b.json');
    expect(await new Response(whole.stream).text()).equal('{"a":12345}');
    const from = { byte: 5, etag: whole.etag! };
    const part = await world.client.tasks.snapshot(uuid(12), { from });
    expect([part.isPart, await new Response(part.stream).text()]).eql([true, '12345}']);
    const none = await refusal(world.client.tasks.snapshot(uuid(13)));
    expect(none.code).equal('SnapshotNotFound');
  });

  it('throws what the service refuses, with every place that is wrong', async () => {
    const body = { filters: { nope: 1, active: 'yes' } } as object;
    const wrong = await refusal(world.client.table('users').search(body));
    expect([wrong.status, wrong.code]).eql([422, 'ValidationFailed']);
    expect(wrong.problems.map(({ pointer }) => pointer)).have.members([
      '/filters/nope',
      '/filters/active',
    ]);
    expect(wrong.requestId).match(/^\S+$/);
    expect(wrong.message).match(/2 problems/);
    const anonymous = world.clientWith({ token: undefined });
    expect((await refusal(anonymous.table('users').search())).status).equal(401);
    expect((await refusal(world.member.table('audit').export())).code).equal('Forbidden');
    for (const project_id of ['', '.', '..']) {
      const tableOf = () => world.client.table('projectTasks', { project_id });
      expect(tableOf).throw(TypeError, 'needs project_id');
    }
  });

  it('throws that nothing has an id with half a character', async () => {
    const { client } = world;
    const half = '\ud800';
    const asked = [
      () => client.document('orders', half),
      () => client.table('projectTasks', { project_id: half }).search(),
      () => client.table(half).search(),
      () => client.tasks.cancel(half),
      () => client.tasks.log({ task_id: half }),
      () => client.schedules.enable({ schedule_id: half }),
      () => client.call('deleteView', { path: { view_id: half } }),
    ];
    for (const ask of asked) expect((await refusal(ask())).code).equal('NotFound');
  });

  it('tells with each request the latest moment it has seen, also of changes and streams', async () => {
    const sent: (string | null)[] = [];
    const told: string[] = [];
    const client = world.clientWith({
      async fetch(input, init) {
        sent.push(new Headers(init?.headers).get('search-not-before'));
        const answer = await fetch(input, init);
        const asOf = answer.headers.get('search-as-of');
        if (asOf) told.push(asOf);
        return answer;
      },
    });
    const tasks = client.table('projectTasks', project);
    const ours = { ...project, task_id: uuid(3) };
    const changed = () => client.tasks.preserve(ours, told.length % 2 === 0);
    await tasks.search();
    expect(sent).eql([null]);
    for (let i = 0; i < 5; i++) {
      // Answers that come in any order: the latest moment counts, not the latest answer.
      await Promise.all([tasks.search(), changed(), tasks.search()]);
      await tasks.search();
      expect(sent.at(-1)).equal(told.slice(0, -1).sort(byTime).at(-1));
    }
    for await (const event of tasks.watch()) {
      if (event.type !== 'answer') continue;
      told.push(event.asOf);
      break;
    }
    await tasks.search();
    expect(sent.at(-1)).equal(told.slice(0, -1).sort(byTime).at(-1));
  });

  it('asks for its token before each request', async () => {
    const token = await world.service.token(1, true);
    let asked = 0;
    const given = async () => {
      asked += 1;
      return token;
    };
    const client = world.clientWith({ token: given });
    await client.table('users').search();
    await client.tasks.routingKeys();
    expect(asked).equal(2);
  });

  it('tells a service that cannot be reached from one that is none', async () => {
    const nowhere = createClient({ baseUrl: 'http://127.0.0.1:9' });
    const lost = await thrown(nowhere.table('users').search());
    expect(lost).instanceOf(ConnectionError);
    expect(lost.message).match(/^http:\/\/127\.0\.0\.1:9 cannot be reached: /);
    const page = world.clientWith({ fetch: async () => new Response('<html>', { status: 502 }) });
    const other = await refusal(page.table('users').search());
    expect([other.code, other.status]).eql(['Unknown', 502]);
    const problem = async () => {
      const headers = { 'content-type': 'application/problem+json' };
      return new Response('{"title":"Slow down"}', { status: 429, headers });
    };
    const gateway = world.clientWith({ fetch: problem, retries: 0 });
    const foreign = await refusal(gateway.table('users').search());
    expect([foreign.code, foreign.status]).eql(['Unknown', 429]);
    for (const text of ['<html>', '']) {
      const html = world.clientWith({ baseUrl: '', fetch: async () => new Response(text) });
      for (const work of [html.table('users').search(), html.tables()]) {
        expect((await thrown(work)).message).equal('The service does not answer in JSON.');
      }
    }
  });

  it('says where a redirect leads that takes no token along', async () => {
    const { url } = world.service;
    const elsewhere = createServer((req, res) => {
      res.writeHead(308, { location: url + req.url }).end();
    });
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    try {
      const client = world.clientWith({ baseUrl: `http://127.0.0.1:${port}` });
      const lost = await thrown(client.table('users').search());
      expect(lost).instanceOf(ConnectionError);
      expect(lost.message).match(new RegExp(`:${port} redirects to ${url}, which gets no token`));
    } finally {
      elsewhere.close();
    }
  });

  it('leaves no connection open to a page that is no file of rows', async () => {
    let answer: ServerResponse | undefined;
    const proxy = createServer((_, res) => {
      answer = res.writeHead(200, { 'content-type': 'text/html' });
      res.write('<html>');
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    try {
      const client = world.clientWith({ baseUrl: `http://127.0.0.1:${port}` });
      const lost = await thrown(client.table('users').exportFile());
      expect(lost.message).match(/ answers with text\/html instead of text\/csv\.$/);
      if (!answer!.closed) await once(answer!, 'close', { signal: AbortSignal.timeout(5_000) });
    } finally {
      proxy.close();
      proxy.closeAllConnections();
    }
  });

  it('tells a body that is no JSON from a service that cannot be reached', async () => {
    const body = { filters: { id: 1n } } as object;
    const wrong = await thrown(world.client.table('users').search(body));
    expect(wrong).instanceOf(TypeError).not.instanceOf(ConnectionError);
  });

  it('ends with its signal while it waits for a token', async () => {
    const waiting = world.clientWith({ token: () => new Promise(() => {}) });
    const signal = AbortSignal.timeout(20);
    const ended = await thrown(waiting.table('users').search({}, { signal }));
    expect(ended.name).equal('TimeoutError');
  });
});
