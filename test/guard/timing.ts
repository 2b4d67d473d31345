/**
 * Whether time tells foreign from absent: pairs of requests, one for what others have and one for
 * what nobody has. Their order is drawn by lot, and each pair of values is used once.
 *
 *     foreign 0.52 ms, absent 0.47 ms   ─►  the slower one was foreign: right
 *
 * The first half of the pairs teaches which of the two is the slower one, and the second half tests
 * it. A route that is told too often is measured once more, with four times the pairs, and that
 * counts: chance alone would tell one of twenty routes too often.
 */
import type { Db } from 'mongodb';
import { markdownTable } from '../support/table.ts';
import { until } from '../support/until.ts';
import { type Call, call, flood, quantile, type Reply } from './calls.ts';
import { absentId, absentText, CURIOUS, fillForeign, foreignId, foreignText } from './foreign.ts';
import { CLAIMS, FOREIGN_TABLES, fillForeignTables, thinForeignTables } from './foreignTables.ts';
import { startVictim, type Victim } from './victim.ts';

/** The most that a classifier may be right, as a share. */
const MAX_RIGHT = 0.55;
const AGAIN = 4;
/** Requests until code is compiled and pools are filled. */
const WARM = 2_000;

export interface Told {
  readonly by: 'index' | 'pipeline';
  readonly route: string;
  readonly pairs: number;
  /** The share of pairs that were told rightly. */
  readonly right: number;
  /** Medians, milliseconds. */
  readonly foreign: number;
  readonly absent: number;
}

export const isTold = ({ right }: Told): boolean => right > MAX_RIGHT;

interface Comparison {
  readonly route: string;
  readonly foreign: (n: number) => Call;
  readonly absent: (n: number) => Call;
}

const mine = `/api/v2/projects/${foreignId(CURIOUS)}`;
const post = (path: string, value: unknown): Call => ({
  method: 'POST',
  path,
  body: JSON.stringify(value),
});
const search = (path: string, filters: object): Call => post(path, { filters });

/** One search for a text that foreign rows have, and for one that no row has. */
const byText = (route: string, ask: (text: string) => Call): Comparison => ({
  route,
  foreign: (n) => ask(foreignText(n)),
  absent: (n) => ask(absentText(n)),
});

const byId = (route: string, ask: (id: string) => Call): Comparison => ({
  route,
  foreign: (n) => ask(foreignId(n)),
  absent: (n) => ask(absentId(n)),
});

const OWN = '/api/v2/projects/search';

const SEARCHES: readonly Comparison[] = [
  byText('project tasks, q', (q) => search(`${mine}/tasks/search`, { q })),
  byText('project tasks, user_email', (text) =>
    search(`${mine}/tasks/search`, { user_email: text }),
  ),
  byText('project schedules, q', (q) => search(`${mine}/schedules/search`, { q })),
  byText('own projects, q', (q) => search(OWN, { q })),
  byText('own projects, user_email', (text) => search(OWN, { user_email: text })),
  byText('own projects, project_name', (text) => search(OWN, { project_name: text })),
  byId('own projects, project_id', (project_id) => search(OWN, { project_id })),
  byId("a project's tasks by task_id", (id) =>
    post(`${mine}/tasks/search/explore`, { select: [{ field: 'task_id', in: [id] }] }),
  ),
  byId('project schedules, schedule_id', (schedule_id) =>
    search(`${mine}/schedules/search`, { schedule_id }),
  ),
  byText("counts of a project's tasks", (contains) =>
    post(`${mine}/tasks/search/explore`, { facets: [{ field: 'worker', contains }] }),
  ),
  byText("conditions on a project's tasks", (text) =>
    post(`${mine}/tasks/search/explore`, { select: [{ field: 'worker', in: [`worker-${text}`] }] }),
  ),
  byText("an export of a project's tasks", (q) => search(`${mine}/tasks/search/export`, { q })),
];

const ORDERS = '/api/v2/tables/orders';
const NOTES = '/api/v2/tables/notes/search';

/** Rows beyond a grant, hidden fields, and tables without a grant. */
const TABLES: readonly Comparison[] = [
  byText('a table, q', (q) => search(`${ORDERS}/search`, { q })),
  byText('a table, a filter', (worker) => search(`${ORDERS}/search`, { worker })),
  byId('a table, an id', (id) => post(`${ORDERS}/search`, { select: [{ field: 'id', in: [id] }] })),
  byText('counts of a table', (contains) =>
    post(`${ORDERS}/search/explore`, { facets: [{ field: 'worker', contains }] }),
  ),
  byText('an export of a table', (q) => search(`${ORDERS}/search/export`, { q })),
  byText('a hidden field of a table, q', (q) => search(NOTES, { q })),
  byText('a hidden field of a table, counts', (q) =>
    post(`${NOTES}/explore`, { filters: { q }, facets: [{ field: 'title' }] }),
  ),
];
/** The same, answered by the same code whether or not the index is on. */
const TABLE_PATHS: readonly Comparison[] = [
  byId('a document of a table', (id) => ({ path: `${ORDERS}/documents/${id}` })),
  {
    route: 'a table without a grant',
    foreign: (n) => search('/api/v2/tables/locked/search', { q: foreignText(n) }),
    absent: (n) => search('/api/v2/tables/sealed/search', { q: foreignText(n) }),
  },
];

