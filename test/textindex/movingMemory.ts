/**
 * A memory that moves whenever temporary memory is taken, as it does when it grows then. A view that
 * somebody has kept is of no length from there on.
 */
import type { MakeKernel } from '../../src/textindex/kernel/abi.ts';
import { createKernel } from '../../src/textindex/kernel/load.ts';
import type { Memory } from '../../src/textindex/storage/memory.ts';
import { Scratch } from '../../src/textindex/storage/scratch.ts';

/** The memory of the table that was made last. */
let memory: Memory | undefined;

export const movingKernel: MakeKernel = (own) => {
  memory = own;
  return createKernel(own);
};

/** Does some work with tables of the `movingKernel`, one after the other. */
export function whileMoving(work: () => void): void {
  const { take } = Scratch.prototype;
  Scratch.prototype.take = function (bytes) {
    const taken = take.call(this, bytes);
    if (memory) move(memory);
    return taken;
  };
  try {
    work();
  } finally {
    Scratch.prototype.take = take;
    memory = undefined;
  }
}

function move(own: Memory): void {
  own.wasm.grow(0);
  const { buffer } = own.wasm;
  own.u8 = new Uint8Array(buffer);
  own.u16 = new Uint16Array(buffer);
  own.u32 = new Uint32Array(buffer);
  own.f64 = new Float64Array(buffer);
  own.buffer = Buffer.from(buffer);
}
