/** A table of synthetic tasks, with its orders and maintenance done. */
import type { TextTable } from '../src/textindex/index.ts';
import type { Task, World } from '../test/worlds/tasks.ts';
import { time } from './measure.ts';

/**
 * Fills a table with rows of this world.
 *
 * @returns the milliseconds of the rows, and of the work after a load
 */
export function fill(
  table: TextTable,
  { projects }: World,
  rows: Iterable<Task>,
): { readonly putMs: number; readonly afterMs: number } {
  for (const { id, name } of projects) table.relate('project_id', id, 'project_name', [name]);
  const putMs = time(() => {
    for (const row of rows) table.put(row);
  });
  const afterMs = time(() => {
    while (table.sort(50));
    while (table.maintain(50));
  });
  return { putMs, afterMs };
}
