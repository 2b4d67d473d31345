/** The time moves on, and the labels of task types are requested once: the viewer's surroundings. */

import { effect, signal } from '@preact/signals';
import { now, typeLabels } from '../../state/surroundings.ts';
import { hasBuiltIn } from '../../tables/ownTables.ts';
import { ahead, serviceNow } from './clock.ts';
import { service } from './service.ts';

setInterval(() => {
  now.value = serviceNow();
}, 10_000);
effect(() => {
  ahead.value;
  now.value = serviceNow();
});

/** The same, each second while somebody shows it: for countdowns. */
const second = signal(Date.now(), { watched: startSeconds, unwatched: stopSeconds });
let seconds: ReturnType<typeof setInterval> | undefined;

function startSeconds(): void {
  const tick = () => {
    second.value = Date.now();
  };
  seconds = setInterval(tick, 1_000);
  queueMicrotask(tick);
}

function stopSeconds(): void {
  clearInterval(seconds);
}

/** Whole seconds from now until then. */
export const secondsUntil = (then: number): number =>
  Math.max(0, Math.ceil((then - second.value) / 1_000));

export async function learnTypes(): Promise<void> {
  if (!hasBuiltIn.peek()) return;
  const types = await service.tasks.routingKeys().catch(() => []);
  typeLabels.value = new Map(types.map(({ task_type, label }) => [task_type, label]));
}
