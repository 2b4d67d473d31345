/**
 * A change made through the service: the write, its audit record, and the reads of both, in one
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
import {
  type ClientSession,
  type Db,
  type Document,
  MongoServerError,
  type Timestamp,
} from 'mongodb';
import { v7 } from 'uuid';
import { asData } from '../../store/bson/asData.ts';
import { command, type FindOne, findOneCommand, listed } from '../../store/commands.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { Resource, Resources } from '../../tables/definition/definition.ts';
import type { JoinedRow } from '../../tables/definition/record.ts';
import { readRows } from '../../tables/rows/readRows.ts';
import { AUDIT, type AuditDocument } from './auditDocument.ts';
import { inTransaction } from './transaction.ts';

/** On whose behalf a change is made. */
export interface Author {
  /** A token's `sub`. */
  readonly actor: string;
  readonly requestId: string;
  /** The time by which the caller must learn the change's outcome. */
  readonly deadline: Deadline;
  /**
   * Told the moment from which the change shows or, if nothing changed, the moment of the state
   * found instead.
   */
  readonly note?: Written['note'];
}

/** The contents of an audit record besides its author, time and request. */
export type AuditEntry = Pick<
  AuditDocument,
  'action' | 'target_type' | 'target_id' | 'before' | 'after'
>;

/** Told of every moment by which a change is there. */
export interface Written {
  note(operationTime: Timestamp): void;
}

export interface ChangesOptions {
  readonly db: Db;
  readonly resources: Resources;
  readonly written: Written;
}

/** Changes are made through here, one transaction each. */
export class Changes {
  readonly #options: ChangesOptions;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` in its own transaction; `work` may run several times, of which one counts.
   *
   * Searches learn the time of the outcome even when nothing changed: a caller who hears that a
   * task had ended before finds it ended in the next search.
   *
   * @throws AppError `Overloaded`, `StoreUnavailable`; see `inTransaction`.
   */
  async run<T>(
    caller: Author,
    work: (change: Change, attempt: number) => Promise<T>,
    deadline: Deadline = caller.deadline,
  ): Promise<T> {
    const { db, resources, written } = this.#options;
    const onTime = (time: Timestamp) => {
      written.note(time);
      caller.note?.(time);
    };
    return await inTransaction({ db, deadline, onTime }, (session, attempt) => {
      const options = { db, deadline, resources, session, attempt, caller };
      return work(new Change(options), attempt);
    });
  }
}

/** The document to change, and the index that finds it. */
export type Which = Pick<FindOne, 'filter' | 'hint'>;

interface ChangeOptions {
  readonly db: Db;
  readonly deadline: Deadline;
  readonly resources: Resources;
  readonly session: ClientSession;
  readonly attempt: number;
  readonly caller: Author;
}

/**
 * One transaction, for the code that works in it. All its reads show one moment, and each command
 * has the time that is left.
 */
export class Change {
  readonly #options: ChangeOptions;

  constructor(options: ChangeOptions) {
    this.#options = options;
  }

  /** A `FindsOne`. */
  findOne = async <T extends Document>(collection: string, { hint, ...asked }: FindOne) => {
    const { db, deadline } = this.#options;
    const find = await findOneCommand(db, deadline, collection, asked);
    const { cursor } = await this.#command(find(this.#withHint(hint)));
    return cursor.firstBatch[0] as T | undefined;
  };

