/**
 * The common part of the tests' TCP proxies: it leads to a server, and ties two sockets together.
 */
import type { Socket } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** The first server of a connection string. */
export function firstServer(uri: string): Target {
  const { hostname, port } = new URL(uri.replace(/^mongodb:/, 'http:'));
  return { host: hostname, port: Number(port) };
}

/** Each ends when the other one does; both are in `open` until they have ended. */
export function tie(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  }
}
