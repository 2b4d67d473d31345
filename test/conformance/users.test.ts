/** Users: every filter, sort and record member of the contract's section 2.5. */
import { asGiven, filtered, nulls, sortedIn } from './cases.ts';
import { type Case, conform, type World } from './conform.ts';
import { ADMIN, ANA, BO, day, INACTIVE, user } from './documents.ts';

const world: World = {
  users: [
    user(ADMIN, {
      email: 'root@mail.test',
      first_name: 'Root',
      last_name: 'Admin',
      tc_creation: day(1),
      tc_update: day(9),
    }),
    user(ANA, {
      email: 'ana@mail.test',
      first_name: 'Ana',
      last_name: 'Kovač',
      language: 'hr',
      tc_creation: day(4),
      tc_update: day(4),
      auth_groups: ['editors', 'readers'],
      preferences: { theme: 'dark', since: day(2), columns: [1, { a: null }] },
    }),
    user(BO, {
      email: 'bo@other.test',
      first_name: 'Bo',
      last_name: 'ANA',
      language: 'zh-Hans',
      tc_creation: day(2),
      tc_update: null,
    }),
    user(INACTIVE, {
      email: 'Zoë@mail.test',
      active: false,
      tc_creation: day(2),
      tc_update: day(5),
    }),
    user(120, {
      email: 'ana.b@mail.test',
      first_name: 'ana',
      language: 'pt-BR',
      active: false,
      tc_creation: day(3),
      tc_update: day(1),
    }),
  ],
};

const all = [120, INACTIVE, BO, ANA, ADMIN];
const find = filtered('users', { as: BO });
const given = asGiven(find);
const like = (filters: object, ids: number[]): Case =>
  find(`like ${JSON.stringify(filters)}`, filters, ids, { ...filters, match_type: 'like' });
const exact = (filters: object, ids: number[]): Case =>
  given({ ...filters, match_type: 'exact' }, ids);
const q = (text: string, ids: number[]): Case =>
  find(`q ${JSON.stringify(text)}`, { q: text }, ids, { q: text.trim() });
const sorted = sortedIn('users');

const FILTERS: readonly Case[] = [
  find('without filters: newest first, active or not', {}, all),
  { name: 'an admin sees the same', view: 'users', body: {}, expect: { ids: all, applied: {} } },
  find('null is not provided', nulls('q id email active first_name last_name language'), all),
  find('blank is not provided', { q: ' ', email: '\t', first_name: '', match_type: 'exact' }, all),
  find('match_type alone selects nothing', { match_type: 'like' }, all),

  q('ana', [120, BO, ANA]),
  q(' kovač ', [ANA]),
  q('OTHER.test', [BO]),
  q('12', [120]),
  q('2', [120, ANA]),
  q('zh-Hans', []),
  q('editors', []),
  q('dark', []),
  q('1.0', []),
  q('１２', []),

  given({ id: 120 }, [120]),
  given({ id: 12 }, []),
  given({ id: -120 }, []),
  given({ id: 0 }, []),
  given({ id: Number.MAX_SAFE_INTEGER }, []),
  { ...given({ id: 120 }, [120]), name: 'id 1.2e2', body: '{"filters":{"id":1.2e2}}' },
  given({ active: true }, [BO, ANA, ADMIN]),
  given({ active: false }, [120, INACTIVE]),

  like({ email: 'MAIL.test' }, [120, INACTIVE, ANA, ADMIN]),
  like({ email: 'zoë' }, [INACTIVE]),
  like({ first_name: 'an' }, [120, ANA]),
  like({ last_name: 'ana' }, [BO]),
  like({ language: 'ha' }, [BO]),
  like({ language: 'H' }, [BO, ANA]),
  given({ email: 'bo@', match_type: 'like' }, [BO]),
  exact({ email: 'ana@mail.test' }, [ANA]),
  exact({ email: 'Ana@mail.test' }, []),
  exact({ email: 'ana@mail' }, []),
  exact({ first_name: 'ana' }, [120]),
  exact({ first_name: 'Ana' }, [ANA]),
  exact({ last_name: 'ANA' }, [BO]),
  exact({ language: 'pt-BR' }, [120]),
  exact({ language: 'pt-br' }, []),
  find('exact is trimmed', { last_name: ' Kovač\n', match_type: 'exact' }, [ANA], {
    last_name: 'Kovač',
    match_type: 'exact',
  }),
  find('q contains, whatever the match_type', { q: 'an', match_type: 'exact' }, [120, BO, ANA], {
    q: 'an',
  }),
  like({ q: 'ana', active: false, first_name: 'AN', language: 'pt' }, [120]),
];

const SORTS: readonly Case[] = [
  sorted('id', 'asc', [ADMIN, ANA, BO, INACTIVE, 120]),
  sorted('id', 'desc', all),
  sorted('tc_creation', 'asc', [ADMIN, BO, INACTIVE, 120, ANA]),
  sorted('tc_creation', 'desc', [ANA, 120, INACTIVE, BO, ADMIN]),
  sorted('tc_update', 'asc', [BO, 120, ANA, INACTIVE, ADMIN]),
  sorted('tc_update', 'desc', [ADMIN, INACTIVE, ANA, 120, BO]),
  sorted('email', 'asc', [INACTIVE, 120, ANA, BO, ADMIN]),
  sorted('email', 'desc', [ADMIN, BO, ANA, 120, INACTIVE]),
];

const MEMBERS = [
  ...['id', 'email', 'first_name', 'last_name', 'language', 'active'],
  ...['tc_creation', 'tc_update', 'auth_groups', 'preferences'],
];

const RECORDS: readonly Case[] = [
  given({ id: ANA }, [ANA], {
    members: MEMBERS,
    records: [
      {
        id: ANA,
        email: 'ana@mail.test',
        first_name: 'Ana',
        last_name: 'Kovač',
        language: 'hr',
        active: true,
        tc_creation: '2026-01-04T00:00:00.000Z',
        tc_update: '2026-01-04T00:00:00.000Z',
        auth_groups: ['editors', 'readers'],
        preferences: {
          theme: 'dark',
          since: '2026-01-02T00:00:00.000Z',
          columns: [1, { a: null }],
        },
      },
    ],
  }),
];

conform('users', world, [...FILTERS, ...SORTS, ...RECORDS]);
