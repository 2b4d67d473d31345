/**
 * Choosing a kernel: the WebAssembly one where the machine and the build have it, else the twin.
 *
 * The module is `build/kernel.wasm`, made by `npm run build:kernel`; it lies three folders up from
 * here, whether this file runs as source or from `dist`.
 */
import { readFileSync } from 'node:fs';
import type { Memory } from '../storage/memory.ts';
import { type Kernel, plainKernel } from './plain.ts';

export type { Kernel } from './plain.ts';

/** Which kernel runs, and, when it is the plain one, why. */
export interface KernelKind {
  readonly kind: 'wasm' | 'plain';
  readonly reason?: string;
}

interface Loaded extends KernelKind {
  readonly module?: WebAssembly.Module;
}

let loaded: Loaded | undefined;

/** The kernel that tables get when they do not ask for another. Looks once. */
export function kernelKind(): KernelKind {
  const { kind, reason } = load();
  return reason === undefined ? { kind } : { kind, reason };
}

/** A kernel at work on the memory. Asking for `wasm` where there is none throws, with the reason. */
export function createKernel(memory: Memory, want?: 'wasm' | 'plain'): Kernel {
  if (want === 'plain') return plainKernel(memory);
  const { module, reason } = load();
  if (module) {
    const instance = new WebAssembly.Instance(module, { env: { memory: memory.wasm } });
    // The module's exports take and give u32; WebAssembly hands a result over as i32, and every
    // count here is below 2^31.
    return instance.exports as unknown as Kernel;
  }
  if (want === 'wasm') throw new Error(`no WebAssembly kernel: ${reason}`);
  return plainKernel(memory);
}

function load(): Loaded {
  loaded ??= look();
  return loaded;
}

function look(): Loaded {
  if (typeof WebAssembly === 'undefined') {
    return { kind: 'plain', reason: 'WebAssembly is switched off' };
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(new URL('../../../build/kernel.wasm', import.meta.url)));
  } catch (error) {
    return { kind: 'plain', reason: `build/kernel.wasm cannot be read: ${textOf(error)}` };
  }
  try {
    return { kind: 'wasm', module: new WebAssembly.Module(bytes) };
  } catch (error) {
    return { kind: 'plain', reason: `this machine cannot run the kernel: ${textOf(error)}` };
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
