/** Inserts documents that no driver would send, such as ones whose texts are no UTF-8. */
import { once } from 'node:events';
import net from 'node:net';
import { BSON, MaxKey, type MongoClient, type Timestamp } from 'mongodb';
import { BsonType, endOfName, endOfValue } from '../../../src/store/bson/raw.ts';

/** OP_MSG, https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
const OP_MSG = 2013;

/** @param breakIn breaks the command's bytes in place; left out, every `~` becomes the byte FF */
export async function insertBroken(
  client: MongoClient,
  dbName: string,
  collection: string,
  document: object,
  breakIn = (bytes: Buffer) => replaceAll(bytes, Buffer.from('~'), Buffer.of(0xff)),
): Promise<void> {
  const { n } = await insertRaw(client, dbName, collection, [document], breakIn);
  if (n !== 1) throw new Error('the document was not inserted');
}

/** The server's reply: `n` documents were inserted, all but those with an `_id` that is there already. */
export async function insertRaw(
  client: MongoClient,
  dbName: string,
  collection: string,
  documents: readonly object[],
  breakIn: (bytes: Buffer) => void,
): Promise<{ readonly n: number; readonly operationTime: Timestamp }> {
  const { me, hosts } = await client.db('admin').command({ hello: 1 });
  const [host = '', port = ''] = String(me ?? hosts[0]).split(':');
  const body = Buffer.from(
    BSON.serialize(
      { insert: collection, documents, ordered: false, $db: dbName },
      { ignoreUndefined: true },
    ),
  );
  breakIn(body);
  const header = Buffer.alloc(21);
  header.writeInt32LE(header.length + body.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(OP_MSG, 12);
  const socket = net.connect(Number(port), host);
  socket.write(Buffer.concat([header, body]));
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return BSON.deserialize(reply.subarray(21)) as { n: number; operationTime: Timestamp };
}

/** Replaces in place; the bytes written are as many. */
export function replaceAll(bytes: Buffer, from: Buffer, to: Buffer): void {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from)) bytes.set(to, at);
}

/** Stands for a value that the driver writes as null: BSON's `undefined`, which old programs stored. */
export const UNDEFINED = new MaxKey();

/** Makes `undefined` of its stand-in, in a document's bytes or a command's. */
export function putUndefined(bytes: Buffer, from = 0): Buffer {
  const { maxKey, undefined: type, object, array } = BsonType;
  for (let i = from + 4; bytes[i] !== 0; ) {
    const at = endOfName(bytes, i + 1) + 1;
    const end = endOfValue(bytes, bytes[i]!, at);
    if (bytes[i] === object || bytes[i] === array) putUndefined(bytes, at);
    if (bytes[i] === maxKey) bytes[i] = type;
    i = end;
  }
  return bytes;
}
