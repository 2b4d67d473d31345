/** The web UI's state stands in its address, and comes back from it whole. */
import { expect } from 'chai';
import fc from 'fast-check';
import { addressOf, viewOf } from '../../web/state/address.ts';
import { nextAfter } from '../../web/state/numbers.ts';
import { textOf, wordsIn } from '../../web/state/searchText.ts';
import {
  anyOf,
  asking,
  type Condition,
  choiceOf,
  type FieldCondition,
  initialView,
  type TableName,
  toggled,
  type View,
  withCondition,
} from '../../web/state/view.ts';
import { addressFields, TABLES, tableOf } from '../../web/tables/tables.ts';

const read = (address: string): View => {
  const { pathname, search } = new URL(address, 'http://page.test');
  return viewOf(pathname, search, addressFields, TABLES[0]!);
};

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const value = fc.oneof(
  text,
  fc.constantFrom('~', '~null', ',', '\\', '\\,~', '..', '-x', ' a ', '+', '%', '&=#?'),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });

function conditionOf(table: TableName): fc.Arbitrary<Condition> {
  const { ranges, values } = addressFields(table)!;
  const { times } = tableOf(table).description;
  const numbers = ranges.filter((field) => !times.includes(field));
  const simple: fc.Arbitrary<FieldCondition> = fc.oneof(
    fc.record({
      kind: fc.constant('values' as const),
      field: fc.constantFrom(...values),
      not: fc.boolean(),
      values: fc.array(value, { minLength: 1, maxLength: 4 }),
    }),
    ...(times.length > 0
      ? [
          fc.record({
            kind: fc.constant('span' as const),
            field: fc.constantFrom(...times),
            span: fc.constantFrom('24h' as const, 'today' as const, '365d' as const),
          }),
          fc.record({
            kind: fc.constant('range' as const),
            field: fc.constantFrom(...times),
            from: date.map((at) => at.toISOString()),
          }),
        ]
      : []),
    ...numbers.map((field) =>
      fc.oneof(
        fc.record({
          kind: fc.constant('range' as const),
          field: fc.constant(field),
          from: number,
        }),
        fc.record({
          kind: fc.constant('range' as const),
          field: fc.constant(field),
          to: number.map(nextAfter),
        }),
      ),
    ),
  );
  const word = fc.record({
    kind: fc.constant('text' as const),
    text: text.filter((one) => one.trim() === one),
    not: fc.boolean(),
  });
  return fc.oneof(
    simple,
    fc
      .tuple(simple, fc.array(fc.oneof(simple, word), { minLength: 1, maxLength: 3 }))
      .map(([first, others]) => anyOf([first, ...others])),
  );
}

/** Not -0, which texts write as 0, and not the largest number, which no bound comes after. */
const number = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, min: -1e300, max: 1e300 }))
  .map((one) => one + 0);

const view = fc.constantFrom(...TABLES).chain((table) =>
  fc.record({
    table: fc.constant(table),
    project: fc.option(fc.uuid()),
    q: fc.string({ unit: 'grapheme' }).map((typed) => textOf(wordsIn(typed))),
    conditions: fc
      .array(conditionOf(table), { maxLength: 5 })
      .map((all) => all.reduce<readonly Condition[]>(withCondition, [])),
    sort: fc.uniqueArray(
      fc.record({
        by: fc.constantFrom(...tableOf(table).description.orders),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      }),
      { maxLength: 3, selector: ({ by }) => by },
    ),
    page: fc.integer({ min: 1, max: 1e6 }),
    perPage: fc.constantFrom(25, 50, 100),
    columns: fc.option(fc.uniqueArray(fc.constantFrom('id', 'status', 'name'), { minLength: 1 })),
    time: fc.option(fc.constantFrom('date_done')),
    group: fc.option(fc.constantFrom(...tableOf(table).description.facets)),
    compare: fc.option(fc.constantFrom('all' as const, 'before' as const, 'week' as const)),
    open: fc.option(text),
    tab: fc.constantFrom('record' as const, 'log' as const),
  }),
);

describe("the web UI's address", () => {
  it('brings back every view', () => {
    fc.assert(
      fc.property(view, (one) => {
        expect(read(addressOf(one))).eql(one);
      }),
    );
  });

  it('reads well', () => {
    const failures: View = {
      ...initialView('tasks'),
      q: '"time out" -gold red or white',
      conditions: [
        { kind: 'values', field: 'status', not: false, values: ['FAILURE', 'RETRY'] },
        { kind: 'values', field: 'scope', not: true, values: ['system'] },
        { kind: 'span', field: 'date_queued', span: 'today' },
        { kind: 'range', field: 'retries', from: nextAfter(2), to: nextAfter(5) },
        {
          kind: 'any',
          of: [
            { kind: 'values', field: 'worker', not: false, values: [null] },
            { kind: 'text', not: false, text: 'a|b' },
          ],
        },
      ],
      sort: [
        { by: 'date_done', order: 'desc' },
        { by: 'worker', order: 'asc' },
      ],
    };
    expect(addressOf(failures)).equal(
      '/tasks?q=time+out&-q=gold&any=q:red%7Cq:white&status=FAILURE,RETRY&-scope=system&date_queued=today' +
        '&retries=%3E2..%3D5&any=worker:~null%7Cq:a%5C%7Cb&sort=-date_done,worker',
    );
    expect(addressOf(initialView('users'))).equal('/users');
  });

  it('means what it meant: one text, and ranges without their end', () => {
    expect(read('/tasks?q=time+out&retries=3..4')).eql({
      ...initialView('tasks'),
      q: '"time out"',
      conditions: [{ kind: 'range', field: 'retries', from: 3, to: 4 }],
    });
  });

  it('tells a field from a part of the address that is called so', () => {
    const open: Condition = { kind: 'values', field: 'open', not: true, values: [true] };
    const one: View = { ...initialView('tables/doors'), conditions: [open], open: '7' };
    const address = addressOf(one);
    expect(address).equal('/tables/doors?-~open=~true&open=7');
    const fields = () => ({ conditions: ['open'], ranges: [], values: ['open'] });
    expect(viewOf('/tables/doors', address.split('?')[1]!, fields, 'tasks')).eql(one);
  });

  it('leaves out what means nothing', () => {
    const odd = '/tasks?nope=1&status=&date_queued=soon&page=-3&per=7&sort=&-=x&retries=a..b';
    expect(read(odd)).eql(initialView('tasks'));
    expect(read('/').table).equal('tasks');
    expect(read('/nothing').table).equal('tasks');
  });
});

describe('conditions of a view', () => {
  const none = initialView('tasks');

  it('are asked for, asked away, and dropped by the same press', () => {
    const once = toggled(none.conditions, 'status', 'FAILURE', false);
    expect(choiceOf(once, 'status', 'FAILURE')).equal('in');
    const twice = toggled(once, 'status', 'RETRY', false);
    expect(twice).eql([
      { kind: 'values', field: 'status', not: false, values: ['FAILURE', 'RETRY'] },
    ]);
    const turned = toggled(twice, 'status', 'RETRY', true);
    expect(choiceOf(turned, 'status', 'RETRY')).equal('out');
    expect(choiceOf(turned, 'status', 'FAILURE')).equal('in');
    expect(toggled(once, 'status', 'FAILURE', false)).eql([]);
  });

  it('begin at the first page', () => {
    expect(asking({ ...none, page: 9 }, { q: 'x' }).page).equal(1);
  });
});
