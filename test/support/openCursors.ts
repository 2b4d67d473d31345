/** Cursors that a server holds open, as tests of streams and of faults need to know them. */

import type { Document, Long, MongoClient } from 'mongodb';

/**
 * Ids of the cursors on the namespaces that match, whether a command is at work on them or not;
 * each once. The server lists commands first and resting cursors after them, so a cursor whose
 * command ends in between stands in its list twice.
 */
export async function openCursors(client: MongoClient, ns: Document | string): Promise<Long[]> {
  const found = await client
    .db('admin')
    .aggregate(
      [
        { $currentOp: { idleCursors: true, allUsers: true } },
        { $match: { ns, 'cursor.cursorId': { $exists: true } } },
        { $group: { _id: '$cursor.cursorId' } },
      ],
      // The driver would make a number of one id in a thousand.
      { promoteLongs: false },
    )
    .toArray();
  return found.map(({ _id }) => _id);
}
