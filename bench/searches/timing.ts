/** Times questions, one after the other, from the body to the page of ids. */
import type { IndexUnderTest } from '../indexUnderTest.ts';
import { randomMix } from '../questions.ts';
import type { Sample } from '../sample.ts';
import type { Question } from '../searches.ts';
import { percentile, time } from '../textindex/measure.ts';

export interface MixTimes {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Milliseconds of each question, and the median of their hits. The first third warms up. */
export function timeClass(index: IndexUnderTest, questions: readonly Question[]) {
  for (const question of questions.slice(0, questions.length / 3)) index.ask(question);
  const hits: number[] = [];
  const ms = questions.map((question) =>
    time(() => {
      hits.push(index.ask(question).total);
    }),
  );
  return { ms, hits: percentile(hits, 0.5) };
}

export function timeMix(
  index: IndexUnderTest,
  sample: Sample,
  seed: number,
  count: number,
): MixTimes {
  const ms = randomMix(sample, seed, count).map((question) =>
    time(() => {
      index.ask(question);
    }),
  );
  return { p50: percentile(ms, 0.5), p95: percentile(ms, 0.95), p99: percentile(ms, 0.99) };
}
