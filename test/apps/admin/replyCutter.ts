/**
 * A TCP proxy in front of a mongod. It lets a command through, waits for the server's reply, and
 * cuts the connection instead of passing the reply on: the command is applied, and its fate
 * unknown.
 *
 * ```
 * client ── commitTransaction ──▶ proxy ──▶ mongod
 *        ╳───────────────────────  proxy ◀── {ok: 1}
 * ```
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { firstServer, type Target, tie } from '../../support/tcpProxy.ts';

export class ReplyCutter {
  /** Replies cut so far. */
  cuts = 0;
  readonly #target: Target;
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  #command = '';
  #left = 0;
  #thenDown = false;
  #down = false;

  /** In front of the first server of a connection string. */
  constructor(uri: string) {
    this.#target = firstServer(uri);
    this.#server = createServer((near) => this.#join(near));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** The way through the proxy. The topology is not asked, since it would name the server itself. */
  get uri(): string {
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}/?directConnection=true`;
  }

  /** Cuts the next replies to this command; `thenDown`: the last cut takes the whole store away. */
  cut(command: string, { times = 1, thenDown = false } = {}): void {
    this.#command = command;
    this.#left = times;
    this.#thenDown = thenDown;
  }

  mend(): void {
    this.#down = false;
    this.#left = 0;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #join(near: Socket): void {
    if (this.#down) {
      near.destroy();
      return;
    }
    const far = connect(this.#target);
    let asked = false;
    near.on('data', (bytes) => {
      // A command's name is the first key of its document, as plain text after its type byte.
      if (this.#left > 0 && bytes.includes(`\x10${this.#command}\0`)) asked = true;
      else if (this.#left > 0 && bytes.includes(`\x02${this.#command}\0`)) asked = true;
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!(asked && this.#left > 0)) {
        near.write(bytes);
        return;
      }
      this.#left -= 1;
      this.cuts += 1;
      if (this.#left === 0 && this.#thenDown) this.#down = true;
      for (const socket of this.#down ? [...this.#open] : [near, far]) socket.destroy();
    });
    tie(near, far, this.#open);
  }
}
