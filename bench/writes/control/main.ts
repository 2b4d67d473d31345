/**
 * What the machine and the store leave to anybody while others write: nothing of the service is here.
 *
 *     instead of a search     a sum over half a megabyte, which takes about as long
 *     instead of the index    a bare change stream of the driver
 *
 * The rates, the writer and the clocks are those of writes/main.ts. What is late here is late because
 * writer and store need the processors.
 */
import { type ChangeStreamDocument, type Document, MongoClient } from 'mongodb';
import { inOwnProcess, takeJob } from '../../job.ts';
import {
  clock,
  numberOf,
  type Visible,
  visibleOf,
  type WriterJob,
  type Written,
} from '../changes.ts';
import type { WritesJob } from '../main.ts';
import { type SearchTimes, searchFor } from '../searching.ts';

export interface ControlResult {
  readonly idle: SearchTimes;
  readonly writing: SearchTimes;
  readonly visible: Visible;
}

const numbers = Float64Array.from({ length: 1 << 16 }, (_, i) => i);
/** Kept, so that no compiler leaves the loop out. */
let total = 0;

function work(): void {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]!;
  total += sum;
}

/** Of a change, only its number; see changes.ts. */
const NUMBER = 'date_done';
const SHOWN = {
  [`fullDocument.${NUMBER}`]: 1,
  [`updateDescription.updatedFields.${NUMBER}`]: 1,
};

takeJob(async ({ place, rate, seconds }: WritesJob): Promise<ControlResult> => {
  const client = await MongoClient.connect(place.uri);
  const seen = new Map<number, number>();
  try {
    await searchFor(work, 2_000);
    const idle = await searchFor(work, Math.max(3, seconds / 2) * 1_000);
    const stream = client
      .db(place.dbName)
      .collection('tasks')
      .watch([{ $project: SHOWN }], { batchSize: 500 });
    stream.on('change', (change) => note(change, seen));
    const job: WriterJob = { place, rate, count: rate * seconds };
    const write = inOwnProcess<Written>('writes/writer/main.ts', { ...job, task: 'write' });
    const writing = await searchFor(work, seconds * 1_000);
    const written = await write;
    await searchFor(work, 1_000);
    await stream.close();
    await inOwnProcess<Written>('writes/writer/main.ts', { ...job, task: 'restore' });
    if (!(total > 0)) throw new Error('nothing was summed up');
    return { idle, writing, visible: visibleOf(written, seen) };
  } finally {
    await client.close();
  }
});

function note(change: ChangeStreamDocument, seen: Map<number, number>): void {
  const { fullDocument, updateDescription } = change as Document;
  const number = numberOf((fullDocument ?? updateDescription?.updatedFields)?.[NUMBER]);
  if (number !== undefined) seen.set(number, clock());
}
