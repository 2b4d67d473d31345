/**
 * Searches in process, against the peers: each answer is compared before any is timed.
 *
 *     small store ─► index: every class timed, in turns                (for growth)
 *     large store ─► index ══ pipeline ══ PostgreSQL ══ SQLite         (answers equal, else it ends)
 *                    index: every class timed, in turns, then a random mix
 *                    peers and pipeline: the same questions, as many as their time allows
 */
import { type IndexUnderTest, openIndex } from '../indexUnderTest.ts';
import { takeJob } from '../job.ts';
import { percentile } from '../measure.ts';
import { openPeers } from '../peers/open.ts';
import { type DrawnClass, questionClasses } from '../questions.ts';
import { type Sample, takeSample } from '../sample.ts';
import type { Place } from '../store.ts';
import { comparePeers, type PeerTimes, type Subject } from './comparison.ts';
import { type MixTimes, timeClasses, timeMix } from './timing.ts';

export interface SearchesJob {
  readonly large: Place;
  readonly small: Place;
  /** Questions of each class that are timed. */
  readonly draws: number;
  /** Where the peers keep their data; no peers where left out. */
  readonly peersFolder?: string;
  /** The most time that a peer may spend on one class, milliseconds. */
  readonly peerBudgetMs: number;
}

export interface ClassResult {
  readonly name: string;
  readonly bar: number;
  readonly hits: number;
  readonly p50: number;
  readonly p95: number;
  /** p50 in the small store. */
  readonly small: number;
  readonly peers: Readonly<Record<string, PeerTimes>>;
}

export interface SearchesResult {
  readonly checked: number;
  readonly classes: readonly ClassResult[];
  readonly mix: MixTimes;
  readonly peers: readonly { readonly name: string; readonly version: string }[];
  readonly absent: readonly { readonly name: string; readonly absent: string }[];
}

const CLASS_SEED = 11;
const MIX_SEED = 19;
const MIX = 4_000;

const median = (numbers: readonly number[]) => percentile(numbers, 0.5);

takeJob(async (job: SearchesJob): Promise<SearchesResult> => {
  const small = await timeSmall(job);
  const peers = job.peersFolder
    ? await openPeers(job.peersFolder, job.large)
    : { present: [], absent: [], close: async () => {} };
  const index = await openIndex(job.large);
  try {
    const db = index.client.db(job.large.dbName);
    const sample = await takeSample(db, job.large.tasks);
    const drawn = drawAll(sample, job.draws);
    const subject: Subject = { index, peers: peers.present };
    const { checked, times } = await comparePeers(subject, drawn, job.peerBudgetMs);
    warmUp(index, drawn);
    const timed = timeClasses(index, drawn);
    const classes = drawn.map(({ name, bar }): ClassResult => {
      const { ms, hits } = timed.get(name)!;
      const p95 = percentile(ms, 0.95);
      const peersTimes = times.get(name)!;
      return { name, bar, hits, p50: median(ms), p95, small: small.get(name)!, peers: peersTimes };
    });
    const mix = timeMix(index, sample, MIX_SEED, MIX);
    return {
      checked,
      classes,
      mix,
      peers: peers.present.map(({ name, version }) => ({ name, version })),
      absent: peers.absent,
    };
  } finally {
    await peers.close();
    await index.close();
  }
});

function drawAll(sample: Sample, draws: number): DrawnClass[] {
  return questionClasses(sample, CLASS_SEED).map(({ draw, ...rest }) => ({
    ...rest,
    questions: Array.from({ length: draws }, draw),
  }));
}

/**
 * The compiler goes on optimizing for thousands of questions: no class should pay for the others.
 */
function warmUp(index: IndexUnderTest, drawn: readonly DrawnClass[]): void {
  for (const { questions } of drawn) for (const question of questions) index.ask(question);
}

async function timeSmall({ small, draws }: SearchesJob): Promise<Map<string, number>> {
  const index = await openIndex(small);
  try {
    const sample = await takeSample(index.client.db(small.dbName), small.tasks);
    const drawn = drawAll(sample, draws);
    warmUp(index, drawn);
    const timed = timeClasses(index, drawn);
    return new Map([...timed].map(([name, { ms }]) => [name, median(ms)]));
  } finally {
    await index.close();
  }
}
