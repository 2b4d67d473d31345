/**
 * Garbage collection by the event loop's thread, and by helpers that give way to it.
 *
 *     V8 left alone   event loop ██▒▒▒▒▒▒██   4 helpers ▓▓▓▓▓▓   ▒ no processor: they, and the store, have them all
 *     here            event loop ██████████   4 helpers ▒▓▒▓▒▓▒▓▓▓
 *
 * V8 marks live objects with four threads, however many processors there are. An instance has one or
 * two processors, and may share them with its store. While the helpers mark, the event loop would have a
 * third of a processor, and searches would wait for 100 ms and more. So the helpers have less priority.
 * The event loop waits for collectors of young garbage, so its own thread collects that, as quickly.
 *
 * V8 also learns which lines of code make objects that outlive young garbage, and allocates these among the old
 * ones (pretenuring). Here they mostly wait for half a second, or for a client, and are garbage then: old
 * garbage, which takes marking. So it is told not to.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** No thread is nicer: V8's helpers have the processor time left over, and the event loop's thread does the rest. */
const NICEST = 19;

/** V8's helpers, and the thread that gives them work: a process begins with them, and libuv's come later. */
const HELPERS = 5;

/** Call it on the main thread. */
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
