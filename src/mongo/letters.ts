/**
 * Which letters the connected server holds equal under `$regex` with option `i`.
 *
 * That depends on the PCRE the server was built with: 6.0 knows no case pairs of Cherokee, Georgian
 * or Adlam, and JavaScript's own case mappings differ from it in some four hundred pairs. So the
 * server is asked once, about every pair that could be equal.
 */
import type { Db } from 'mongodb';
import { candidatePairs, Fold } from '../textindex/index.ts';
import { readCommand } from './commands.ts';
import { Deadline } from './deadline.ts';
import { isOutOfTime } from './faults.ts';

/** The fold of the connected server: one aggregation over about three thousand pairs. */
async function askLetters(db: Db, timeoutMs: number): Promise<Fold> {
  const pairs = candidatePairs();
  const asked = pairs.map(([a, b]) => ({ a: String.fromCodePoint(a), b: String.fromCodePoint(b) }));
  const equal = { $regexMatch: { input: '$$this.a', regex: '$$this.b', options: 'i' } };
  const pipeline = [
    { $documents: [{ pairs: asked }] },
    { $project: { equal: { $map: { input: '$pairs', in: equal } } } },
  ];
  const command = { aggregate: 1, pipeline, cursor: {} };
  const deadline = new Deadline(timeoutMs);
  const { cursor } = await readCommand(db, deadline, command).finally(() => deadline.close());
  const [answer] = cursor.firstBatch as { readonly equal: readonly boolean[] }[];
  return Fold.from(pairs.filter((_, position) => answer?.equal[position]));
}

const TIMEOUT_MS = 10_000;

/** Asks when first needed and keeps the answer. */
export class Letters {
  readonly #db: Db;
  readonly #timeoutMs: number;
  #fold: Promise<Fold> | undefined;

  constructor(db: Db, timeoutMs = TIMEOUT_MS) {
    this.#db = db;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Asked once for all who wait, so the question has a time of its own; who comes late to one that
   * runs out of it asks again.
   *
   * @throws Ended, or what the driver throws.
   */
  async fold(deadline = new Deadline(this.#timeoutMs)): Promise<Fold> {
    for (;;) {
      try {
        return await deadline.wait(this.#asked());
      } catch (error) {
        if (deadline.isOver || !isOutOfTime(error)) throw error;
      }
    }
  }

  /** A failure is not kept. */
  #asked(): Promise<Fold> {
    this.#fold ??= askLetters(this.#db, this.#timeoutMs).catch((error: unknown) => {
      this.#fold = undefined;
      throw error;
    });
    return this.#fold;
  }
}
