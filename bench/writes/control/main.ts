/**
 * The room that machine and store leave to another program while others write; without the service.
 *
 *     instead of a search     a sum over a megabyte, which takes about as long
 *     instead of the index    a bare change stream of the driver
 *
 * The rates, the writer and the clocks are those of writes/main.ts. Delays here come from the
 * writer's and the store's need of the processors.
 */
import { type ChangeStreamDocument, type Document, MongoClient } from 'mongodb';
import { takeJob } from '../../job.ts';
import { clock, numberOf, type Visible, visibleOf } from '../changes.ts';
import { type Cores, restore, runCourse, type WritesJob } from '../course.ts';
import type { SearchTimes } from '../searching.ts';

export interface ControlResult {
  readonly together: number;
  readonly idle: SearchTimes;
  readonly writing: SearchTimes;
  readonly visible: Visible;
  readonly cores: Cores;
}

const numbers = Float64Array.from({ length: 1 << 17 }, (_, i) => i);
/** Kept, so that no compiler leaves the loop out. */
let total = 0;

function work(): void {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]!;
  total += sum;
}

/** The stream shows only this member of a change, its number; see changes.ts. */
const NUMBER = 'date_done';
const SHOWN = {
  [`fullDocument.${NUMBER}`]: 1,
  [`updateDescription.updatedFields.${NUMBER}`]: 1,
};

takeJob(async (job: WritesJob): Promise<ControlResult> => {
  const { place } = job;
  const client = await MongoClient.connect(place.uri);
  const seen = new Map<number, number>();
  try {
    const stream = client
      .db(place.dbName)
      .collection('tasks')
      .watch([{ $project: SHOWN }], { batchSize: 500 });
    stream.on('change', (change) => note(change, seen));
    const { idle, writing, written, cores } = await runCourse(job, client, work);
    await stream.close();
    await restore(place);
    if (!(total > 0)) throw new Error('nothing was summed up');
    return { together: job.together, idle, writing, visible: visibleOf(written, seen), cores };
  } finally {
    await client.close();
  }
});

function note(change: ChangeStreamDocument, seen: Map<number, number>): void {
  const { fullDocument, updateDescription } = change as Document;
  const number = numberOf((fullDocument ?? updateDescription?.updatedFields)?.[NUMBER]);
  if (number !== undefined) seen.set(number, clock());
}
