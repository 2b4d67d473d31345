/** A saved view asks for the same rows on the command line as in the web UI. */
import { expect } from 'chai';
import fc from 'fast-check';
import { askedAt, projectOf } from '../../src/cli/asked/viewAddress.ts';
import { questionOf } from '../../web/query/question.ts';
import { addressOf } from '../../web/state/address.ts';
import { addressFields, tableOf } from '../../web/tables/tables.ts';
import { view } from '../webUi/anyView.ts';

const queryOf = (address: string) => address.split('?')[1] ?? '';
const NOW = new Date('2026-11-24T10:20:30.400Z');
const tasks = tableOf('tasks').description;

describe('the address of a saved view, on the command line', () => {
  it('ends today with the day, also where dates lie in the future', () => {
    const { select } = askedAt('date_queued=today', tasks, NOW, true);
    const day = (plus: number) =>
      new Date(NOW.getFullYear(), NOW.getMonth(), NOW.getDate() + plus).toISOString();
    expect(select).eql([{ field: 'date_queued', from: day(0), to: day(1) }]);
  });

  it('asks for the rows that the web UI asks for', () => {
    fc.assert(
      fc.property(view, fc.boolean(), (one, admin) => {
        const circumstances = { facets: [], timeZone: 'UTC', now: NOW, buckets: 0 };
        // Groups, comparisons and words of the first search are ways to ask the same.
        const asked = questionOf({ ...one, group: null, compare: null }, admin, circumstances);
        if (!asked) return;
        const query = queryOf(addressOf(one, addressFields));
        const { description, views } = tableOf(one.table);
        const isApart = one.table === 'tasks' && asked.view === views.admin;
        const found = askedAt(query, description, NOW, isApart);
        const { q, ...filters } = asked.body.filters;
        const select = [...asked.body.select, ...(q === undefined ? [] : [{ text: q }])];
        const texts = (all: readonly object[]) =>
          all.map((each) => JSON.stringify(each)).toSorted();
        expect(texts(found.select), query).eql(texts(select));
        expect(found.filters, query).eql(filters);
        expect(projectOf(query)).equal(one.project ?? undefined);
        const sorting = found.sorting === undefined ? [] : [found.sorting].flat();
        expect(sorting.map(({ sort_by, sort_order }) => ({ by: sort_by, order: sort_order }))).eql(
          one.sort,
        );
      }),
    );
  });

  it('leaves out what means nothing, names conditions that it cannot read, and columns that are not there', () => {
    const odd =
      'nope=1&status=&date_queued=soon&page=-3&sort=&-=x&retries=a..b&cols=worker,nope&any=x';
    expect(askedAt(odd, tasks, NOW)).eql({
      ...{ filters: {}, select: [], columns: ['worker'] },
      unread: ['nope=1', 'date_queued=soon', '-=x', 'retries=a..b', 'any=x'],
      leftOut: ['cols=nope'],
    });
    const { sorting } = askedAt('sort=worker,-worker,-id,status,date_queued', tasks, NOW);
    expect([sorting].flat().map((one) => one!.sort_by)).eql(['worker', 'id', 'status']);
    expect(askedAt('cols=&sort=nope&q=+', tasks, NOW)).eql({
      ...{ filters: {}, select: [], unread: [], leftOut: ['sort=nope'] },
    });
    const half = 'date_queued=2026-11-01..2026-99-01&any=|&any=q:x|nope:1&status=FAILURE&with=a';
    const asked = askedAt(half, tasks, NOW);
    expect(asked.unread).eql([
      ...['date_queued=2026-11-01..2026-99-01', 'any=|', 'any=q:x|nope:1'],
    ]);
    expect(asked.select).eql([{ field: 'status', in: ['FAILURE'] }]);
  });
});
