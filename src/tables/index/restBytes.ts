/**
 * Bounds the bytes that the rests of all tables take together.
 *
 * A page whose rests are gone is read from the store, and so are rights. While the store is away,
 * nobody is let in without the rows that rights are read from: these leave memory last.
 */
import type { ResourceTable } from './resourceTable.ts';

type RestTable = Pick<ResourceTable, 'resource' | 'table' | 'odd'>;

export function restBytesOf(tables: Iterable<RestTable>): number {
  let bytes = 0;
  for (const { table, odd } of tables) bytes += table.restBytes + odd.bytes;
  return bytes;
}

/**
 * The table whose rests take most drops its oldest rests. Tables kept longest have all bytes if they
 * need them, and the others share the remainder: else a large table would drive the rights out. Four
 * bytes for each row's place, and odd documents, cannot be dropped and come on top.
 */
export function boundRests(tables: Iterable<RestTable>, most: number): void {
  const all = [...tables];
  const longest = all.filter(({ resource }) => resource.keptLongest);
  const others = all.filter(({ resource }) => !resource.keptLongest);
  while (restBytesOf(all) > most && dropOldest(others));
  while (restBytesOf(longest) > most && dropOldest(longest));
}

/** False when there are none. */
const dropOldest = (tables: readonly RestTable[]): boolean =>
  tables
    .toSorted((a, b) => b.table.restBytes - a.table.restBytes)
    .some(({ table }) => table.ask('dropOldestRests'));
