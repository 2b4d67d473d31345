/**
 * Case folding as the connected server does it: which letters `$regex` with option `i` holds equal.
 *
 * The answer depends on the PCRE that the server was built with: MongoDB 6.0 knows no case pairs of
 * Cherokee, Georgian or Adlam. JavaScript's own case mappings differ from the server's in some four
 * hundred pairs. So the service asks the server about every pair that could be equal: once, and
 * again after each change of server.
 */
import type { Db } from 'mongodb';
import { invariant } from '../errors.ts';
import { loop } from '../loop.ts';
import { type CodePointPair, Fold, findingPairs } from '../textindex/index.ts';
import { readCommand } from './commands.ts';
import { Deadline, withDeadline } from './deadline.ts';
import { isOutOfTime } from './faults.ts';

/**
 * Asks the connected server which pairs it holds equal: one aggregation over about three thousand
 * pairs.
 */
async function askCaseFolding(db: Db, timeoutMs: number): Promise<Fold> {
  const pairs = await question();
  const asked = pairs.map(([a, b]) => ({
    a: String.fromCodePoint(a),
    b: String.fromCodePoint(b),
  }));
  const equal = { $regexMatch: { input: '$$this.a', regex: '$$this.b', options: 'i' } };
  const pipeline = [
    { $documents: [{ pairs: asked }] },
    { $project: { equal: { $map: { input: '$pairs', in: equal } } } },
  ];
  const command = { aggregate: 1, pipeline, cursor: {} };
  const { cursor } = await withDeadline(timeoutMs, (deadline) =>
    readCommand(db, deadline, command),
  );
  const [answer] = cursor.firstBatch as { readonly equal: readonly boolean[] }[];
  invariant(answer, 'an answer about case folding');
  return Fold.from(pairs.filter((_, i) => answer.equal[i]));
}

const TIMEOUT_MS = 10_000;

/** Asks when first needed, and when another server answers. */
export class CaseFolding {
  readonly #db: Db;
  readonly #timeoutMs: number;
  /** The question that all callers share. */
  #asking: Promise<Fold> | undefined;
  /** The answer of the server that is there now. */
  #standing: Fold | undefined;
  #latest: Fold | undefined;
  /** The server processes that answer reads, and how often that set has changed. */
  readonly #processes = new Set<string>();
  #server = 0;

  constructor(db: Db, timeoutMs = TIMEOUT_MS) {
    this.#db = db;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * The latest answer; undefined before the first one. The same object as long as the answer is the
   * same.
   */
  get latest(): Fold | undefined {
    return this.#latest;
  }

  /** The result that `fold` would give at once; undefined where it would ask the server. */
  get standing(): Fold | undefined {
    return this.#standing;
  }

  /**
   * All waiting callers share one question, so the question has its own time limit; a caller who
   * joined late and still has time asks again.
   *
   * @throws Ended, or the driver's error.
   */
  async fold(deadline = new Deadline(this.#timeoutMs)): Promise<Fold> {
    for (;;) {
      try {
        return this.#standing ?? (await deadline.wait(this.#asking ?? this.#askForAll()));
      } catch (error) {
        if (deadline.isOver || !isOutOfTime(error)) throw error;
      }
    }
  }

  /** A failure is not cached. */
  #askForAll(): Promise<Fold> {
    const asking = this.ask().finally(() => {
      if (this.#asking === asking) this.#asking = undefined;
    });
    this.#asking = asking;
    return asking;
  }

  /**
   * Asks the server again, while other callers go on with the latest answer. The same object as
   * before when the answer is the same. @throws as `fold` does
   */
  async ask(): Promise<Fold> {
    const server = this.#server;
    const answer = await askCaseFolding(this.#db, this.#timeoutMs);
    // Another question, begun later, has its answer from the server that is there now.
    if (server !== this.#server && this.#standing) return this.#standing;
    const isSame = String(answer.written) === String(this.#latest?.written);
    const fold = isSame ? this.#latest! : answer;
    this.#latest = fold;
    if (server === this.#server) this.#standing = fold;
    return fold;
  }

  /**
   * Makes the next `fold` ask again once the client meets another process that answers reads: a new
   * primary, or a restarted one, perhaps of another version.
   */
  watch(): void {
    this.#db.client.on('serverDescriptionChanged', ({ newDescription }) => {
      const { type, address, topologyVersion } = newDescription;
      const process = `${address} ${topologyVersion?.processId}`;
      if (!topologyVersion || !ANSWERING.has(type) || this.#processes.has(process)) return;
      // There is one primary, but any number of routers.
      if (type !== 'Mongos') this.#processes.clear();
      this.#processes.add(process);
      this.#server++;
      this.#asking = undefined;
      this.#standing = undefined;
    });
  }
}

/** The types of server that answer reads. */
const ANSWERING: ReadonlySet<string> = new Set(['RSPrimary', 'Mongos']);

let pairs: Promise<readonly CodePointPair[]> | undefined;

/** The pairs to ask about. They take some 50 ms to find: others have their turn in between. */
function question(): Promise<readonly CodePointPair[]> {
  pairs ??= loop.all('step', findingPairs());
  return pairs;
}
