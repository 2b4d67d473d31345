/** A TCP proxy in front of a mongod: a network that can be cut, or fall silent. */
import { once } from 'node:events';
import net from 'node:net';
import { tie } from '../../support/tcpProxy.ts';

export class NetworkProxy {
  readonly #server: net.Server;
  readonly #open = new Set<net.Socket>();
  #cut = false;
  #silent = false;

  private constructor(server: net.Server) {
    this.#server = server;
  }

  static async to(host: string, port: number): Promise<NetworkProxy> {
    const server = net.createServer();
    const proxy = new NetworkProxy(server);
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

  restore(): void {
    this.#cut = false;
    this.#silent = false;
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
    tie(near, far, this.#open);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => near.write(data));
    if (!this.#silent) return;
    near.pause();
    far.pause();
  }
}
