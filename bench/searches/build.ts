/**
 * How fast a table of tasks is built from what is read, and how many changes a second it takes.
 *
 *     raw documents ──► extract ──► rows ──► put, in slices of 256 ──► upkeep, in slices of 4 ms
 *
 * Reading from the store is not counted, nor is anything that the store does.
 */
import type { Db } from 'mongodb';
import type { Row } from '../../src/textindex/api.ts';
import { type IndexUnderTest, taskReading } from '../indexUnderTest.ts';
import { product } from '../product.ts';
import { percentile, time } from '../textindex/measure.ts';
import { random } from '../textindex/tasks.ts';

const { createIndex } =
  await product<typeof import('../../src/textindex/index.ts')>('textindex/index');

export interface BuildResult {
  /** Rows a second into the table, upkeep included. */
  readonly rowsPerSecond: number;
  /** The same with taking documents apart. */
  readonly documentsPerSecond: number;
  /** Milliseconds of the slices of work. */
  readonly sliceP999: number;
  readonly sliceMax: number;
  /** Changed rows a second, one after the other as fast as they go, upkeep included. */
  readonly changesPerSecond: number;
}

const SLICE = 256;
const UPKEEP_MS = 4;
const CHANGES = 200_000;
const BATCH = 1_000;

export async function buildTasks(db: Db, { fold }: IndexUnderTest): Promise<BuildResult> {
  const { definition, projection, extract, columns } = taskReading();
  const table = createIndex(definition, { fold });
  const slices: number[] = [];
  const kept: Row[] = [];
  let extracting = 0;
  let count = 0;
  const cursor = db.collection('tasks').find({}, { projection, raw: true });
  while (await cursor.hasNext()) {
    const documents = cursor.readBufferedDocuments() as unknown as Uint8Array[];
    for (let from = 0; from < documents.length; from += SLICE) {
      const rows: Row[] = [];
      extracting += time(() => {
        for (const document of documents.slice(from, from + SLICE)) rows.push(extract(document));
      });
      slices.push(
        time(() => {
          for (const row of rows) table.put(row);
        }),
      );
      slices.push(time(() => table.maintain(UPKEEP_MS)));
      count += rows.length;
      if (kept.length < 20_000) kept.push(...rows);
    }
  }
  for (let more = true; more; ) {
    slices.push(
      time(() => {
        more = table.maintain(UPKEEP_MS);
      }),
    );
  }
  const building = slices.reduce((sum, ms) => sum + ms, 0);
  return {
    rowsPerSecond: (count / building) * 1000,
    documentsPerSecond: (count / (building + extracting)) * 1000,
    sliceP999: percentile(slices, 0.999),
    sliceMax: Math.max(...slices),
    changesPerSecond: saturate(table, kept, columns),
  };
}

/** States move on, dates are set, one in five is a new task, as workers write. */
function saturate(
  table: ReturnType<typeof createIndex>,
  rows: readonly Row[],
  columns: readonly string[],
): number {
  const next = random(29);
  const place = (name: string) => columns.indexOf(name);
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  let fresh = 1_000_000_000;
  let spent = 0;
  for (let changed = 0; changed < CHANGES; changed += BATCH) {
    const batch = Array.from({ length: BATCH }, (): Row => {
      const row = rows[Math.floor(next() * rows.length)]!;
      const cells = [...row.cells];
      cells[place('status')] = ['STARTED', 'SUCCESS', 'FAILURE'][Math.floor(next() * 3)]!;
      cells[place('date_done')] = new Date(Date.UTC(2026, 0, 1) + Math.floor(next() * 1e9));
      if (next() >= 0.2) return { id: row.id, cells };
      cells[place('task_id')] = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
      return { id: fresh++, cells };
    });
    spent += time(() => {
      for (const row of batch) table.put(row);
      table.maintain(1);
    });
  }
  spent += time(() => {
    while (table.maintain(UPKEEP_MS));
  });
  return (CHANGES / spent) * 1000;
}
