/**
 * A bare scan reads a load's fields as raw BSON, fields of rests too, and ignores them. No load can be
 * quicker.
 */
import { type Db, MongoClient } from 'mongodb';
import type { Resource } from '../src/tables/definition/definition.ts';
import { product } from './product.ts';
import type { Place } from './store.ts';

const { readingOf } =
  await product<typeof import('../src/tables/rows/reading.ts')>('tables/rows/reading');
const { restLayout } = await product<typeof import('../src/tables/rows/rests/restLayout.ts')>(
  'tables/rows/rests/restLayout',
);
const { tableLayout } = await product<typeof import('../src/tables/definition/tableDefinition.ts')>(
  'tables/definition/tableDefinition',
);
const { RESOURCES } = await product<typeof import('../src/apps/admin/resources/index.ts')>(
  'apps/admin/resources/index',
);

/** Documents a second, of a collection with so many at least. */
export async function bareScan(db: Db, resource: Resource, count: number): Promise<number> {
  const layout = tableLayout(resource);
  const { projection } = readingOf(layout, restLayout(resource, layout));
  const started = performance.now();
  const cursor = db.collection(resource.collection).find({}, { projection, raw: true });
  let read = 0;
  while (await cursor.hasNext()) read += cursor.readBufferedDocuments().length;
  if (read < count) throw new Error(`read ${read} of ${count}`);
  return (read / (performance.now() - started)) * 1_000;
}

/** Tasks a second. */
export async function bareScanOfTasks({ uri, dbName, tasks }: Place): Promise<number> {
  const client = await MongoClient.connect(uri);
  try {
    return await bareScan(client.db(dbName), RESOURCES.tasks, tasks);
  } finally {
    await client.close();
  }
}
