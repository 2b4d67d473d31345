/**
 * Letters that are the same: exactly those that MongoDB's `$regex` with option `i` holds equal on
 * the connected server. The table is the one of 6.0; other servers know more letters.
 */
import { readFileSync } from 'node:fs';
import { asGiven, filtered } from './cases.ts';
import { type Case, conform, type World } from './conform.ts';
import { PEOPLE, project, schedule, task, user, uuid } from './documents.ts';
import { INDEX, PIPELINE } from './executors.ts';

/** The source of the rows makes no difference to the matches. */
const BY_TEXT = [PIPELINE, INDEX];

/** Texts of which each contains each other one. */
const EQUAL: readonly (readonly string[])[] = [
  ['K', 'k', '\u212a'],
  ['S', 's', 'ſ'],
  ['Å', 'å', '\u212b'],
  ['Ω', 'ω', '\u2126'],
  ['ß', 'ẞ'],
  ['ς', 'Σ', 'σ'],
  ['µ', 'μ', 'Μ'],
  ['\u0345', 'ι', 'Ι', '\u1fbe'],
  ['θ', 'Θ', 'ϑ', 'ϴ'],
  ['ǅ', 'Ǆ', 'ǆ'],
  ['Ⅷ', 'ⅷ'],
  ['ⓐ', 'Ⓐ'],
  ['𐐀', '𐐨'],
  ['Ж', 'ж'],
  ['É', 'é'],
  ['I', 'i'],
  ['STRAẞE', 'straße', 'ſtraße'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
];

/** Pairs of which neither contains the other. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['İ', 'i'],
  ['ı', 'I'],
  ['ß', 'SS'],
  ['ﬁ', 'fi'],
  ['é', 'e\u0301'],
  ['é', 'e'],
  ['Ꭰ', 'ꭰ'],
  ['Ა', 'ა'],
  ['𞤀', '𞤢'],
  ['𐒰', '𐓘'],
  ['\u1c80', 'в'],
  ['ﬅ', 'ﬆ'],
  ['\u0390', '\u1fd3'],
  ['か', 'が'],
  ['カ', 'ｶ'],
  ['Ａ', 'A'],
  ['𝐀', 'A'],
  ['0', '٠'],
];

const texts = [...new Set([...EQUAL.flat(), ...DIFFERENT.flat()])];
const named = (n: number, text: string) => project(n, { name: `<${text}>` });
const world: World = { projects: texts.map((text, i) => named(i + 1, text)) };
const idOf = (text: string) => uuid(texts.indexOf(text) + 1);

const projects = filtered('admin projects');
const asked = (text: string, same: readonly string[]): Case => {
  const name = same.length > 1 ? same.join(' = ') : `nothing but ${text}`;
  const filters = { project_name: `<${text}>` };
  return projects(name, filters, same.map(idOf).sort().reverse(), filters);
};

conform(
  'letters that are the same',
  world,
  texts.map((text) => asked(text, EQUAL.find((same) => same.includes(text)) ?? [text])),
  BY_TEXT,
);

/** The rows of docs/api.md: a text, texts that it finds as well, and texts that it does not find. */
const rows = /<!-- letters -->\n.*\n.*\n([\s\S]*?)<!-- \/letters -->/
  .exec(readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8'))![1]!
  .trim()
  .split('\n')
  .map((row) => row.split('|').slice(1, 4))
  .map((cells) => cells.map((cell) => [...cell.replace(/\(.*\)/, '').matchAll(/`(.+?)`/g)]))
  .map((cells) => cells.map((found) => found.map(([, text]) => text!)));
const told = rows.flat(2);
conform(
  'letters as docs/api.md shows them',
  { projects: told.map((text, i) => project(i + 1, { name: text })) },
  rows.map(([[text = ''] = [], also = []]): Case => {
    const ids = [text, ...also].map((one) => uuid(told.indexOf(one) + 1));
    const filters = { project_name: text };
    return projects(text, filters, ids.sort().reverse(), filters);
  }),
  BY_TEXT,
);

const emoji: World = {
  users: [
    ...PEOPLE,
    user(10, { email: '😀' }),
    user(11, { email: '\ud83d' }),
    user(12, { email: 'a\ufffdb' }),
  ],
};
const users = filtered('users');
const email = (text: string, ids: number[]): Case =>
  users(JSON.stringify(text), { email: text }, ids, { email: text, match_type: 'like' });
conform(
  'characters that take two units',
  emoji,
  [email('😀', [10]), email('\ufffd', [12, 11]), email('😁', [])],
  BY_TEXT,
);

/** Labels and task names are compared by the same letters, in the service itself. */
const labels: World = {
  schedules: [schedule(1, { task_type: 'system_backup', task_name: 'x' })],
  tasks: [
    task(1, { task_type: 'sync_ldap', routing_key: 'raw', name: 'x' }),
    task(2, { task_type: 'system_backup', routing_key: 'service.system_backup', name: 'x' }),
  ],
};
const schedules = filtered('admin schedules');
const tasks = filtered('admin tasks', { own: { scope: ['system', 'project'] } });
conform(
  'letters of labels',
  labels,
  [
    schedules('a label with ſ and the sign of Kelvin', { q: 'ſyſtem bac\u212aup' }, [uuid(1)], {
      ...{ q: 'ſyſtem bac\u212aup', task_type: 'system_backup' },
    }),
    asGiven(schedules)({ q: 'system backup\u0307' }, []),
    tasks('a label as routing key', { routing_keys: ['ſYſTEM BAC\u212aUP'] }, [2], {
      routing_keys: ['service.system_backup'],
    }),
    asGiven(tasks)({ q: 'ſYNC l' }, [1]),
  ],
  BY_TEXT,
);

const stored = [
  ...String.raw`\Q \E (?i) (*UTF8) # - / \x85 % _ . * [ ( ^ $ ) ] {2} | + ? \ \d $& (?#`.split(' '),
  ...String.raw`[[:alpha:]] \\ ' "`.split(' '),
  ...['`', '\u0085', 'a\nb', 'a\r\nb', '\u2028', '\u200d', '\u202e'],
].map((text) => `<${text}>`);
conform(
  'patterns are plain text',
  {
    users: [...PEOPLE, ...stored.map((text, i) => user(100 + i, { email: text }))],
  },
  [
    ...stored.map((text, i) => email(text, [100 + i])),
    email('<.*>', []),
    email('<[a-z%]>', []),
    email('<\\w>', []),
  ],
  BY_TEXT,
);

const long = '(['.repeat(127);
const wide = '😀'.repeat(256);
conform(
  'long texts',
  {
    users: [
      ...PEOPLE,
      user(10, { email: `${wide}!` }),
      user(11, { email: `x${'a'.repeat(5000)}${long}` }),
    ],
  },
  [email(wide, [10]), email(long, [11]), email('a'.repeat(256), [11]), email('\\'.repeat(256), [])],
  BY_TEXT,
);

conform(
  'a stored NUL',
  {
    users: [...PEOPLE, user(10, { email: 'before\0after', first_name: '\0' })],
  },
  [
    email('after', [10]),
    email('before', [10]),
    email('beforeafter', []),
    asGiven(users)({ id: 10 }, [10], {
      records: [{ email: 'before\0after', first_name: '\0' }],
    }),
  ],
  BY_TEXT,
);
