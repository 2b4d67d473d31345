/** From plans to stages: the exact stages, and their results in the real database. */
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { Document } from 'mongodb';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { Deadline } from '../../../src/store/deadline.ts';
import { SnapshotRead } from '../../../src/store/snapshotRead.ts';
import type { Resource } from '../../../src/tables/definition/definition.ts';
import {
  ALL,
  and,
  contains,
  equals,
  NONE,
  or,
  type Predicate,
} from '../../../src/tables/definition/predicate.ts';
import type { RelationKey } from '../../../src/tables/definition/relationKey.ts';
import {
  lookupRead,
  RelatedKeys,
  relatedValueStages,
} from '../../../src/tables/pipeline/relatedKeys.ts';
import { pageStages } from '../../../src/tables/query/order.ts';
import {
  isText,
  joinStages,
  matchOf,
  type RelatedLookup,
  rowStages,
  valuesOf,
  withResolved,
} from '../../../src/tables/query/pipeline.ts';
import type { Plan } from '../../../src/tables/query/plan.ts';
import { PEOPLE, project, task, user, uuid } from '../../conformance/documents.ts';
import { put, useDatabase } from '../../support/database.ts';

const { tasks, users, projects } = RESOURCES;
const planOf = (where: Predicate, more: Partial<Plan> = {}): Plan => ({
  resource: tasks,
  within: ALL,
  where,
  sorting: [{ by: 'id', descending: true }],
  page: 1,
  perPage: 2,
  ...more,
});

/** The related texts of a predicate, and what it becomes where each leads to these keys. */
async function lookedUp(resource: Resource, where: Predicate, keys: readonly RelationKey[] = []) {
  const lookups: RelatedLookup[] = [];
  const resolved = await withResolved(resource, where, async (lookup) => {
    lookups.push(lookup);
    return keys;
  });
  return { lookups, resolved };
}

