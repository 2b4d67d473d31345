/**
 * Reading a followed collection: the whole of it, or some ids, as rows.
 *
 * Every read names the collection by its UUID too. After a drop or rename, a read by name alone
 * could return nothing or another collection's documents, at a time when the name stood for
 * neither.
 */
import type { Document } from 'mongodb';
import { loop } from '../loop.ts';
import { type ClusterTime, later, toTimestamp } from '../store/clusterTime.ts';
import { type Row, scalarKey } from '../textindex/index.ts';
import type { ChangedId } from './changedId.ts';
import type { Batch, Channel } from './channel.ts';
import type { FollowedCollection } from './followedCollection.ts';

/** Ids in one `$in`: 8 ms for a thousand. Ids can be long, and a command at most 16 MB. */
const IDS_AT_ONCE = 1_000;
const ID_BYTES_AT_ONCE = 1 << 20;
/**
 * Documents in a reply of a scan: about a megabyte. No reply takes long to take in, and few of them
 * live long enough to be moved by garbage collections.
 */
const SCAN_BATCH = 2_000;
/**
 * The time for a reply of a filtered scan, milliseconds: without a database index the store may have to
 * read the whole collection for it.
 */
const FILTERED_REPLY_MS = 900_000;
/** Reading a few ids never takes this long, in milliseconds; a store that cannot should say so. */
const MAX_READ_MS = 10_000;

/** The state that a read shows. */
export type ReadConcern =
  /** The state at this very time. */
  | { readonly at: ClusterTime }
  /** Some state at or after this time, perhaps not of one moment. */
  | { readonly after: ClusterTime };

const concernOf = (concern: ReadConcern): Document =>
  'at' in concern
    ? { level: 'snapshot', atClusterTime: toTimestamp(concern.at) }
    : { level: 'majority', afterClusterTime: toTimestamp(concern.after) };

/** The command that finds the rows under a condition. */
function find(
  { spec, collection, uuid }: FollowedCollection,
  condition: Document,
  concern: ReadConcern,
  batchSize: number,
): Document {
  const time = 'at' in concern ? concern.at : concern.after;
  return {
    find: collection,
    filter: spec.filter ? { $and: [condition, spec.filter(toTimestamp(time))] } : condition,
    projection: spec.projection,
    batchSize,
    collectionUUID: uuid,
    readConcern: concernOf(concern),
  };
}

/** The documents that a command finds, batch by batch. The next batch is on its way while one is worked on. */
async function* batchesOf(
  channel: Channel,
  command: Document,
  timeoutMs?: number,
): AsyncGenerator<Batch, void, undefined> {
  const { find: collection, batchSize } = command;
  let batch = await channel.batch(command, timeoutMs);
  let { cursor } = batch;
  try {
    while (cursor !== 0n) {
      const next = channel.batch({ getMore: cursor, collection, batchSize }, timeoutMs);
      // A loop that is left early ignores errors of the batch under way.
      next.catch(() => {});
      yield batch;
      batch = await next;
      cursor = batch.cursor;
    }
    yield batch;
  } finally {
    await channel.kill(collection, cursor);
  }
}

/** The rows of these ids, by `scalarKey`; an id without a document has none. */
export interface RowsById {
  readonly rows: ReadonlyMap<string, Row>;
  /** The greatest time of the replies. */
  readonly operationTime: ClusterTime;
}

export async function readIds(
  channel: Channel,
  followed: FollowedCollection,
  ids: readonly ChangedId[],
  concern: ReadConcern,
): Promise<RowsById> {
  const rows = new Map<string, Row>();
  let operationTime = 0n;
  for (const some of inPortions(ids)) {
    // One more than there can be: the cursor is spent with its first batch.
    const command = find(followed, { _id: { $in: some } }, concern, some.length + 1);
    for await (const batch of batchesOf(channel, { ...command, maxTimeMS: MAX_READ_MS })) {
      operationTime = later(operationTime, batch.operationTime);
      let mayGoOn = loop.piece();
      for (const document of batch.documents) {
        const row = followed.spec.extract(document);
        rows.set(scalarKey(row.id), row);
        if (mayGoOn()) continue;
        await loop.turn('maintenance');
        mayGoOn = loop.piece();
      }
    }
  }
  return { rows, operationTime };
}

function* inPortions(ids: readonly ChangedId[]): Generator<unknown[], void, undefined> {
  let portion: unknown[] = [];
  let bytes = 0;
  for (const id of ids) {
    if (portion.length === IDS_AT_ONCE || (bytes > 0 && bytes + id.bytes > ID_BYTES_AT_ONCE)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(id.query);
    bytes += id.bytes;
  }
  if (portion.length > 0) yield portion;
}

/**
 * All documents that are rows, in stored order without a filter. A document that is not changed meanwhile comes
 * exactly once; others may come in any state, twice or not at all.
 */
export function scan(
  channel: Channel,
  followed: FollowedCollection,
  after: ClusterTime,
): AsyncGenerator<Batch, void, undefined> {
  const command = find(followed, {}, { after }, SCAN_BATCH);
  // The store may have a database index for a filter.
  return followed.spec.filter
    ? batchesOf(channel, command, FILTERED_REPLY_MS)
    : batchesOf(channel, { ...command, hint: { $natural: 1 } });
}
