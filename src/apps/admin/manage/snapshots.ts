/**
 * Project snapshots in GridFS, read chunk by chunk.
 *
 * ```
 * snapshots.files   {_id, length, chunkSize, filename, metadata}
 * snapshots.chunks  {files_id, n, data}       byte i of the file is in chunk ⌊i / chunkSize⌋
 * ```
 *
 * The driver's own download stream fetches replies of up to 16 MB ahead of a reader, however slow; a
 * hundred downloads at once would hold gigabytes. This one holds `CHUNKS_AHEAD`, and starts a range in
 * the middle of a file at the chunk that it begins in.
 */
import type { Binary, Db, Document } from 'mongodb';
import type { Bytes } from '../../../serve/request/byteRange.ts';
import { MAJORITY } from '../../../store/commands.ts';
import { type Deadline, withDeadline } from '../../../store/deadline.ts';
import { asDate, asText, at } from '../../../tables/definition/record.ts';
import { SNAPSHOT_BUCKET } from '../documents.ts';
import type { FindsOne } from '../ownTask.ts';
import { findsOneIn, findTask, type TaskAddress, type Turn } from './taskLookup.ts';

export interface SnapshotFile {
  /** The `_id` in `snapshots.files`. */
  readonly id: unknown;
  /** As stored: any text. */
  readonly fileName: string | null;
  /** As stored: any text. */
  readonly contentType: string | null;
  /** Bytes. */
  readonly length: number;
  readonly chunkSize: number;
  readonly uploaded: Date | null;
}

/** Chunks of a reply: 255 kB is their usual size, and the writer's choice. */
const CHUNKS_AHEAD = 1;
/** Longest that a chunk may take, milliseconds. */
const CHUNK_MS = 10_000;

/** Undefined for an invalid id, or one without a file. */
export async function findSnapshot(find: FindsOne, id: unknown): Promise<SnapshotFile | undefined> {
  if (id === null || id === undefined) return undefined;
  const file = await find(`${SNAPSHOT_BUCKET}.files`, { filter: { _id: { $eq: id } } });
  if (file === undefined) return undefined;
  const length = Number(file.length);
  const chunkSize = Number(file.chunkSize);
  if (!(Number.isSafeInteger(length) && length >= 0 && chunkSize > 0)) return undefined;
  return {
    id,
    fileName: asText(file.filename),
    contentType: asText(at(file, 'metadata.content_type')) ?? asText(file.contentType),
    length,
    chunkSize,
    // MongoDB has dates that JavaScript has not.
    uploaded: asDate(file.uploadDate) === null ? null : file.uploadDate,
  };
}

/** The snapshot that a task made. */
export async function snapshotOf(
  db: Db,
  address: TaskAddress,
  deadline: Deadline,
): Promise<SnapshotFile | 'no task' | 'no snapshot'> {
  const find = findsOneIn(db, deadline);
  const task = await findTask(find, address, { snapshot_file_id: 1 });
  if (task === undefined) return 'no task';
  return (await findSnapshot(find, task.snapshot_file_id)) ?? 'no snapshot';
}

/**
 * The bytes of a file, chunk by chunk, each read when it is its turn. The cursor is closed when the
 * reader stops early.
 *
 * @throws Error when a chunk is missing or has the wrong length: the bytes sent until then are right,
 *   and the rest cannot be.
 */
export async function* snapshotBytes(
  db: Db,
  file: SnapshotFile,
  { start, end }: Bytes,
  turn: Turn,
): AsyncGenerator<Uint8Array, void, void> {
  const first = Math.floor(start / file.chunkSize);
  const last = Math.floor(end / file.chunkSize);
  const cursor = db
    .collection<Document>(`${SNAPSHOT_BUCKET}.chunks`)
    .find({ files_id: file.id, n: { $gte: first, $lte: last } }, { readConcern: MAJORITY })
    .project({ _id: 0, n: 1, data: 1 })
    .sort({ n: 1 })
    .batchSize(CHUNKS_AHEAD);
  try {
    for (let n = first; n <= last; n++) {
      const data = dataOf(await turn(() => inTime(cursor.next())), n, file);
      const from = n === first ? start - n * file.chunkSize : 0;
      const to = n === last ? end - n * file.chunkSize + 1 : data.length;
      yield data.subarray(from, to);
    }
  } finally {
    await cursor.close();
  }
}

/** A read that a broken connection holds up must not keep its turn for as long as the system tries. */
const inTime = <T>(read: Promise<T>): Promise<T> =>
  withDeadline(CHUNK_MS, (deadline) => deadline.wait(read));

function dataOf(chunk: Document | null, n: number, file: SnapshotFile): Uint8Array {
  if (chunk?.n !== n) throw new Error(`snapshot ${String(file.id)} lacks its chunk ${n}`);
  const binary = chunk.data as Binary;
  const data = binary.buffer.subarray(0, binary.position);
  const wanted = Math.min(file.chunkSize, file.length - n * file.chunkSize);
  if (data.length === wanted) return data;
  const found = `has ${data.length} bytes in chunk ${n}, not ${wanted}`;
  throw new Error(`snapshot ${String(file.id)} ${found}`);
}
