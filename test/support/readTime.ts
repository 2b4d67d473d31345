/** The cluster time of a header `Search-As-Of`, for tests: a text of another form is an error. */
import type { Timestamp } from 'mongodb';
import { invariant } from '../../src/errors.ts';
import { parseTime } from '../../src/store/clusterTime.ts';

export function readTime(text: string): Timestamp {
  const time = parseTime(text);
  invariant(time, `${text} is a cluster time`);
  return time;
}
