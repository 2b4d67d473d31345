/**
 * The service's time from a body to the answer's bytes, as its answers tell it. The questions are
 * new, and asked one after the other, in a process of its own.
 *
 *     classes of questions ─┐
 *     the mix of all         ├─► POST, as an admin ──► Server-Timing: total
 *     pages of 100 rows    ─┘
 */
import { takeJob } from '../../job.ts';
import { percentile } from '../../measure.ts';
import { product } from '../../product.ts';
import { questionClasses, randomMix } from '../../questions.ts';
import type { Sample } from '../../sample.ts';
import { type Question, SEARCHES } from '../../searches.ts';

const { mintToken } =
  await product<typeof import('../../../src/serve/auth/mint.ts')>('serve/auth/mint');

export interface ServedJob {
  readonly url: string;
  readonly secret: string;
  readonly sample: Sample;
}

/** Milliseconds. */
interface Times {
  readonly p50: number;
  readonly p99: number;
}

export interface Served {
  readonly slowest: { readonly name: string; readonly p50: number };
  readonly mix: Times;
  readonly hundred: Times;
}

/** In the hand-made set: an admin. */
const ADMIN = 1;
const NO_ISSUER = { authIssuer: undefined, authAudience: undefined };
/** The compiler goes on optimizing for some thousand requests. */
const WARM_UP = 6_000;
const OF_CLASS = 120;
const OF_MIX = 4_000;
const OF_HUNDRED = 300;

takeJob(async ({ url, secret, sample }: ServedJob): Promise<Served> => {
  const token = await mintToken({ userId: ADMIN, admin: true, lifeS: 3_600 }, secret, NO_ISSUER);
  const ask = async ({ search, within = '', body }: Question, pagination?: object) => {
    const answer = await fetch(`${url}${SEARCHES[search].path(within)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      },
      body: JSON.stringify({ ...body, ...(pagination && { pagination }) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    if (answer.headers.get('search-route') !== 'index') throw new Error(`by pipeline: ${text}`);
    return Number(/total;dur=([\d.]+)/.exec(answer.headers.get('server-timing')!)![1]);
  };
  const timesOf = async (questions: readonly Question[], pagination?: object): Promise<Times> => {
    const times: number[] = [];
    for (const question of questions) times.push(await ask(question, pagination));
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  };
  // A member asks for their own: durations are for admins.
  const asAdmin = (questions: readonly Question[]) => questions.filter(({ as }) => !as);
  await timesOf(asAdmin(randomMix(sample, 7_001, WARM_UP)));
  const classes: { readonly name: string; readonly p50: number }[] = [];
  for (const { name, draw } of questionClasses(sample, 7_002)) {
    const questions = asAdmin(Array.from({ length: OF_CLASS }, draw));
    if (questions.length > 0) classes.push({ name, p50: (await timesOf(questions)).p50 });
  }
  const mix = await timesOf(asAdmin(randomMix(sample, 7_003, OF_MIX)));
  const tasks = randomMix(sample, 7_004, 4 * OF_HUNDRED).filter(
    ({ search }) => search === 'admin tasks',
  );
  const hundred = await timesOf(tasks.slice(0, OF_HUNDRED), { page: 1, per_page: 100 });
  for (const { name, p50 } of classes) console.error(`${p50.toFixed(3).padStart(8)}  ${name}`);
  return { slowest: classes.reduce((a, b) => (b.p50 > a.p50 ? b : a)), mix, hundred };
});
