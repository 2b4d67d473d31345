/**
 * The load: so many connections, each with requests of its own, one after the other as fast as the
 * answers come. In its own process, so that it does not take the service's time.
 */
import autocannon from 'autocannon';
import { takeJob } from '../../job.ts';
import { product } from '../../product.ts';
import { trafficOf } from '../../questions.ts';
import type { Sample } from '../../sample.ts';
import { type Question, SEARCHES, type SearchName } from '../../searches.ts';

const { mintToken } =
  await product<typeof import('../../../src/serve/auth/mint.ts')>('serve/auth/mint');

export interface FiringJob {
  readonly url: string;
  readonly secret: string;
  readonly sample: Sample;
  readonly connections: number;
  readonly seconds: number;
  /** Ask the searches' twins, which send a constant. */
  readonly twin: boolean;
  /** Decides the questions: another one for each round, so that all are fresh. */
  readonly seed: number;
  /** Take the sizes of some answers before, and the times of their searches. */
  readonly sizes: boolean;
}

export interface Fired {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly p50: number;
  readonly p99: number;
  /** Mean size of the answers of each search. */
  readonly bytes: Readonly<Partial<Record<SearchName, number>>>;
  /** Mean time of the searches alone, asked one after the other, as the answers say. */
  readonly searchMicros: number;
  readonly distinct: number;
}

/** In the hand-made set: an admin. */
const ADMIN = 1;
const NO_ISSUER = { authIssuer: undefined, authAudience: undefined };
/** Requests that one connection has ready; more than it can send in a round. */
const EACH = 4_000;

takeJob(async (job: FiringJob): Promise<Fired> => {
  const tokens = new Map<number, string>();
  const callers = Array.from({ length: job.connections }, (_, n) => 100 * n + 10_000 * job.seed);
  const questions = callers.flatMap((seed) => trafficOf(job.sample, seed, EACH));
  const requests: autocannon.Request[] = [];
  for (const question of questions) requests.push(await requestOf(question, job, tokens));
  const bodies = requests.map(({ path, body }) => `${path} ${body}`);
  const sized = job.sizes ? await someAnswers(job.url, questions, requests) : NONE;
  const before = await cpuOf(job.url);
  const searched = await searchesByRoute(job.url);
  const result = await fire(job, requests);
  const micros = (await cpuOf(job.url)) - before;
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  }
  const byPipeline = (await searchesByRoute(job.url)).pipeline - searched.pipeline;
  if (byPipeline > 0) throw new Error(`${byPipeline} answers came from the pipeline`);
  const { total } = result.requests;
  if (!job.twin && total > requests.length)
    console.error('some questions were asked twice in one round');
  return {
    perSecond: total / result.duration,
    cpuMicros: micros / total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    ...sized,
    distinct: new Set(bodies).size / bodies.length,
  };
});

async function requestOf(
  { search, within = '', as = ADMIN, body }: Question,
  { secret, twin }: FiringJob,
  tokens: Map<number, string>,
): Promise<autocannon.Request> {
  const token =
    tokens.get(as) ??
    (await mintToken({ userId: as, admin: as === ADMIN, lifeS: 3_600 }, secret, NO_ISSUER));
  tokens.set(as, token);
  return {
    method: 'POST',
    path: SEARCHES[search].path(within) + (twin ? '/constant' : ''),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function fire({ url, connections, seconds }: FiringJob, requests: autocannon.Request[]) {
  let next = 0;
  return autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(client) {
      const from = next++ * EACH;
      client.setRequests(requests.slice(from, from + EACH));
    },
  });
}

/** Answers whose size is taken; each of them has to be a good one. */
const SIZED = 1_000;
const NONE = { bytes: {}, searchMicros: 0 };

async function someAnswers(
  url: string,
  questions: readonly Question[],
  requests: readonly autocannon.Request[],
): Promise<Pick<Fired, 'bytes' | 'searchMicros'>> {
  const sizes = new Map<SearchName, number[]>();
  const micros: number[] = [];
  for (let n = 0; n < requests.length; n += Math.ceil(requests.length / SIZED)) {
    const { path, headers, body } = requests[n]!;
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: String(body),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} ${body}: ${answer.status} ${text}`);
    const { search } = questions[n]!;
    sizes.set(search, [...(sizes.get(search) ?? []), Buffer.byteLength(text)]);
    const timing = /search;dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '');
    // Shown to admins alone.
    if (timing) micros.push(Number(timing[1]) * 1_000);
  }
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const bytes = [...sizes].map(([search, of]) => [search, Math.round(mean(of))]);
  // The first ones go by code that is not compiled yet.
  return { bytes: Object.fromEntries(bytes), searchMicros: mean(micros.slice(micros.length / 2)) };
}

/** Processor time that the service has used, microseconds. */
async function cpuOf(url: string): Promise<number> {
  const { user, system } = (await (await fetch(`${url}/bench/usage`)).json()) as NodeJS.CpuUsage;
  return user + system;
}

async function searchesByRoute(url: string) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const sum = (route: string) =>
    [...text.matchAll(/^table_search_searches_total\{(.*)\} (\d+)$/gm)]
      .filter(([, labels]) => labels!.includes(`route="${route}"`))
      .reduce((all, [, , count]) => all + Number(count), 0);
  return { index: sum('index'), pipeline: sum('pipeline') };
}
