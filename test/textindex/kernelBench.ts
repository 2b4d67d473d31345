/** The kernel on arrays, for the tests of each part of it. */
import type { Kernel } from '../../src/textindex/kernel/abi.ts';
import { createKernel } from '../../src/textindex/kernel/load.ts';
import type { Pointer } from '../../src/textindex/storage/brands.ts';
import { Memory } from '../../src/textindex/storage/memory.ts';

/** The kernel's functions on a memory of its own, as functions of arrays. */
export class Bench {
  readonly memory = new Memory();
  readonly kernel: Kernel = createKernel(this.memory);

  bytes(values: ArrayLike<number>): Pointer {
    const ptr = this.memory.allocZero(values.length + 128);
    this.memory.u8.set(values, ptr);
    return ptr;
  }

  list(values: readonly number[]): Pointer {
    const ptr = this.memory.allocZero(values.length * 4 + 64);
    this.memory.u32.set(values, ptr / 4);
    return ptr;
  }

  /** A struct of the kernel's, of numbers of four bytes. */
  struct<Field extends string>(
    layout: Readonly<Record<Field | 'bytes', number>>,
    fields: Readonly<Partial<Record<Field, number>>>,
  ): Pointer {
    const ptr = this.memory.allocZero(layout.bytes);
    for (const [name, value] of Object.entries<number | undefined>(fields)) {
      this.memory.u32[(ptr + layout[name as Field]) / 4] = value!;
    }
    return ptr;
  }

  read(ptr: Pointer, bytes: number): number[] {
    return Array.from(this.memory.u8.subarray(ptr, ptr + bytes));
  }

  readList(ptr: Pointer, n: number): number[] {
    return Array.from(this.memory.u32.subarray(ptr / 4, ptr / 4 + n));
  }
}

/** Does some work on a memory of its own, and returns the result. */
export const onKernel = <T>(work: (bench: Bench) => T): T => work(new Bench());

export const isSet = (bits: readonly number[], bit: number) =>
  ((bits[bit >> 3]! >> (bit & 7)) & 1) === 1;
export const bitsOf = (bytes: readonly number[]) =>
  bytes
    .flatMap((_, i) => [0, 1, 2, 3, 4, 5, 6, 7].map((j) => i * 8 + j))
    .filter((bit) => isSet(bytes, bit));
