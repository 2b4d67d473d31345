/** Two and more at once on one thing: one effect, one audit record, an answer for all. */
import { expect } from 'chai';
import { NOT_ENDED } from '../../../src/apps/admin/manage/taskStatus.ts';
import type { TestAnswer } from '../../support/service.ts';
import { ADMIN, type Any, HARBOUR, SAILOR, useScene } from './scene.ts';

const tally = (answers: readonly TestAnswer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

type Winner = 'first' | 'second';

/**
 * Races in fours, the second starting up to one race's length after the first, until each side has
 * won three times.
 */
async function raceUntilBothWin(race: (pause: Promise<void>) => Promise<Winner>): Promise<void> {
  const won = { first: 0, second: 0 };
  let length = 20;
  for (let round = 0; round < 60 && Math.min(won.first, won.second) < 3; round++) {
    const started = performance.now();
    const four = [0, 0.3, 0.6, 0.9].map((part) => {
      const pause = new Promise<void>((resolve) => setTimeout(resolve, part * length));
      return race(pause);
    });
    for (const winner of await Promise.all(four)) won[winner] += 1;
    length = (performance.now() - started) / 2;
  }
  expect(Math.min(won.first, won.second), 'each side won some').greaterThan(0);
}

describe('changes that race', () => {
  const scene = useScene();
  const cancel = (id: string, as = ADMIN) =>
    scene.call('POST', `/api/v2/tasks/${id}/cancel`, { as });
  const times = <T>(n: number, what: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: n }, (_, i) => what(i)));

  it('50 cancels of one task: one 200, 49 times 409, one audit record', async () => {
    for (let round = 0; round < 2; round++) {
      const { _id, task_id } = await scene.task();
      const answers = await times(50, (i) => cancel(task_id, i % 2 === 0 ? ADMIN : SAILOR));
      expect(tally(answers)).eql({ 200: 1, 409: 49 });
      for (const { status, body } of answers) {
        if (status === 409) expect(body.code).equal('TaskNotCancellable');
      }
      const [record, ...more] = await scene.audit({ target_id: task_id });
      expect(more).eql([]);
      const won = answers.find(({ status }) => status === 200)!;
      expect(record.request_id).equal(won.headers.get('x-request-id'));
      const task = await scene.db.collection<Any>('tasks').findOne({ _id });
      expect(task.date_done.toISOString()).equal(won.body.date_done);
      expect(record.after.date_done).eql(task.date_done);
    }
  });

  /** A worker's own end of a task, as the worker's contract has it; whether it came in time. */
  const complete = async (_id: number) => {
    const { matchedCount } = await scene.db
      .collection<Any>('tasks')
      .updateOne({ _id, ...NOT_ENDED }, { $set: { status: 'SUCCESS', date_done: new Date() } });
    return matchedCount === 1;
  };

  it("a cancel after the worker's end is 409; the end after a cancel matches nothing", async () => {
    const late = await scene.task();
    expect(await complete(late._id)).equal(true);
    expect((await cancel(late.task_id)).status).equal(409);
    const early = await scene.task();
    expect((await cancel(early.task_id)).status).equal(200);
    expect(await complete(early._id)).equal(false);
    const states = await scene.db
      .collection<Any>('tasks')
      .find({ _id: { $in: [late._id, early._id] } })
      .sort({ _id: 1 })
      .toArray();
    expect(states.map(({ status }) => status)).eql(['SUCCESS', 'REVOKED']);
  });

  it("a cancel beside the worker's end: exactly one of them counts", async () => {
    await raceUntilBothWin(async (pause) => {
      const { _id, task_id } = await scene.task();
      const [answer, completed] = await Promise.all([
        cancel(task_id),
        pause.then(() => complete(_id)),
      ]);
      expect(answer.status).equal(completed ? 409 : 200);
      const { status } = (await scene.db.collection<Any>('tasks').findOne({ _id })) as Any;
      expect(status).equal(completed ? 'SUCCESS' : 'REVOKED');
      expect(await scene.audit({ target_id: task_id })).lengthOf(completed ? 0 : 1);
      return completed ? 'second' : 'first';
    });
  });

  it('PATCH beside DELETE of a schedule: the change came before, or 404', async () => {
    await raceUntilBothWin(async (pause) => {
      const { _id } = await scene.schedule();
      const path = `/api/v2/projects/${HARBOUR}/schedules/${_id}`;
      const [patch, gone] = await Promise.all([
        scene.call('PATCH', path, { body: { enabled: false } }),
        pause.then(() => scene.call('DELETE', path)),
      ]);
      expect(gone.status).equal(204);
      expect(patch.status).oneOf([200, 404]);
      const changed = patch.status === 200;
      if (changed) expect(patch.body).include({ schedule_id: _id, enabled: false });
      const records = await scene.audit({ target_id: _id });
      const expected = changed ? ['schedule.disable', 'schedule.delete'] : ['schedule.delete'];
      expect(records.map(({ action }) => action)).eql(expected);
      expect(records.at(-1).before.enabled).equal(!changed);
      expect(await scene.db.collection<Any>('schedules').countDocuments({ _id })).equal(0);
      return changed ? 'first' : 'second';
    });
  });

  it('40 switches of one schedule: as many records as changes, each from the state before', async () => {
    const { _id } = await scene.schedule({ enabled: true });
    const path = `/api/v2/admin/schedules/${_id}`;
    const answers = await times(40, (i) =>
      scene.call('PATCH', path, { body: { enabled: i % 2 === 1 } }),
    );
    expect(tally(answers)).eql({ 200: 40 });
    const records = await scene.audit({ target_id: _id });
    let enabled = true;
    for (const { before, after } of records) {
      expect(before.enabled).equal(enabled);
      expect(after.enabled).equal(!enabled);
      enabled = after.enabled;
    }
    expect((await scene.db.collection<Any>('schedules').findOne({ _id })).enabled).equal(enabled);
  });
});
