/**
 * The victim loads this before it starts. It tells how long the event loop is held, and ends the
 * service with the process that started it.
 *
 * Held is the time from one turn to the next less the thread's wait for a processor: a machine that
 * is busy with others holds nothing.
 */
import { waitedMs } from '../support/usage.ts';

const EVERY_MS = 5;

// tsx turns source maps on, and Node then makes the stack of each connection that is reset. The
// victim has to be as deployed.
process.setSourceMapsEnabled(false);

let longest = 0;
let last = { at: performance.now(), waited: waitedMs() };

setInterval(() => {
  const now = { at: performance.now(), waited: waitedMs() };
  const held = now.at - last.at - EVERY_MS - (now.waited - last.waited);
  longest = Math.max(longest, held);
  last = now;
}, EVERY_MS).unref();

process.on('message', () => {
  process.send!(longest);
  longest = 0;
});
process.on('disconnect', () => process.exit(1));
process.channel?.unref();
