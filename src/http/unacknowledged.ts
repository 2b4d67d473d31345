/**
 * Bytes in the system's send buffers that clients have not acknowledged, by connection.
 *
 * ```
 * answer ─▶ Node's buffer ─▶ the system's buffer, up to 4 MB ─▶ the client's, of which it reads
 *                             └─ tx_queue in /proc/net/tcp
 * ```
 *
 * The system accepts more once a third of its buffer is free, which takes a client of 64 kB/s up to 20 s. Only
 * its table of connections tells that client from one that takes nothing. Linux alone has it.
 */
import { readFile, readlink } from 'node:fs/promises';
import type { Socket } from 'node:net';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/** Of a line: `tx_queue`, in hexadecimal, and the inode. */
const LINE = /^ *\d+: \S+ \S+ \S+ ([\dA-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm;

/** By socket; those of which nothing is known are left out. */
export async function unacknowledged(
  sockets: readonly Socket[],
): Promise<ReadonlyMap<Socket, number>> {
  const byInode = new Map<string, Socket>();
  for (const socket of sockets) {
    const inode = await inodeOf(socket);
    if (inode !== undefined) byInode.set(inode, socket);
  }
  const known = new Map<Socket, number>();
  if (byInode.size === 0) return known;
  for (const table of TABLES) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const [, bytes, inode] of text.matchAll(LINE)) {
      const socket = byInode.get(inode!);
      if (socket !== undefined) known.set(socket, Number.parseInt(bytes!, 16));
    }
  }
  return known;
}

async function inodeOf(socket: Socket): Promise<string | undefined> {
  const { _handle: handle } = socket as unknown as { readonly _handle: { fd?: number } | null };
  const fd = handle?.fd ?? -1;
  if (fd < 0) return undefined;
  const target = await readlink(`/proc/self/fd/${fd}`).catch(() => '');
  return /^socket:\[(\d+)\]$/.exec(target)?.[1];
}
