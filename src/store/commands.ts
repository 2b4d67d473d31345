/**
 * Commands to the store within a deadline.
 *
 *     maxTimeMS: what is left     the server ends the command, and says so
 *     signal                      nothing was heard, or the caller left: the connection is given up
 *
 * Uses plain commands: the driver's cursors and collections neither show a reply's time nor give up
 * a connection that has fallen silent. Its `timeoutMS` has had no effect since 7.8.
 */
import { addAbortListener } from 'node:events';
import {
  type Abortable,
  type ClientSession,
  type Db,
  type Document,
  type MongoClient,
  MongoServerError,
  type RunCommandOptions,
  type Timestamp,
} from 'mongodb';
import { asData } from './bson/asData.ts';
import { decode, decodeAll } from './bson/decode.ts';
import { type Deadline, isEndedBy } from './deadline.ts';
import { faultOf, hasSteppedDown } from './faults.ts';
import { isFromRouter } from './hello.ts';
import { primaryAskedBy } from './primary.ts';

/**
 * One command to the primary.
 *
 * @throws Ended and errors of the driver; nothing says then whether the server did it.
 */
export function command(
  db: Db,
  deadline: Deadline,
  document: Document,
  session?: ClientSession,
): Promise<Document> {
  return whileAsked(db, deadline, (signal) => {
    const timed = { ...document, maxTimeMS: deadline.left };
    return decoded(db, timed, { signal, ...(session && { session }) });
  });
}

/**
 * How a reply is read: as `decode` reads documents, which come as bytes for it. Not `raw`: the driver
 * keeps a member of an error's document, and throws a TypeError over its bytes at the next error. So
 * it leaves as bytes only the items of lists with these names.
 */
const READING = {
  readPreference: 'primary',
  enableUtf8Validation: false,
  bsonRegExp: true,
  fieldsAsRaw: { firstBatch: true, listed: true },
} as const;

/** The `fields` of a `findAndModify` that `decoded` takes: the document, or an expression, in a list. */
export const listed = (document: Document | '$$ROOT') => ({ _id: 0, listed: [document] });

async function decoded(
  db: Db,
  document: Document,
  options: RunCommandOptions & Abortable,
): Promise<Document> {
  const reply = await db.command(document, { ...options, ...READING });
  if (reply.cursor?.firstBatch) reply.cursor.firstBatch = decodeAll(reply.cursor.firstBatch);
  if (reply.value?.listed) reply.value = decode(reply.value.listed[0]);
  return reply;
}

/**
 * Reads, and reads again from the successor when the primary was replaced; once more when the
 * primary is lost, or says that it is no longer primary. If a connection ends there may be no
 * primary, and callers learn that at once.
 *
 * @param work sends its commands with this signal, and may be called several times
 */
export async function read<T>(
  db: Db,
  deadline: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let asksAgain = true;
  for (;;) {
    try {
      return await whileAsked(db, deadline, work);
    } catch (error) {
      if (deadline.isOver) throw error;
      if (isEndedBy('replaced', error)) continue;
      if (!asksAgain || !(hasSteppedDown(error) || isEndedBy('lost', error))) throw error;
      asksAgain = false;
    }
  }
}

/** One command that only reads; with a `MAJORITY` concern no moment before the deadline's. */
export function readCommand(db: Db, deadline: Deadline, document: Document): Promise<Document> {
  const asked =
    document.readConcern === MAJORITY
      ? { ...document, readConcern: majorityAfter(deadline.notBefore) }
      : document;
  return read(db, deadline, (signal) => {
    return decoded(db, { ...asked, maxTimeMS: deadline.left }, { signal });
  });
}

/** Work under a signal that both the deadline and the primary's end abort. */
export async function whileAsked<T>(
  db: Db,
  deadline: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  deadline.check();
  const abort = new AbortController();
  const forgetEnd = deadline.onEnd((ended) => abort.abort(ended));
  const forgetPrimary = primaryAskedBy(db.client).whenGone(abort);
  try {
    return await work(abort.signal);
  } finally {
    forgetEnd();
    forgetPrimary();
  }
}

/** Waits for work that takes no signal; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    addAbortListener(signal, () => reject(signal.reason));
    work.then(resolve, reject);
  });
}

export interface FindOne {
  readonly filter: Document;
  readonly projection?: Document | undefined;
  readonly sort?: Document;
  /** The index to use, by name, if it exists. */
  readonly hint?: string | undefined;
  /**
   * With `hint`, in a replica set: the read returns the index's first entry from this key on,
   * instead of a match. It takes as long whether that entry matches or not; the caller has to
   * compare.
   */
  readonly min?: Document;
}

