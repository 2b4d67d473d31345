/** The light caller as the suite sees it; see `lightProcess.ts`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './calls.ts';
import type { Seen, Whom } from './lightProcess.ts';

/** The figures of a light caller and of a health probe; times in milliseconds. */
export interface Noticed {
  readonly p50: number;
  readonly p99: number;
  readonly healthP99: number;
  /** Answers to either that were not 200. */
  readonly refused: number;
  readonly asked: number;
}

export class Light {
  readonly #process: ChildProcess;

  constructor(whom: Whom) {
    const script = path.join(import.meta.dirname, 'lightProcess.ts');
    this.#process = fork(script, { execArgv: ['--import', 'tsx'] });
    this.#process.send(whom);
  }

  /** Its figures while some work goes on. */
  async during(work: () => Promise<unknown>): Promise<Noticed> {
    this.#process.send('start');
    try {
      await work();
    } finally {
      this.#process.send('stop');
    }
    const [{ light, health }] = (await once(this.#process, 'message')) as [Seen];
    const lightMs = light.map(([, ms]) => ms);
    return {
      p50: quantile(lightMs, 0.5),
      p99: quantile(lightMs, 0.99),
      healthP99: quantile(
        health.map(([, ms]) => ms),
        0.99,
      ),
      refused: [...light, ...health].filter(([status]) => status !== 200).length,
      asked: light.length,
    };
  }

  async idle(ms: number): Promise<Noticed> {
    return await this.during(() => sleep(ms));
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.disconnect();
    await exited;
  }
}
