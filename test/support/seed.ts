/**
 * What random tests draw from: a fixed seed, so that a run in CI does the same work each time.
 * `SEED=random` draws anew, and `SEED=<number>`, which a failure prints, does that again.
 */
import fc from 'fast-check';

export const SEED =
  process.env.SEED === 'random' ? Date.now() % 2 ** 31 : Number(process.env.SEED ?? 20_240_601);

fc.configureGlobal({ seed: SEED });
