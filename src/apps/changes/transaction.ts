/**
 * A transaction within a deadline, with one of three outcomes: committed, failed, or unknown.
 *
 * ```
 * start ─▶ work ─▶ commit ──────────────────────────────▶ done
 *   ▲        │        │ no answer: the same commit again ─┘   (the server remembers it)
 *   └────────┴────────┘ another writer was there first, or the primary went: all of it again
 * ```
 *
 * The driver's `withTransaction` does the same, but goes on for two minutes, and version 7.8 offers
 * no way to say less. Here a caller waits for an answer. `store/faults.ts` gives errors their
 * meaning; the rules on error labels are those of MongoDB's "Transactions Convenient API".
 */
import type { ClientSession, Db, Timestamp } from 'mongodb';
import { AppError } from '../../errors.ts';
import { isWithoutIndex, unlessAborted, whileAsked } from '../../store/commands.ts';
import { type Deadline, isEndedBy } from '../../store/deadline.ts';
import { type Fault, faultOf, hasLabel } from '../../store/faults.ts';

const OPTIONS = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
} as const;

/** Shortest and longest pause before a transaction is tried again, milliseconds; drawn at random. */
const PAUSE_MS = { first: 5, most: 250 } as const;

/** The longest time for the server to forget an abandoned transaction, milliseconds. */
const ABORT_MS = 1_000;

export interface TransactionOptions {
  readonly db: Db;
  readonly deadline: Deadline;
  /** Told the time of each attempt's last answer. */
  readonly onTime: (time: Timestamp) => void;
}

/**
 * Runs `work` in a transaction with majority concern, as often as it takes. `attempt` counts from
 * 0; writes of earlier attempts are gone.
 *
 * @throws AppError `Overloaded` when other writers kept being first, `StoreUnavailable` when the store
 *   could not do it in time; its detail says whether it is known that nothing was changed. Whatever
 *   else `work` throws.
 */
export async function inTransaction<T>(
  { db, deadline, onTime }: TransactionOptions,
  work: (session: ClientSession, attempt: number) => Promise<T>,
): Promise<T> {
  let session = new Session(db);
  let made = false;
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        deadline.check();
        session.driver.startTransaction(OPTIONS);
        const result = await work(session.driver, attempt);
        await commit(db, session, deadline);
        made = true;
        return result;
      } catch (error) {
        await session.abort(deadline);
        if (error instanceof AppError || !mayPass(error)) throw error;
        if (deadline.isOver) throw notMade(error);
      } finally {
        const { operationTime } = session.driver;
        if (operationTime) onTime(operationTime);
      }
      await deadline.pause(pauseMs(attempt)).catch((error: unknown) => {
        throw notMade(error);
      });
      // The driver knows one transaction of a session at a time, and this one has not come to its end.
      if (session.isBusy) {
        session.end();
        session = new Session(db);
      }
    }
  } finally {
    session.end(made);
  }
}

/**
 * A session of the driver, and its commands that are still under way although nothing waits for
 * them.
 */
class Session {
  readonly driver: ClientSession;
  readonly #db: Db;
  readonly #left = new Set<Promise<unknown>>();

  constructor(db: Db) {
    this.#db = db;
    this.driver = db.client.startSession();
  }

  get isBusy(): boolean {
    return this.#left.size > 0;
  }

  /** Counts this as under way until it has ended. */
  begin<T>(work: Promise<T>): Promise<T> {
    this.#left.add(work);
    const done = () => this.#left.delete(work);
    work.then(done, done);
    return work;
  }

  /**
   * Makes the server forget the transaction, if there is one; waits for that as long as it makes
   * sense.
   */
  async abort(deadline: Deadline): Promise<void> {
    if (!this.driver.inTransaction() || this.isBusy) return;
    const aborting = this.begin(this.driver.abortTransaction()).catch(() => {});
    await deadline.during(ABORT_MS, (part) => part.wait(aborting)).catch(() => {});
  }

  /**
   * Frees it when nothing of it is under way any more. A failed commit may leave the transaction
   * open, with its locks; if the commit succeeded after all, the server refuses to abort it.
   */
  end(made = false): void {
    Promise.allSettled(this.#left)
      .then(async () => {
        if (made || this.driver.inTransaction()) return;
        const signal = AbortSignal.timeout(ABORT_MS);
        const options = { session: this.driver, signal };
        await this.#db.admin().command({ abortTransaction: 1 }, options);
      })
      .catch(() => {})
      .then(() => this.driver.endSession())
      .catch(() => {});
  }
}

/** Repeats a commit that got no answer. It happens once, however often it is called. */
async function commit(db: Db, session: Session, deadline: Deadline): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const asked = session.begin(session.driver.commitTransaction());
      // The driver takes no signal here. A command that is given up ends with its connection.
      await whileAsked(db, deadline, (signal) => unlessAborted(asked, signal));
      return;
    } catch (error) {
      if (isRefused(error)) throw error;
      if (deadline.isOver) throw notKnown(error);
      await deadline.pause(pauseMs(attempt)).catch((ended: unknown) => {
        throw notKnown(ended);
      });
    }
  }
}

/** Faults after which the same commit may succeed when repeated. */
const UNANSWERED: ReadonlySet<Fault> = new Set([
  ...(['away', 'notYet', 'interrupted', 'outOfTime', 'busy', 'unconfirmed'] as const),
]);

/**
 * Whether the server said that it did not commit, and will not. An error that kept the answer from
 * arriving says nothing of that.
 */
function isRefused(error: unknown): boolean {
  if (hasLabel(error, 'UnknownTransactionCommitResult')) return false;
  return hasLabel(error, 'TransientTransactionError') || !UNANSWERED.has(faultOf(error));
}

/** Faults after which the transaction may get through when all of it is done again. */
const PASSING: ReadonlySet<Fault> = new Set([...UNANSWERED, 'conflict', 'undone', 'replanned']);

const mayPass = (error: unknown): boolean =>
  PASSING.has(faultOf(error)) ||
  hasLabel(error, 'TransientTransactionError') ||
  isWithoutIndex(error);

/** Before a commit is sent, and after one was refused, the store keeps nothing of a transaction. */
function notMade(cause: unknown): AppError {
  if (faultOf(cause) === 'conflict') {
    const detail = 'Too many change this at once; nothing was changed. Try again shortly.';
    return new AppError('Overloaded', detail, { cause });
  }
  const detail = isEndedBy('stopping', cause)
    ? 'The service is stopping; nothing was changed.'
    : 'The store could not make the change in time; nothing was changed.';
  return new AppError('StoreUnavailable', detail, { cause });
}

function notKnown(cause: unknown): AppError {
  const detail =
    'The store did not say in time whether the change was made. ' +
    'Ask again: what was made already is answered as such, and the audit trail has it.';
  return new AppError('StoreUnavailable', detail, { cause });
}

function pauseMs(attempt: number): number {
  const longest = Math.min(PAUSE_MS.first * 1.5 ** attempt, PAUSE_MS.most);
  return Math.random() * longest;
}
