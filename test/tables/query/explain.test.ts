/**
 * Database indexes of the pipelines, by `explain` of the very stages that run. A search within a
 * project, by an id or in the default order never scans the collection.
 */
import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { Document } from 'mongodb';
import { buildIndexes } from '../../../src/apps/admin/databaseIndexes.ts';
import { RESOURCES } from '../../../src/apps/admin/resources/index.ts';
import { ALL, and, equals, type Predicate } from '../../../src/tables/definition/predicate.ts';
import { pageStages } from '../../../src/tables/query/order.ts';
import { joinStages, rowStages } from '../../../src/tables/query/pipeline.ts';
import type { Plan } from '../../../src/tables/query/plan.ts';
import { day, project, schedule, task, user, uuid } from '../../conformance/documents.ts';
import { put, useDatabase } from '../../support/database.ts';

const COUNT = 400;
const numbers = Array.from({ length: COUNT }, (_, i) => i + 1);
const P = uuid(1);

const within = and(equals('project_id', P), equals('scope', 'project'));

/** [resource, predicate, sort, the index, whether the order comes out of it] */
const SEARCHES: readonly (readonly [keyof typeof RESOURCES, Predicate, string, string, boolean])[] =
  [
    ['tasks', within, 'id', 'project_id_1__id_1', true],
    ['tasks', within, 'date_done', 'project_id_1__id_1', false],
    ['schedules', within, 'schedule_id', 'project_id_1__id_1', true],
    ['tasks', equals('task_id', uuid(7)), 'id', 'task_id_1__id_1', true],
    ['tasks', equals('project_id', P), 'id', 'project_id_1__id_1', true],
    ['schedules', equals('schedule_id', uuid(7)), 'schedule_id', '_id_', true],
    ['schedules', equals('project_id', P), 'schedule_id', 'project_id_1__id_1', true],
    ['users', equals('id', 7), 'id', '_id_', true],
    ['users', equals('email', 'user7@mail.test'), 'id', 'email_1__id_1', true],
    ['projects', equals('project_id', P), 'id', 'identifier_1__id_1', true],
    ['projects', equals('member_ids', 7), 'id', 'members.user_id_1__id_1', true],
    ['tasks', ALL, 'id', '_id_', true],
    ['tasks', equals('scope', 'system', 'project'), 'id', '_id_', true],
    ['tasks', ALL, 'date_queued', 'date_queued_1__id_1', true],
    ['tasks', ALL, 'date_started', 'date_started_1__id_1', true],
    ['tasks', ALL, 'date_done', 'date_done_1__id_1', true],
    ['schedules', ALL, 'schedule_id', '_id_', true],
    ['schedules', ALL, 'project_id', 'project_id_1__id_1', true],
    ['schedules', ALL, 'date_last_run_at', 'date_last_run_at_1__id_1', true],
    ['schedules', ALL, 'total_run_count', 'total_run_count_1__id_1', true],
    ['schedules', ALL, 'enabled', 'enabled_1__id_1', true],
    ['users', ALL, 'id', '_id_', true],
    ['users', ALL, 'email', 'email_1__id_1', true],
    ['users', ALL, 'tc_creation', 'tc_creation_1__id_1', true],
    ['users', ALL, 'tc_update', 'tc_update_1__id_1', true],
    ['projects', ALL, 'id', '_id_', true],
    ['projects', ALL, 'tc_creation', 'tc_creation_1__id_1', true],
    ['projects', ALL, 'tc_update', 'tc_update_1__id_1', true],
  ];

/** Every value under a name, however deep. */
function all(value: unknown, name: string): unknown[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === name ? [inner] : []),
    ...all(inner, name),
  ]);
}

describe('explained', () => {
  const database = useDatabase();
  before(async () => {
    const { db } = database;
    await buildIndexes(db);
    const of = (n: number) => uuid((n % 40) + 1);
    const documents: Record<string, Document[]> = {
      users: numbers.map((n) => user(n, { tc_creation: day(n), tc_update: day(n) })),
      projects: numbers.map((n) => project(n, { members: [{ user_id: n }, { user_id: n + 1 }] })),
      schedules: numbers.map((n) => schedule(n, { project_id: of(n), scope: 'project' })),
      tasks: numbers.map((n) => task(n, { project_id: of(n), scope: 'project' })),
    };
    await put(db, documents);
  });

  /** The plan, without the plans that lost, and without the command itself. */
  const LEFT_OUT = ['rejectedPlans', 'command'];
  async function explain(name: string, stages: Document[]): Promise<Document> {
    const explained = await database.db.collection(name).aggregate(stages).explain('queryPlanner');
    return JSON.parse(
      JSON.stringify(explained, (key, value) => (LEFT_OUT.includes(key) ? [] : value)),
    );
  }

  for (const [name, where, sortBy, index, ordered] of SEARCHES) {
    for (const descending of [true, false]) {
      const asked = where.op === 'all' ? 'everything' : JSON.stringify(where);
      it(`${name}: ${asked} by ${sortBy} ${descending ? 'desc' : 'asc'}: ${index}`, async () => {
        const plan: Plan = {
          resource: RESOURCES[name],
          within: ALL,
          where,
          sorting: [{ by: sortBy, descending }],
          page: 2,
          perPage: 10,
        };
        const explained = await explain(RESOURCES[name].collection, pageStages(plan, RESOURCES));
        const stages = all(explained, 'stage');
        expect(stages).not.to.include('COLLSCAN');
        const used = [
          ...all(explained, 'indexName'),
          ...(stages.includes('IDHACK') ? ['_id_'] : []),
        ];
        expect(new Set(used)).to.deep.equal(new Set([index]));
        const sorts = stages.includes('SORT') || all(explained, '$sort').length > 0;
        expect(sorts, 'sorted in memory').to.equal(!ordered);
      });
    }
  }

  it('rows of a page come by id', async () => {
    const explained = await explain('tasks', rowStages([1, 2, 3]));
    expect(all(explained, 'stage')).to.include('IXSCAN').and.not.to.include('COLLSCAN');
  });

  it('joins use the index of the joined collection', async () => {
    const [join] = RESOURCES.tasks.joins;
    const stages = joinStages(join!, RESOURCES, numbers.slice(0, 10));
    const explained = await database.db
      .collection('tasks')
      .aggregate(stages)
      .explain('executionStats');
    expect(all(explained, 'collectionScans').map(Number)).to.deep.equal([0]);
    expect(all(explained, 'indexesUsed').flat()).to.deep.equal(['identifier_1__id_1']);
  });

  it('indexes that are there are left alone', async () => {
    expect(await buildIndexes(database.db)).to.deep.equal({});
  });
});