/** Routes that read by an id in the path. */
const PATHS: readonly Comparison[] = [
  byId('a search in a project', (id) => search(`/api/v2/projects/${id}/tasks/search`, {})),
  byId('logs of a task', (id) => ({ path: `/api/v2/tasks/${id}/logs` })),
  byId('cancelling a task', (id) => ({ method: 'POST', path: `/api/v2/tasks/${id}/cancel` })),
  byId('a download', (id) => ({ path: `/api/v2/tasks/${id}/snapshot/download` })),
  byId("metadata of a task in one's project", (id) => ({ path: `${mine}/tasks/${id}/metadata` })),
  byId("logs of a task in one's project", (id) => ({ path: `${mine}/tasks/${id}/logs` })),
  byId("preserving a task in one's project", (id) => ({
    method: 'PUT',
    path: `${mine}/tasks/${id}/preserve`,
    body: '{"preserve":true}',
  })),
  byId("a schedule in one's project", (id) => ({
    method: 'PATCH',
    path: `${mine}/schedules/${id}`,
    body: '{"enabled":true}',
  })),
];

/** Measures the routes with this in their name, on a store that it fills. */
export async function tellApart(
  uri: string,
  db: Db,
  {
    pairs,
    routes,
    onTold,
  }: {
    readonly pairs: number;
    readonly routes: string;
    readonly onTold: (one: Told) => void;
  },
): Promise<Told[]> {
  await fillForeign(db);
  await fillForeignTables(db);
  const told: Told[] = [];
  for (const by of ['index', 'pipeline'] as const) {
    if (by === 'pipeline') await thinForeignTables(db);
    const settings = { SEARCH_INDEX: by === 'index' ? 'on' : 'off', TABLES: FOREIGN_TABLES };
    const victim = await startVictim(uri, db.databaseName, settings);
    try {
      const token = await victim.token(CURIOUS, false, CLAIMS);
      const comparisons =
        by === 'index'
          ? [...SEARCHES, ...TABLES, ...PATHS, ...TABLE_PATHS]
          : [...SEARCHES, ...TABLES];
      await warm(victim, token, by);
      for (const comparison of comparisons) {
        if (!comparison.route.includes(routes)) continue;
        const one = { by, ...(await tellRoute(comparison, victim, token, pairs)) };
        told.push(one);
        onTold(one);
      }
    } finally {
      await victim.stop();
    }
  }
  return told;
}

async function warm({ url }: Victim, token: string, by: Told['by']): Promise<void> {
  const asked = { ...SEARCHES[0]!.absent(0), token };
  await flood(WARM, 8, () => call(url, asked));
  if (by === 'pipeline') return;
  await until(async () => {
    const answer = await fetch(url + asked.path, {
      method: 'POST',
      body: String(asked.body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return answer.headers.get('search-route') === 'index';
  }, 'the index does not answer');
}

async function tellRoute(comparison: Comparison, victim: Victim, token: string, pairs: number) {
  const once = await tell(comparison, victim, token, { first: 100, pairs });
  if (once.right <= MAX_RIGHT) return once;
  return await tell(comparison, victim, token, { first: 100 + pairs, pairs: pairs * AGAIN });
}

interface Pair {
  readonly foreign: number;
  readonly absent: number;
}

async function tell(
  { route, foreign, absent }: Comparison,
  { url }: Victim,
  token: string,
  { first, pairs }: { readonly first: number; readonly pairs: number },
): Promise<Omit<Told, 'by'>> {
  const times: Pair[] = [];
  for (let n = first; n < first + pairs; n++) {
    const asked = { foreign: foreign(n), absent: absent(n) };
    const foreignFirst = Math.random() < 0.5;
    const replies = new Map<keyof Pair, Reply>();
    for (const which of foreignFirst ? WHICH : WHICH.toReversed()) {
      replies.set(which, await call(url, { ...asked[which], token }));
    }
    const [one, other] = WHICH.map((which) => replies.get(which)!) as [Reply, Reply];
    const statuses = `${one.status} and ${other.status}`;
    // Anything else is no answer to the question.
    if (!['200 and 200', '404 and 404'].includes(statuses))
      throw new Error(`${route}: ${statuses}`);
    times.push({ foreign: one.ms, absent: other.ms });
  }
  const half = times.length >> 1;
  const foreignIsSlower = slower(times.slice(0, half)) > 0.5;
  const share = slower(times.slice(half));
  return {
    ...{ route, pairs },
    right: foreignIsSlower ? share : 1 - share,
    foreign: median(times, 'foreign'),
    absent: median(times, 'absent'),
  };
}

const WHICH: readonly (keyof Pair)[] = ['foreign', 'absent'];
/** The share of pairs in which the foreign one was the slower one. */
const slower = (pairs: readonly Pair[]) =>
  pairs.filter(({ foreign, absent }) => foreign > absent).length / pairs.length;
const median = (pairs: readonly Pair[], which: keyof Pair) =>
  quantile(
    pairs.map((pair) => pair[which]),
    0.5,
  );

export function toldTable(told: readonly Told[]): string {
  return markdownTable([
    ['foreign or absent', 'by', 'pairs', 'told rightly', 'foreign p50', 'absent p50', 'verdict'],
    ...told.map((one) => [
      one.route,
      one.by,
      String(one.pairs),
      `${(100 * one.right).toFixed(1)} %`,
      `${one.foreign.toFixed(3)} ms`,
      `${one.absent.toFixed(3)} ms`,
      isTold(one) ? 'NO' : 'ok',
    ]),
  ]);
}