  /** No more than a reply holds. */
  async find<T extends Document>(
    collection: string,
    { limit, ...asked }: Omit<FindOne, 'hint' | 'min'> & { readonly limit: number },
  ): Promise<T[]> {
    const { cursor } = await this.#command({
      ...{ find: collection, ...asked, limit, batchSize: limit, singleBatch: true },
    });
    return cursor.firstBatch;
  }

  /** Changes the first document that matches, and returns these members of it as they were. */
  async update<T extends Document>(
    collection: string,
    { filter, hint }: Which,
    $set: Document,
    members: readonly string[],
  ): Promise<T | null> {
    const which = { query: filter, ...this.#withHint(hint) };
    const reply = await this.#command({
      findAndModify: collection,
      ...which,
      update: { $set },
      fields: listed(Object.fromEntries(members.map((member) => [member, `$${member}`]))),
    });
    return reply.value;
  }

  /**
   * Sets a flag of a document and records that; returns its row. A document that has the flag so already
   * stays untouched, and nothing is recorded. Undefined when there is no such document.
   */
  async setFlag(
    resource: Resource,
    { filter, hint }: Which,
    flag: Readonly<Record<string, boolean>>,
    record: Pick<AuditEntry, 'action' | 'target_type' | 'target_id'>,
  ): Promise<JoinedRow | undefined> {
    const { collection } = resource;
    const [name] = Object.keys(flag) as [string];
    // The query's `$ne` takes a list that holds the flag for the flag.
    const others = { ...filter, $expr: { $ne: [`$${name}`, flag[name]] } };
    const before = await this.update(collection, { filter: others, hint }, flag, [name]);
    if (before) {
      await this.audit({ ...record, before: { [name]: before[name] ?? null }, after: flag });
    } else if (!(await this.findOne(collection, { filter, hint, projection: { _id: 1 } }))) {
      return undefined;
    }
    return await this.row(resource, filter._id);
  }

  async insert(collection: string, document: Document): Promise<void> {
    await this.#command({ insert: collection, documents: [document] });
  }

  /** How many documents fitted. */
  async updateMany(collection: string, q: Document, $set: Document): Promise<number> {
    const updates = [{ q, u: { $set }, multi: true }];
    return (await this.#command({ update: collection, updates })).n;
  }

  /** Removes the first document that fits, and returns it. */
  async remove<T extends Document>(collection: string, { filter, hint }: Which): Promise<T | null> {
    const which = { query: filter, ...this.#withHint(hint) };
    const removed = { findAndModify: collection, ...which, remove: true, fields: listed('$$ROOT') };
    return (await this.#command(removed)).value;
  }

  /** Writes the records of this transaction's changes. */
  async audit(...entries: readonly AuditEntry[]): Promise<void> {
    const { caller } = this.#options;
    const documents = entries.map((entry): AuditDocument => {
      const id = v7();
      const at = momentOf(id);
      const { action, target_type, target_id, before, after } = entry;
      const { actor, requestId: request_id } = caller;
      return { _id: id, at, actor, action, target_type, target_id, before, after, request_id };
    });
    if (documents.length === 0) return;
    await this.#command({ insert: AUDIT, documents });
  }

  /** The row that a search would show, as this transaction leaves it; undefined when it is gone. */
  async row(resource: Resource, id: unknown): Promise<JoinedRow | undefined> {
    const reader = {
      aggregate: async (collection: string, pipeline: readonly Document[]) => {
        const asked = { aggregate: collection, pipeline, cursor: { batchSize: ENOUGH } };
        return (await this.#command(asked)).cursor.firstBatch as Document[];
      },
    };
    return (await readRows(reader, resource, this.#options.resources, [id]))[0];
  }

  /** Only in the first attempt: a missing index ends the transaction. */
  #withHint(hint: string | undefined): { readonly hint?: string } {
    return hint !== undefined && this.#options.attempt === 0 ? { hint } : {};
  }

  async #command(document: Document): Promise<Document> {
    const { db, deadline, session } = this.#options;
    // Values of dirty data may be in it, which the driver would take for its own.
    const reply = await command(db, deadline, asData(document) as Document, session);
    const [failed] = reply.writeErrors ?? [];
    if (failed) throw new MongoServerError(failed);
    return reply;
  }
}

/** Documents of a reply: more than one row needs. */
const ENOUGH = 1_000;

/** The moment in a UUID of version 7: its first 48 bits are milliseconds (RFC 9562, 5.7). */
export const momentOf = (id: string) =>
  new Date(Number.parseInt(id.slice(0, 13).replace('-', ''), 16));
