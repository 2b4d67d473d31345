/** Whether the deployment can be followed exactly, and if not, why, in words for `/readyz`. */
import type { MongoClient } from 'mongodb';
import { isFromRouter } from '../store/hello.ts';

/** MongoDB 6.0, the first whose reads can name a collection by UUID. */
const WIRE_VERSION = 17;

/**
 * Null when it can.
 *
 * @throws when it may well be able to in a moment
 */
export async function unfollowable(client: MongoClient): Promise<string | null> {
  const hello = await client.db('admin').command({ hello: 1 });
  if (isFromRouter(hello)) {
    return 'sharded cluster: a transaction across shards is visible before its time in the stream';
  }
  if (typeof hello.setName !== 'string') return 'standalone server: it has no change streams';
  if (hello.maxWireVersion < WIRE_VERSION) return 'the server is older than MongoDB 6.0';
  if (!hello.isWritablePrimary) throw new Error('the server is not primary at the moment');
  return null;
}
