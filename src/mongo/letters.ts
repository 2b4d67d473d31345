/**
 * Which letters the connected server holds equal under `$regex` with option `i`.
 *
 * That depends on the PCRE the server was built with: 6.0 knows no case pairs of Cherokee, Georgian
 * or Adlam, and JavaScript's own case mappings differ from it in some four hundred pairs. So the
 * server is asked once, about every pair that could be equal.
 */
import type { Db } from 'mongodb';
import { candidatePairs, Fold } from '../textindex/fold.ts';

/** The fold of the connected server: one aggregation over about three thousand pairs. */
async function askLetters(db: Db): Promise<Fold> {
  const pairs = candidatePairs();
  const asked = pairs.map(([a, b]) => ({ a: String.fromCodePoint(a), b: String.fromCodePoint(b) }));
  const equal = { $regexMatch: { input: '$$this.a', regex: '$$this.b', options: 'i' } };
  const [answer] = await db
    .aggregate<{ equal: boolean[] }>([
      { $documents: [{ pairs: asked }] },
      { $project: { equal: { $map: { input: '$pairs', in: equal } } } },
    ])
    .toArray();
  return Fold.from(pairs.filter((_, position) => answer?.equal[position]));
}

/** Asks when first needed and keeps the answer; a failure is not kept. */
export class Letters {
  readonly #db: Db;
  #fold: Promise<Fold> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  fold(): Promise<Fold> {
    this.#fold ??= askLetters(this.#db).catch((error: unknown) => {
      this.#fold = undefined;
      throw error;
    });
    return this.#fold;
  }
}
