/**
 * The judge of the fault suite finds an answer of an own table that differs from the stored rows.
 */
import { expect } from 'chai';
import { Timestamp } from 'mongodb';
import type { Exchange } from './exchange.ts';
import { type HistoryEvent, keyOf, State } from './history.ts';
import { wrongAnswers } from './judge.ts';
import { OWN_VIEW } from './ownTable.ts';

const at = (i: number) => new Timestamp({ t: 100, i });

const put = (i: number, document: { _id: number; name: string }): HistoryEvent => ({
  at: at(i),
  collection: 'tasks',
  change: { kind: 'put', key: keyOf(document._id), document },
});
const HISTORY: readonly HistoryEvent[] = [
  put(1, { _id: 1, name: 'Anton' }),
  put(2, { _id: 2, name: 'Berta' }),
  put(3, { _id: 3, name: 'antenna' }),
];

const row = (id: number, name: string) => ({
  ...{ id, name, worker: null, status: null, queued: null, kept: null },
});
const pagination = { total_items: 2, current_page: 1, per_page: 10 };
const RIGHT = { data: [row(1, 'Anton'), row(3, 'antenna')], meta: { pagination } };

describe('the judge of own tables', () => {
  const judged = (body: unknown, asOf = at(3)) => {
    const search = {
      ...{
        view: OWN_VIEW,
        caller: 1,
        filters: { q: 'ANT' },
        pagination: { page: 1, per_page: 10 },
      },
      ...{ select: [], sorting: { sort_by: 'id', sort_order: 'asc' } },
    };
    const exchange = { instance: { name: 'a' }, status: 200, route: 'index', search, asOf };
    const one = { ...exchange, text: JSON.stringify(body) } as unknown as Exchange;
    return wrongAnswers([one], new State(HISTORY), (text) => text.toLowerCase());
  };

  it('accepts the rows stored at the moment', () => {
    expect(judged(RIGHT)).eql([]);
    const before = { ...pagination, total_items: 1 };
    expect(judged({ data: [row(1, 'Anton')], meta: { pagination: before } }, at(2))).eql([]);
  });

  const mutated: [what: string, body: object][] = [
    ['a count', { ...RIGHT, meta: { pagination: { ...pagination, total_items: 3 } } }],
    ['a page', { ...RIGHT, meta: { pagination: { ...pagination, current_page: 2 } } }],
    ['a value', { ...RIGHT, data: [row(1, 'Anton'), row(3, 'Antenna')] }],
    ['an order', { ...RIGHT, data: RIGHT.data.toReversed() }],
    ['a row too many', { ...RIGHT, data: [...RIGHT.data, row(2, 'Berta')] }],
    ['a row too few', { ...RIGHT, data: RIGHT.data.slice(1) }],
    ['a member too few', { ...RIGHT, data: [{ id: 1, name: 'Anton' }, RIGHT.data[1]] }],
  ];
  for (const [what, body] of mutated) {
    it(`finds ${what} that is wrong`, () => expect(judged(body)).length(1));
  }

  it('finds the right answer of another moment', () => {
    expect(judged(RIGHT, at(2))).length(1);
  });
});
