/**
 * MongoDB's order of values of every type, and which values a text or an id can match at all.
 *
 *     [] < missing = null < NaN < -Infinity < numbers < Infinity < strings < objects < … < dates
 */
import {
  Binary,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { asGiven, filtered, sortedIn } from './cases.ts';
import { type Case, conform, type World } from './conform.ts';
import { day, PEOPLE, project, schedule, task, user, uuid } from './documents.ts';
import { EXECUTORS } from './executors.ts';

/** Values in ascending order, those of one line being equal. */
const LADDER: readonly (readonly unknown[])[] = [
  [new MinKey()],
  [[]],
  [null, undefined, [null]],
  [Number.NaN, Decimal128.fromString('NaN')],
  [Number.NEGATIVE_INFINITY],
  [Long.MIN_VALUE],
  [-1.5],
  [new Double(-0), 0, Long.fromNumber(0), [0, 0]],
  [0.5, Decimal128.fromString('0.5')],
  [1, new Double(1), Long.fromNumber(1), Decimal128.fromString('1.0')],
  [2 ** 53, Long.fromString('9007199254740992')],
  [Long.fromString('9007199254740993')],
  [Long.MAX_VALUE],
  [1e300],
  [Number.POSITIVE_INFINITY],
  [''],
  ['A'],
  ['a', ['a']],
  ['a\0'],
  ['aa'],
  ['é'],
  ['\uffff'],
  ['😀'],
  [{}],
  [{ a: 1 }],
  [new Binary(Buffer.from('x'))],
  [new ObjectId('0123456789abcdef01234567')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [day(1), [day(1)]],
  [new Timestamp({ t: 1, i: 1 })],
  [/a/],
  [new MaxKey()],
];

const ladder = LADDER.flatMap((equal, step) => equal.map((value) => ({ step, value })));
/** Ids are given out of order, so that only the values can bring them into order. */
const placed = ladder.map((entry, i) => ({ ...entry, id: 1000 + ((i * 37) % ladder.length) }));
const ids = (descending: boolean) => {
  const sign = descending ? -1 : 1;
  return [...placed].sort((a, b) => sign * (a.step - b.step || a.id - b.id)).map(({ id }) => id);
};

const inOrder = (view: Case['view'], sort_by: string, id: (n: number) => unknown): Case[] =>
  (['asc', 'desc'] as const).map((sort_order) => ({
    name: `${sort_by} ${sort_order}`,
    view,
    body: { sorting: { sort_by, sort_order }, pagination: { per_page: 100 } },
    expect: {
      ids: ids(sort_order === 'desc').map(id),
      applied: view === 'admin tasks' ? { scope: ['system', 'project'] } : {},
      sorting: { sort_by, sort_order },
    },
  }));

const same = (n: number) => n;
const everywhere: World = {
  projects: placed.map(({ id, value }) => project(id, { tc_creation: value, tc_update: value })),
  schedules: placed.map(({ id, value }) =>
    schedule(id, {
      date_last_run_at: value,
      total_run_count: value,
      enabled: value,
      project_id: value,
    }),
  ),
  tasks: placed.map(({ id, value }) =>
    task(id, { date_queued: value, date_started: value, date_done: value }),
  ),
};

conform('every type of value, in order', everywhere, [
  ...inOrder('admin projects', 'tc_creation', uuid),
  ...inOrder('admin projects', 'tc_update', uuid),
  ...inOrder('admin schedules', 'date_last_run_at', uuid),
  ...inOrder('admin schedules', 'total_run_count', uuid),
  ...inOrder('admin schedules', 'enabled', uuid),
  ...inOrder('admin schedules', 'project_id', uuid),
  ...inOrder('admin tasks', 'date_queued', same),
  ...inOrder('admin tasks', 'date_started', same),
  ...inOrder('admin tasks', 'date_done', same),
]);

/** An array counts by its least element going up, and by its greatest going down. */
const arrays: World = {
  schedules: [
    schedule(1, { total_run_count: [5, 1] }),
    schedule(2, { total_run_count: 3 }),
    schedule(3, { total_run_count: [4, 2] }),
    schedule(4, { total_run_count: [] }),
    schedule(5, { total_run_count: null }),
    schedule(6, { total_run_count: [9, null] }),
    schedule(7, { total_run_count: ['a', 0] }),
    schedule(8, { total_run_count: [[7], 1] }),
  ],
};
const sorted = sortedIn('admin schedules');
conform('arrays in order', arrays, [
  sorted('total_run_count', 'asc', [4, 5, 6, 7, 1, 8, 3, 2].map(uuid)),
  sorted('total_run_count', 'desc', [8, 7, 6, 1, 3, 2, 5, 4].map(uuid)),
]);

/** Ids of every type: the last word of every order. */
const idLadder: readonly unknown[] = [
  null,
  Number.NaN,
  -7,
  -0.5,
  new Double(0),
  1,
  2,
  3,
  4,
  4.5,
  new Int32(12),
  Long.fromNumber(21),
  new Double(112),
  Long.fromString('9007199254740993'),
  Decimal128.fromString('1e30'),
  '',
  '12',
  'text',
  { a: 12 },
  new ObjectId('0123456789abcdef01234512'),
  true,
  new Date(12),
];
const shownIds = [
  null,
  'NaN',
  -7,
  -0.5,
  0,
  1,
  2,
  3,
  4,
  4.5,
  12,
  21,
  112,
  '9007199254740993',
  '1E+30',
  '',
  '12',
  'text',
  { a: 12 },
  '0123456789abcdef01234512',
  true,
  '1970-01-01T00:00:00.012Z',
];
const people = PEOPLE.map(({ _id }) => _id);
const strange: World = {
  anyRoute: true,
  users: [
    ...PEOPLE,
    ...idLadder.filter((id) => !people.includes(id)).map((id) => user(id, { email: 'x' })),
  ],
};
const users = (
  name: string,
  filters: object,
  found: unknown[],
  applied: object = filters,
): Case => ({
  name,
  view: 'users',
  body: { filters, sorting: { sort_order: 'asc' }, pagination: { per_page: 100 } },
  expect: {
    ids: found,
    applied: { ...applied },
    sorting: { sort_by: 'id', sort_order: 'asc' },
  },
});
const unaskable = (id: unknown) =>
  id instanceof Decimal128 || Object.getPrototypeOf(id ?? '') === Object.prototype;
conform(
  'ids of every type that an index can ask for',
  { users: strange.users!.filter(({ _id }) => !unaskable(_id)) },
  [
    users(
      'in order',
      {},
      shownIds.filter((id) => id !== '1E+30' && typeof (id ?? '') !== 'object'),
    ),
    users('q looks into the decimal text of integral numbers', { q: '12' }, [12, 112]),
    users('q 0', { q: '0' }, [0]),
    users('q with a sign', { q: '-7' }, [-7]),
    users('id of a double', { id: 112 }, [112]),
    users('id of a long', { id: 21 }, [21]),
  ],
  // Rows of the store are asked for by these ids.
  EXECUTORS,
);
conform('ids of every type', strange, [
  users('in order', {}, shownIds),
  users('q looks into the decimal text of integral numbers', { q: '12' }, [12, 112]),
  users('q 1', { q: '1' }, [1, 12, 21, 112]),
  users('q 0 finds no half and no large one', { q: '0' }, [0]),
  users('q with a sign', { q: '-7' }, [-7]),
  users('q -', { q: '-' }, [-7]),
  users('q with a plus', { q: '+1' }, []),
  users('q of a text id', { q: 'text' }, []),
  users('q e', { q: 'e+' }, []),
  users('id of a double', { id: 112 }, [112]),
  users('id of a long', { id: 21 }, [21]),
  users('id -7', { id: -7 }, [-7]),
  {
    ...users('id -0', { id: 0 }, [0]),
    body: '{"filters":{"id":-0},"sorting":{"sort_order":"asc"}}',
  },
  users('id is no text', { id: 12 }, [12]),
]);

/** Text is found in strings and in arrays of them, never in another type. */
const typed: World = {
  tasks: [
    task(1, { user_email: 'n12@mail' }),
    task(2, { user_email: 12 }),
    task(3, { user_email: ['x', 'N12@MAIL'] }),
    task(4, { user_email: [['n12@mail']] }),
    task(5, { user_email: { mail: 'n12@mail' } }),
    task(6, { user_email: new Date(12) }),
    task(7, { user_email: new ObjectId('0123456789abcdef01234512') }),
    task(8, { user_email: /n12@mail/ }),
    task(9, { user_email: null }),
    task(10, { user_email: undefined }),
    task(11, { user_email: true }),
    task(12, { user_email: [] }),
    task(13, { user_email: new Binary(Buffer.from('n12@mail')) }),
    task(14, { user_email: '' }),
  ],
};
const given = asGiven(filtered('admin tasks', { own: { scope: ['system', 'project'] } }));
const found = (text: string, ids: number[]): Case => given({ user_email: text }, ids);
conform('which types hold text', typed, [
  found('12', [3, 1]),
  found('mail', [3, 1]),
  found('x', [3]),
  found('true', []),
  found('null', []),
  found('undefined', []),
  found('[object', []),
]);
