/** Pipelines are believed to answer in time by the size of a table, and by the latest pipelines' times. */
import { expect } from 'chai';
import { MongoServerError } from 'mongodb';
import { tasks } from '../../../src/apps/admin/resources/tasks.ts';
import {
  ALL,
  and,
  contains,
  equals,
  NONE,
  type Predicate,
} from '../../../src/tables/definition/predicate.ts';
import type { ExplorePlan } from '../../../src/tables/explore/plan.ts';
import { PipelineChances } from '../../../src/tables/pipeline/pipelineChances.ts';
import type { Plan } from '../../../src/tables/query/plan.ts';

const plan = (where: Predicate, within: Predicate = ALL): Plan => ({
  ...{
    resource: tasks,
    within,
    where,
    sorting: [{ by: 'id', descending: true }] as const,
    page: 1,
    perPage: 10,
  },
});
const MILLION = 1_000_000;
const outOfTime = new MongoServerError({ code: 50, errmsg: 'operation exceeded time limit' });

describe('the chances of a pipeline', () => {
  const all = plan(ALL);

  it('follow from the size of its table', () => {
    const chances = new PipelineChances(15_000);
    expect(chances.has(all, MILLION)).equal(true);
    expect(chances.has(all, 10 * MILLION)).equal(false);
    expect(chances.hasAny(tasks, 10 * MILLION)).equal(false);
    expect(new PipelineChances(60_000).has(all, 10 * MILLION)).equal(true);
    // Nobody has counted.
    expect(chances.has(all, undefined)).equal(true);
  });

  it('are good where a database index leads to few documents', () => {
    const chances = new PipelineChances(15_000);
    for (const [one, has] of [
      [plan(equals('task_id', 'x')), true],
      [plan(and(contains(tasks, 'worker', 'w'), equals('id', 7))), true],
      [plan(contains(tasks, 'worker', 'w'), equals('project_id', 'x')), true],
      [plan(NONE), true],
      [plan(equals('status', 'SUCCESS')), false],
      [plan(contains(tasks, 'task_id', 'x')), false],
    ] as const) {
      expect(chances.has(one, 100 * MILLION), JSON.stringify(one.where)).equal(has);
    }
  });

  it('are good for rows that are asked for by their ids, such as one whole document', () => {
    const chances = new PipelineChances(15_000);
    const conditions = [{ op: 'ids', column: 'id', ids: [7] }] as const;
    const one: ExplorePlan = { ...all, conditions, facets: [], stats: [] };
    expect(chances.has(one, 100 * MILLION)).equal(true);
    const facets = [{ column: 'status', limit: 5 }] as never;
    const counts: ExplorePlan = { ...one, facets };
    expect(chances.has(counts, 100 * MILLION), 'counts').equal(false);
  });

  it('are corrected by what pipelines took', () => {
    const chances = new PipelineChances(15_000);
    chances.note(all, 15_000, outOfTime);
    expect(chances.has(all, MILLION)).equal(false);
    expect(chances.hasAny(tasks, MILLION)).equal(false);
    expect(chances.has(plan(equals('task_id', 'x')), MILLION)).equal(true);
    // A small table cannot take so long: the store hesitated.
    expect(chances.has(all, 1_000)).equal(true);
    chances.note(all, 1_000);
    expect(chances.has(all, MILLION)).equal(true);
    expect(chances.has(all, 10 * MILLION)).equal(true);
  });

  it('are none after pipelines whose time ended, some of it before they began', () => {
    const chances = new PipelineChances(15_000);
    chances.note(all, 14_990, outOfTime);
    expect(chances.has(all, MILLION)).equal(false);
    chances.note(all, 1_000);
    expect(chances.has(all, MILLION)).equal(true);
    // One such pipeline says little, two in a row say it.
    chances.note(all, 1_000);
    chances.note(all, 14_990, outOfTime);
    expect(chances.has(all, MILLION)).equal(true);
    chances.note(all, 14_990, outOfTime);
    expect(chances.has(all, MILLION)).equal(false);
  });

  it('stay as they are after explores, which take longer', () => {
    const chances = new PipelineChances(15_000);
    const explore: ExplorePlan = { ...all, conditions: [], facets: [], stats: [] };
    chances.note(explore, 15_000, outOfTime);
    expect(chances.has(all, MILLION)).equal(true);
    expect(chances.hasAny(tasks, MILLION)).equal(true);
  });

  it('stay as they are for a project after a large one has run out of time', () => {
    const chances = new PipelineChances(15_000);
    chances.note(plan(ALL, equals('project_id', 'large')), 15_000, outOfTime);
    expect(chances.has(plan(ALL, equals('project_id', 'small')), MILLION)).equal(true);
    expect(chances.has(all, MILLION)).equal(true);
  });

  it('are not touched by other failures', () => {
    for (const [ms, error] of [
      [15_000, new MongoServerError({ code: 189, errmsg: 'stepped down' })],
      // It waited for a turn nearly all the time.
      [100, outOfTime],
    ] as const) {
      const chances = new PipelineChances(15_000);
      chances.note(all, ms, error);
      chances.note(all, ms, error);
      expect(chances.has(all, MILLION), String(error)).equal(true);
    }
  });

  it('are bad for a small window of a large collection, once pipelines ran out of time', () => {
    const chances = new PipelineChances(15_000);
    const resource = { ...tasks, window: { field: 'a', path: 'a', spanMs: 1 } };
    const windowed = { ...all, resource };
    expect(chances.has(windowed, 1_000)).equal(true);
    for (const _ of [1, 2]) chances.note(windowed, 15_000, outOfTime);
    expect(chances.has(windowed, 1_000)).equal(false);
    expect(chances.hasAny(resource, 1_000)).equal(false);
  });
});
