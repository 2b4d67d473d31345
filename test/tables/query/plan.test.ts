/** From request bodies to plans, as one table of [view, body, printed plan]. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { taskCatalogue } from '../../../src/apps/admin/resources/taskTypes.ts';
import * as views from '../../../src/apps/admin/resources/views.ts';
import {
  ALL,
  and,
  equals,
  NONE,
  or,
  printPredicate,
} from '../../../src/tables/definition/predicate.ts';
import type { SearchView, Viewer } from '../../../src/tables/definition/view.ts';
import { compileSearch } from '../../../src/tables/explore/body.ts';
import { parseSearch } from '../../../src/tables/query/parse.ts';
import { printPlan } from '../../../src/tables/query/plan.ts';

const P = '7d0a1c3e-0000-4000-8000-00000000a901';
const settings = {
  labels: taskCatalogue().labels,
  fold: (text: string) => text.toLowerCase(),
  maxPerPage: 100,
};
const admin: Viewer = { admin: true, sub: '1', claims: {}, params: { project_id: P } };
const member: Viewer = { ...admin, admin: false, sub: '2' };

function parse(name: keyof typeof views, body: unknown) {
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the table names its views
  const view = views[name] as SearchView;
  return parseSearch(
    view,
    compileSearch(view)(body),
    name === 'ownProjects' ? member : admin,
    settings,
  );
}

const PLANS: readonly (readonly [keyof typeof views, object, string])[] = [
  ['userSearch', {}, 'users where all by id desc, page 1, rows a page: 10'],
  [
    'userSearch',
    { filters: { q: ' ', id: null } },
    'users where all by id desc, page 1, rows a page: 10',
  ],
  [
    'userSearch',
    { filters: { q: ' 12 ' }, sorting: { sort_by: 'email', sort_order: 'asc' } },
    'users where (id_text ~ "12" or email ~ "12" or first_name ~ "12" or last_name ~ "12") by email asc, page 1, rows a page: 10',
  ],
  [
    'userSearch',
    { filters: { email: 'a', active: false, id: 7 }, pagination: { page: 3, per_page: 500 } },
    'users where (id = 7 and email ~ "a" and active = false) by id desc, page 3, rows a page: 100',
  ],
  [
    'userSearch',
    { filters: { email: 'a', language: 'En', match_type: 'exact' }, pagination: { page: -1 } },
    'users where (email = "a" and language = "En") by id desc, page 1, rows a page: 10',
  ],
  [
    'adminTasks',
    {},
    'tasks where scope in ["system","project"] by id desc, page 1, rows a page: 10',
  ],
  [
    'adminTasks',
    { filters: { scope: 'system', project_name: 'x' }, sorting: { sort_by: 'date_done' } },
    'tasks where scope = "system" by date_done desc, page 1, rows a page: 10',
  ],
  [
    'adminTasks',
    { filters: { project_name: 'x"y', task_id: ` ${P.toUpperCase()}` } },
    `tasks where (task_id = "${P}" and project_name ~ "x\\"y" and scope = "project" and scope in ["system","project"]) by id desc, page 1, rows a page: 10`,
  ],
  [
    'adminTasks',
    {
      filters: { routing_keys: ['Housekeeping', ' ', 'service.sync_ldap', 'service.housekeeping'] },
    },
    'tasks where (scope in ["system","project"] and routing_key in ["service.housekeeping","service.sync_ldap"]) by id desc, page 1, rows a page: 10',
  ],
  [
    'adminTasks',
    { filters: { scope: 'backup_infrastructure', q: 'ackUP' } },
    'tasks where ((task_id ~ "ackUP" or project_id ~ "ackUP" or project_name ~ "ackUP" or user_email ~ "ackUP" or ' +
      'name ~ "ackUP" or routing_key ~ "ackUP" or task_type in ["system_backup","project_backup","restore_backup"] or ' +
      'folder ~ "ackUP" or worker ~ "ackUP" or status ~ "ackUP" or exception_type ~ "ackUP") and ' +
      'scope = "backup_infrastructure") by id desc, page 1, rows a page: 10',
  ],
  [
    'projectTasks',
    { filters: { user_email: 'ana', routing_keys: [] } },
    `tasks within (project_id = "${P}" and scope = "project") where user_email ~ "ana" by id desc, page 1, rows a page: 10`,
  ],
  ['adminSchedules', {}, 'schedules where all by schedule_id desc, page 1, rows a page: 10'],
  [
    'adminSchedules',
    { filters: { q: 'sync LDAP', enabled: true } },
    'schedules where ((project_id ~ "sync LDAP" or schedule_id ~ "sync LDAP" or project_name ~ "sync LDAP" or ' +
      'user_email ~ "sync LDAP" or task_name ~ "sync LDAP" or task_type = "sync_ldap") and enabled = true) ' +
      'by schedule_id desc, page 1, rows a page: 10',
  ],
  [
    'projectSchedules',
    { filters: { project_id: P.toUpperCase(), scope: 'project', enabled: null } },
    `schedules within (project_id = "${P}" and scope = "project") where all by schedule_id desc, page 1, rows a page: 10`,
  ],
  [
    'ownProjects',
    { filters: { type: 'demo', user_email: 'bo' } },
    'projects within member_ids = 2 where (member_email ~ "bo" and type = "demo") by id desc, page 1, rows a page: 10',
  ],
  [
    'adminProjects',
    { filters: { q: 'x' }, sorting: { sort_by: 'tc_update', sort_order: 'asc' } },
    'projects where (project_id ~ "x" or project_name ~ "x" or member_email ~ "x") by tc_update asc, page 1, rows a page: 10',
  ],
];

describe('plans', () => {
  for (const [name, body, printed] of PLANS) {
    it(`${name} ${JSON.stringify(body)}`, () => {
      expect(printPlan(parse(name, body).plan)).to.equal(printed);
    });
  }

  it('are made only where the caller and the path say which rows these are', () => {
    const nowhere = { ...admin, params: {} };
    const nobody = { ...member, sub: undefined } as unknown as Viewer;
    const wrong = [
      [views.projectTasks, nowhere],
      [views.projectSchedules, nowhere],
      [views.ownProjects, nobody],
    ] as const;
    for (const [view, viewer] of wrong) {
      const search = () => parseSearch(view, {}, viewer, settings);
      expect(search, view.name).to.throw('invariant broken');
    }
    // @ts-expect-error: the caller cannot be left out
    const silent: Parameters<typeof parseSearch> = [views.userSearch, {}, undefined, settings];
    expect(silent).to.have.length(4);
  });

  it('show an admin every project', () => {
    const { plan } = parseSearch(views.ownProjects, {}, admin, settings);
    expect(printPlan(plan)).to.equal('projects where all by id desc, page 1, rows a page: 10');
  });

  it('are frozen', () => {
    const { plan } = parse('adminTasks', { filters: { q: 'x' } });
    expect(plan).to.be.frozen;
    expect(plan.where).to.be.frozen;
  });

  it('simplify: all vanishes from and, none from or, and each wins in the other', () => {
    const a = equals('a', 1);
    const b = equals('b', 'x', 'y');
    const printed = [and(), or(), and(ALL, a), and(a, NONE), or(NONE, a), or(a, ALL)];
    expect(printed.map(printPredicate)).to.deep.equal([
      'all',
      'none',
      'a = 1',
      'none',
      'a = 1',
      'all',
    ]);
    expect(printPredicate(and(and(a, b), or(a, or(b, a))))).to.equal(
      '(a = 1 and b in ["x","y"] and (a = 1 or b in ["x","y"] or a = 1))',
    );
    expect(equals('a')).to.equal(NONE);
  });
});
