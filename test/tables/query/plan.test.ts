/** Plans that no answer tells of: without a caller, frozen, simplified. */
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
import type { Viewer } from '../../../src/tables/definition/view.ts';
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

describe('plans', () => {
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
    const { plan } = parseSearch(views.adminTasks, { filters: { q: 'x' } }, admin, settings);
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
