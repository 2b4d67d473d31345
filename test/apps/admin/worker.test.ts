/** The example's worker beside the real service: the contract of examples/README.md, kept. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Outcome, type TaskToDo, Worker } from '../../../examples/worker/worker.ts';
import { type Any, SAILOR, useScene } from './scene.ts';

describe('a worker', () => {
  const scene = useScene({ SEARCH_INDEX: 'off' });
  const stored = (task_id: string) => scene.db.collection<Any>('tasks').findOne({ task_id });
  const waiting = (changes: object = {}) =>
    scene.task({ status: 'PENDING', worker: null, date_started: null, ...changes });
  const cancel = (task_id: string) => scene.call('POST', `/api/v2/tasks/${task_id}/cancel`);
  const logOf = async (task_id: string): Promise<Any[]> =>
    (await scene.call('GET', `/api/v2/tasks/${task_id}/logs`)).body.data;

  function worker(name: string, stepMs: number, signal = new AbortController().signal): Worker {
    return new Worker({ db: scene.db, name, stepMs, signal, say: () => undefined });
  }

  beforeEach(async () => {
    await scene.db.collection('tasks').deleteMany({});
    await scene.db.collection('snapshots.files').deleteMany({});
    await scene.db.collection('snapshots.chunks').deleteMany({});
  });

  it('takes each task once, the oldest first, however many workers there are', async () => {
    const later = await waiting({ eta: new Date(Date.now() + 60_000) });
    const tasks = [];
    for (let i = 0; i < 12; i++) tasks.push(await waiting(i % 2 === 0 ? {} : { eta: new Date() }));
    await scene.task({ status: 'REVOKED' });
    const taken = await Promise.all(tasks.map((_, i) => worker(`w${i}`, 1).take()));
    const ids = taken.map((task) => task!.task_id);
    expect(new Set(ids)).eql(new Set(tasks.map(({ task_id }) => task_id)));
    expect(await worker('late', 1).take()).equal(null);
    expect((await stored(later.task_id)).status).equal('PENDING');
  });

  it('does a task: its log without a gap, its snapshot to download, its metadata', async () => {
    const { task_id } = await waiting();
    const one = worker('w', 1);
    expect(await one.work((await one.take())!)).equal('SUCCESS');
    const log = await logOf(task_id);
    expect(log.map(({ seq }) => seq)).eql(log.map((_, i) => i + 1));
    expect(log).lengthOf(12);
    const path = `/api/v2/tasks/${task_id}/snapshot/download`;
    const { status, text, headers } = await scene.call('GET', path, { as: SAILOR });
    expect([status, text.split('\n').length]).eql([200, 10]);
    expect(headers.get('content-type')).equal('application/x-ndjson');
    const body = { filters: { task_id, get_artifacts_metadata: true } };
    const found = await scene.call('POST', '/api/v2/admin/tasks/search', { body });
    expect(found.body.data[0]).include({ status: 'SUCCESS', worker: 'w' });
    expect(found.body.data[0].artifacts[0].size).equal(text.length);
    expect((await cancel(task_id)).status).equal(409);
  });

  it('stops at a cancellation, and leaves the task as the service left it', async () => {
    const { task_id } = await waiting();
    const one = worker('w', 300);
    const work = one.take().then((task) => one.work(task!));
    await logHas(task_id, 3);
    expect((await cancel(task_id)).status).equal(200);
    const cancelled = await stored(task_id);
    expect(await work).equal('cancelled');
    expect(await stored(task_id)).eql(cancelled);
    expect((await logOf(task_id)).at(-1).message).match(/^Cancelled/);
    expect(await scene.db.collection('snapshots.files').countDocuments()).equal(0);
  });

  it('ends a task or sees it cancelled, never both, and leaves no snapshot behind', async () => {
    const ends = { SUCCESS: 0, cancelled: 0 };
    for (let round = 0; round < 40 && Math.min(ends.SUCCESS, ends.cancelled) < 2; round++) {
      const { task_id } = await waiting();
      const one = worker('w', 0);
      const task = (await one.take())!;
      const [outcome, answer] = await Promise.all([
        one.work(task),
        // Aimed at the end of the work, nearer or farther.
        logHas(task_id, 8 + (round % 5)).then(() => cancel(task_id)),
      ]);
      expect(answer.status).equal(outcome === 'SUCCESS' ? 409 : 200);
      expect((await stored(task_id)).status).equal(outcome === 'SUCCESS' ? 'SUCCESS' : 'REVOKED');
      ends[outcome as 'SUCCESS' | 'cancelled'] += 1;
      const files = await scene.db.collection('snapshots.files').countDocuments();
      expect(files).equal(ends.SUCCESS);
    }
    expect(Math.min(ends.SUCCESS, ends.cancelled), 'both ends happened').greaterThan(0);
  });

  async function logHas(task_id: string, lines: number): Promise<void> {
    const log = scene.db.collection('task_logs');
    while ((await log.countDocuments({ task_id })) < lines) await sleep(1);
  }

  it('says why a task failed', async () => {
    const { task_id } = await waiting({ args: { fail_at: 3 } });
    const one = worker('w', 1);
    expect(await one.work((await one.take())!)).equal('FAILURE');
    const task = await stored(task_id);
    expect(task).include({ status: 'FAILURE', exception_type: 'RangeError' });
    expect(task.traceback).match(/step 3 cannot be done/);
    expect((await logOf(task_id)).at(-1).level).equal('ERROR');
  });

  it('hands its task back when it has to stop; the next goes on with the log', async () => {
    const { task_id } = await waiting();
    const stop = new AbortController();
    const first = worker('first', 300, stop.signal);
    const work = first.take().then((task) => first.work(task as TaskToDo));
    await logHas(task_id, 3);
    stop.abort();
    expect(await work).equal('handed back' satisfies Outcome);
    expect(await stored(task_id)).include({ status: 'RETRY', worker: null, retries: 1 });
    const second = worker('second', 0);
    expect(await second.run(1)).equal(1);
    expect(await stored(task_id)).include({ status: 'SUCCESS', worker: 'second' });
    const log = await logOf(task_id);
    expect(log.map(({ seq }) => seq)).eql(log.map((_, i) => i + 1));
  });
});
