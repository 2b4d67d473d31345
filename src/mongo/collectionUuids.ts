/**
 * Which collections some names stand for, as one text that changes when one of them is dropped,
 * renamed or made.
 *
 * A read at an earlier moment goes by what the name stands for now: a collection that is gone reads
 * as empty, also at a moment at which it was there. So whoever reads twice at one moment has to see
 * that the names still stand for the same.
 */
import type { Db } from 'mongodb';

export async function collectionUuids(
  db: Db,
  names: readonly string[],
  timeoutMs: number,
): Promise<string> {
  const found = await db
    .listCollections({ name: { $in: [...names] } }, { nameOnly: false, maxTimeMS: timeoutMs })
    .toArray();
  return found
    .map(({ name, type, info }) => `${name} ${info?.uuid ?? type}`)
    .sort()
    .join('\n');
}
