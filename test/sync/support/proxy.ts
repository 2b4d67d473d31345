/** A TCP proxy in front of a mongod: a network that can be cut, or fall silent. */
import { once } from 'node:events';
import net from 'node:net';

export class NetworkProxy {
  readonly #server: net.Server;
  readonly #pairs = new Set<[net.Socket, net.Socket]>();
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
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Lets nothing through any more, and ends nothing, until `restore`. */
  silence(): void {
    this.#silent = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  restore(): void {
    this.#cut = false;
    this.#silent = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
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
    const pair: [net.Socket, net.Socket] = [near, far];
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (data) => to.write(data));
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
      if (this.#silent) from.pause();
    }
  }
}
