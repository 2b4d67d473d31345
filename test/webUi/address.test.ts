/** The web UI's state stands in its address, and comes back from it whole. */

import { expect } from 'chai';
import fc from 'fast-check';
import { nextAfter } from '../../clients/typescript/viewAddress.ts';
import { addressOf, unreadParts, viewOf } from '../../web/state/address.ts';
import {
  asking,
  type Condition,
  choiceOf,
  initialView,
  toggled,
  type View,
} from '../../web/state/view.ts';
import { addressFields, TABLES } from '../../web/tables/tables.ts';
import { conditionOn, view } from './anyView.ts';

const read = (address: string): View => {
  const { pathname, search } = new URL(address, 'http://page.test');
  return viewOf(pathname, search, addressFields, TABLES[0]!);
};

describe("the web UI's address", () => {
  it('brings back every view', () => {
    fc.assert(
      fc.property(view, (one) => {
        expect(read(addressOf(one, addressFields))).eql(one);
      }),
    );
  });

  it('keeps the values of a field that takes ranges too apart from these', () => {
    const pieces = ['pieces'];
    const given = { conditions: pieces, ranges: pieces, values: pieces };
    const fields = () => ({ ...given, contains: [], times: [] });
    const back = (condition: Condition) => {
      const one: View = { ...initialView('tables/parcels'), conditions: [condition] };
      const address = addressOf(one, fields);
      expect(viewOf('/tables/parcels', address.split('?')[1]!, fields, 'tasks'), address).eql(one);
      return address;
    };
    const three = { kind: 'values', field: 'pieces', values: ['3'] } as const;
    expect(back({ ...three, not: true })).equal('/tables/parcels?-pieces=3');
    expect(back({ ...three, not: false })).equal('/tables/parcels?pieces=%5C3');
    fc.assert(fc.property(conditionOn(fields()), (one) => void back(one)));
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
    expect(addressOf(failures, addressFields)).equal(
      '/tasks?q=time+out&-q=gold&any=q:red%7Cq:white&status=FAILURE,RETRY&-scope=system&date_queued=today' +
        '&retries=%3E2..%3D5&any=worker:~null%7Cq:a%5C%7Cb&sort=-date_done,worker',
    );
    expect(addressOf(initialView('users'), addressFields)).equal('/users');
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
    const address = addressOf(one, addressFields);
    expect(address).equal('/tables/doors?-~open=~true&open=7');
    const fields = () => ({ conditions: ['open'], ranges: [], values: ['open'], contains: [] });
    expect(viewOf('/tables/doors', address.split('?')[1]!, fields, 'tasks')).eql(one);
  });

  it('names the parts that it leaves out', () => {
    const odd =
      'nope=1&status=&date_queued=soon&page=-3&per=7&sort=-date_done,size&retries=1..b&group=args' +
      '&compare=all&cols=status,colour&any=status:FAILURE|nope:1&any=nope:1&any=|&with=a&with=page:2&tab=log&open=7';
    expect(unreadParts(odd, addressFields('tasks')!)).eql([
      ...['nope=1', 'date_queued=soon', 'page=-3', 'per=7', 'sort=size', 'retries=1..b'],
      ...['group=args', 'cols=colour', 'any=status:FAILURE|nope:1', 'any=nope:1', 'any=|'],
      ...['with=a', 'with=page:2'],
    ]);
    expect(unreadParts('cols=status,&q=+', addressFields('tasks')!)).eql([]);
    const five = 'sort=status,-date_done,status,date_queued,-task_type';
    expect(unreadParts(five, addressFields('tasks')!)).eql(['sort=-task_type']);
    fc.assert(
      fc.property(view, ({ table, q, conditions, other, compare }) => {
        const one = { ...initialView(table), q, conditions, other, compare };
        const [, query = ''] = addressOf(one, addressFields).split('?');
        expect(unreadParts(query, addressFields(table)!)).eql([]);
      }),
    );
  });

  it('leaves out what means nothing', () => {
    const odd = '/tasks?nope=1&status=&date_queued=soon&page=-3&per=7&sort=&-=x&retries=a..b';
    expect(read(odd)).eql(initialView('tasks'));
    // The parts that are named as left out change nothing. A project and a record have a name.
    const numbers = 'page=1e3&per=50.0&page=1e400';
    expect(read(`/tasks?project=&open=&${numbers}`)).eql(initialView('tasks'));
    expect(read('/tasks?page=1e400').page).equal(1);
    expect(unreadParts(numbers, addressFields('tasks')!)).eql(numbers.split('&'));
    // A column stands in a table once.
    expect(read('/tasks?cols=status,worker,status').columns).eql(['status', 'worker']);
    // One half of an alternative alone would hide the rows of the other.
    expect(read('/tasks?any=status:FAILURE%7Cnope:1')).eql(initialView('tasks'));
    expect(read('/').table).equal('tasks');
    expect(read('/nothing').table).equal('tasks');
    // JSON has no infinity: `null` in its place would find rows without a value.
    const noNumbers =
      'retries=1e400&execution_time=2..1e%2B400&retries=~Infinity&-worker=~NaN&status=FAILURE,~x';
    expect(read(`/tasks?${noNumbers}`)).eql(initialView('tasks'));
    expect(unreadParts(noNumbers, addressFields('tasks')!)).eql(
      noNumbers.replace('%2B', '+').split('&'),
    );
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
