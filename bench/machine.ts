/** The machine and the versions that figures were measured on. */
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { kernelOf } from './product.ts';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly mongod: string;
  /** The index's kernel: `wasm` or `plain`. */
  readonly kernel: string;
  readonly commit: string;
}

export function describeMachine(mongod: string): Machine {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    mongod,
    kernel: kernelOf(),
    commit: commitOf(),
  };
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
