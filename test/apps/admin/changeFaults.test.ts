/**
 * Faults of the store during a change, at each of its commands. The answer is never a 500, a 503
 * says when to come back, and the answer tells the truth about the change.
 */
import { expect } from 'chai';
import { cancel } from '../../../src/apps/admin/manage/tasks.ts';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { Changes } from '../../../src/apps/changes/changes.ts';
import { toAppError } from '../../../src/serve/failures.ts';
import { openStore } from '../../../src/store/client.ts';
import { Deadline } from '../../../src/store/deadline.ts';
import { failCommand, failNone, type Mode } from '../../support/failCommand.ts';
import { until } from '../../support/until.ts';
import { ADMIN, type Any, useScene } from './scene.ts';

/** The commands of a cancellation, in their order. */
const COMMANDS = ['find', 'findAndModify', 'aggregate', 'insert', 'commitTransaction'] as const;

/** One code of each kind of fault, and the codes that once became a 500. */
const CODES = [26, 11602, 24, 50, 112, 134, 211, 251];

describe('faults during a change', () => {
  const scene = useScene({ SEARCH_INDEX: 'off' });
  afterEach(() => failNone(scene.database.client));

  async function cancelUnder(mode: Mode, failure: object) {
    const { task_id, _id } = await scene.task();
    // After some faults the driver looks for the primary again.
    await until(async () => (await scene.call('GET', '/readyz')).status === 200);
    await failCommand(scene.database.client, mode, {
      appName: 'table-search',
      failCommands: [],
      ...failure,
    });
    const answer = await scene.call('POST', `/api/v2/tasks/${task_id}/cancel`);
    await failNone(scene.database.client);
    return { answer, task_id, _id };
  }

  async function expectTruth({ answer, task_id, _id }: Awaited<ReturnType<typeof cancelUnder>>) {
    const task = await scene.db.collection<Any>('tasks').findOne({ _id });
    const records = await scene.audit({ target_id: task_id });
    expect(records.length, 'a record for each change').equal(task.status === 'REVOKED' ? 1 : 0);
    if (answer.status === 200) expect(task.status).equal('REVOKED');
    else {
      expect(answer.status, answer.text).equal(503);
      expect(answer.headers.get('retry-after')).match(/^\d+$/);
      if (/nothing was changed/.test(answer.body.detail)) expect(task.status).equal('STARTED');
    }
  }

  for (const command of COMMANDS) {
    it(`once, in ${command}: the change is made`, async function once() {
      this.timeout(60_000);
      const namespace = `${scene.database.name}.tasks`;
      for (const failure of [
        { closeConnection: true },
        ...CODES.map((errorCode) => ({ errorCode })),
      ]) {
        const where = command === 'find' ? { namespace } : {};
        const once = { failCommands: [command], ...where, ...failure };
        const under = await cancelUnder({ times: 1 }, once);
        await expectTruth(under);
        // It is the permission's read that fails there.
        if (command !== 'find') expect(under.answer.status, JSON.stringify(failure)).equal(200);
      }
    });
  }

  // The driver keeps a part of the first refusal, and compares the second one with it.
  it('two at once that a primary refuses which steps down: both are made', async () => {
    const tasks = await Promise.all([scene.task(), scene.task()]);
    await failCommand(
      scene.database.client,
      { times: 2 },
      {
        ...{ appName: 'table-search', failCommands: ['findAndModify'], errorCode: 10_107 },
        ...{ blockConnection: true, blockTimeMS: 300 },
      },
    );
    const answers = await Promise.all(
      tasks.map(({ task_id }) => scene.call('POST', `/api/v2/tasks/${task_id}/cancel`)),
    );
    expect(answers.map(({ status }) => status)).eql([200, 200]);
  });

  for (const command of ['insert', 'commitTransaction']) {
    for (const errorCode of [24, 211, 251]) {
      it(`${errorCode} all the time, in ${command}: 503 in time, and true`, async function always() {
        this.timeout(40_000);
        const failure = { failCommands: [command], errorCode };
        const deadline = new Deadline(1_000);
        const { task_id, _id } = await scene.task();
        await failCommand(scene.database.client, 'alwaysOn', {
          appName: 'table-search',
          ...failure,
        });
        const db = openStore({
          uri: scene.database.uri,
          dbName: scene.database.name,
          maxSearches: 1,
        });
        try {
          const changes = new Changes({ db, resources: RESOURCES, written: { note() {} } });
          const who = { actor: String(ADMIN), requestId: 'x', deadline };
          const started = performance.now();
          const error = await cancel(changes, who, { taskId: task_id }).catch(
            (thrown: unknown) => thrown,
          );
          expect(performance.now() - started).lessThan(10_000);
          expect(toAppError(error), String(error)).include({ status: 503 });
          await failNone(scene.database.client);
          const task = await scene.db.collection<Any>('tasks').findOne({ _id });
          const { detail } = toAppError(error);
          if (/nothing was changed/.test(detail)) expect(task.status).equal('STARTED');
          else expect(detail).match(/did not say in time whether/);
        } finally {
          await failNone(scene.database.client);
          await db.client.close();
          await scene.endTransactions();
        }
      });
    }
  }
});
