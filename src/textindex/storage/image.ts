/**
 * A table's content as bytes, for a checkpoint.
 *
 *     memory   as it is, up to the last block in use: most of the bytes
 *     state    what structures hold beside it: pointers, counts, values (state.ts)
 */
import type { TableImage } from '../api.ts';
import type { Memory } from './memory.ts';
import { type State, StateWriter, type Steps } from './state.ts';

/**
 * From here to `close` the memory is held. Its state throws where the memory was too full for maintenance
 * to end: structures are half made then.
 */
export function heldImage(memory: Memory, keep: (state: State) => Steps): TableImage {
  memory.hold();
  return {
    *state() {
      if (memory.isBrimful) throw new Error('its memory is nearly full: maintenance stopped');
      const writer = new StateWriter();
      for (const _ of keep(writer)) yield writer.take();
      yield writer.take(true);
    },
    get memory() {
      return memory.image;
    },
    close: () => memory.letGo(),
  };
}