describe('pipelines', () => {
  const database = useDatabase();
  before(async () => {
    const { db } = database;
    await put(db, {
      users: [...PEOPLE, user(40, { email: 'a.b@x' })],
      projects: [
        project(1, { name: 'Apollo', members: [{ user_id: 40 }] }),
        project(2, { name: 'Boreas' }),
        { _id: 3, name: 'Apollo without a key' },
      ],
      tasks: [
        task(1, { project_id: uuid(1), user_email: 'A.B@x', date_done: new Date(3) }),
        task(2, { project_id: uuid(2), user_email: 'aXb@x', date_done: new Date(1) }),
        task(3, { user_email: null, date_done: new Date(2) }),
        task(4, { project_id: undefined, user_email: 'a.b@y' }),
      ],
    });
  });
  const run = (collection: string, stages: readonly Document[]) =>
    database.db
      .collection(collection)
      .aggregate([...stages])
      .toArray();

  it('match, sort with the id, and a facet of the count and one page of ids', async () => {
    const where = and(contains(tasks, 'user_email', 'a.B@'), equals('scope', 'system', 'project'));
    const stages = pageStages(
      planOf(where, { sorting: [{ by: 'date_done', descending: true }], page: 2, perPage: 1 }),
      RESOURCES,
    );
    expect(stages).to.deep.equal([
      {
        $match: {
          $and: [
            { user_email: { $regex: '(?:search){0}a\\.B@', $options: 'i' } },
            { scope: { $in: ['system', 'project'] } },
          ],
        },
      },
      { $sort: { date_done: -1, _id: -1 } },
      { $project: { _id: 1 } },
      { $facet: { count: [{ $count: 'total' }], page: [{ $skip: 1 }, { $limit: 1 }] } },
    ]);
    expect(await run('tasks', stages)).to.deep.equal([
      { count: [{ total: 2 }], page: [{ _id: 4 }] },
    ]);
  });

  it('without a database index for the order, the store sorts inside the facet, up to the end of the page', async () => {
    const sorting = [{ by: 'date_done', descending: true }] as const;
    const asked = planOf({ op: 'all' }, { sorting, page: 2, perPage: 1 });
    const stages = pageStages({ ...asked, resource: { ...tasks, indexes: [] } }, RESOURCES);
    expect(stages).to.deep.equal([
      { $match: {} },
      {
        $facet: {
          count: [{ $count: 'total' }],
          page: [
            { $sort: { date_done: -1, _id: -1 } },
            { $project: { _id: 1 } },
            ...[{ $skip: 1 }, { $limit: 1 }],
          ],
        },
      },
    ]);
    expect(await run('tasks', stages)).to.deep.equal(
      await run('tasks', pageStages(asked, RESOURCES)),
    );
  });

  it('sorts by the id alone, upwards', async () => {
    const stages = pageStages(
      planOf({ op: 'all' }, { sorting: [{ by: 'id', descending: false }] }),
      RESOURCES,
    );
    expect(stages.slice(0, 2)).to.deep.equal([{ $match: {} }, { $sort: { _id: 1 } }]);
    expect(await run('tasks', stages)).to.deep.equal([
      { count: [{ total: 4 }], page: [{ _id: 1 }, { _id: 2 }] },
    ]);
  });

  it('finds nothing with none, and says so with an empty count', async () => {
    const stages = pageStages(planOf(NONE), RESOURCES);
    expect(stages[0]).to.deep.equal({ $match: { _id: { $in: [] } } });
    expect(await run('tasks', stages)).to.deep.equal([{ count: [], page: [] }]);
  });

  it('skips a page far past the end with a number that the database takes', async () => {
    const plan = planOf({ op: 'all' }, { page: Number.MAX_SAFE_INTEGER, perPage: 100 });
    const stages = pageStages(plan, RESOURCES);
    expect(stages.at(-1)!.$facet.page[0]).to.deep.equal({ $skip: Number.MAX_SAFE_INTEGER });
    expect(await run('tasks', stages)).to.deep.equal([{ count: [{ total: 4 }], page: [] }]);
  });

  it('escapes every sign of a pattern', async () => {
    const signs = '\\^$.|?*+()[]{}-#/ %_\'"&<>=!:,~`@';
    const match = matchOf(users, contains(users, 'email', signs));
    expect(match).to.deep.equal({
      email: {
        $regex: '(?:search){0}\\\\\\^\\$\\.\\|\\?\\*\\+\\(\\)\\[\\]\\{\\}-#/ %_\'"&<>=!:,~`@',
        $options: 'i',
      },
    });
    await database.db.collection('signs').insertOne({ _id: 1 as never, email: `<${signs}>` });
    expect(await run('signs', [{ $match: match }])).to.have.length(1);
  });

  it('looks into the decimal text of ids with digits only', async () => {
    const found = async (text: string) => {
      const match = matchOf(users, contains(users, 'id_text', text));
      return (await run('users', [{ $match: match }])).map(({ _id }) => _id);
    };
    expect(await found('4')).to.deep.equal([4, 40]);
    expect(await found('0')).to.deep.equal([40]);
    expect(matchOf(users, contains(users, 'id_text', '4 || 1'))).to.deep.equal({
      _id: { $in: [] },
    });
  });

  it('resolves related texts to keys first, each once', async () => {
    const name = contains(tasks, 'project_name', 'apoLLo');
    const where = or(
      contains(tasks, 'folder', 'apoLLo'),
      and(name, or(name, equals('scope', 'x'))),
    );
    const { lookups } = await lookedUp(tasks, where);
    const asked: string[] = [];
    const snapshot = new SnapshotRead(database.db, { deadline: new Deadline(10_000) });
    const aggregate: SnapshotRead['aggregate'] = (collection, stages) => {
      asked.push(collection);
      return snapshot.aggregate(collection, stages);
    };
    const once = new RelatedKeys(planOf(where), RESOURCES, { aggregate });
    for (const lookup of lookups) expect(await once.of(lookup)).to.deep.equal([uuid(1)]);
    expect(lookups).to.have.length(2);
    expect(asked).to.deep.equal(['projects']);
    const read = lookupRead(lookups[0]!, RESOURCES);
    expect(read).to.deep.equal({
      collection: 'projects',
      stages: [
        {
          $match: {
            name: { $regex: '(?:search){0}apoLLo', $options: 'i' },
            $expr: { $in: [{ $type: '$identifier' }, ['string', 'symbol']] },
          },
        },
      ],
      key: 'identifier',
    });
    const keys = await run('projects', read.stages);
    expect(keys.map(({ identifier }) => identifier)).to.deep.equal([uuid(1)]);
    const { resolved } = await lookedUp(tasks, name, [uuid(1)]);
    expect(resolved).to.deep.equal(equals('project_id', uuid(1)));
    expect((await lookedUp(tasks, name)).resolved).to.deep.equal(NONE);
    const stages = pageStages(planOf(resolved), RESOURCES);
    expect(await run('tasks', stages)).to.deep.equal([
      { count: [{ total: 1 }], page: [{ _id: 1 }] },
    ]);
  });

  it('resolves members by their emails to numbers', async () => {
    const { lookups } = await lookedUp(projects, contains(projects, 'member_email', 'B@X'));
    const read = lookupRead(lookups[0]!, RESOURCES);
    expect(read).to.deep.equal({
      collection: 'users',
      stages: [
        {
          $match: {
            email: { $regex: '(?:search){0}B@X', $options: 'i' },
            $expr: { $isNumber: '$_id' },
          },
        },
      ],
      key: '_id',
    });
    const found = await run('users', read.stages);
    expect(found.map(({ _id }) => _id)).to.deep.equal([40]);
  });

  it('looks for a related text among given keys alone', async () => {
    const { lookups } = await lookedUp(projects, contains(projects, 'member_email', 'B@X'));
    expect(lookupRead(lookups[0]!, RESOURCES, [7, 9]).stages).to.deep.equal([
      { $match: { _id: { $in: [7, 9] } } },
      { $limit: Number.MAX_SAFE_INTEGER },
      {
        $match: {
          email: { $regex: '(?:search){0}B@X', $options: 'i' },
          $expr: { $isNumber: '$_id' },
        },
      },
    ]);
    const within = equals('member_ids', 7);
    const plan = planOf({ op: 'all' }, { resource: projects, within });
    expect(relatedValueStages(plan, 'member_ids')).to.deep.equal([
      { $match: { 'members.user_id': 7 } },
      { $group: { _id: '$members.user_id' } },
    ]);
  });

  it('takes as many keys as a related text has', async () => {
    const keys = Array.from({ length: 300_000 }, (_, i) => i);
    const { resolved } = await lookedUp(projects, contains(projects, 'member_email', 'e'), keys);
    expect(resolved).to.include({ op: 'equals', column: 'member_ids' });
    expect((resolved as { values: readonly number[] }).values).to.have.length(keys.length);
  });

  it('joins the rows of a page only, never by a missing key', async () => {
    const stages = joinStages(tasks.joins[0]!, RESOURCES, [1, 4]);
    expect(stages).to.deep.equal([
      { $match: { _id: { $in: [1, 4] } } },
      {
        $project: {
          joined: { $filter: { input: valuesOf('project_id'), cond: isText('$$this') } },
        },
      },
      {
        $lookup: {
          from: 'projects',
          localField: 'joined',
          foreignField: 'identifier',
          pipeline: [
            { $match: { $expr: { $in: [{ $type: '$identifier' }, ['string', 'symbol']] } } },
            { $sort: { _id: 1 } },
            { $limit: 1 },
            { $project: { name: 1 } },
          ],
          as: 'joined',
        },
      },
      { $unwind: { path: '$joined', preserveNullAndEmptyArrays: true } },
      { $project: { joined: 1 } },
    ]);
    const rows = await run('tasks', stages);
    expect(rows).to.deep.equal([{ _id: 1, joined: { _id: 1, name: 'Apollo' } }, { _id: 4 }]);
    expect(rowStages([7])).to.deep.equal([{ $match: { _id: { $in: [7] } } }]);
  });
});
