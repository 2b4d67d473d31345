/**
 * A TCP proxy that makes a replica set greet like the router of a sharded cluster, of which no
 * binary can be had everywhere. All else is the server's own doing.
 *
 * ```
 * client ── hello ──▶ proxy ──▶ mongod
 *        ◀─ {msg: isdbgrid} ─ proxy ◀── {setName, hosts, …}
 * ```
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { firstServer, type Target, tie } from '../support/tcpProxy.ts';
import { eachMessage } from '../support/wireMessages.ts';

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

export class RouterProxy {
  readonly #target: Target;
  readonly #open = new Set<Socket>();
  readonly #server: Server;

  /** In front of the first server of a connection string. */
  constructor(uri: string) {
    this.#target = firstServer(uri);
    this.#server = createServer((near) => this.#join(near));
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get uri(): string {
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #join(near: Socket): void {
    const far = connect(this.#target);
    near.on('data', (bytes) => far.write(bytes));
    far.on(
      'data',
      eachMessage((message) => near.write(asRouter(message))),
    );
    tie(near, far, this.#open);
  }
}

/** The message as it is, or a router's in place of a replica set member's greeting. */
function asRouter(message: Buffer): Buffer {
  const kind = [OP_REPLY, OP_MSG].find(({ code }) => code === message.readInt32LE(12));
  if (!kind || !/isWritablePrimary|ismaster/.test(message.toString('latin1'))) return message;
  const greeting: Document = BSON.deserialize(message.subarray(kind.documentAt));
  for (const name of OF_A_REPLICA_SET) delete greeting[name];
  const document = BSON.serialize({ ...greeting, msg: 'isdbgrid' });
  const router = Buffer.concat([message.subarray(0, kind.documentAt), document]);
  router.writeInt32LE(router.length, 0);
  return router;
}
