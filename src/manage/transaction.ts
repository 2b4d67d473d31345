/**
 * A transaction that ends well, ends badly, or says that nobody knows: always within a time limit.
 *
 * ```
 * start ─▶ work ─▶ commit ──────────────────────────────▶ done
 *   ▲        │        │ no answer: the same commit again ─┘   (the server remembers it)
 *   └────────┴────────┘ another writer was there first, or the primary went: all of it again
 * ```
 *
 * The driver's `withTransaction` does the same, but goes on for two minutes, and version 7.8 offers no
 * way to say less. Here somebody waits for an answer. The rules on error labels are those of MongoDB's
 * specification "Transactions Convenient API".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientSession, MongoServerError } from 'mongodb';
import { AppError } from '../errors.ts';
import { faultOf, hasLabel } from '../mongo/faults.ts';

const OPTIONS = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
} as const;

/** Shortest and longest pause before a transaction is tried again, milliseconds; drawn at random. */
const PAUSE_MS = { first: 5, most: 250 } as const;

/**
 * Runs `work` in a transaction with majority concern, as often as it takes. `attempt` counts from 0;
 * what an attempt before the last one wrote is gone.
 *
 * @throws AppError `Overloaded` when other writers kept being first, `StoreUnavailable` when the
 *   commit may or may not have happened; whatever else `work` or the driver throws.
 */
export async function inTransaction<T>(
  session: ClientSession,
  work: (attempt: number) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 0; ; attempt++) {
    session.startTransaction(OPTIONS);
    try {
      const result = await work(attempt);
      await commit(session, deadline);
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      if (!hasLabel(error, 'TransientTransactionError')) throw error;
      if (performance.now() > deadline) throw lastFailure(error);
      await pause(attempt);
    }
  }
}

/** Repeats a commit that got no answer. It happens once, however often it is asked for. */
async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (isDecided(error)) throw error;
      if (performance.now() > deadline) {
        const detail = 'The store went away during the change; ask again to see if it was made.';
        throw new AppError('StoreUnavailable', detail, { cause: error });
      }
      await pause(attempt);
    }
  }
}

/**
 * Whether the server said that it did not commit. Whatever kept its word from arriving says nothing:
 * the driver labels lost connections so, but not that no server could be found to ask again.
 */
function isDecided(error: unknown): boolean {
  return error instanceof MongoServerError && !hasLabel(error, 'UnknownTransactionCommitResult');
}

function lastFailure(error: unknown): unknown {
  if (faultOf(error) !== 'conflict') return error;
  return new AppError('Overloaded', 'Too many change this at once; try again shortly.', {
    cause: error,
  });
}

function pause(attempt: number): Promise<void> {
  const longest = Math.min(PAUSE_MS.first * 1.5 ** attempt, PAUSE_MS.most);
  return sleep(Math.random() * longest);
}
