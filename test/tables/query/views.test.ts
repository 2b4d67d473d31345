/** Members of a view that no built-in search has, as they change bodies and plans. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { taskCatalogue } from '../../../src/apps/admin/resources/taskTypes.ts';
import { users } from '../../../src/apps/admin/resources/users.ts';
import { AppError } from '../../../src/errors.ts';
import { equals, NONE } from '../../../src/tables/definition/predicate.ts';
import { defineView, type SearchView } from '../../../src/tables/definition/view.ts';
import { compileSearch, parseExplore } from '../../../src/tables/explore/body.ts';
import { printExplore } from '../../../src/tables/explore/plan.ts';
import { parseSearch } from '../../../src/tables/query/parse.ts';
import { printPlan } from '../../../src/tables/query/plan.ts';
import { ANY_ADMIN } from '../../model/asks.ts';

const settings = {
  labels: taskCatalogue().labels,
  fold: (text: string) => text.toLowerCase(),
  maxPerPage: 100,
};
const view = (more: Partial<SearchView>) =>
  defineView({
    ...{ name: 'people', resource: users, filters: ['q', 'active', 'email'] },
    ...more,
  });

const printed = (of: SearchView, body: unknown, viewer = ANY_ADMIN) =>
  printPlan(parseSearch(of, compileSearch(of)(body), viewer, settings).plan);

describe('views', () => {
  it('name no filter that their resource has not, or that they do not take', () => {
    expect(() => view({ filters: ['q', 'mail'] })).to.throw('people: no filter mail');
    const other = { filter: 'actve', is: true };
    expect(() => view({ onlyWhere: { email: other } })).to.throw('people: no filter actve');
    const defaults = { language: ['de'] };
    expect(() => view({ defaults })).to.throw('people does not take the filter language');
  });

  it('take select in a search if they say so', () => {
    const body = { select: [{ field: 'language', in: ['de'] }] };
    expect(() => compileSearch(view({}))(body)).to.throw(AppError);
    const selecting = view({ select: true });
    const { plan } = parseExplore(selecting, compileSearch(selecting)(body), ANY_ADMIN, settings);
    expect(printExplore(plan)).to.equal(
      'users where all by id desc, page 1, rows a page: 10\n  select language in ["de"]',
    );
  });

  it('begin with their own order, which a chosen sort ends', () => {
    const ascending = view({ ascending: true });
    expect(printed(ascending, {})).to.equal('users where all by id asc, page 1, rows a page: 10');
    const byEmail = { sorting: { sort_by: 'email' } };
    expect(printed(ascending, byEmail)).to.equal(
      'users where all by email desc, page 1, rows a page: 10',
    );
    const descending = { sorting: { sort_order: 'desc' } };
    expect(printed(ascending, descending)).to.equal(
      'users where all by id desc, page 1, rows a page: 10',
    );
  });

  it('show the rows of a claim, and none without it', () => {
    const rows: SearchView['rows'] = ({ claims: { language } }) => ({
      within: typeof language === 'string' ? equals('language', language) : NONE,
      applied: {},
    });
    const of = view({ rows });
    const german = { ...ANY_ADMIN, claims: { language: 'de' } };
    expect(printed(of, {}, german)).to.equal(
      'users within language = "de" where all by id desc, page 1, rows a page: 10',
    );
    expect(printed(of, {})).to.equal(
      'users within none where all by id desc, page 1, rows a page: 10',
    );
  });

  it('hold a filter for rows with a value of another one', () => {
    const of = view({ onlyWhere: { email: { filter: 'active', is: true } } });
    const where = (filters: object) => printed(of, { filters });
    expect(where({ email: 'a' })).to.equal(
      'users where (email ~ "a" and active = true) by id desc, page 1, rows a page: 10',
    );
    expect(where({ email: 'a', active: false })).to.equal(
      'users where active = false by id desc, page 1, rows a page: 10',
    );
    expect(where({ email: ' ' })).to.equal('users where all by id desc, page 1, rows a page: 10');
  });
});
