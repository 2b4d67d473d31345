/** An instance of the service as a process of its own, and its log. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mintToken } from '../../src/serve/auth/mint.ts';
import { until } from '../support/until.ts';
import { waitedMsOf } from '../support/usage.ts';
import { DEFINITION } from './ownTable.ts';

const SECRET = 'a secret of the fault suite, of more than 32 bytes';

export interface Launch {
  /** Arguments of node that run the service. */
  readonly main: readonly string[];
  readonly uri: string;
  readonly dbName: string;
  /** A folder of each instance's name in it has its checkpoint. */
  readonly checkpoints: string;
}

/** The file that an instance of this name goes on from; it is there once it is whole. */
export const checkpointOf = ({ checkpoints, dbName }: Launch, name: string): string =>
  join(checkpoints, name, `${dbName}.checkpoint`);

type Line = Readonly<Record<string, unknown>>;

/** Lines of the log that are kept. */
const KEPT = 2_000;
/** The time that a process has for its start, on a busy machine. */
const START_MS = 60_000;

/** A process that may not listen yet. */
interface Begun {
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly lines: readonly Line[];
}

export class Instance {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #exited: Promise<number | null>;

  private constructor(
    name: string,
    child: ChildProcess,
    exited: Promise<number | null>,
    url: string,
    lines: readonly Line[],
  ) {
    this.name = name;
    this.#process = child;
    this.#exited = exited;
    this.url = url;
    this.lines = lines;
  }

  static async start(name: string, launch: Launch): Promise<Instance> {
    const { child, exited, lines } = Instance.begin(name, launch);
    const listening = await until(
      () => {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
        return lines.find(({ msg }) => msg === 'listening');
      },
      `instance ${name} does not listen`,
      START_MS,
    );
    return new Instance(name, child, exited, String(listening.url), lines);
  }

  /** Begins a process, which does not listen yet. */
  static begin(name: string, launch: Launch): Begun {
    const { main, uri, dbName, checkpoints } = launch;
    const child = spawn(process.execPath, [...main], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        MONGODB_URI: uri,
        MONGODB_DB: dbName,
        AUTH_JWT_SECRET: SECRET,
        TABLES: DEFINITION,
        CHECKPOINT_DIR: join(checkpoints, name),
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const endWithUs = () => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    const exited = once(child, 'exit').then(([code]) => {
      process.removeListener('exit', endWithUs);
      return code as number | null;
    });
    const lines: Line[] = [];
    createInterface({ input: child.stdout! }).on('line', (text) => {
      lines.push(lineOf(text));
      if (lines.length > KEPT) lines.shift();
    });
    return { child, exited, lines };
  }

  /** Its log line about a request that failed inside. */
  async logged(requestId: string | null): Promise<string> {
    const found = () => this.lines.find((line) => line.request_id === requestId && line.err);
    // The line comes by a pipe of its own.
    const line = await until(found, 'not logged', 2_000).catch(() => undefined);
    return JSON.stringify(line?.err ?? 'not logged');
  }

  /** For how long its thread could have run and had no processor, milliseconds; 0 where that is not told. */
  get waitedMs(): number {
    const { pid } = this.#process;
    return pid === undefined ? 0 : waitedMsOf(pid);
  }

  /** Asks it to end, and does not wait for it. */
  tellToEnd(): void {
    this.#process.kill('SIGTERM');
  }

  /** Asks it to end; returns its exit code. */
  async stop(): Promise<number | null> {
    this.#process.kill('SIGTERM');
    return await this.#exited;
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }
}

export function tokenFor(userId: number): Promise<string> {
  const nobody = { authIssuer: undefined, authAudience: undefined };
  return mintToken({ userId, admin: userId === 1, lifeS: 7_200 }, SECRET, nobody);
}

/** A request that was not logged as JSON is no line of the service's. */
function lineOf(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return { msg: text };
  }
}
