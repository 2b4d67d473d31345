/** Grids and admin frameworks over the tables, as they ask: against a real service. */
import { expect } from 'chai';
import type { ApiError } from '../../clients/typescript/index.ts';
import { agGridRows } from '../../examples/tables/agGrid.ts';
import { reactAdminProvider } from '../../examples/tables/reactAdmin.ts';
import { refineProvider } from '../../examples/tables/refine.ts';
import { tabulatorRows } from '../../examples/tables/tabulator.ts';
import { TASKS, useWorld } from '../client/world.ts';
import { uuid } from '../conformance/documents.ts';

const ids = (rows: readonly object[]) => rows.map((row) => (row as { id: unknown }).id);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  );

describe('tables in grids and admin frameworks', function tables() {
  this.timeout(60_000);
  const world = useWorld();

  describe('AG Grid', () => {
    interface Asked {
      readonly startRow?: number;
      readonly endRow?: number;
      readonly sortModel?: { colId: string; sort: 'asc' | 'desc' }[];
      readonly filterModel?: object;
    }
    /** One block, as the grid asks for it. */
    function block({ startRow = 0, endRow = 25, sortModel = [], filterModel = {} }: Asked) {
      let said: unknown;
      const datasource = agGridRows(world.client.table('adminTasks'), (error) => {
        said = error;
      });
      return new Promise<{ rows: object[]; lastRow: number | undefined }>((resolve, reject) =>
        datasource.getRows({
          ...{ startRow, endRow, sortModel, filterModel },
          successCallback: (rows, lastRow) => resolve({ rows, lastRow }),
          failCallback: () => reject(said),
        }),
      );
    }

    it('shows all rows, block by block, in the order asked for', async () => {
      const sortModel = [{ colId: 'id', sort: 'asc' as const }];
      const seen: unknown[] = [];
      for (let startRow = 0; startRow < TASKS; startRow += 25) {
        const { rows, lastRow } = await block({ startRow, endRow: startRow + 25, sortModel });
        expect(lastRow).equal(TASKS);
        seen.push(...ids(rows));
      }
      expect(seen).eql(Array.from({ length: TASKS }, (_, i) => i + 1));
      // Blocks that were there when the grid counted them, and have gone since.
      expect((await block({ startRow: 100, endRow: 125 })).rows).eql([]);
    });

    it('takes the filters of columns', async () => {
      const text = { filterType: 'text', type: 'equals', filter: 'worker-1' };
      const filters: readonly (readonly [object, number])[] = [
        [{ worker: text }, 12],
        [{ worker: { ...text, type: 'notEqual' } }, 48],
        [{ project_id: { filterType: 'set', values: [uuid(1)] } }, 20],
        [{ worker: text, status: { filterType: 'set', values: ['SUCCESS'] } }, 3],
        [{ retries: { filterType: 'number', type: 'inRange', filter: 0, filterTo: 1 } }, TASKS],
        [{ retries: { filterType: 'number', type: 'greaterThanOrEqual', filter: 1 } }, 0],
        [{ worker: { filterType: 'text', type: 'blank' } }, 0],
        [
          {
            date_queued: { filterType: 'date', type: 'lessThan', dateFrom: '2020-01-01 00:00:00' },
          },
          0,
        ],
        [{ project_name: { filterType: 'text', type: 'contains', filter: 'project 1' } }, 20],
      ];
      for (const [filterModel, total] of filters) {
        expect((await block({ filterModel })).lastRow, JSON.stringify(filterModel)).equal(total);
      }
    });

    it('says what the table cannot be asked', async () => {
      const of = (filterModel: object) => failure(block({ filterModel }));
      expect(await of({ traceback: { filterType: 'text', type: 'contains', filter: 'x' } })).match(
        /^traceback cannot be looked through for a text; these can: q, /,
      );
      expect(await of({ worker: { filterType: 'text', type: 'startsWith', filter: 'x' } })).equal(
        'worker cannot be filtered by startsWith.',
      );
      expect(await failure(block({ endRow: 500 }))).equal(
        'The service shows at most 100 rows of 500: ask for fewer.',
      );
      expect(await of({ date_done: { filterType: 'date', type: 'blank' } })).match(
        /^date_done cannot be asked for values; these can: id, task_id, /,
      );
      const sortModel = [{ colId: 'artifacts', sort: 'asc' as const }];
      const refused = await block({ sortModel }).catch((error: ApiError) => error.problems);
      expect(refused).nested.property('[0].pointer', '/sorting/sort_by');
    });
  });

  it('Tabulator: pages, order and filters', async () => {
    const rows = tabulatorRows(world.client.table('adminTasks'));
    const sort = [{ field: 'id', dir: 'asc' as const }];
    const second = await rows('rows', {}, { page: 2, size: 20, sort });
    expect(ids(second.data)).eql(Array.from({ length: 20 }, (_, i) => 21 + i));
    expect(second).include({ last_page: 3, last_row: TASKS });
    const filter = [
      { field: 'status', type: 'in', value: ['SUCCESS', 'STARTED'] },
      { field: 'worker', type: '!=', value: 'worker-0' },
      { field: 'project_name', type: 'like', value: 'PROJECT 1' },
    ];
    const { data } = await rows('rows', {}, { filter, size: 100 });
    // The multiples of 3 are of project 1, those of 4 are SUCCESS and those of 5 are of worker-0.
    expect(ids(data)).eql([48, 36, 24, 12]);
    const none = await rows('rows', {}, { filter: [{ field: 'status', type: '=', value: 'X' }] });
    expect(none).eql({ data: [], last_page: 1, last_row: 0 });
    const odd = { filter: [{ field: 'worker', type: 'regex', value: 'x' }] };
    expect(await failure(rows('rows', {}, odd))).match(/^worker cannot be filtered by regex/);
  });

  it('react-admin: lists, records, references', async () => {
    const provider = reactAdminProvider(world.client);
    const pagination = { page: 1, perPage: 5 };
    const sort = { field: 'id', order: 'ASC' as const };
    const list = await provider.getList('tasks', { pagination, sort, filter: { q: 'worker-1' } });
    expect([ids(list.data), list.total]).eql([[1, 6, 11, 16, 21], 12]);
    const byStatus = await provider.getList('tasks', { filter: { status: ['STARTED'] } });
    expect(ids(byStatus.data)).eql([7]);
    const projects = await provider.getList('projects', { pagination });
    expect(ids(projects.data)).eql([uuid(2), uuid(1)]);
    const many = await provider.getMany('tasks', { ids: [3, 999, 5] });
    expect(ids(many.data)).members([3, 5]);
    expect((await provider.getOne('users', { id: 1 })).data.email).a('string');
    const { data, total } = await provider.getManyReference('tasks', {
      ...{ target: 'project_id', id: uuid(1), pagination, sort },
    });
    expect([ids(data), total]).eql([[3, 6, 9, 12, 15], 20]);
    expect(await failure(provider.getOne('tasks', { id: 999 }))).equal('There is no 999 in tasks.');
    expect(await failure(provider.getList('people', {}))).match(/^There is no resource people/);
  });

  it('Refine: lists, records', async () => {
    const provider = refineProvider(world.client, world.service.url);
    expect(provider.getApiUrl()).equal(world.service.url);
    const { data, total } = await provider.getList({
      resource: 'tasks',
      pagination: { currentPage: 2, pageSize: 4 },
      sorters: [{ field: 'id', order: 'asc' }],
      filters: [
        { field: 'worker', operator: 'eq', value: 'worker-2' },
        { field: 'q', operator: 'contains', value: 'failure' },
        { field: 'retries', operator: 'between', value: [0, 1] },
      ],
    });
    // Tasks of worker-2, SUCCESS left out: 2, 17, 22, 27, 37, …; task 7 runs, and 12 has succeeded.
    expect([ids(data), total]).eql([[37, 42, 47, 57], 8]);
    const all = await provider.getMany({ resource: 'schedules', ids: [uuid(1), uuid(9)] });
    expect(ids(all.data)).eql([uuid(1)]);
    const odd = { resource: 'tasks', filters: [{ operator: 'or', value: [] }] };
    expect(await failure(provider.getList(odd))).equal('A filter cannot be asked by or.');
  });

  it('both change what can be changed, and nothing else', async () => {
    const ofReactAdmin = reactAdminProvider(world.client);
    const ofRefine = refineProvider(world.client, '');
    const off = await ofReactAdmin.update('schedules', { id: uuid(1), data: { enabled: false } });
    expect(off.data).include({ id: uuid(1), enabled: false });
    const on = await ofRefine.update({
      ...{ resource: 'schedules', id: uuid(1), variables: { enabled: true } },
    });
    expect(on.data).include({ id: uuid(1), enabled: true });
    const gone = await ofRefine.deleteOne({ resource: 'schedules', id: uuid(3) });
    expect(gone.data.id).equal(uuid(3));
    expect((await ofReactAdmin.getMany('schedules', { ids: [uuid(3)] })).data).eql([]);
    for (const work of [
      () => ofReactAdmin.update('tasks', { id: 1, data: { status: 'SUCCESS' } }),
      () => ofReactAdmin.delete('users', { id: 1 }),
      () => ofRefine.deleteOne({ resource: 'tasks', id: 1 }),
      () => ofRefine.create(),
      () => ofReactAdmin.create(),
    ]) {
      expect(await failure(work())).match(/nothing else can|whoever writes the store/);
    }
  });
});
