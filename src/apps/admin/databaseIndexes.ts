/** The database indexes of the service's own collections. */
import type { Db } from 'mongodb';
import { type DatabaseIndexes, ensureIndexes } from '../../store/indexes.ts';
import { COLLECTIONS } from './documents.ts';
import { RESOURCES } from './resources/index.ts';

const ofResources = Object.values(RESOURCES).map(({ collection, indexes }) => [
  collection,
  indexes,
]);

export const DATABASE_INDEXES: DatabaseIndexes = {
  ...Object.fromEntries(ofResources),
  // A task's log in order.
  [COLLECTIONS.taskLogs]: [{ key: { task_id: 1, seq: 1 }, unique: true }],
};

/** Creates missing indexes and returns their names, by collection; throws as `ensureIndexes`. */
export const buildIndexes = (db: Db) => ensureIndexes(db, DATABASE_INDEXES);
