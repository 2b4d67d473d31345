/**
 * Every kind of dirt in every member that is searched, sorted or joined by: the index shows what the
 * pipeline shows, for every view, order and term.
 */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import type { Resource } from '../../src/tables/definition/definition.ts';
import { project, schedule, task, user, uuid } from '../conformance/documents.ts';
import { insertRaw, putUndefined, UNDEFINED } from '../follow/support/rawInsert.ts';
import { useDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { type Ask, planOf, VIEWS, type ViewName } from './asks.ts';
import { Oracle } from './oracle.ts';
import { startSystem } from './system.ts';
import { DIRT, FOLLOWED, type Followed, ODD_IDS, TERMS } from './values.ts';

const MAKE = { users: user, projects: project, schedules: schedule, tasks: task } as const;

/** One document for each member and each kind of dirt in it, and one for each odd id. */
function documentsOf(collection: Followed): Document[] {
  const make = MAKE[collection];
  const paths = pathsOf(RESOURCES[collection]);
  const all = [...DIRT, () => UNDEFINED];
  const dirty = paths.flatMap((path) => all.map((dirt) => withValue(path, dirt())));
  const related = all.map((dirt) => ({ project_id: dirt(), scope: 'project' }));
  const changes: Document[] = [...dirty, ...(collection === 'users' ? [] : related)];
  const numbered = changes.map((change, n) => make(n + 100, change));
  const odd = ODD_IDS.map((id) => make(id(), collection === 'projects' ? {} : { name: 'odd' }));
  const joined = [...ODD_IDS, ...all].map((id, n) =>
    make(n + 2_000, {
      project_id: uuid(100 + n),
      scope: 'project',
      members: [{ user_id: id(), role: 'member' }],
    }),
  );
  return [...numbered, ...odd, ...joined];
}

/** Members that columns, joins or records are read from, as far as a document may have dirt in them. */
function pathsOf(resource: Resource): string[] {
  const stored = Object.values(resource.fields).flatMap((field) =>
    field.kind === 'stored' && field.path !== '_id' ? [field.path] : [],
  );
  const shown = Object.values(resource.record).flatMap(({ reads }) => reads);
  const paths = [...stored, ...shown.filter((path) => path !== '_id'), 'members', 'task_args'];
  return [...new Set(paths)];
}

const withValue = (path: string, value: unknown): Document => {
  const [name = '', inner] = path.split('.');
  if (inner === undefined) return { [name]: value };
  return { [name]: name === 'members' ? [{ [inner]: value }] : { [inner]: value } };
};

/** Every view by every sort, and with every term in each filter that takes one. */
function asksOf(view: ViewName): Ask[] {
  const { resource, filters } = VIEWS[view].view;
  const asked = filters.flatMap((name) => {
    const { kind } = resource.filters[name]!;
    return kind === 'text' || kind === 'contains' || kind === 'matchMode' ? [name] : [];
  });
  const ask = (sort_by: string, sort_order: 'asc' | 'desc', some: object): Ask => ({
    ...{ view, projectId: uuid(1), memberId: 5, http: false },
    body: {
      filters: { ...some },
      pagination: { page: 1, per_page: 100 },
      sorting: { sort_by, sort_order },
    },
  });
  return [
    ...resource.sorts.flatMap((sort) => [ask(sort, 'asc', {}), ask(sort, 'desc', {})]),
    ...resource.sorts.map((sort) => ask(sort, 'asc', { q: 'a' })),
    ...asked.flatMap((name) =>
      TERMS.map((term) => ask(resource.sorts[0], 'desc', { [name]: term })),
    ),
  ];
}

describe('dirty documents, each kind of dirt in each member', () => {
  const database = useDatabase();
  let system: Awaited<ReturnType<typeof startSystem>>;
  let oracle: Oracle;
  before(async () => {
    for (const name of FOLLOWED) {
      const documents = documentsOf(name);
      const { client, name: dbName } = database;
      // In pieces, each of which is one message with one reply.
      for (let from = 0; from < documents.length; from += 500) {
        const some = documents.slice(from, from + 500);
        const { n } = await insertRaw(client, dbName, name, some, putUndefined);
        expect(n).to.equal(some.length);
      }
    }
    const { uri, name: dbName } = database;
    system = await startSystem({ uri, dbName, caseFolding: new CaseFolding(database.db) });
    oracle = new Oracle(database.client, dbName);
    await until(() => system.index.state().state === 'live');
  });
  after(() => system?.stop());

  for (const view of Object.keys(VIEWS) as ViewName[]) {
    it(`${view}`, async function test() {
      this.timeout(60_000);
      const differing: string[] = [];
      for (const ask of asksOf(view)) {
        const { plan } = planOf(ask, system.fold);
        const answer = await system.search.run(plan, new Deadline(15_000));
        await oracle
          .check(plan, answer, `${view} by ${answer.route}`)
          .catch((error: Error) => differing.push(error.message));
      }
      expect(differing.length, differing[0]).to.equal(0);
    });
  }

  it('the tables are sound', () => system.index.check());
});
