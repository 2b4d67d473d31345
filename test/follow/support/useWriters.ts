/** Writers that stop with the test that let them loose, also when it fails. */
import { afterEach } from 'mocha';
import { startWriters, type Writing } from './writers.ts';

/** Call it inside a `describe`. */
export function useWriters(): typeof startWriters {
  const writing: Writing[] = [];
  afterEach(async () => {
    await Promise.all(writing.splice(0).map((one) => one.stop()));
  });
  return (...options) => {
    const one = startWriters(...options);
    writing.push(one);
    return one;
  };
}
