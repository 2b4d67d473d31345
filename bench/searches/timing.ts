/** Times questions, one after the other, from the body to the page of ids. */
import type { IndexUnderTest } from '../indexUnderTest.ts';
import { percentile, time } from '../measure.ts';
import { type DrawnClass, randomMix } from '../questions.ts';
import type { Sample } from '../sample.ts';
import type { Question } from '../searches.ts';

export interface MixTimes {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface ClassTimes {
  /** Milliseconds of each question. */
  readonly ms: readonly number[];
  /** Median of the questions' hits. */
  readonly hits: number;
}

/** All classes take turns, so that a bad second of the machine is not one class's alone. */
const ROUNDS = 5;

/** The times of each class, by its name. */
export function timeClasses(
  index: IndexUnderTest,
  drawn: readonly DrawnClass[],
): Map<string, ClassTimes> {
  const asked = new Map(drawn.map(({ name }): [string, Asked] => [name, { ms: [], hits: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, questions } of drawn) {
      const each = Math.ceil(questions.length / ROUNDS);
      const some = questions.slice(round * each, (round + 1) * each);
      ask(index, some, asked.get(name)!);
    }
  }
  return new Map(
    [...asked].map(([name, { ms, hits }]) => [name, { ms, hits: percentile(hits, 0.5) }]),
  );
}

interface Asked {
  readonly ms: number[];
  readonly hits: number[];
}

/** The first third of the questions is asked before, unmeasured: it warms up. */
function ask(index: IndexUnderTest, questions: readonly Question[], { ms, hits }: Asked): void {
  for (const question of questions.slice(0, questions.length / 3)) index.ask(question);
  for (const question of questions) {
    ms.push(
      time(() => {
        hits.push(index.ask(question).total);
      }),
    );
  }
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
