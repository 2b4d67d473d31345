/**
 * The greeting of a sharded cluster's router, of which no binary can be had everywhere, in place of a replica
 * set's. A proxy takes it for its `reply`; all else is the server's own doing.
 *
 * ```
 * client ── hello ──▶ proxy ──▶ mongod
 *        ◀─ {msg: isdbgrid} ─ proxy ◀── {setName, hosts, …}
 * ```
 */
import { BSON, type Document } from 'mongodb';

/** Members that a router's greeting does not have. */
const OF_A_REPLICA_SET = [
  'setName',
  'setVersion',
  'hosts',
  'primary',
  'me',
  'electionId',
  'lastWrite',
  'secondary',
  'topologyVersion',
];

/**
 * Bytes before the document: the header, the flags, and the parts that depend on the kind of
 * message.
 */
const OP_REPLY = { code: 1, documentAt: 36 };
const OP_MSG = { code: 2013, documentAt: 21 };

/** The message as it is, or a router's in place of a replica set member's greeting. */
export function asRouter(message: Buffer): Buffer {
  const kind = [OP_REPLY, OP_MSG].find(({ code }) => code === message.readInt32LE(12));
  if (!kind || !/isWritablePrimary|ismaster/.test(message.toString('latin1'))) return message;
  const greeting: Document = BSON.deserialize(message.subarray(kind.documentAt));
  for (const name of OF_A_REPLICA_SET) delete greeting[name];
  const document = BSON.serialize({ ...greeting, msg: 'isdbgrid' });
  const router = Buffer.concat([message.subarray(0, kind.documentAt), document]);
  router.writeInt32LE(router.length, 0);
  return router;
}
