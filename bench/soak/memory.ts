/**
 * Whether memory stays flat: what is held after a collection, sampled, and its trend once warm.
 *
 *     MB │   ·  ─ ·─·──·─·─·──·─·        a line through the samples after the first quarter;
 *        │ ·                             its rise over that time, against where it begins
 */
import { heldBytes } from '../measure.ts';

export interface Trend {
  readonly firstMb: number;
  readonly lastMb: number;
  /** Rise of the fitted line over the time it was fitted to, in MB. */
  readonly riseMb: number;
  readonly flat: boolean;
}

/** A rise that caches filling up and fragments explain. */
const TOLERATED_SHARE = 0.05;
const TOLERATED_MB = 4;

export class Memory {
  readonly #samples: { readonly at: number; readonly mb: number }[] = [];

  /** Heap, external memory and array buffers after a collection, in MB. */
  sample(): number {
    const mb = heldBytes() / 2 ** 20;
    this.#samples.push({ at: performance.now(), mb });
    return mb;
  }

  trend(): Trend {
    const warm = this.#samples.slice(Math.floor(this.#samples.length / 4));
    const [first, last] = [warm[0]!, warm.at(-1)!];
    const mean = (of: (sample: { at: number; mb: number }) => number) =>
      warm.reduce((sum, sample) => sum + of(sample), 0) / warm.length;
    const [at, mb] = [mean((sample) => sample.at), mean((sample) => sample.mb)];
    const spread = mean((sample) => (sample.at - at) ** 2);
    const slope = spread && mean((sample) => (sample.at - at) * (sample.mb - mb)) / spread;
    const riseMb = slope * (last.at - first.at);
    const flat = riseMb <= TOLERATED_MB + TOLERATED_SHARE * first.mb;
    return { firstMb: first.mb, lastMb: last.mb, riseMb, flat };
  }
}
