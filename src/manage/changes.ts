/**
 * A change made through the service: the write, its audit record, and what is read of both, in one
 * transaction.
 *
 * ```
 * conditional write ─▶ audit record ─▶ row as it is now ─▶ commit (majority) ─▶ searches include it
 *        └─ nothing matched: nothing written, no record
 * ```
 *
 * A writer who loses a race writes nothing and leaves no record: its transaction starts again, finds
 * the winner's state, and answers by that. So does a client that repeats a request whose answer got
 * lost.
 */
import type { ClientSession, Collection, Document, Timestamp } from 'mongodb';
import type { Store } from '../mongo/client.ts';
import { type AuditDocument, COLLECTIONS } from '../mongo/documents.ts';
import type { Resources } from '../query/pipeline.ts';
import type { Resource } from '../resources/definition.ts';
import type { JoinedRow } from '../resources/record.ts';
import { readRows } from '../search/readRows.ts';
import { TimeOrderedIds } from './timeOrderedId.ts';
import { inTransaction } from './transaction.ts';

/** On whose behalf a change is made. */
export interface Caller {
  readonly userId: number;
  readonly requestId: string;
}

/** What an audit record tells besides who, when and in which request. */
export type AuditEntry = Pick<
  AuditDocument,
  'action' | 'target_type' | 'target_id' | 'before' | 'after'
>;

/** Told of every moment by which a change is there. */
export interface Written {
  noteWrite(operationTime: Timestamp): void;
}

export interface ChangesOptions {
  readonly store: Store;
  readonly resources: Resources;
  readonly written: Written;
  /** Longest time that a change may take, with all its retries; 15 s where it is left out. */
  readonly timeoutMs?: number;
}

/**
 * Longest time that a change may take, with all its retries, milliseconds: with what the deadline
 * waits for the server's own word, 15 s.
 */
export const CHANGE_MS = 14_750;

/** Changes are made through here, one transaction each. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #ids = new TimeOrderedIds();

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` in a transaction of its own; it may be run several times, of which one counts.
   *
   * Searches are told the time of the outcome even when nothing was changed: whoever learned that a
   * task had ended before finds it ended in the next search.
   *
   * @throws AppError `Overloaded`, `StoreUnavailable`.
   */
  async run<T>(
    caller: Caller,
    work: (change: Change, attempt: number) => Promise<T>,
    timeoutMs: number = this.#options.timeoutMs ?? CHANGE_MS,
  ): Promise<T> {
    const { store, resources, written } = this.#options;
    const session = store.client.startSession();
    const change = new Change({ store, resources, session, caller, ids: this.#ids });
    try {
      return await inTransaction(session, (attempt) => work(change, attempt), timeoutMs);
    } finally {
      if (session.operationTime) written.noteWrite(session.operationTime);
      await session.endSession();
    }
  }
}

interface ChangeOptions {
  readonly store: Store;
  readonly resources: Resources;
  readonly session: ClientSession;
  readonly caller: Caller;
  readonly ids: TimeOrderedIds;
}

/** One transaction, for the code that works in it. Everything it reads is of one moment. */
export class Change {
  readonly #options: ChangeOptions;

  constructor(options: ChangeOptions) {
    this.#options = options;
  }

  /** Operations on the collection must be given this session. */
  get session(): ClientSession {
    return this.#options.session;
  }

  collection<T extends Document>(name: string): Collection<T> {
    return this.#options.store.db.collection<T>(name);
  }

  /** Writes the records of what this transaction changed. */
  async audit(...entries: readonly AuditEntry[]): Promise<void> {
    const { caller, ids, session } = this.#options;
    const documents = entries.map((entry): AuditDocument => {
      const { id, at } = ids.next();
      const { action, target_type, target_id, before, after } = entry;
      const actor = String(caller.userId);
      const request_id = caller.requestId;
      return { _id: id, at, actor, action, target_type, target_id, before, after, request_id };
    });
    if (documents.length === 0) return;
    await this.collection<AuditDocument>(COLLECTIONS.audit).insertMany(documents, { session });
  }

  /** The row that a search would show, as this transaction leaves it; undefined when it is gone. */
  async row(resource: Resource, id: unknown): Promise<JoinedRow | undefined> {
    const { store, resources, session } = this.#options;
    const reader = {
      aggregate: (collection: string, pipeline: readonly Document[]) =>
        store.db
          .collection(collection)
          .aggregate([...pipeline], { session })
          .toArray(),
    };
    return (await readRows(reader, resource, resources, [id]))[0];
  }
}
