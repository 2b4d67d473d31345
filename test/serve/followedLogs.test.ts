/** Followed logs: their lines and where these begin, their time, their callers and their limits. */
import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { CommandStartedEvent, MongoClient } from 'mongodb';
import { followLog, type LogFollowerOptions } from '../../src/apps/admin/logs/logFollower.ts';
import { LogTails } from '../../src/apps/admin/logs/logTails.ts';
import { Holders } from '../../src/serve/auth/holders.ts';
import { BY_CLAIMS } from '../../src/serve/auth/policy.ts';
import {
  ADMIN,
  type Any,
  HARBOUR,
  LIBRARIAN,
  LIBRARY,
  SAILOR,
  useScene,
} from '../apps/admin/scene.ts';
import { type Watching, watch } from '../support/eventStream.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { openSocket } from './rawSocket.ts';

describe('logs that are followed', function followed() {
  this.timeout(60_000);
  const scene = useScene();
  const open: Watching[] = [];
  const lines = () => scene.db.collection<Any>('task_logs');
  const line = (task_id: string, seq: number, message = `line ${seq}`) => ({
    task_id,
    seq,
    ts: new Date(1_700_000_000_000 + seq),
    level: 'INFO',
    message,
  });
  const write = (id: string, ...seqs: readonly number[]) =>
    lines().insertMany(seqs.map((seq) => line(id, seq)));
  const end = (task_id: string, status = 'SUCCESS') =>
    scene.db.collection('tasks').updateOne({ task_id }, { $set: { status } });
  const paths = (id: string) => [
    `/api/v2/tasks/${id}/logs`,
    `/api/v2/projects/${HARBOUR}/tasks/${id}/logs`,
    `/api/v2/admin/tasks/${id}/logs`,
  ];

  interface How {
    readonly as?: number;
    readonly token?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly url?: string;
  }
  async function follow(path: string, { as = SAILOR, ...how }: How = {}): Promise<Watching> {
    const { token = await scene.token(as), headers = {}, url = scene.service.url } = how;
    const one = await watch(url + path, { token, headers });
    open.push(one);
    return one;
  }
  const shown = ({ events }: Watching) =>
    events.filter(({ event }) => event === 'line').map(({ data }) => data.seq);
  const shows = (one: Watching, seqs: readonly number[]) =>
    until(() => shown(one).length >= seqs.length, `${seqs} expected, ${shown(one)} came`).then(() =>
      expect(shown(one)).eql(seqs),
    );

  afterEach(() => {
    for (const one of open.splice(0)) one.leave();
  });

  it('show what is there, then what comes, and end with their task', async () => {
    const { task_id: id } = await scene.task();
    await write(id, 1, 2);
    const all = await Promise.all([
      follow(paths(id)[0]!),
      follow(paths(id)[1]!),
      follow(paths(id)[2]!, {
        as: ADMIN,
        headers: { accept: 'application/json;q=0.5, text/event-stream; charset=UTF-8' },
      }),
    ]);
    for (const { headers } of all) expect(headers.get('content-type')).equal('text/event-stream');
    for (const one of all) await shows(one, [1, 2]);
    await write(id, 3);
    for (const one of all) await shows(one, [1, 2, 3]);
    const { body } = await scene.call('GET', paths(id)[0]!);
    const [first] = all[0]!.events;
    expect(first).deep.include({ event: 'line', id: '1', data: body.data[0] });
    await write(id, 10, 11);
    await end(id, 'FAILURE');
    for (const one of all) {
      expect((await one.first('end')).data).eql({
        reason: 'The task has ended.',
        status: 'FAILURE',
      });
      expect(shown(one), 'nothing that was there is left out').eql([1, 2, 3, 10, 11]);
      await until(() => one.over);
    }
  });

  it('of tasks that have ended are shown whole, and end', async () => {
    const { task_id: id } = await scene.task({ status: 'SUCCESS' });
    const seqs = Array.from({ length: 1_300 }, (_, i) => i * 2 - 40);
    await lines().insertMany(seqs.map((seq) => line(id, seq)));
    const one = await follow(paths(id)[0]!);
    await one.first('end');
    expect(shown(one)).eql(seqs);
    const { task_id: empty } = await scene.task({ status: 'REVOKED' });
    const none = await follow(paths(empty)[0]!);
    expect((await none.first('end')).data.status).equal('REVOKED');
    expect(shown(none)).eql([]);
  });

  it('go on from where they began, if nothing has come yet', async () => {
    const { task_id: id } = await scene.task();
    const cut = await follow(`${paths(id)[0]}?last=2`);
    await until(() => cut.reached !== undefined, 'no position came');
    cut.leave();
    await write(id, -7, 2, 3, 4);
    const headers = { 'last-event-id': cut.reached! };
    await shows(await follow(`${paths(id)[0]}?last=2`, { headers }), [-7, 2, 3, 4]);
    const later = await follow(`${paths(id)[0]}?last=2`);
    await shows(later, [3, 4]);
    expect(later.reached, 'the position before the last lines').equal('2');
  });

  it('go on after a position, after the last event, or with the last lines', async () => {
    const { task_id: id } = await scene.task();
    const ahead = await follow(`${paths(id)[0]}?after=6`);
    const early = await follow(`${paths(id)[0]}`);
    await write(id, 1, 2, 3, 4, 5);
    await shows(early, [1, 2, 3, 4, 5]);
    const from = async (query: string, headers = {}) =>
      await follow(`${paths(id)[0]}${query}`, { headers });
    const followed = [
      [await from('?after=3'), [4, 5]],
      [await from('', { 'last-event-id': '4' }), [5]],
      [await from('?after=1', { 'last-event-id': '5' }), []],
      [await from('?last=2'), [4, 5]],
      [await from('?last=2', { 'last-event-id': '1' }), [2, 3, 4, 5]],
    ] as const;
    for (const [one, seqs] of followed) await shows(one, seqs);
    await write(id, 6, 7);
    for (const [one, seqs] of followed) await shows(one, [...seqs, 6, 7]);
    await shows(ahead, [7]);
    for (const value of ['', 'x', '1 2']) {
      const headers = { accept: 'text/event-stream', 'last-event-id': value };
      const { status, body } = await scene.call('GET', paths(id)[0]!, { headers });
      expect([status, body.code, body.detail.includes('Last-Event-ID')]).eql([
        422,
        'ValidationFailed',
        true,
      ]);
    }
  });

  it("of another project's task, or of none, are not there", async () => {
    const { task_id: id } = await scene.task();
    const headers = { accept: 'text/event-stream' };
    for (const [path, as] of [
      [paths(id)[0]!, LIBRARIAN],
      [`/api/v2/projects/${LIBRARY}/tasks/${id}/logs`, LIBRARIAN],
      [`/api/v2/projects/${LIBRARY}/tasks/${id}/logs`, ADMIN],
    ] as const) {
      const { status, body } = await scene.call('GET', path, { as, headers });
      expect([status, body.code]).eql([404, 'NotFound']);
    }
  });

  it('cut long messages, and say how long they are', async () => {
    const { task_id: id } = await scene.task({ status: 'SUCCESS' });
    const long = `${'x'.repeat(16_383)}😀${'y'.repeat(3_000_000)}`;
    await lines().insertMany([line(id, 1, long), line(id, 2, 'a\nb\r\n\ndata: c')]);
    const one = await follow(paths(id)[0]!);
    await one.first('end');
    const [first, second] = one.events;
    expect(first!.data.message).equal('x'.repeat(16_383));
    expect(first!.data.message_length).equal(long.length);
    expect(second!.data).include({ message: 'a\nb\r\n\ndata: c' });
    expect(second!.data).not.have.property('message_length');
  });

  it('end when the right or the token ends, or the task is gone, within a second', async () => {
    const users = scene.db.collection<Any>('users');
    const projects = scene.db.collection<Any>('projects');
    const mate = { user_id: 9, role: 'editor' };
    const { task_id: id } = await scene.task();
    const token = await scene.service.token(SAILOR, false, 3);
    const ofToken = await follow(paths(id)[0]!, { token });
    expect((await ofToken.first('end')).data.reason).include('expired');
    await users.insertOne({ _id: 9, email: 'mate@pharos.example', active: true });
    await projects.updateOne({ _id: 1 }, { $addToSet: { members: mate } } as Any);
    const changes = [
      [
        'no longer have access',
        () => projects.updateOne({ _id: 1 }, { $pull: { members: mate } } as Any),
      ],
      ['no longer have access', () => users.updateOne({ _id: 9 }, { $set: { active: false } })],
      ['deleted', () => scene.db.collection('tasks').deleteOne({ task_id: id })],
    ] as const;
    for (const [why, change] of changes) {
      const as = why === 'no longer have access' ? 9 : SAILOR;
      // A right that was given counts within a second.
      await until(async () => (await scene.call('GET', paths(id)[0]!, { as })).status === 200);
      await until(async () => (await scene.call('GET', paths(id)[1]!, { as })).status === 200);
      const ones = await Promise.all(
        paths(id)
          .slice(0, 2)
          .map((path) => follow(path, { as })),
      );
      await change();
      const changed = performance.now();
      for (const one of ones) {
        const ended = await one.first('end');
        expect(ended.data.reason).include(why);
        // The bound is a second; a busy machine has more.
        expect(ended.at - changed).below(5_000);
        await until(() => one.over);
      }
      if (why === 'deleted') break;
      await projects.updateOne({ _id: 1 }, { $addToSet: { members: mate } } as Any);
    }
  });

  it('end when their task goes to another project', async () => {
    const { task_id: id } = await scene.task();
    const ones = [await follow(paths(id)[0]!), await follow(paths(id)[1]!)];
    await scene.db
      .collection('tasks')
      .updateOne({ task_id: id }, { $set: { project_id: LIBRARY } });
    await write(id, 1);
    for (const one of ones) expect((await one.first('end')).data.reason).include('deleted');
  });

  it('are not there when their task has just left all projects, though the caller could use it', async () => {
    for (const accept of ['text/event-stream', 'text/plain']) {
      const { task_id: id } = await scene.task();
      await write(id, 1);
      const { status: before } = await scene.call('GET', paths(id)[0]!, { as: SAILOR });
      expect(before).equal(200);
      const left = { scope: 'system', project_id: null };
      await scene.db.collection('tasks').updateOne({ task_id: id }, { $set: left });
      const { status } = await follow(paths(id)[0]!, { headers: { accept } });
      expect(status, accept).equal(404);
      const asAdmin = await follow(paths(id)[0]!, { as: ADMIN, headers: { accept } });
      expect(asAdmin.status, accept).equal(200);
    }
  });

  it('end like the others where they begin while the service stops', async () => {
    const rights = new Holders(BY_CLAIMS, async () => true);
    rights.stop();
    const principal = { sub: '1', ...{ roles: [], admin: true, claims: {} }, expires: 1e10 };
    const right = { permission: 'admin', principal, params: {} };
    const follower = { res: new EventEmitter(), right } as unknown as LogFollowerOptions;
    const tails = new LogTails(scene.db);
    const stream = followLog({ taskId: 'late' }, follower, { rights, tails });
    const sent = await stream.toArray();
    expect(Buffer.concat(sent).toString()).match(/event: end\n.*stopping/);
  });

  describe('by a service of their own', () => {
    let service: TestService;
    afterEach(() => service.stop());

    it('end when it stops', async () => {
      service = await startService(scene.database.uri, scene.database.name);
      const { task_id: id } = await scene.task();
      const one = await follow(paths(id)[0]!, { url: service.url });
      const stopped = service.stop();
      expect((await one.first('end')).data.reason).include('stopping');
      await stopped;
    });

    it('are so many for one caller, and for all', async () => {
      const limits = { MAX_WATCHES_PER_USER: '2', MAX_WATCHES: '3', SEARCH_INDEX: 'off' };
      service = await startService(scene.database.uri, scene.database.name, limits);
      const { task_id: id } = await scene.task();
      const status = async (as: number) =>
        (await follow(paths(id)[as === ADMIN ? 2 : 0]!, { as, url: service.url })).status;
      await scene.db
        .collection<Any>('users')
        .updateOne({ _id: 9 }, { $set: { active: true } }, { upsert: true });
      await scene.db
        .collection<Any>('projects')
        .updateOne({ _id: 1 }, { $addToSet: { members: { user_id: 9, role: 'editor' } } } as Any);
      expect([await status(SAILOR), await status(SAILOR), await status(SAILOR)]).eql([
        200, 200, 429,
      ]);
      expect([await status(ADMIN), await status(9)]).eql([200, 503]);
      open[0]!.leave();
      await until(async () => (await status(9)) === 200);
    });

    it('are read no further than a slow client takes', async () => {
      service = await startService(scene.database.uri, scene.database.name);
      const { task_id: id } = await scene.task({ status: 'SUCCESS' });
      const message = 'x'.repeat(16_000);
      const n = 1_000;
      for (let from = 0; from < n; from += 500) {
        await lines().insertMany(
          Array.from({ length: 500 }, (_, i) => line(id, from + i, `${from + i} ${message}`)),
        );
      }
      const socket = await openSocket(Number(new URL(service.url).port));
      socket.pause();
      const token = await scene.token(SAILOR);
      socket.write(
        `GET ${paths(id)[0]} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      const quick = await follow(paths(id)[0]!, { url: service.url });
      await quick.first('end');
      expect(shown(quick).length).equal(n);
      let text = '';
      let taken = 0;
      socket.setEncoding('utf8');
      socket.on('data', (piece) => {
        taken += piece.length;
        text = (text + piece).slice(-1_000);
      });
      // The lines in the connection's buffers are on their way; the rest is read as the client
      // takes it.
      await scene.db.collection('task_logs').deleteMany({ task_id: id, seq: { $gt: n - 100 } });
      socket.resume();
      await until(() => text.includes('The task has ended.'));
      expect(text).not.include(`id: ${n - 1}\n`);
      expect(taken).greaterThan(message.length * 100);
      socket.destroy();
      await lines().deleteMany({ task_id: id });
    });
  });

  it('cost the store two reads a second, however many follow how many logs', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { task_id } = await scene.task();
      await write(task_id, 1);
      ids.push(task_id);
    }
    const Client = scene.database.client.constructor as new (
      uri: string,
      options: object,
    ) => MongoClient;
    const client = new Client(scene.database.uri, { monitorCommands: true });
    const reads: string[] = [];
    client.on('commandStarted', ({ commandName }: CommandStartedEvent) => {
      if (/find|aggregate|getMore/.test(commandName)) reads.push(commandName);
    });
    const tails = new LogTails(client.db(scene.database.name));
    const reader = {
      turn: <T>(read: () => Promise<T>) => read(),
      hold: () => ({ release: () => undefined }),
      step: async <T>(work: () => T) => work(),
    };
    let wakes = 0;
    const followers = ids.flatMap((taskId) =>
      [1, 2, 3].map(() => {
        const wake = () => void wakes++;
        return { wake, tail: tails.follow({ taskId }, wake) };
      }),
    );
    try {
      await Promise.all(followers.map(({ tail }) => tail.read(undefined, reader)));
      // Three at one position share a read.
      expect(reads.filter((name) => name === 'find').length).equal(ids.length);
      reads.length = 0;
      const began = performance.now();
      await until(() => reads.length >= 6);
      const rounds = Math.floor((performance.now() - began) / 1_000) + 2;
      expect(reads.every((name) => name === 'aggregate')).equal(true);
      expect(reads.length).at.most(2 * rounds);
      expect(wakes).equal(0);
      await write(ids[3]!, 2);
      await until(() => wakes > 0);
      expect(wakes).equal(3);
      expect(followers.filter(({ tail }) => tail.news > 0).length).equal(3);
    } finally {
      for (const { tail, wake } of followers) tails.leave(tail, wake);
      await client.close();
    }
  });
});
