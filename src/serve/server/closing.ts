/**
 * Connections that are closed without an answer, some in each turn of the event loop.
 *
 * Closing one takes the system 30 µs and Node as much. Six thousand whose clients leave at the same
 * moment, each in the middle of a head, would block the event loop for a third of a second.
 */
import type { Socket } from 'node:net';
import { MacrotaskBatch } from '../../tables/search/macrotaskBatch.ts';

export class Closing {
  readonly #batch = new MacrotaskBatch();

  /** Closes it in this turn or in a later one. */
  add(socket: Socket): void {
    if (!socket.destroyed) void this.#batch.run(async () => socket.destroy());
  }
}

/**
 * Before Node looks at a client's end: where nothing is asked on the connection, `leaves` is called instead.
 *
 * Node lets its parser say that the head did not come whole, and the parser makes an error: six thousand clients
 * who leave together held the event loop for 0.1 s, half of it for that.
 */
export function whenLeft(socket: Socket, isAsked: () => boolean, leaves: () => void): void {
  const listeners = socket.listeners('end') as (() => void)[];
  const ofNode = listeners.find(({ name }) => name.endsWith(NODES_LISTENER));
  if (ofNode === undefined) return;
  socket.off('end', ofNode);
  socket.on('end', () => (isAsked() ? ofNode() : leaves()));
}

/** Of `node:_http_server`, bound. Where it has another name all is as Node has it. */
const NODES_LISTENER = ' socketOnEnd';
