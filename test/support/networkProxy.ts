/**
 * A TCP proxy in front of a mongod: a network that can be cut, fall silent, or be slow.
 *
 *     client ── near ──▶ lane ──▶ far ── mongod      a lane is one direction, and keeps its order
 *            ◀── near ── lane ◀── far ──
 */
import { once } from 'node:events';
import net from 'node:net';
import { tie } from './tcpProxy.ts';
import { eachMessage } from './wireMessages.ts';

export interface ProxyOptions {
  /** Puts another message in the place of one that the server sends. */
  readonly reply?: (message: Buffer) => Buffer;
  /** The sender of a connection, where the client's bytes tell. */
  readonly sender?: (bytes: Buffer) => string | undefined;
}

export class NetworkProxy {
  readonly #server: net.Server;
  readonly #options: ProxyOptions;
  readonly #open = new Set<net.Socket>();
  readonly #senders = new WeakMap<net.Socket, string>();
  readonly #unheard = new Set<string>();
  #cut = false;
  #silent = false;
  #delayMs = 0;

  private constructor(server: net.Server, options: ProxyOptions) {
    this.#server = server;
    this.#options = options;
  }

  static async to(host: string, port: number, options: ProxyOptions = {}): Promise<NetworkProxy> {
    const server = net.createServer();
    const proxy = new NetworkProxy(server, options);
    server.on('connection', (socket) => proxy.#connect(socket, host, port));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  /** Ends every connection and takes no new one, until `restore`. */
  cut(): void {
    this.#cut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /** Lets nothing through any more, and ends nothing, until `restore`. */
  silence(): void {
    this.#silent = true;
    for (const socket of this.#open) socket.pause();
  }

  /** Does so with the connections of one sender. */
  silenceFrom(sender: string): void {
    this.#unheard.add(sender);
    for (const socket of this.#open) if (this.#senders.get(socket) === sender) socket.pause();
  }

  /** Everything arrives so much later, each way, until `restore`. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  restore(): void {
    this.#cut = false;
    this.#silent = false;
    this.#delayMs = 0;
    this.#unheard.clear();
    for (const socket of this.#open) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(near: net.Socket, host: string, port: number): void {
    if (this.#cut) {
      near.destroy();
      return;
    }
    const far = net.connect(port, host);
    // A small message must not wait for the receipt of the one before it.
    for (const socket of [near, far]) socket.setNoDelay();
    tie(near, far, this.#open);
    const { sender, reply } = this.#options;
    const toServer = this.#lane(far);
    const toClient = this.#lane(near);
    near.on('data', (bytes) => {
      const name = sender?.(bytes);
      if (name !== undefined) this.#know(name, near, far);
      // Bytes that name an unheard sender come again later.
      if (name !== undefined && this.#unheard.has(name)) near.unshift(bytes);
      else toServer(bytes);
    });
    far.on('data', reply ? eachMessage((message) => toClient(reply(message))) : toClient);
    if (!this.#silent) return;
    near.pause();
    far.pause();
  }

  #know(sender: string, near: net.Socket, far: net.Socket): void {
    for (const socket of [near, far]) {
      this.#senders.set(socket, sender);
      if (this.#unheard.has(sender)) socket.pause();
    }
  }

  /** One direction. Late bytes hold back the bytes behind them. */
  #lane(to: net.Socket): (bytes: Buffer) => void {
    const late: { readonly bytes: Buffer; readonly dueAt: number }[] = [];
    const send = () => {
      while (late.length > 0 && late[0]!.dueAt <= performance.now()) to.write(late.shift()!.bytes);
      if (late.length > 0) setTimeout(send, Math.ceil(late[0]!.dueAt - performance.now()));
    };
    return (bytes) => {
      if (this.#delayMs === 0 && late.length === 0) {
        to.write(bytes);
        return;
      }
      late.push({ bytes, dueAt: performance.now() + this.#delayMs });
      if (late.length === 1) setTimeout(send, this.#delayMs);
    };
  }
}
