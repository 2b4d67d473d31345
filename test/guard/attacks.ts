/** The attacks: requests of callers who mean harm, or ask for much. */
import type { Attack } from './attack.ts';
import { answers } from './attacks/answers.ts';
import { post, TASKS } from './attacks/asking.ts';
import { bodies } from './attacks/bodies.ts';
import { strangers } from './attacks/strangers.ts';
import { tables } from './attacks/tables.ts';
import { work } from './attacks/work.ts';

/** Needs 11,000 open files on each side. */
export const CROWD: Attack = {
  name: '10,000 idle, bursts of 1,000',
  expects: [200],
  kind: 'crowd',
  idle: 10_000,
  busy: 1_000,
  bursts: 3,
  request: post(`${TASKS}/search`, '{"filters":{"q":"1111"}}'),
};

export const ATTACKS: readonly Attack[] = [...bodies, ...answers, ...work, ...strangers, ...tables];
