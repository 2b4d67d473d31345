/**
 * Writes at a steady rate as workers do: tasks end, others are queued. Each write is one command,
 * changes as many documents as the job says, and is acknowledged by the majority.
 *
 *     write     4 of 5: tasks' status and date_done, which they remember in `was`    1 of 5: copies
 *     restore   what `was` says, and no copies: the store is what it was before
 */
import { type Collection, type Document, MongoClient } from 'mongodb';
import { takeJob } from '../../job.ts';
import {
  changedId,
  clock,
  dateOf,
  isInsert,
  type RestoreJob,
  type WriterJob,
  type Written,
} from '../changes.ts';
import { Wire } from './wire.ts';

interface Task extends Document {
  _id: number;
}

const TASKS = 'tasks';

/** Writes under way at first; more are opened when they are needed. */
const CONNECTIONS = 16;

/** The `_id`s of copies. */
const COPIES_FROM = 1_000_000_000;

takeJob(async (job: WriterJob | RestoreJob): Promise<Written> => {
  const client = await MongoClient.connect(job.place.uri, { writeConcern: { w: 'majority' } });
  try {
    const tasks = client.db(job.place.dbName).collection<Task>(TASKS);
    return job.task === 'write' ? await write(tasks, job) : await restore(tasks);
  } finally {
    await client.close();
  }
});

async function write(tasks: Collection<Task>, job: WriterJob): Promise<Written> {
  const { rate, count, together, place, startAt } = job;
  const idOf = changedId(place.tasks, count);
  const copies = await copiesFor(tasks, job, idOf);
  const wire = new Wire(place.uri);
  await wire.open(CONNECTIONS);
  const acknowledged: [number, number][] = [];
  const under: Promise<void>[] = [];
  if (clock() > startAt) throw new Error('the writer was not ready in time');
  for (let first = 0; first < count; first += together) {
    const wait = startAt + (first * 1_000) / rate - clock();
    if (wait > 1) await new Promise((done) => setTimeout(done, wait));
    const length = Math.min(together, count - first);
    const numbers = Array.from({ length }, (_, n) => first + n);
    const command = { ...commandOf(numbers, idOf, copies), $db: place.dbName };
    const written = wire.send(command).then(({ n }) => {
      if (n !== length) throw new Error(`${n} of ${length} changes were made`);
      const at = clock();
      for (const number of numbers) acknowledged.push([number, at]);
    });
    under.push(written);
  }
  await Promise.all(under);
  wire.close();
  return { acknowledged, ms: clock() - startAt };
}

function commandOf(
  numbers: readonly number[],
  idOf: (number: number) => number,
  copies: ReadonlyMap<number, Task>,
): Document {
  const set = (number: number) => ({ status: 'SUCCESS', date_done: dateOf(number) });
  const more = { ordered: false, writeConcern: { w: 'majority' } };
  if (copies.has(numbers[0]!)) {
    const documents = numbers.map((number) => ({ ...copies.get(number)!, ...set(number) }));
    return { insert: TASKS, documents, ...more };
  }
  const updates = numbers.map((number) => ({
    q: { _id: idOf(number) },
    u: [{ $set: { was: WAS } }, { $set: set(number) }],
  }));
  return { update: TASKS, updates, ...more };
}

/** The members that a change writes over. */
const WAS = { status: '$status', date_done: '$date_done' };

/** The tasks to insert, by the number of the change: other ones under ids of their own. */
async function copiesFor(
  tasks: Collection<Task>,
  { count, together }: WriterJob,
  idOf: (number: number) => number,
): Promise<Map<number, Task>> {
  const all = Array.from({ length: count }, (_, number) => number);
  const numbers = all.filter((number) => isInsert(number, together));
  const found = await tasks.find({ _id: { $in: numbers.map(idOf) } }).toArray();
  const originals = new Map(found.map((task) => [task._id, task]));
  return new Map(
    numbers.map((number) => {
      const { task_id, ...original } = originals.get(idOf(number))!;
      const digits = [...String(task_id).replaceAll('-', '')].reverse().join('');
      const parts = digits.match(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/)!.slice(1);
      return [number, { ...original, task_id: parts.join('-'), _id: COPIES_FROM + number }];
    }),
  );
}

async function restore(tasks: Collection<Task>): Promise<Written> {
  await tasks.deleteMany({ _id: { $gte: COPIES_FROM } });
  const back = { status: '$was.status', date_done: '$was.date_done' };
  await tasks.updateMany({ date_done: { $gte: dateOf(0) } }, [{ $set: back }, { $unset: 'was' }]);
  return { acknowledged: [], ms: 0 };
}
