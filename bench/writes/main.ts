/**
 * Searching while others write: is it slower than on an idle store, how soon are changes seen, and
 * is any lost.
 *
 *     idle     searches at a steady rate ───────────────────────────► p99
 *     writing  searches at the same rate ───────────────────────────► p99
 *              writer process: a numbered change, acknowledged by the majority at t
 *              this process: the number is in the table, at t′       ► t′ − t
 *     after    every number was seen; the table equals the store
 *
 * Both processes read the same monotonic clock. A change's number is its `date_done`, which no other
 * task has. When all is measured the writer puts the store back as it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row, TextTable } from '../../src/textindex/index.ts';
import { type IndexUnderTest, openIndex, taskReading } from '../indexUnderTest.ts';
import { takeJob } from '../job.ts';
import { randomMix } from '../questions.ts';
import { takeSample } from '../sample.ts';
import type { Question } from '../searches.ts';
import type { Place } from '../store.ts';
import { clock, numberOf, type Visible, visibleOf } from './changes.ts';
import { type Cores, restore, runCourse, type WritesJob } from './course.ts';
import type { SearchTimes } from './searching.ts';

export interface WritesResult {
  /** Documents that one write changed. */
  readonly together: number;
  readonly changes: number;
  readonly perSecond: number;
  readonly idle: SearchTimes;
  readonly writing: SearchTimes;
  /** From the majority's acknowledgement to the table, milliseconds. */
  readonly visible: Visible;
  /** Rows that differ from the store afterwards. */
  readonly differing: number;
  readonly cores: Cores;
}

takeJob(async (job: WritesJob): Promise<WritesResult> => {
  const { place } = job;
  // A run that was cut left its changes in a store that is kept.
  await restore(place);
  const seen = new Map<number, number>();
  const index = await openIndex(place, { around: (table) => watched(table, seen) });
  try {
    await sleep(3_000); // maintenance of the load
    const sample = await takeSample(index.client.db(place.dbName), place.tasks);
    const questions = randomMix(sample, 31, 20_000);
    const search = (n: number) => index.ask(questions[n % questions.length]!);
    if (seen.size > 0) throw new Error('the store still has changes of an earlier run');
    const { idle, writing, written, cores } = await runCourse(job, index.client, search);
    const differing = await compare(index, place, questions);
    await restore(place);
    return {
      together: job.together,
      changes: written.acknowledged.length,
      perSecond: (written.acknowledged.length / written.ms) * 1_000,
      idle,
      writing,
      visible: visibleOf(written, seen),
      differing,
      cores,
    };
  } finally {
    await index.close();
  }
});

/** The table of tasks, noting when each change's number is there to be found. */
function watched(table: TextTable, seen: Map<number, number>): TextTable {
  if (table.definition.name !== 'tasks') return table;
  const done = taskReading().columns.indexOf('date_done');
  let fresh: number[] = [];
  const put = table.put.bind(table);
  // An advance is one synchronous step: a microtask sees the state after it.
  const note = () => {
    const now = clock();
    for (const number of fresh) if (!seen.has(number)) seen.set(number, now);
    fresh = [];
  };
  table.put = (row: Row) => {
    put(row);
    const number = numberOf(row.cells[done]!);
    if (number === undefined) return;
    if (fresh.length === 0) queueMicrotask(note);
    fresh.push(number);
  };
  return table;
}

/** Rows that are not in the table as they are in the store: one search for each task. */
async function compare(
  index: IndexUnderTest,
  { dbName, tasks }: Place,
  questions: readonly Question[],
): Promise<number> {
  const { projection, extract, columns, definition } = taskReading();
  const table = index.table('tasks');
  const cursor = index.client.db(dbName).collection('tasks').find({}, { projection, raw: true });
  const at = columns.indexOf('task_id');
  const status = columns.indexOf('status');
  let [differing, rows] = [0, 0];
  while (await cursor.hasNext()) {
    for (const raw of cursor.readBufferedDocuments()) {
      const { id, cells } = extract(raw as unknown as Uint8Array);
      rows++;
      if (numberOf(cells[columns.indexOf('date_done')]!) === undefined) continue;
      const found = table.search({
        where: {
          op: 'and',
          of: [
            { op: 'equals', column: 'task_id', values: [cells[at] as string] },
            { op: 'contains', column: 'status', text: String(cells[status]) },
          ],
        },
        sortBy: 'date_done',
        descending: true,
        page: 1,
        perPage: 10,
      });
      if (found.total !== 1 || found.ids[0] !== id) differing++;
    }
  }
  if (rows !== table.size)
    throw new Error(`${rows} tasks stored, ${table.size} in ${definition.name}`);
  if (rows < tasks) throw new Error('tasks are missing in the store');
  for (const question of questions.slice(0, 10)) {
    const [ours, theirs] = [index.ask(question), await index.askPipeline(question)];
    if (ours.total !== theirs.total || String(ours.ids) !== String(theirs.ids)) differing++;
  }
  return differing;
}
