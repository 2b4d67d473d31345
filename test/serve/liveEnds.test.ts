/**
 * Ends of watched explores: rights that are gone, limits, clients that leave. They go on while
 * nothing changes, and while the store is away.
 */
import { expect } from 'chai';
import { CheckpointWriter } from '../../src/tables/checkpoint/file.ts';
import { ADMIN, ANA, BO, PEOPLE } from '../conformance/documents.ts';
import { useFolder } from '../support/folder.ts';
import { NetworkProxy } from '../support/networkProxy.ts';
import { readTime } from '../support/readTime.ts';
import { until } from '../support/until.ts';
import { ADMIN_TASKS, TASKS_OF, USERS, useLiveWorld } from './liveWorld.ts';
import { openSocket } from './rawSocket.ts';

describe('the end of watched explores', function ends() {
  this.timeout(90_000);
  const world = useLiveWorld();
  const folder = useFolder('held');
  const counted = { facets: [{ field: 'status' }] };

  it('comes when a membership, a user or a project is gone, within a second', async () => {
    await world.startLive();
    const member = await world.watch(TASKS_OF(1), {}, world.tokens[ANA]);
    const user = await world.watch(USERS, {}, world.tokens[BO]);
    const admin = await world.watch(TASKS_OF(3), {});
    for (const one of [member, user, admin]) await one.first('answer');
    const projects = world.collection('projects');
    const changes = [
      [member, () => projects.updateOne({ _id: 1 }, { $set: { members: [] } })],
      [user, () => world.collection('users').updateOne({ _id: BO }, { $set: { active: false } })],
      [admin, () => projects.deleteOne({ _id: 3 })],
    ] as const;
    for (const [one, change] of changes) {
      await change();
      const changed = performance.now();
      const end = await one.first('end');
      expect(end.data.reason).to.include('no longer have access');
      // The bound is a second; a busy machine has more.
      expect(end.at - changed).to.be.below(3_000);
      await until(() => one.over);
      expect(one.events.at(-1)).to.equal(end);
    }
  });

  it('comes as soon while tables are held still for a checkpoint', async () => {
    const { open } = CheckpointWriter.prototype;
    let letGo: (() => void) | undefined;
    CheckpointWriter.prototype.open = async function held() {
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await open.call(this);
    };
    try {
      await world.startLive({ CHECKPOINT_DIR: folder });
      const member = await world.watch(TASKS_OF(1), {}, world.tokens[ANA]);
      await member.first('answer');
      await until(() => letGo !== undefined, 'no checkpoint is written');
      await world.collection('projects').updateOne({ _id: 1 }, { $set: { members: [] } });
      const changed = performance.now();
      expect((await member.first('end')).at - changed).to.be.below(3_000);
    } finally {
      CheckpointWriter.prototype.open = open;
      letGo?.();
    }
  });

  it('comes with their token', async () => {
    await world.startLive();
    const token = await world.service.token(ADMIN, true, 3);
    const events = await world.watch(ADMIN_TASKS, {}, token);
    expect((await events.first('end')).data.reason).to.include('expired');
    await until(() => events.over);
  });

  it('comes when the service stops', async () => {
    await world.startLive();
    const all = await Promise.all([1, 2, 3].map(() => world.watch(ADMIN_TASKS, counted)));
    for (const one of all) await one.first('answer');
    const stopped = world.service.stop();
    for (const one of all) {
      expect((await one.first('end')).data.reason).to.include('stopping');
      await until(() => one.over);
    }
    await stopped;
  });

  it('is not the end of others: a client that leaves gives everything back', async () => {
    await world.startLive();
    const port = Number(new URL(world.service.url).port);
    const stays = await world.watch(ADMIN_TASKS, counted);
    await stays.first('answer');
    const request = (body: string) =>
      `POST ${ADMIN_TASKS}/explore HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${world.tokens[ADMIN]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (let n = 0; n < 60; n++) {
      const socket = await openSocket(port);
      socket.on('error', () => {});
      socket.write(request(JSON.stringify({ filters: { q: 'a'.repeat(1 + (n % 20)) } })));
      // Before the answer, with its head, or a little later.
      if (n % 3 > 0) await new Promise((resolve) => socket.once('data', resolve));
      if (n % 3 > 1) {
        await world.collection('tasks').updateOne({ _id: 1 }, { $set: { folder: `a${n}` } });
      }
      socket.resetAndDestroy();
    }
    const left = async () =>
      (await world.held('watches')) === 1 &&
      (await world.held('searches')) === 0 &&
      (await world.held('answers')) === 0 &&
      (await world.figure('watched_explores')) === 1;
    await until(left, 'something is still held');
    await world.collection('tasks').updateOne({ _id: 1 }, { $set: { status: 'REVOKED' } });
    await until(() => JSON.stringify(stays.answer!.data).includes('REVOKED'));
  });

  it('comes for no one who is silent: a comment says that the connection lives', async () => {
    await world.startLive({ watchCommentMs: 300 });
    const events = await world.watch(ADMIN_TASKS, {});
    await events.first('answer');
    await until(() => events.comments >= 3);
    expect(events.answers).to.have.length(1);
    // A change elsewhere moves on the moment up to which the answer holds.
    const before = readTime(events.reached!);
    expect(before.greaterThanOrEqual(readTime(events.answer!.id!))).to.equal(true);
    await world.collection('task_logs').insertOne({ _id: 9_000_000 });
    await until(() => readTime(events.reached!).greaterThan(before), 'the moment stands still');
    expect(events.answers).to.have.length(1);
    expect(events.over).to.equal(false);
  });

  it('comes not while the index cannot answer: pipelines do, every five seconds', async () => {
    await world.start({ SEARCH_INDEX: 'off' });
    const events = await world.watch(ADMIN_TASKS, counted);
    const first = await events.first('answer');
    expect((await events.first('state')).data).to.deep.equal({
      index: 'unavailable',
      reason: 'SEARCH_INDEX is off.',
    });
    await world.collection('tasks').deleteMany({ _id: { $lte: 30 } });
    await until(() => events.answer !== first);
    expect(events.answer!.at - first.at).to.be.above(4_000);
    const { data, facets } = await world.explore(ADMIN_TASKS, counted);
    expect(events.answer!.data).to.deep.include({ data, facets });
    const member = await world.watch(TASKS_OF(2), {}, world.tokens[ANA]);
    await member.first('answer');
    await world.collection('projects').updateOne({ _id: 2 }, { $set: { members: [] } });
    expect((await member.first('end')).data.reason).to.include('no longer have access');
  });

  it('comes not while the store is away: they are told, and shown the latest when it is back', async () => {
    const network = await NetworkProxy.to(world.database.uri);
    await world.startLive({ QUERY_TIMEOUT_MS: '2000' }, network.uri);
    const events = await world.watch(ADMIN_TASKS, counted);
    const member = await world.watch(TASKS_OF(1), {}, world.tokens[ANA]);
    const first = await events.first('answer');
    await member.first('answer');
    network.cut();
    const away = await events.first('state');
    expect(away.data.index).to.equal('unavailable');
    expect(away.data.reason).to.be.a('string').and.not.equal('');
    await world.collection('tasks').deleteMany({ _id: { $lte: 30 } });
    await world.collection('projects').updateOne({ _id: 1 }, { $set: { members: [] } });
    expect(events.answer).to.equal(first);
    network.restore();
    await until(
      () => events.events.findLast(({ event }) => event === 'state')!.data.index === 'live',
    );
    await until(async () => {
      const { data, facets } = await world.explore(ADMIN_TASKS, counted);
      const shown = events.answer!.data;
      return JSON.stringify([data, facets]) === JSON.stringify([shown.data, shown.facets]);
    });
    expect((await member.first('end')).data.reason).to.include('no longer have access');
    for (const one of [events, member]) one.leave();
    await world.service.stop();
    await network.close();
  });

  it('does not come first for those who are too many: 429, 503', async () => {
    const limits = { MAX_WATCHES_PER_USER: '2', MAX_WATCHES: '4' };
    await world.start({ SEARCH_INDEX: 'off', ...limits });
    const status = async (id: number) => (await world.watch(USERS, {}, world.tokens[id])).status;
    const first = await world.watch(USERS, {}, world.tokens[ANA]);
    expect([first.status, await status(ANA), await status(ANA)]).to.deep.equal([200, 200, 429]);
    expect([await status(BO), await status(ADMIN)]).to.deep.equal([200, 200]);
    await world.collection('users').insertOne({ ...PEOPLE[2], _id: 77 });
    world.tokens[77] = await world.service.token(77);
    expect(await status(77)).to.equal(503);
    first.leave();
    await until(async () => (await status(77)) === 200);
  });

  it('comes when the histogram would need too many buckets', async () => {
    await world.startLive();
    const tasks = world.collection('tasks');
    const date = new Date('2026-01-05T10:00:00Z');
    await tasks.updateMany({ _id: { $lte: 2 } }, { $set: { date_queued: date } });
    const select = [{ field: 'id', in: [1, 2] }];
    const body = { select, histogram: { field: 'date_queued', interval: 'PT1M' } };
    await until(
      async () => (await world.explore(ADMIN_TASKS, body)).histogram?.buckets.length === 1,
    );
    const events = await world.watch(ADMIN_TASKS, body);
    await events.first('answer');
    await tasks.updateOne({ _id: 1 }, { $set: { date_queued: new Date('2026-01-06T10:00:00Z') } });
    expect((await events.first('end')).data.reason).to.match(/buckets/);
    await until(() => events.over);
  });
});
