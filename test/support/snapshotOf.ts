/** All documents of a collection as they were at a cluster time. */
import type { Db, Document, Timestamp } from 'mongodb';

export function snapshotOf(db: Db, collection: string, at: Timestamp): Promise<Document[]> {
  const readConcern = { level: 'snapshot', atClusterTime: at };
  return db.runCursorCommand({ find: collection, readConcern }).setBatchSize(10_000).toArray();
}
