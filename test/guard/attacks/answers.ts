/** Answers that are large, and are not read. */
import type { Attack } from '../attack.ts';
import { LARGE, LONG, SNAPSHOT } from '../store.ts';
import { flood, get } from './asking.ts';

export const answers: readonly Attack[] = [
  flood('log pages of lines of 1 MB', 200, [60, 60], () =>
    get(`/api/v2/tasks/${LARGE}/logs?limit=250`),
  ),
  {
    name: 'log pages that are not read',
    kind: 'unread',
    sockets: 300,
    each: 1,
    head: `GET /api/v2/tasks/${LONG}/logs?limit=5000 HTTP/1.1\r\n`,
  },
  {
    name: 'log pages that are not read, 150 on each socket',
    kind: 'unread',
    sockets: 20,
    each: 150,
    head: `GET /api/v2/tasks/${LONG}/logs?limit=5000 HTTP/1.1\r\n`,
  },
  {
    name: 'large lines that are not read',
    kind: 'unread',
    sockets: 100,
    each: 10,
    head: `GET /api/v2/tasks/${LARGE}/logs?limit=1 HTTP/1.1\r\n`,
  },
  {
    name: 'logs as text that are not read',
    kind: 'unread',
    sockets: 100,
    each: 1,
    head: `GET /api/v2/tasks/${LARGE}/logs HTTP/1.1\r\nAccept: text/plain\r\n`,
  },
  {
    name: 'snapshots that are not read',
    kind: 'unread',
    sockets: 300,
    each: 1,
    head: `GET /api/v2/tasks/${SNAPSHOT}/snapshot/download HTTP/1.1\r\n`,
  },
  {
    name: 'snapshots that are not read, 150 on each socket',
    kind: 'unread',
    sockets: 20,
    each: 150,
    head: `GET /api/v2/tasks/${SNAPSHOT}/snapshot/download HTTP/1.1\r\n`,
  },
];
