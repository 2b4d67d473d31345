/** A TCP proxy in front of a mongod that can be cut and mended: a store that is away, for real. */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { firstServer, type Target, tie } from '../support/tcpProxy.ts';

export class Cutter {
  readonly #target: Target;
  readonly #open = new Set<Socket>();
  readonly #other = new WeakMap<Socket, Socket>();
  #server: Server | undefined;
  #port = 0;
  #stuck = false;

  /** In front of the first server of a connection string. */
  constructor(uri: string) {
    this.#target = firstServer(uri);
  }

  /** The way through the proxy. The topology is not asked, since it would name the server itself. */
  get uri(): string {
    return `mongodb://127.0.0.1:${this.#port}/?directConnection=true`;
  }

  /** Reserves the port; nothing listens on it until `mend`. */
  async prepare(): Promise<void> {
    await this.mend();
    await this.cut();
  }

  async mend(): Promise<void> {
    this.#stuck = false;
    const server = createServer((near) => this.#join(near));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Closes all connections, and takes no more. */
  async cut(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
    this.#server = undefined;
  }

  /** Leaves connections open, and lets nothing through any more. */
  jam(): void {
    this.#stuck = true;
    for (const socket of this.#open) socket.unpipe().pause();
  }

  /** Lets held-up bytes through, and all that come. */
  unjam(): void {
    this.#stuck = false;
    for (const socket of this.#open) socket.pipe(this.#other.get(socket)!);
  }

  #join(near: Socket): void {
    const far = connect(this.#target);
    this.#other.set(near, far).set(far, near);
    tie(near, far, this.#open);
    if (this.#stuck) return;
    near.pipe(far);
    far.pipe(near);
  }
}
