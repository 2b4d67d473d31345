/**
 * A mongod that mongodb-memory-server starts, and that ends with this process.
 *
 * The package starts a second process, which looks every two seconds whether this one lives, and
 * ends the mongod if not. After `kill -9` of this process the mongod is gone within 3 s, on a busy
 * machine later.
 *
 * The package takes one piece of output for one line, and parses it as JSON. Two lines in one piece,
 * as a failing mongod writes them, would end this process with a SyntaxError: here each line is
 * passed on by itself. A start fails when the mongod ends; until then errors are only noted. The
 * package's own check connects to a mongod that has no port yet, and prints a warning.
 */

import { once } from 'node:events';
import { MongoInstance } from 'mongodb-memory-server-core';

/** Recovery after a crash replays the journal before the port opens; large data takes its time. */
const READY_WITHIN = 120_000;
/** Error lines that a failed start tells. */
const ERRORS_KEPT = 3;

export interface MongodOptions {
  /** The binary, and its version as x.y.z. */
  readonly path: string;
  readonly version: string;
  readonly port: number;
  readonly dbPath: string;
  /** Name of its replica set; a server of its own has none. */
  readonly replSet?: string;
  /** Members of a set with accounts know one another by it. */
  readonly keyFile?: string;
  readonly args?: readonly string[];
}

export class Mongod extends MongoInstance {
  readonly port: number;
  #rest = '';
  #errors: string[] = [];

  constructor(options: MongodOptions) {
    const { path, version, port, dbPath, replSet, keyFile, args = [] } = options;
    super({
      binary: { systemBinary: path, version },
      // Ctrl-C at a terminal reaches this process alone: work under way can finish.
      spawn: { detached: true },
      instance: {
        port,
        dbPath,
        ip: '127.0.0.1',
        launchTimeout: READY_WITHIN,
        ...(replSet !== undefined && { replSet }),
        ...(keyFile !== undefined && { auth: true, keyfileLocation: keyFile }),
        // A socket file in /tmp would be a second way in.
        args: ['--nounixsocket', ...args],
      },
    });
    this.port = port;
  }

  /** Process id, while it runs. */
  get pid(): number | undefined {
    const { pid, exitCode = null, signalCode = null } = this.mongodProcess ?? {};
    return exitCode === null && signalCode === null ? pid : undefined;
  }

  /** Its latest errors, a line each. */
  get errors(): string {
    return this.#errors.join('\n');
  }

  /** Resolves when it ends. */
  async ended(): Promise<void> {
    if (this.pid !== undefined) await once(this, 'instanceClosed');
  }

  /** Ends it the hard way. */
  async kill(): Promise<void> {
    const ended = this.ended();
    this.mongodProcess?.kill('SIGKILL');
    await ended;
    await this.stop();
  }

  override stdoutHandler(piece: string | Buffer): void {
    const lines = `${this.#rest}${piece}`.split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) super.stdoutHandler(line);
  }

  protected override checkErrorInLine(line: string): void {
    if (line.startsWith('{') && !/"s":"[EF]"/.test(line)) return;
    this.#errors = [...this.#errors, readable(line)].slice(-ERRORS_KEPT);
  }
}

function readable(line: string): string {
  try {
    const { msg, attr } = JSON.parse(line);
    return attr === undefined ? msg : `${msg} ${JSON.stringify(attr)}`;
  } catch {
    return line;
  }
}
