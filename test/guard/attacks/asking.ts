/** Requests of the attacks, and their targets. */
import { PROJECT_A } from '../../serve/edge.ts';
import type { Attack, Flood } from '../attack.ts';
import type { Call } from '../calls.ts';
import { LARGE_ROWS, MANY_ROWS } from '../store.ts';

export const SEARCH = '/api/v2/users/search';
export const TASKS = `/api/v2/projects/${PROJECT_A}/tasks`;
/** A search of tasks of 2 kB. */
export const ROWS = `/api/v2/projects/${MANY_ROWS}/tasks/search`;
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export const post = (path: string, body: Buffer | string, headers = {}): Call => ({
  method: 'POST',
  path,
  body,
  headers,
});
export const get = (path: string, headers = {}): Call => ({ path, headers });

/** Made once, when the attack begins. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** 20 tasks of 1 MB. */
export function pageOfLargeRows(): Call {
  const body = '{"pagination":{"per_page":20}}';
  return post(`/api/v2/projects/${LARGE_ROWS}/tasks/search`, body);
}

/** The beginning of a POST of JSON. */
export const asking = (path: string, accept: string) =>
  `POST ${path} HTTP/1.1\r\nContent-Type: application/json\r\nAccept: ${accept}\r\n`;

/** So many requests, so many at a time, that are answered by this status. */
export const flood = (
  name: string,
  status: number,
  [times, width]: readonly [times: number, width: number],
  request: Flood['request'],
  more: Partial<Flood> = {},
): Attack => ({ ...{ name, kind: 'flood', times, width, request, expects: [status] }, ...more });
