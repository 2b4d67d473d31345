/** A refusal of an unknown name lists the known ones, and the one that was meant. */
import { expect } from 'chai';
import { adminTasks, userSearch } from '../../../src/apps/admin/resources/views.ts';
import { compileExplore, compileSearch } from '../../../src/tables/explore/body.ts';
import { closest, unknownName } from '../../../src/tables/query/guess.ts';
import { compileSchema } from '../../../src/tables/query/schema.ts';
import { refusal } from './refusal.ts';

const USER_FILTERS = 'q, id, email, active, first_name, last_name, language, match_type';

describe('a guess at what was meant', () => {
  const KNOWN = ['q', 'id', 'email', 'first_name', 'project_id', 'sort_by', 'asc', 'desc'];
  const MEANT: Readonly<Record<string, string | undefined>> = {
    emial: 'email',
    emails: 'email',
    mail: 'email',
    Email: 'email',
    firstName: 'first_name',
    'project-id': 'project_id',
    projectid: 'project_id',
    sortby: 'sort_by',
    DESC: 'desc',
    ID: 'id',
    // Every short name is near to every other.
    p: undefined,
    it: undefined,
    nope: undefined,
    firstly: undefined,
    '': undefined,
    [`email${'l'.repeat(100)}`]: undefined,
  };
  for (const [given, meant] of Object.entries(MEANT)) {
    it(`${given.slice(0, 20)} → ${meant ?? 'nothing'}`, () => {
      expect(closest(given, KNOWN)).equal(meant);
    });
  }

  it('stays short, whatever was sent', () => {
    const sentence = unknownName('\ud83d"\\\n\0'.repeat(100_000), KNOWN);
    expect(sentence.length).lessThan(600);
    expect(sentence).match(/^"/).include('Known are q, id, email');
    expect(unknownName('x', [])).equal('"x" is not known here. Leave it out.');
  });
});

describe('a refused body says', () => {
  const users = compileSearch(userSearch);

  it('which members there are, and which one was meant', () => {
    const { detail, errors } = refusal(users, { filters: { emial: 'x', active: true } });
    expect(detail).equal('1 problem in the body.');
    expect(errors).eql([
      {
        pointer: '/filters/emial',
        detail: `"emial" is not known here; did you mean "email"? Known are ${USER_FILTERS}.`,
      },
    ]);
    const top = refusal(users, { filter: {}, paging: {} });
    expect(top.detail).equal('2 problems in the body.');
    expect(top.errors.map((one) => one.detail)).eql([
      '"filter" is not known here; did you mean "filters"? Known are filters, pagination, sorting.',
      '"paging" is not known here. Known are filters, pagination, sorting.',
    ]);
  });

  it('which values there are, and which one was meant', () => {
    const { errors } = refusal(users, { sorting: { sort_order: 'DESC', sort_by: 'name' } });
    expect(errors.map((one) => one.detail)).eql([
      'This must be one of "id", "tc_creation", "tc_update", "email".',
      'This must be one of "asc", "desc"; did you mean "desc"?',
    ]);
    const facets = refusal(compileExplore(adminTasks), { facets: [{ field: 'Status' }] });
    expect(facets.errors[0]?.detail).match(/"status".*; did you mean "status"\?$/);
  });

  it('the type that was sent and the one that is taken', () => {
    const SENT: [value: unknown, detail: string][] = [
      ['2', 'This must be a whole number, not a string; leave the quotes out.'],
      ['two', 'This must be a whole number, not a string.'],
      [1.5, 'This must be a whole number, not a number with a fraction.'],
      [null, 'This must be a whole number, not null.'],
      [[1], 'This must be a whole number, not a list.'],
    ];
    for (const [page, detail] of SENT) {
      expect(refusal(users, { pagination: { page } }).errors).eql([
        { pointer: '/pagination/page', detail },
      ]);
    }
    expect(refusal(users, []).errors).eql([
      { pointer: '', detail: 'This must be an object, not a list.' },
    ]);
  });

  it('what a missing member takes', () => {
    const change = compileSchema({
      type: 'object',
      additionalProperties: false,
      required: ['enabled'],
      properties: { enabled: { type: 'boolean' } },
    });
    expect(refusal(change, {}).errors).eql([
      { pointer: '/enabled', detail: 'This member is missing; it takes true or false.' },
    ]);
  });
});
