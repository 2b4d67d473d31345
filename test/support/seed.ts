/**
 * The seed of random tests: fixed, so that a run in CI does the same work each time. `SEED=random`
 * draws another one, and `SEED=<number>`, which a failure prints, repeats that run.
 */
import fc from 'fast-check';

export const SEED =
  process.env.SEED === 'random' ? Date.now() % 2 ** 31 : Number(process.env.SEED ?? 20_240_601);

fc.configureGlobal({ seed: SEED });
