/** In the service's process: on SIGUSR2 writes the event loop's delay since the last one, p99.9 in milliseconds. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.LOOP_DELAYS, String(delay.percentile(99.9) / 1e6));
    delay.reset();
  });
}
