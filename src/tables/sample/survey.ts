/**
 * A look at a database: which collections there are, and documents of each.
 *
 *     listCollections ──▶ per collection: figures, indexes, validator ──▶ newest, oldest, random ──▶ profile
 *
 * It only reads. Bytes, documents and time are bounded, so that a hundred collections of millions of
 * documents take seconds. Documents count as newest and oldest by `_id`.
 */
import type { Collection, Db, Document } from 'mongodb';
import { HEARTBEAT_COLLECTION } from '../../follow/heartbeat.ts';
import { type Fault, faultOf } from '../../store/faults.ts';
import { isFromRouter } from '../../store/hello.ts';
import { closest } from '../query/guess.ts';
import { Profile } from './profile.ts';

export interface LookedAt {
  readonly name: string;
  /** Documents in it. */
  readonly count: number;
  /** Paths with a unique index of their own, over all documents. */
  readonly uniquePaths: readonly string[];
  /** The `$jsonSchema` of its validator. */
  readonly schema: Document | undefined;
  readonly profile: Profile;
  /** Whether the profile has every document. */
  readonly isWhole: boolean;
  /** Why reading its documents ended early. */
  readonly cutShort?: CutShort | undefined;
  /** Limits that cut the look short, in clauses. */
  readonly remarks: readonly string[];
}

type CutShort = keyof typeof CUT_SHORT;

export interface Survey {
  readonly db: string;
  readonly collections: readonly LookedAt[];
  /** Collections that the survey left out, and why. */
  readonly leftOut: readonly LeftOut[];
  /** Why the index cannot follow this store; null if it can. */
  readonly unfollowable: 'sharded' | 'standalone' | null;
}

export interface LeftOut {
  readonly name: string;
  readonly why: string;
  /** Whether a table of it can be had all the same: pipelines answer. */
  readonly isAnswered?: boolean;
}

export interface SurveyOptions {
  /** Only these collections; all if it is empty. */
  readonly only?: readonly string[];
  /** Collections that are left out unless they are named, and why. */
  readonly without?: Readonly<Record<string, string>>;
  /** Documents drawn from each collection; half as many come from each of its two ends. */
  readonly drawn?: number;
}

/** Documents drawn from a collection if there are few collections, and if there are many. */
const DRAWN = 2_000;
const LEAST_DRAWN = 500;
/** Documents drawn from all collections together, about. */
const DRAWN_IN_ALL = 50_000;
/** A collection of up to this many times the drawn documents is read whole. */
const WHOLE = 2;
/** Bytes read of a collection, and of one reply. */
const MAX_BYTES = 24 * 2 ** 20;
const REPLY_BYTES = 2 ** 20;
/** Time of one read, milliseconds. */
const READ_MS = 2_000;
/** Collections that are looked at together. */
const TOGETHER = 4;
/** Tables that one file may define, and collections that are looked at: every second one of GridFS is no table. */
export const MAX_TABLES = 100;
const MAX_LOOKED = 2 * MAX_TABLES;
export const TOO_MANY = `a file has ${MAX_TABLES} tables at most; name those that you want`;

/** The kinds of `listCollections` that have no change stream. */
const WITHOUT_STREAM: Readonly<Record<string, string>> = {
  view: 'a view: MongoDB has no change stream for it, so only pipelines can answer its table; one of the collection behind it is quicker',
  timeseries:
    'a time series collection: MongoDB has no change stream for it, so only pipelines can answer its table',
};

/** As people count: `day2` before `day10`. */
const { compare: inOrder } = new Intl.Collator('en', { numeric: true });

const CAPPED = 'a capped collection: MongoDB cannot read it as of one moment';

/**
 * @throws the driver's error if the store cannot be reached, or collections may not be listed
 */
