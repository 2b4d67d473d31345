/**
 * A TCP proxy in front of a mongod or a service: a network that can be cut, fall silent, be slow, or lose replies.
 *
 *     client ── near ──▶ lane ──▶ far ── server      a lane is one direction, and keeps its order
 *            ◀── near ── lane ◀── far ──
 */
import { once } from 'node:events';
import net from 'node:net';
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
  #losing = { command: '', times: 0, thenCut: false };

  private constructor(server: net.Server, options: ProxyOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** In front of the first server of an address, which is a connection string or a service's. */
  static async to(address: string, options: ProxyOptions = {}): Promise<NetworkProxy> {
    const { hostname, port } = new URL(address.replace(/^mongodb:/, 'http:'));
    const server = net.createServer();
    const proxy = new NetworkProxy(server, options);
    server.on('connection', (near) => proxy.#join(near, net.connect(Number(port), hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  /** The way to a service. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The way to a mongod. The topology is not asked, since it would name the server itself. */
  get uri(): string {
    return `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
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

  /**
   * Ends connections in place of passing on the next replies to this command: it is applied, and its fate
   * unknown. `thenCut`: the last one cuts all.
   */
  loseReplies(command: string, { times = 1, thenCut = false } = {}): void {
    this.#losing = { command, times, thenCut };
  }

  /** Replies that are still to be lost. */
  get toLose(): number {
    return this.#losing.times;
  }

  restore(): void {
    this.#cut = false;
    this.#losing.times = 0;
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

  #join(near: net.Socket, far: net.Socket): void {
    tie(near, far, this.#open);
    if (this.#cut) {
      near.destroy();
      return;
    }
    // A small message must not wait for the receipt of the one before it.
    for (const socket of [near, far]) socket.setNoDelay();
    const { sender, reply } = this.#options;
    const toServer = this.#lane(far);
    const toClient = this.#lane(near);
    let isAwaited = false;
    near.on('data', (bytes) => {
      isAwaited ||= this.#isToLose(bytes);
      const name = sender?.(bytes);
      if (name !== undefined) this.#know(name, near, far);
      // Bytes that name an unheard sender come again later.
      if (name !== undefined && this.#unheard.has(name)) near.unshift(bytes);
      else toServer(bytes);
    });
    const pass = reply ? eachMessage((message) => toClient(reply(message))) : toClient;
    far.on('data', (bytes) => {
      if (isAwaited && this.#losing.times > 0) this.#lose(near);
      else pass(bytes);
    });
    if (!this.#silent) return;
    near.pause();
    far.pause();
  }

  /** A command's name is the first key of its document, as plain text after its type byte. */
  #isToLose(bytes: Buffer): boolean {
    const { command, times } = this.#losing;
    return times > 0 && ['\x10', '\x02'].some((type) => bytes.includes(`${type}${command}\0`));
  }

  #lose(near: net.Socket): void {
    this.#losing.times -= 1;
    if (this.#losing.times === 0 && this.#losing.thenCut) this.cut();
    else near.destroy();
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

/** Each ends when the other one does; both are in `open` until they have ended. */
function tie(near: net.Socket, far: net.Socket, open: Set<net.Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  }
}
