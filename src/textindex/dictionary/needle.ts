/**
 * A folded text to look for, made ready once for all the columns it is looked for in.
 *
 *     text    'ann@'
 *     bytes   61 6e 6e 40       UTF-8, in the index's memory, for the kernel
 *     grams   #(61 6e 6e)  #(6e 6e 40)      every three bytes in a row as one mixed number
 */
import type { Space } from '../storage/space.ts';

const encoder = new TextEncoder();

/** Three bytes in a row as 32 bits, of which the upper ones are mixed best. */
export function gramOf(a: number, b: number, c: number): number {
  return Math.imul(a | (b << 8) | (c << 16), 0x9e3779b1) >>> 0;
}

/** Its bytes stand in scratch memory: it is good for one search. */
export class Needle {
  readonly text: string;
  /** Where its bytes are, and how many. */
  readonly at: number;
  readonly length: number;
  readonly grams: readonly number[];

  /** `text` is folded. */
  constructor(space: Space, text: string) {
    this.text = text;
    this.at = space.scratch.take(text.length * 3);
    this.length = write(text, space.memory.u8, this.at);
    const { u8 } = space.memory;
    const grams: number[] = [];
    for (let i = this.at, last = i + this.length - 3; i <= last; i++) {
      grams.push(gramOf(u8[i]!, u8[i + 1]!, u8[i + 2]!));
    }
    this.grams = grams;
  }
}

/** Writes the text as UTF-8 and gives how many bytes. Most are short and ASCII: 0.1 µs, not 0.6. */
function write(text: string, u8: Uint8Array, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return encoder.encodeInto(text, u8.subarray(at, at + text.length * 3)).written;
    u8[at + i] = unit;
  }
  return text.length;
}
