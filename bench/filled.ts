/** A table of rows, with its orders and maintenance done. */
import type { Row, TextTable } from '../src/textindex/index.ts';
import type { World } from '../test/worlds/tasks.ts';
import { time } from './measure.ts';

/** Rows that are made before they are put, so that the time of making them is none of the table's. */
const BATCH = 5_000;

/**
 * Fills a table with rows, and with the names of this world's projects.
 *
 * @returns the milliseconds of the rows, and of the work after a load
 */
export function fill(
  table: TextTable,
  rows: Iterable<Row>,
  { projects }: Pick<World, 'projects'> = { projects: [] },
): { readonly putMs: number; readonly afterMs: number } {
  for (const { id, name } of projects) table.relate('project_id', id, 'project_name', [name]);
  let putMs = 0;
  let batch: Row[] = [];
  const put = () => {
    putMs += time(() => {
      for (const row of batch) table.put(row);
    });
    batch = [];
  };
  for (const row of rows) if (batch.push(row) === BATCH) put();
  put();
  const afterMs = time(() => {
    while (table.sort(50));
    while (table.maintain(50));
  });
  return { putMs, afterMs };
}
