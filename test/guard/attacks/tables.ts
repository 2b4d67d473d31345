/** Explores, exports and pages of large rows, of a service that answers by its index. */
import type { Attack } from '../attack.ts';
import { OWN } from '../ownTable.ts';
import { asking, flood, once, pageOfLargeRows, post, ROWS } from './asking.ts';

export const tables: readonly Attack[] = [
  {
    name: 'watched explores that are not read',
    byIndex: true,
    kind: 'unread',
    sockets: 60,
    each: 1,
    head: asking(`${ROWS}/explore`, 'text/event-stream'),
    body: '{"pagination":{"per_page":100},"facets":[{"field":"worker","limit":100}]}',
    stirred: true,
  },
  {
    name: 'exports that are not read',
    byIndex: true,
    kind: 'unread',
    sockets: 60,
    each: 4,
    head: asking(`${ROWS}/export`, 'text/csv'),
    body: '{}',
  },
  flood('exports', 200, [40, 20], () => post(`${ROWS}/export`, '{}'), { byIndex: true }),
  flood(
    'explores with all that can be counted',
    200,
    [1_000, 100],
    once(() => {
      const fields = ['status', 'worker', 'routing_key', 'name', 'folder', 'user_email'];
      const values = Array.from({ length: 100 }, (_, n) => `worker-${n}`);
      const facets = fields.map((field) => ({ field, limit: 100 }));
      return post(
        `${ROWS}/explore`,
        JSON.stringify({ facets, select: [{ field: 'worker', not_in: values }] }),
      );
    }),
    { byIndex: true },
  ),
  flood(
    'explores of an own table, by a member with a part of it',
    200,
    [1_000, 100],
    () =>
      post(
        `${OWN}/search/explore`,
        '{"filters":{"q":"22222222-0000"},"facets":[{"field":"folder"},{"field":"email"}],' +
          '"histogram":{"field":"queued","interval":"auto"},"sorting":{"sort_by":"queued"}}',
      ),
    { byIndex: true },
  ),
  flood(
    'a hidden field of an own table',
    422,
    [1_000, 100],
    () => post(`${OWN}/search`, '{"select":[{"field":"worker","in":["worker-1"]}]}'),
    { byIndex: true },
  ),
  flood('pages of rows of 1 MB, by index', 200, [15, 30], once(pageOfLargeRows), { byIndex: true }),
];
