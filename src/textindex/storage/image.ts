/**
 * A table's content as bytes, for a checkpoint.
 *
 *     memory   as it is, up to the last block in use: most of the bytes
 *     state    what structures hold beside it: pointers, counts, values (state.ts)
 */
import type { TableImage } from '../api.ts';
import type { Memory } from './memory.ts';
import { type State, StateWriter, type Steps } from './state.ts';

export class HeldImage implements TableImage {
  readonly #memory: Memory;
  readonly #keep: (state: State) => Steps;

  /** From here to `close` the memory is held. */
  constructor(memory: Memory, keep: (state: State) => Steps) {
    this.#memory = memory;
    this.#keep = keep;
    memory.hold();
  }

  /** @throws where the memory was too full for maintenance to end: structures are half made then. */
  *state(): Generator<readonly Uint8Array[], void> {
    if (this.#memory.isBrimful) throw new Error('its memory is nearly full: maintenance stopped');
    const writer = new StateWriter();
    for (const _ of this.#keep(writer)) yield writer.take();
    yield writer.take(true);
  }

  get memory(): Uint8Array {
    return this.#memory.image;
  }

  close(): void {
    this.#memory.letGo();
  }
}
