/** Searching the audit records: one more resource as data, by index and by pipeline alike. */
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { ADMIN, type Any, HARBOUR, SAILOR, useScene } from './scene.ts';

for (const route of ['index', 'pipeline'] as const) {
  describe(`audit search by ${route}`, () => {
    const scene = useScene({ SEARCH_INDEX: route === 'index' ? 'on' : 'off' });
    const search = (body: unknown, as = ADMIN) =>
      scene.call('POST', '/api/v2/admin/audit/search', { body, as });
    const found = async (filters: unknown, sorting?: unknown) => {
      const body = { filters, ...(sorting !== undefined && { sorting }) };
      const { status, body: answer } = await search({ ...body, pagination: { per_page: 100 } });
      expect(status, JSON.stringify(answer)).equal(200);
      return answer.data;
    };
    let schedule: Any;
    let tasks: Any[];

    before(async () => {
      await untilAnsweredBy(route);
      schedule = await scene.schedule();
      tasks = [await scene.task(), await scene.task(), await scene.task({ preserve: false })];
      const headers = { 'x-request-id': 'deploy-42.a' };
      const onSchedule = `/api/v2/projects/${HARBOUR}/schedules/${schedule._id}`;
      const disable = { as: SAILOR, body: { enabled: false }, headers };
      await scene.call('PATCH', onSchedule, disable);
      await scene.call('POST', `/api/v2/tasks/${tasks[0].task_id}/cancel`, { as: SAILOR });
      await scene.call('POST', `/api/v2/tasks/${tasks[1].task_id}/cancel`);
      const keep = `/api/v2/projects/${HARBOUR}/tasks/${tasks[2].task_id}/preserve`;
      await scene.call('PUT', keep, { body: { preserve: true } });
      await scene.call('DELETE', `/api/v2/admin/schedules/${schedule._id}`);
    });

    /** The index loads while the service answers by pipeline. */
    const untilAnsweredBy = (wanted: string) =>
      until(async () => {
        const answer = await search({});
        return answer.headers.get('search-route') === wanted && answer;
      }, `no answer by ${wanted}`);

    const ACTIONS = [
      'schedule.disable',
      'task.cancel',
      'task.cancel',
      'task.preserve',
      'schedule.delete',
    ];

    it('shows each change with its user, action, time, before and after, newest first', async () => {
      const { status, body } = await untilAnsweredBy(route);
      expect(status).equal(200);
      expect(body.meta.pagination.total_items).equal(5);
      expect(body.meta.sorting).eql({ sort_by: 'id', sort_order: 'desc' });
      expect(body.data.map(({ action }: Any) => action)).eql([...ACTIONS].reverse());
      const first = body.data.at(-1);
      expect(Object.keys(first)).eql([
        'id',
        'at',
        'actor',
        'action',
        'target_type',
        'target_id',
        'before',
        'after',
        'request_id',
      ]);
      expect(first).deep.include({
        actor: String(SAILOR),
        action: 'schedule.disable',
        target_type: 'schedule',
        target_id: schedule._id,
        before: { enabled: true },
        after: { enabled: false },
        request_id: 'deploy-42.a',
      });
      expect(first.at).match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const cancelled = body.data.at(-2);
      expect(cancelled.after.date_done).match(/Z$/);
    });

    it('filters exactly by actor, action, target type and target', async () => {
      expect(await found({ actor: '2' })).lengthOf(2);
      expect(await found({ actor: ' 2 ' })).lengthOf(2);
      expect(await found({ actor: '' })).lengthOf(5);
      expect(await found({ actor: null, action: 'task.cancel' })).lengthOf(2);
      expect(await found({ action: 'task' })).lengthOf(0);
      expect(await found({ action: 'TASK.CANCEL' })).lengthOf(0);
      expect(await found({ target_type: 'schedule' })).lengthOf(2);
      expect(await found({ target_id: tasks[0].task_id.toUpperCase() })).lengthOf(1);
      expect(await found({ target_id: tasks[0].task_id.slice(0, 8) })).lengthOf(0);
      expect(await found({ actor: '1', target_type: 'task', action: 'task.cancel' })).lengthOf(1);
    });

    it('finds text in every text member, and in no other', async () => {
      expect(await found({ q: 'CANCEL' })).lengthOf(2);
      expect(await found({ q: 'deploy-42' })).lengthOf(1);
      expect(await found({ q: tasks[2].task_id.slice(9, 23) })).lengthOf(1);
      expect(await found({ q: 'chedul' })).lengthOf(2);
      const [newest] = await found({});
      expect(await found({ q: newest.id })).eql([newest]);
      expect(await found({ q: 'REVOKED' })).lengthOf(0);
      expect(await found({ q: 'maritime' })).lengthOf(0);
    });

    it('sorts by id and at, which are the same order', async () => {
      for (const sort_by of ['id', 'at']) {
        for (const sort_order of ['asc', 'desc']) {
          const data = await found({}, { sort_by, sort_order });
          const actions = data.map(({ action }: Any) => action);
          expect(actions).eql(sort_order === 'asc' ? ACTIONS : [...ACTIONS].reverse());
        }
      }
    });

    it('pages, and refuses what it does not know', async () => {
      const { body } = await search({ pagination: { page: 9, per_page: 2 } });
      expect(body.meta.pagination).include({ total_pages: 3, current_page: 3, prev_page_num: 2 });
      for (const [sent, pointer] of [
        [{ filters: { request_id: 'x' } }, '/filters/request_id'],
        [{ filters: { before: {} } }, '/filters/before'],
        [{ filters: { actor: 2 } }, '/filters/actor'],
        [{ sorting: { sort_by: 'actor' } }, '/sorting/sort_by'],
      ] as const) {
        const answer = await search(sent);
        expect([answer.status, answer.body.errors[0].pointer]).eql([422, pointer]);
      }
      expect((await search({}, SAILOR)).status).equal(403);
    });

    it('shows a change in the very next search, record and all', async () => {
      for (let round = 0; round < 10; round++) {
        const { task_id } = await scene.task();
        await scene.call('POST', `/api/v2/tasks/${task_id}/cancel`);
        const [records, task] = await Promise.all([
          found({ target_id: task_id }),
          scene.call('POST', '/api/v2/admin/tasks/search', { body: { filters: { task_id } } }),
        ]);
        expect(records).lengthOf(1);
        expect(task.body.data[0].status).equal('REVOKED');
        expect((await scene.call('POST', `/api/v2/tasks/${task_id}/cancel`)).status).equal(409);
      }
    });

    it('lives with records that others damaged', async () => {
      await scene.db
        .collection<Any>('audit')
        .insertMany([{ _id: 'odd' }, { _id: 7, actor: 3, at: 'now', before: 'x', action: ['a'] }]);
      await scene
        .task()
        .then(({ task_id }) => scene.call('POST', `/api/v2/tasks/${task_id}/cancel`));
      const data = await found({}, { sort_by: 'id', sort_order: 'asc' });
      expect(data[0]).include({ id: 7, actor: null, at: null, before: 'x', action: null });
      expect(data.at(-1)).include({ id: 'odd', request_id: null });
    });
  });
}
