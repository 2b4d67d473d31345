/** Much work asked for. */
import type { Attack } from '../attack.ts';
import { DOTS, LONG, MANY, SNAPSHOT } from '../store.ts';
import { flood, get, once, pageOfLargeRows, post, ROWS, SEARCH, TASKS } from './asking.ts';

let guesses = 0;
/** An id that nothing has, another one each time. */
const guess = () => `99999999-0000-4000-8000-${String(guesses++).padStart(12, '0')}`;

export const work: readonly Attack[] = [
  flood('projects that are guessed', 404, [3_000, 100], () =>
    post(`/api/v2/projects/${guess()}/tasks/search`, '{}'),
  ),
  flood('tasks that are guessed', 404, [3_000, 100], () => get(`/api/v2/tasks/${guess()}/logs`)),
  flood('explores by pipeline', 200, [600, 100], () =>
    post(`${ROWS}/explore`, '{"facets":[{"field":"status"},{"field":"worker","limit":100}]}'),
  ),
  flood('pages of rows of 1 MB, by pipeline', 200, [15, 30], once(pageOfLargeRows)),
  flood('single bytes of a snapshot', 206, [1_000, 100], () =>
    get(`/api/v2/tasks/${SNAPSHOT}/snapshot/download`, { range: 'bytes=7-7' }),
  ),
  flood('300 times metadata of a long log', 200, [600, 300], () =>
    get(`${TASKS}/${MANY}/metadata`),
  ),
  flood('60 logs as text', 200, [60, 60], () =>
    get(`/api/v2/tasks/${LONG}/logs`, { accept: 'text/plain' }),
  ),
  flood('60 snapshots', 200, [60, 60], () => get(`/api/v2/tasks/${SNAPSHOT}/snapshot/download`)),
  flood('searches by pipeline', 200, [1_500, 100], () =>
    post(`${TASKS}/search`, '{"filters":{"q":"nothing has this"}}'),
  ),
  flood('texts that are dear to look for', 200, [300, 50], () =>
    post(SEARCH, JSON.stringify({ filters: { q: 'ıſKß'.repeat(64) } })),
  ),
  flood('a file name of 50,000 dots', 200, [200, 40], () =>
    get(`/api/v2/tasks/${DOTS}/snapshot/download`),
  ),
  flood('paths of 8 kB', 404, [2_000, 100], () => get(`/api/v2/${'a/'.repeat(4_000)}`)),
];
