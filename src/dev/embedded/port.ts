/** TCP ports on the loopback address: finding a free one, asking whether one is taken. */

import { once } from 'node:events';
import net from 'node:net';

/** The only address an embedded mongod listens on. */
export const LOOPBACK = '127.0.0.1';

/** A port that was free a moment ago; the caller copes with losing the race for it. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === undefined) throw new Error(`no free port on ${LOOPBACK}`);
  return port;
}

/** Binds the port (0: any) and lets it go again: its number, or nothing when it is taken. */
export async function tryPort(port: number): Promise<number | undefined> {
  const server = net.createServer();
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const bound = (server.address() as net.AddressInfo).port;
  server.close();
  await once(server, 'close');
  return bound;
}

/** Whether something accepts connections on the port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, LOOPBACK);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
