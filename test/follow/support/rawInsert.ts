/** Inserts a document that no driver would send, such as one whose texts are no UTF-8. */
import { once } from 'node:events';
import net from 'node:net';
import { BSON, type MongoClient } from 'mongodb';

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
  const { me, hosts } = await client.db('admin').command({ hello: 1 });
  const [host = '', port = ''] = String(me ?? hosts[0]).split(':');
  const body = Buffer.from(
    BSON.serialize({ insert: collection, documents: [document], $db: dbName }),
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
  const { n } = BSON.deserialize(reply.subarray(21));
  if (n !== 1) throw new Error('the document was not inserted');
}

/** Replaces in place; the bytes written are as many. */
export function replaceAll(bytes: Buffer, from: Buffer, to: Buffer): void {
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from)) bytes.set(to, at);
}
