/**
 * Who collects garbage: the event loop's thread, and helpers that give way to it.
 *
 *     V8 left alone   event loop ██▒▒▒▒▒▒██   4 helpers ▓▓▓▓▓▓   ▒ no processor: they, and the store, have them all
 *     here            event loop ██████████   4 helpers ▒▓▒▓▒▓▒▓▓▓
 *
 * V8 marks what is used with four threads, however many processors there are. An instance is given one or
 * two, which it may share with its store: while they mark, the event loop would have a third of a
 * processor, and searches would wait for 100 ms and more. So they have less priority. Young
 * garbage, for whose collectors the event loop waits, is collected by its own thread, which is as quick.
 *
 * V8 also learns which lines of code make objects that outlive young garbage, and allocates these among the old
 * ones (pretenuring). Here they mostly wait for half a second, or for a client, and are garbage then: old
 * garbage, which takes marking. So it is told not to.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** No thread is nicer: V8's helpers have the processor time that is left over. What they do not get to, the event loop's thread does. */
const NICEST = 19;

/** V8's helpers, and who gives them work: a process begins with them, and those of libuv come later. */
const HELPERS = 5;

/** To be called from the main thread. */
export function giveWayToEventLoop(): void {
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--no-allocation-site-pretenuring');
  for (const thread of otherThreads()) {
    try {
      setPriority(thread, NICEST);
    } catch {
      // It has ended, or this system knows no priority of a thread: it stays as it is.
    }
  }
}

/** Where the system tells: Linux. */
function otherThreads(): number[] {
  try {
    return readdirSync('/proc/self/task')
      .map(Number)
      .filter((id) => id !== process.pid)
      .sort((a, b) => a - b)
      .slice(0, HELPERS);
  } catch {
    return [];
  }
}