export async function survey(
  db: Db,
  { only = [], without = {}, drawn }: SurveyOptions = {},
): Promise<Survey> {
  const hello = await db.admin().command({ hello: 1 });
  // A validator may hold a pattern that JavaScript has not.
  const listed = await db.listCollections({}, { nameOnly: false, bsonRegExp: true }).toArray();
  const leftOut: LeftOut[] = [];
  const wanted: Listed[] = [];
  for (const { name, type = 'collection', options = {} } of listed as Listed[]) {
    const isWanted = only.length > 0 ? only.includes(name) : name !== HEARTBEAT_COLLECTION;
    if (name.startsWith('system.') || !isWanted) continue;
    const own = only.length === 0 && Object.hasOwn(without, name) ? without[name] : undefined;
    const why = own ?? (options.capped ? CAPPED : WITHOUT_STREAM[type]);
    if (why === undefined) wanted.push({ name, options });
    else leftOut.push({ name, why, isAnswered: Object.hasOwn(WITHOUT_STREAM, type) });
  }
  const names = listed.map(({ name }) => name);
  for (const name of only.filter((one) => !names.includes(one))) {
    const guess = closest(name, names);
    const near = guess === undefined ? '' : `; the nearest is ${guess}`;
    leftOut.push({ name, why: `there is no such collection${near}` });
  }
  wanted.sort((a, b) => inOrder(a.name, b.name) || (a.name < b.name ? -1 : 1));
  for (const { name } of wanted.splice(MAX_LOOKED)) leftOut.push({ name, why: TOO_MANY });
  const each = Math.max(LEAST_DRAWN, Math.min(DRAWN, Math.ceil(DRAWN_IN_ALL / wanted.length)));
  const collections: LookedAt[] = [];
  const waiting = wanted.entries();
  const work = async () => {
    for (const [place, one] of waiting) {
      collections[place] = await lookAt(db.collection(one.name), one.options ?? {}, drawn ?? each);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return { db: db.databaseName, collections, leftOut, unfollowable: unfollowable(hello) };
}

interface Listed {
  readonly name: string;
  readonly type?: string;
  readonly options?: Document;
}

function unfollowable(hello: Document): Survey['unfollowable'] {
  if (isFromRouter(hello)) return 'sharded';
  return typeof hello.setName === 'string' ? null : 'standalone';
}

async function lookAt(collection: Collection, options: Document, drawn: number): Promise<LookedAt> {
  const remarks: string[] = [];
  const profile = new Profile();
  const [{ count, averageBytes }, uniquePaths] = await Promise.all([
    figuresOf(collection),
    uniquePathsOf(collection, remarks),
  ]);
  const affordable = Math.floor(MAX_BYTES / Math.max(averageBytes ?? 1_024, 1));
  const number = Math.max(1, Math.min(drawn, affordable));
  const reading: Reading = { profile, batchSize: batchOf(averageBytes), cutShort: undefined };
  const isSmall = count <= number * WHOLE;
  // The store's count may be wrong, or missing.
  const most = number * WHOLE * 2;
  if (isSmall) await take(collection.find({}, RAW).limit(most), true, reading);
  else {
    // Random ones first: they tell most, if the bytes or the time do not suffice for all.
    await take(collection.aggregate([{ $sample: { size: number } }], RAW), true, reading);
    for (const direction of [-1, 1] as const) {
      const ends = collection.find({}, RAW).sort({ _id: direction });
      await take(ends.limit(Math.ceil(number / 2)), false, reading);
    }
  }
  profile.finish();
  const { cutShort } = reading;
  if (cutShort) remarks.push(CUT_SHORT[cutShort]);
  const isTooMuch = profile.bytes > MAX_BYTES;
  if (isTooMuch) {
    const megabytes = Math.round(profile.bytes / 2 ** 20);
    remarks.push(`large documents: ${megabytes} MB of them were looked at`);
  }
  return {
    name: collection.collectionName,
    count: isSmall ? Math.max(count, profile.documents) : count,
    uniquePaths,
    schema: options.validator?.$jsonSchema,
    profile,
    isWhole:
      isSmall && !isTooMuch && !cutShort && profile.documents >= count && profile.documents < most,
    cutShort,
    remarks,
  };
}

const RAW = { raw: true, maxTimeMS: READ_MS } as const;

const batchOf = (averageBytes = 1_024) =>
  Math.max(1, Math.min(500, Math.floor(REPLY_BYTES / Math.max(averageBytes, 1))));

interface Reading {
  readonly profile: Profile;
  readonly batchSize: number;
  cutShort: CutShort | undefined;
}

export const CUT_SHORT = {
  outOfTime: 'reading documents took too long, and was cut short',
  denied: 'this account may not read its documents',
} satisfies Partial<Record<Fault, string>>;

const cutsShort = (fault: Fault): fault is CutShort => fault in CUT_SHORT;

/** Whether a collection has no documents; where reading them was refused or cut short, nobody knows. */
export const isEmpty = ({ profile, cutShort }: LookedAt): boolean =>
  profile.documents === 0 && !cutShort;

/** Adds documents to the profile, until the bytes or the time are used up. */
async function take(
  cursor: { batchSize(n: number): unknown; close(): Promise<void> } & AsyncIterable<unknown>,
  isDrawn: boolean,
  reading: Reading,
): Promise<void> {
  const { profile, batchSize } = reading;
  cursor.batchSize(batchSize);
  try {
    for await (const document of cursor) {
      profile.add(document as Uint8Array, isDrawn);
      if (profile.bytes > MAX_BYTES) break;
    }
  } catch (error) {
    const fault = faultOf(error);
    if (!cutsShort(fault)) throw error;
    reading.cutShort ??= fault;
  } finally {
    await cursor.close();
  }
}

async function figuresOf(
  collection: Collection,
): Promise<{ count: number; averageBytes: number | undefined }> {
  try {
    const pipeline = [{ $collStats: { storageStats: {} } }];
    const parts = await collection.aggregate(pipeline, { maxTimeMS: READ_MS }).toArray();
    const sum = (name: string) =>
      parts.reduce((total, { storageStats }) => total + Number(storageStats?.[name] ?? 0), 0);
    const count = sum('count');
    return { count, averageBytes: count > 0 ? Math.ceil(sum('size') / count) : undefined };
  } catch (error) {
    if (faultOf(error) === 'away') throw error;
    const count = await collection.estimatedDocumentCount({ maxTimeMS: READ_MS }).catch(() => 0);
    return { count, averageBytes: undefined };
  }
}

async function uniquePathsOf(collection: Collection, remarks: string[]): Promise<string[]> {
  try {
    const indexes = await collection.listIndexes().toArray();
    return indexes.flatMap(({ key, unique, partialFilterExpression }) => {
      const [path, ...others] = Object.keys(key);
      return unique && !partialFilterExpression && others.length === 0 ? path! : [];
    });
  } catch (error) {
    if (faultOf(error) === 'away') throw error;
    remarks.push('this account may not list its indexes');
    return [];
  }
}
