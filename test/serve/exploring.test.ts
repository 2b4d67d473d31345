/** Watched explores share one answer if their bodies, view and rows are equal. */
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { users } from '../../src/apps/admin/resources/users.ts';
import { ownProjects, userSearch } from '../../src/apps/admin/resources/views.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import { exploreAnswers } from '../../src/serve/routes/explore.ts';
import { defineView, type SearchView, type Viewer } from '../../src/tables/definition/view.ts';
import { viewer } from '../model/asks.ts';

const records = new RecordJson(users.record);
const keyOf = (view: SearchView, by: Viewer, body: object = {}) =>
  exploreAnswers(view, body, by, records).key;

const ANA = viewer(false, 1, '');
const BO = viewer(false, 2, '');
const ADMIN = viewer(true, 3, '');

describe('watched explores', () => {
  it('are one for callers who may see the same rows', () => {
    expect(keyOf(userSearch, ANA)).to.equal(keyOf(userSearch, BO));
    expect(keyOf(userSearch, ANA)).not.to.equal(keyOf(userSearch, ANA, { facets: [] }));
  });

  it('are several for callers who may see others', () => {
    const keys = [ANA, BO, ADMIN].map((by) => keyOf(ownProjects, by));
    expect(new Set(keys).size).to.equal(3);
  });

  it('are several for views of one name, which may show other fields', () => {
    const twin = defineView({ ...userSearch });
    expect(keyOf(twin, ANA)).not.to.equal(keyOf(userSearch, ANA));
  });
});
