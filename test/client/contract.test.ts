/** The client's types are those of the service, and it needs nothing that browsers lack. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import {
  addressFieldsOf,
  createClient,
  OPERATIONS,
  VIEWS,
  viewedAt,
} from '../../clients/typescript/index.ts';
import { contractSource } from '../../tools/clientContract/source.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../clients/typescript');
const read = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

describe('the client as it is committed', () => {
  it('has the contract of the service as it is: npm run client:contract writes it again', function made() {
    this.timeout(60_000);
    expect(read('contract.ts') === contractSource()).equal(true);
  });

  it('has every search, and every other operation', () => {
    expect(Object.keys(VIEWS)).eql([
      'adminSchedules',
      'projectSchedules',
      'adminTasks',
      'projectTasks',
      'users',
      'ownProjects',
      'adminProjects',
      'audit',
    ]);
    expect(OPERATIONS.cancelTask).eql({ method: 'POST', path: '/api/v2/tasks/{task_id}/cancel' });
    expect(VIEWS.users.filters.match_type).deep.include({
      takes: 'choice',
      choices: ['like', 'exact'],
    });
    expect(VIEWS.adminTasks).deep.include({
      ofProject: false,
      times: ['date_started', 'date_queued', 'date_done', 'eta'],
    });
    expect(VIEWS.projectTasks.ofProject).equal(true);
    expect(VIEWS.adminTasks.columns).include({
      id: 'id',
      task_id: 'text',
      date_done: 'date',
      execution_time: 'number',
      args: 'json',
    });
  });

  it('imports nothing but itself', () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], {
      cwd: FOLDER,
    })
      .toString()
      .split('\n')
      .filter((name) => name !== '' && !name.startsWith('generate/'));
    expect(files).include('client.ts');
    const foreign = files.flatMap((name) =>
      [...read(name).matchAll(/(?:from\s+|import\s*\(?)'([^']+)'/g)]
        .map(([, specifier]) => specifier!)
        .filter((specifier) => !/^\.\/\w+\.ts$/.test(specifier))
        .map((specifier) => `${name}: ${specifier}`),
    );
    expect(foreign).eql([]);
  });

  it('lets no request compile that the service would refuse', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9' });
    // Not called: the compiler finds the errors.
    const wrong = [
      // @ts-expect-error no such filter
      () => client.table('users').search({ filters: { emial: 'x' } }),
      // @ts-expect-error no such order
      () => client.table('users').search({ sorting: { sort_by: 'worker' } }),
      // @ts-expect-error the project is missing
      () => client.table('projectTasks'),
      // @ts-expect-error all searches take these
      () => client.table('users', { project_id: 'x' }),
      // @ts-expect-error a field that cannot be counted
      () => client.table('adminTasks').facets(['traceback']),
      // @ts-expect-error a column of another table
      () => client.table('users').export({ columns: ['worker'] }),
      // @ts-expect-error a body is due
      () => client.call('preserveTask', { path: { project_id: 'x', task_id: 'y' } }),
      // @ts-expect-error bytes, which tasks.snapshot has
      () => client.call('downloadSnapshot', { path: { task_id: 'x' } }),
      // @ts-expect-error a log tells no moments
      () => client.tasks.followLog({ task_id: 'x' }, { onReached: () => {} }),
      // @ts-expect-error its address is due
      () => client.call('cancelTask', { path: {} }),
      // @ts-expect-error the same
      () => client.call('cancelTask'),
    ];
    const right = [
      () => client.call('listViews'),
      () => client.call('createView', { body: { table: 'tasks', name: 'x', address: '' } }),
      () => viewedAt('q=x', addressFieldsOf(VIEWS.adminTasks), new Date()),
    ];
    const columns = async () => {
      for await (const row of await client.table('users').export({ columns: ['id', 'email'] })) {
        const email: string | null = row.email;
        // @ts-expect-error not asked for
        return [email, row.language];
      }
      return [];
    };
    expect([...wrong, ...right, columns].length).equal(15);
  });
});