type FindOneCommand = (withHint: { readonly hint?: string }) => Document;

/**
 * Options of a command whose reply has a cursor. The driver leaves the documents as they are: `decodeAll` also
 * reads those it throws at. The cursor's id stays a long: the driver would write a number as a double, which the
 * server refuses.
 */
export const UNREAD = { fieldsAsRaw: { firstBatch: true, nextBatch: true }, promoteLongs: false };

/**
 * The read concern of reads that decide something: a write that only the primary has may be rolled
 * back.
 */
export const MAJORITY = { level: 'majority' } as const;

/** The same for a moment or a later one. */
export const majorityAfter = (notBefore: Timestamp | undefined): Document =>
  notBefore ? { ...MAJORITY, afterClusterTime: notBefore } : MAJORITY;

/** The first document that matches, or with `min` the first entry from there, as the majority has it. */
export async function findOne<T extends Document>(
  db: Db,
  deadline: Deadline,
  collection: string,
  asked: FindOne,
): Promise<T | undefined> {
  const find = await findOneCommand(db, deadline, collection, asked);
  const { cursor } = await hinted(asked.hint, (withHint) =>
    readCommand(db, deadline, { ...find(withHint), readConcern: MAJORITY }),
  );
  return cursor.firstBatch[0];
}

/** The command that reads it. */
export async function findOneCommand(
  db: Db,
  deadline: Deadline,
  collection: string,
  { filter, projection, sort, min }: FindOne,
): Promise<FindOneCommand> {
  // On a sharded cluster each shard has its own first entry.
  const from = min && !(await isSharded(db, deadline)) ? { min } : undefined;
  const fitting = { filter: asData(filter), ...(sort && { sort }) };
  return (withHint) => ({
    ...{ find: collection, limit: 1, singleBatch: true },
    ...(withHint.hint === undefined ? fitting : (from ?? fitting)),
    ...(projection && { projection }),
    ...withHint,
  });
}

const sharded = new WeakMap<MongoClient, boolean>();

/** Whether the store is a sharded cluster, which it stays. */
async function isSharded(db: Db, deadline: Deadline): Promise<boolean> {
  const known = sharded.get(db.client);
  if (known !== undefined) return known;
  const is = isFromRouter(await readCommand(db, deadline, { hello: 1 }));
  sharded.set(db.client, is);
  return is;
}

/** Sends the command with the hint of an index, by name, if it exists; else without. */
async function hinted<T>(
  hint: string | undefined,
  ask: (withHint: { readonly hint?: string }) => Promise<T>,
): Promise<T> {
  if (hint === undefined) return await ask({});
  try {
    return await ask({ hint });
  } catch (error) {
    if (!isWithoutIndex(error)) throw error;
    return await ask({});
  }
}

/** Compares text by its bytes, as the index does. */
export const BY_BYTES = { locale: 'simple' } as const;

/**
 * Has the store compare text by its bytes, under any collation of the collection. A view with a
 * collation of its own takes no other one.
 */
export async function byBytes<T>(ask: (compared: Document) => Promise<T>): Promise<T> {
  try {
    return await ask({ collation: BY_BYTES });
  } catch (error) {
    if (faultOf(error) !== 'collated') throw error;
    return await ask({});
  }
}

/** Where the store begins with a pipeline: left empty, it chooses by itself. */
export interface Beginning {
  /** A database index, by name; it may not exist. */
  readonly hint?: string | undefined;
  /** Stages before all others, where there is no such index. */
  readonly stages?: readonly Document[];
}

/** More documents than a collection has. */
const ALL_DOCUMENTS = Number.MAX_SAFE_INTEGER;

/**
 * Stages that find these documents before any other stage looks at one: the store moves no condition
 * past a limit.
 */
export const onlyAfter = (match: Document): Document[] => [
  { $match: match },
  { $limit: ALL_DOCUMENTS },
];

/** Asks for a pipeline with this beginning, which compares text by its bytes. */
export function aggregateFrom<T>(
  { hint, stages = [] }: Beginning,
  pipeline: readonly Document[],
  ask: (aggregate: Document) => Promise<T>,
): Promise<T> {
  return byBytes((compared) =>
    hinted(hint, (withHint) => {
      const all = withHint.hint === undefined ? [...stages, ...pipeline] : pipeline;
      return ask({ pipeline: all, ...compared, ...withHint });
    }),
  );
}

/** Whether the hinted index is missing: only the text of BadValue says so. */
export const isWithoutIndex = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 2 && error.message.includes('hint');
