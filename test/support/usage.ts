/** A process's use of processors (time of its threads, which Linux alone tells) and of memory. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds for which this thread has run, waiting left out; 0 where the system does not tell. */
export const threadMs = (): number => scheduled(0);

/** Milliseconds for which this thread could have run and had no processor; 0 as above. */
export const waitedMs = (): number => scheduled(1);

/** The same of the first thread of another process, the one that runs JavaScript in Node. */
export const threadMsOf = (pid: number): number => scheduled(0, `${pid}/task/${pid}`);
export const waitedMsOf = (pid: number): number => scheduled(1, `${pid}/task/${pid}`);

function scheduled(field: number, thread = 'thread-self'): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[field]) / 1e6;
  } catch {
    return 0;
  }
}

/** Resident memory of a process, now and at most, bytes; 0 where it has ended, or the system does not tell. */
export const residentOf = (pid: number): number => memoryOf(pid, 'VmRSS');
export const peakOf = (pid: number): number => memoryOf(pid, 'VmHWM');

function memoryOf(pid: number, line: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(status)![1]) * 1_024;
  } catch {
    return 0;
  }
}

/** Bytes of this process's heap that something holds. */
export function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

export function collectGarbage(): void {
  gc ??= exposedGc();
  gc();
}

let gc: (() => void) | undefined;

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
