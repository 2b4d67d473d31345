/**
 * Loading the kernel: `build/kernel.wasm`, made by `npm run build:kernel`. It lies three folders up from
 * here, whether this file runs as source or from `dist`. There is no other one: every engine that runs
 * the service has WebAssembly with SIMD, unless that was switched off.
 */
import { readFileSync } from 'node:fs';
import type { Memory } from '../storage/memory.ts';
import type { Kernel } from './abi.ts';

let loaded: WebAssembly.Module | undefined;

/** Throws, with the reason, if the kernel cannot run. Looks once. */
export function requireKernel(): void {
  loaded ??= load();
}

/** A kernel at work on the memory. */
export function createKernel(memory: Memory): Kernel {
  loaded ??= load();
  const instance = new WebAssembly.Instance(loaded, { env: { memory: memory.wasm } });
  // The module's exports take and return u32; WebAssembly hands a result over as i32, and every
  // count here is below 2^31.
  return instance.exports as unknown as Kernel;
}

function load(): WebAssembly.Module {
  if (typeof WebAssembly === 'undefined') {
    throw new Error('the text index needs WebAssembly, which is switched off');
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(readFileSync(new URL('../../../build/kernel.wasm', import.meta.url)));
  } catch (cause) {
    throw new Error('build/kernel.wasm cannot be read; npm run build:kernel makes it', { cause });
  }
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw new Error('this machine cannot run build/kernel.wasm: it needs SIMD', { cause });
  }
}
