/**
 * Requests that are generated: bodies drawn from the schemas and from anything, at every path, with odd
 * headers; and plain bytes. Whatever they are, the answer is no failure of the service.
 */
import fc from 'fast-check';
import * as views from '../../src/apps/admin/resources/views.ts';
import type { SearchView } from '../../src/tables/definition/view.ts';
import { bodySchema } from '../../src/tables/query/schema.ts';
import { PROJECT_A } from '../serve/edge.ts';
import { exchangeBytes } from '../serve/rawSocket.ts';
import { arbitraryOf } from './arbitraryOf.ts';
import { type Answers, type Call, call, flood, quantile } from './calls.ts';
import { measured, type Outcome } from './course.ts';
import { memberView, OWN } from './ownTable.ts';
import type { Stage } from './stage.ts';
import { LONG } from './store.ts';

const SEARCHES: Readonly<Record<string, SearchView>> = {
  '/api/v2/users/search': views.userSearch,
  '/api/v2/projects/search': views.ownProjects,
  [`/api/v2/projects/${PROJECT_A}/tasks/search`]: views.projectTasks,
  [`/api/v2/projects/${PROJECT_A}/schedules/search`]: views.projectSchedules,
  '/api/v2/admin/tasks/search': views.adminTasks,
  [`${OWN}/search`]: memberView,
};
const PATHS = [
  '/api/v2/tasks/routing-keys',
  `/api/v2/tasks/${LONG}/metadata`,
  `/api/v2/tasks/${LONG}/logs?limit=3`,
  `/api/v2/projects/${PROJECT_A}/schedules`,
  '/api/v2/tables',
  `${OWN}/documents/1000`,
  '/readyz',
  '/livez',
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A share of them, of all requests, is plain bytes: each takes a connection of its own. */
const RAW_OF = 20;
const WIDTH = 24;
/** How long an answer to plain bytes is waited for: most are never a whole request. */
const RAW_MS = 50;
/** Drawn at one go. */
const DRAWN = 500;

const P999_MS = 250;

const fitting: fc.Arbitrary<Call> = fc.oneof(
  ...Object.entries(SEARCHES).map(([path, view]) =>
    arbitraryOf(bodySchema(view)).map((body) => ({ method: 'POST', path, body: textOf(body) })),
  ),
);

/** Node's own client takes only these in a header. */
const headerText = fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, ''));

const odd: fc.Arbitrary<Call> = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc.oneof(
    fc.constantFrom(...PATHS, ...Object.keys(SEARCHES)),
    fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`),
    fc.tuple(fc.constantFrom(...PATHS), fc.webQueryParameters()).map((both) => both.join('?')),
  ),
  body: fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.anything().map(textOf)),
  headers: fc.dictionary(
    fc.constantFrom('content-type', 'content-encoding', 'accept', 'range', 'if-none-match', 'x-y'),
    headerText,
    { maxKeys: 3 },
  ),
});

const START = 'GET /api/v2/tasks/routing-keys HTTP/1.1\r\nHost: x\r\n';
const bytes: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.constantFrom('', 'GET / HTTP/1.1\r\n', START, `${START}Transfer-Encoding: chunked\r\n\r\n`),
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom('', '\r\n\r\n', '\r\n0\r\n\r\n'),
  )
  .map(([start, middle, end]) => Buffer.concat([Buffer.from(start), middle, Buffer.from(end)]));

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
}

/** Two halves, so that memory which grows with each request shows. */
export async function sendGenerated(
  stage: Stage,
  { times, seed }: { readonly times: number; readonly seed: number },
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const half of [0, 1]) {
    const name = `${Math.ceil(times / 2)} generated requests, part ${half + 1}`;
    const outcome = await measured({ name, callers: 10 }, stage, async (answers) => {
      for (let sent = 0; sent < times / 2; sent += DRAWN) {
        await sendSome(stage, answers, seed + half * times + sent);
      }
    });
    outcomes.push(withOwnTimes(outcome, stage));
  }
  return outcomes;
}

/** Generated requests are no attack: the service has to answer them in time themselves. */
function withOwnTimes(outcome: Outcome, { control }: Stage): Outcome {
  const p999 = quantile(outcome.answers.ms, 0.999);
  const ok = p999 <= P999_MS;
  const byControl = !ok && p999 <= 5 * control.p99;
  return {
    ...outcome,
    verdicts: [...outcome.verdicts, { bar: 'p99.9', ok: ok || byControl, byControl }],
  };
}

async function sendSome(stage: Stage, answers: Answers, seed: number): Promise<void> {
  const { victim, tokens } = stage;
  const requests = fc.sample(fc.oneof(fitting, odd), { numRuns: DRAWN, seed });
  const raw = fc.sample(bytes, { numRuns: DRAWN / RAW_OF, seed });
  await flood(DRAWN, WIDTH, async (n) => {
    const part = n % RAW_OF === 0 ? raw[n / RAW_OF] : undefined;
    if (part !== undefined) {
      const text = await exchangeBytes(victim.port, part, RAW_MS);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      answers.count(Number(status ?? 0));
      return;
    }
    const asked = requests[n]!;
    const reply = await call(victim.url, { token: tokens[n % tokens.length]!, ...asked });
    answers.add(reply);
    if (reply.status >= 500 && reply.status !== 503) {
      answers.wrongAs(`${asked.method} ${asked.path} ${asked.body?.toString().slice(0, 200)}`);
    }
  });
}
