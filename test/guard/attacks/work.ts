/** Much work asked for. */
import type { Attack } from '../attack.ts';
import { DOTS, LONG, MANY, SNAPSHOT } from '../store.ts';
import { get, once, pageOfLargeRows, post, ROWS, SEARCH, TASKS } from './asking.ts';

let guesses = 0;
/** An id that nothing has, another one each time. */
const guess = () => `99999999-0000-4000-8000-${String(guesses++).padStart(12, '0')}`;

export const work: readonly Attack[] = [
  {
    name: 'projects that are guessed',
    expects: [404],
    kind: 'flood',
    times: 3_000,
    width: 100,
    request: () => post(`/api/v2/projects/${guess()}/tasks/search`, '{}'),
  },
  {
    name: 'tasks that are guessed',
    expects: [404],
    kind: 'flood',
    times: 3_000,
    width: 100,
    request: () => get(`/api/v2/tasks/${guess()}/logs`),
  },
  {
    name: 'explores by pipeline',
    expects: [200],
    kind: 'flood',
    times: 600,
    width: 100,
    request: () =>
      post(`${ROWS}/explore`, '{"facets":[{"field":"status"},{"field":"worker","limit":100}]}'),
  },
  {
    name: 'pages of rows of 1 MB, by pipeline',
    expects: [200],
    kind: 'flood',
    times: 15,
    width: 30,
    request: once(pageOfLargeRows),
  },
  {
    name: 'single bytes of a snapshot',
    expects: [206],
    kind: 'flood',
    times: 1_000,
    width: 100,
    request: () => get(`/api/v2/tasks/${SNAPSHOT}/snapshot/download`, { range: 'bytes=7-7' }),
  },
  {
    name: '300 times metadata of a long log',
    expects: [200],
    kind: 'flood',
    times: 600,
    width: 300,
    request: () => get(`${TASKS}/${MANY}/metadata`),
  },
  {
    name: '60 logs as text',
    expects: [200],
    kind: 'flood',
    times: 60,
    width: 60,
    request: () => get(`/api/v2/tasks/${LONG}/logs`, { accept: 'text/plain' }),
  },
  {
    name: '60 snapshots',
    expects: [200],
    kind: 'flood',
    times: 60,
    width: 60,
    request: () => get(`/api/v2/tasks/${SNAPSHOT}/snapshot/download`),
  },
  {
    name: 'searches by pipeline',
    expects: [200],
    kind: 'flood',
    times: 1_500,
    width: 100,
    request: () => post(`${TASKS}/search`, '{"filters":{"q":"nothing has this"}}'),
  },
  {
    name: 'texts that are dear to look for',
    expects: [200],
    kind: 'flood',
    times: 300,
    width: 50,
    request: () => post(SEARCH, JSON.stringify({ filters: { q: 'ıſKß'.repeat(64) } })),
  },
  {
    name: 'a file name of 50,000 dots',
    expects: [200],
    kind: 'flood',
    times: 200,
    width: 40,
    request: () => get(`/api/v2/tasks/${DOTS}/snapshot/download`),
  },
  {
    name: 'paths of 8 kB',
    expects: [404],
    kind: 'flood',
    times: 2_000,
    width: 100,
    request: () => get(`/api/v2/${'a/'.repeat(4_000)}`),
  },
];
