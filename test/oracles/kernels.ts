/** Both kernels by name, for tests that run on each. */
import type { MakeKernel } from '../../src/textindex/kernel/abi.ts';
import { createKernel } from '../../src/textindex/kernel/load.ts';
import { plainKernel } from './plainKernel.ts';

export const KERNELS = {
  wasm: createKernel,
  plain: plainKernel,
} as const satisfies Record<string, MakeKernel>;

export type KernelName = keyof typeof KERNELS;
