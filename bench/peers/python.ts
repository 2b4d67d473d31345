/** A peer that is a library of Python, in a process of its own: a line of JSON asks, one answers. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

interface Reply {
  readonly version: string;
  readonly ms: number;
  readonly rows: unknown[][][];
}

/** One question under way at a time. */
export class Python {
  readonly #name: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  /** @param args the script, and what it is given */
  constructor(name: string, args: readonly string[]) {
    this.#name = name;
    this.#process = spawn('python3', args);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  async send(job: object): Promise<Reply> {
    this.#process.stdin.write(`${JSON.stringify(job)}\n`);
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
