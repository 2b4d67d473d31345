/**
 * The tables of docs/api.md, made from the route table, the headers and the error codes.
 * `UPDATE_DOCS=1 npx mocha test/docs/api.test.ts` writes them again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { HEADERS } from '../../src/serve/description.ts';
import { codeTable } from '../../src/serve/openapi/failures.ts';
import type { Route } from '../../src/serve/route.ts';
import { HEALTH } from '../../src/serve/routes/health.ts';
import { everyRoute } from '../../tools/clientContract/everyRoute.ts';

const FILE = new URL('../../docs/api.md', import.meta.url);

const WHO: Readonly<Record<Route['permission'], string>> = {
  public: 'anyone',
  user: 'any user',
  admin: 'admin',
  path: 'member, admin',
  table: 'by grant',
  'whole table': 'admin, by grant',
};

const listed = [...everyRoute(), ...HEALTH].flatMap(({ description, ...route }) =>
  description === 'not listed' ? [] : [{ ...route, ...description }],
);

const SEARCHES = ['Searches', 'Explore', 'Exports', 'Explain'];
const isSearch = ({ group }: { readonly group: string }) => SEARCHES.includes(group);
const shownPath = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** The rows of each search, by its path. */
const ROWS: Readonly<Record<string, string>> = {
  '/api/v2/admin/schedules/search': 'all schedules',
  '/api/v2/projects/:project_id/schedules/search': "the project's schedules",
  '/api/v2/admin/tasks/search':
    'tasks of the system and of projects; backup tasks by `filters.scope`',
  '/api/v2/projects/:project_id/tasks/search': "the project's tasks",
  '/api/v2/users/search': 'all users',
  '/api/v2/projects/search': "the caller's projects; for an admin all",
  '/api/v2/admin/projects/search': 'all projects',
  '/api/v2/admin/audit/search': 'changes made through this service: who, when, before and after',
};

function searches(): string {
  const rows = listed.flatMap(({ group, path, permission }) => {
    if (group !== 'Searches') return [];
    expect(ROWS).property(path);
    return [`| \`${shownPath(path)}\` | ${WHO[permission]} | ${ROWS[path]} |`];
  });
  return ['| `POST` | who | rows |', '|---|---|---|', ...rows].join('\n');
}

function otherRoutes(): string {
  const rows = listed.flatMap((route) => {
    const { method, path, permission, summary } = route;
    if (isSearch(route)) return [];
    return [`| \`${method} ${shownPath(path)}\` | ${WHO[permission]} | ${summary} |`];
  });
  return ['| route | who | what it does |', '|---|---|---|', ...rows].join('\n');
}

function headers(): string {
  const rows = Object.entries(HEADERS).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  return ['| header | meaning |', '|---|---|', ...rows].join('\n');
}

const TABLES = { searches, management: otherRoutes, headers, errors: codeTable };

/** The page with its tables as the definitions have them. */
function made(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, table]) => {
    const between = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    expect(text, `docs/api.md has no place for ${name}`).match(between);
    return text.replace(between, (_, open, close) => `${open}${table()}\n${close}`);
  }, page);
}

describe('docs/api.md', () => {
  it('has the tables that the definitions make', () => {
    const page = readFileSync(FILE, 'utf8');
    if (process.env.UPDATE_DOCS === '1') writeFileSync(FILE, made(page));
    expect(readFileSync(FILE, 'utf8')).equal(made(page));
  });

  it('names every route', () => {
    const page = readFileSync(FILE, 'utf8');
    for (const route of listed) {
      const path = shownPath(route.path);
      const shown = isSearch(route) ? path.replace(/(\/search)\/\w+$/, '$1') : path;
      expect(page).include(shown);
    }
    for (const kind of ['explore', 'export', 'explain']) expect(page).include(`POST …/${kind}`);
  });
});
