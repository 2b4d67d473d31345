/** A peer in a process of its own: a line asks, and a line of JSON answers. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** One question under way at a time. */
export class LineProcess {
  readonly #name: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(name: string, command: string, args: readonly string[]) {
    this.#name = name;
    this.#process = spawn(command, args);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  async send<R>(line: string): Promise<R> {
    this.#process.stdin.write(`${line}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the ${this.#name} process has ended`);
    return JSON.parse(value);
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.stdin.end();
    await new Promise((ended) => this.#process.once('exit', ended));
  }
}

interface Reply {
  readonly version: string;
  readonly ms: number;
  readonly rows: unknown[][][];
}

/** A library of Python: a job is a line of JSON too. */
export class Python extends LineProcess {
  /** @param args the script, and what it is given */
  constructor(name: string, args: readonly string[]) {
    super(name, 'python3', args);
  }

  ask(job: object): Promise<Reply> {
    return this.send(JSON.stringify(job));
  }
}
