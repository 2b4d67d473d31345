/**
 * Commands to a mongod as bytes, without a driver: a driver's half a millisecond for a write would
 * be missing for the service where all share two cores.
 *
 *     command ──► a connection that is free, or a new one ──► OP_MSG ──► reply
 *
 * Where the store cannot keep up, commands wait for one of so many connections: each takes a file of the store's, and
 * a mongod without files ends.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { eachMessage } from '../../../test/support/wireMessages.ts';

/** Length, request, response to, operation; flags; kind of the one section. */
const HEAD_BYTES = 21;
const OP_MSG = 2013;

/** Two writes a millisecond, of which each takes half a second. */
const MAX_CONNECTIONS = 1_000;

export class Wire {
  readonly #host: string;
  readonly #port: number;
  readonly #free: Connection[] = [];
  readonly #all: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];
  /** Connections there are, or will be in a moment. */
  #count = 0;

  /** @param uri of a server that asks for no credentials */
  constructor(uri: string) {
    const { hostname, port } = new URL(uri.replace(/^mongodb:/, 'http:'));
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** Opens so many connections, for as many commands at once. */
  async open(count: number): Promise<void> {
    while (this.#count < count) this.#free.push(await this.#connect());
  }

  /** The reply; rejects where that is an error, of the command or of one of its writes. */
  async send(command: Document): Promise<Document> {
    const connection = this.#free.pop() ?? (await this.#another());
    const reply = await connection.send(command);
    const next = this.#waiting.shift();
    if (next) next(connection);
    else this.#free.push(connection);
    if (reply.ok === 1 && !reply.writeErrors && !reply.writeConcernError) return reply;
    throw new Error(`a write failed: ${JSON.stringify(reply)}`);
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #another(): Promise<Connection> {
    if (this.#count < MAX_CONNECTIONS) return this.#connect();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #connect(): Promise<Connection> {
    this.#count++;
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    await once(socket, 'connect');
    const connection = new Connection(socket);
    this.#all.push(connection);
    return connection;
  }
}

/** One command at a time. */
class Connection {
  readonly #socket: Socket;
  #settle: { resolve(reply: Document): void; reject(error: Error): void } | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    const take = eachMessage((message) => this.#take(message));
    socket.on('data', take);
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  send(command: Document): Promise<Document> {
    const body = BSON.serialize(command, { ignoreUndefined: true });
    const message = Buffer.alloc(HEAD_BYTES + body.length);
    message.writeInt32LE(message.length, 0);
    message.writeInt32LE(1, 4);
    message.writeInt32LE(OP_MSG, 12);
    message.set(body, HEAD_BYTES);
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(message);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(message: Buffer): void {
    this.#settle?.resolve(BSON.deserialize(message.subarray(HEAD_BYTES)));
    this.#settle = undefined;
  }
}
