/**
 * A folded text to search for, prepared once for all columns.
 *
 *     text    'ann@'
 *     bytes   61 6e 6e 40       UTF-8, in the index's memory, for the kernel
 */
import type { Pointer } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';

/** Its bytes stand in scratch memory: it is good for one search. */
export class Needle {
  readonly text: string;
  /** Where its bytes are, and how many. */
  readonly at: Pointer;
  readonly length: number;

  /** `text` is folded. */
  constructor(space: Space, text: string) {
    this.text = text;
    this.at = space.scratch.take(text.length * 3);
    this.length = space.memory.write(this.at, text);
  }
}
