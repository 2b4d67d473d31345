/** Pipelines sort at the right stage, escape texts, and read once. No answer alone would tell. */
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
import { RelatedKeys } from '../../../src/tables/pipeline/relatedKeys.ts';
import { pageStages } from '../../../src/tables/query/order.ts';
import {
  joinStages,
  matchOf,
  type RelatedLookup,
  withResolved,
} from '../../../src/tables/query/pipeline.ts';
import type { Plan } from '../../../src/tables/query/plan.ts';
import { project, task, uuid } from '../../conformance/documents.ts';
import { put, useDatabase } from '../../support/database.ts';

const { tasks, users, projects } = RESOURCES;
const planOf = (where: Predicate): Plan => ({
  ...{ resource: tasks, within: ALL, where, page: 2, perPage: 1 },
  sorting: [{ by: 'date_done', descending: true }],
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
  before(() =>
    put(database.db, {
      projects: [
        project(1, { name: 'Apollo' }),
        project(2, { name: 'Boreas' }),
        { _id: 3, name: 'Apollo without a key' },
      ],
      tasks: [
        task(1, { project_id: uuid(1), date_done: new Date(3) }),
        task(2, { project_id: uuid(2), date_done: new Date(1) }),
        task(3, { project_id: undefined, date_done: new Date(2) }),
      ],
    }),
  );
  const run = (collection: string, stages: readonly Document[]) =>
    database.db
      .collection(collection)
      .aggregate([...stages])
      .toArray();

  it('without a database index for the order, the store sorts inside the facet, up to the end of the page', async () => {
    const asked = planOf(ALL);
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

  it('looks into the decimal text of ids with digits only', () => {
    for (const text of ['4 || 1', '$email']) {
      const match = matchOf(users, contains(users, 'id_text', text));
      expect(match).to.deep.equal({ _id: { $in: [] } });
    }
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
    const { resolved } = await lookedUp(tasks, name, [uuid(1)]);
    expect(resolved).to.deep.equal(equals('project_id', uuid(1)));
    expect((await lookedUp(tasks, name)).resolved).to.deep.equal(NONE);
  });

  it('takes as many keys as a related text has', async () => {
    const keys = Array.from({ length: 300_000 }, (_, i) => i);
    const { resolved } = await lookedUp(projects, contains(projects, 'member_email', 'e'), keys);
    expect(resolved).to.include({ op: 'equals', column: 'member_ids' });
    expect((resolved as { values: readonly number[] }).values).to.have.length(keys.length);
  });

  it('joins the rows of a page only, never by a missing key', async () => {
    const rows = await run('tasks', joinStages(tasks.joins[0]!, RESOURCES, [1, 3]));
    expect(rows).to.deep.equal([{ _id: 1, joined: { _id: 1, name: 'Apollo' } }, { _id: 3 }]);
  });
});
