/**
 * How large the tables are, how far their loads have come, and how long these will take.
 *
 *     before the first load     the store's own counts of all collections
 *     every second of a load    documents read ──► documents a second ──► what is left
 */
import type { Db } from 'mongodb';
import type { CollectionState, FollowerState } from '../../follow/follower.ts';
import { readCommand } from '../../store/commands.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { Resource } from '../definition/definition.ts';

/** Documents a millisecond, while no load has shown it. */
const ASSUMED_RATE = 50;

/** Least time between two measurements, milliseconds. */
const MEASURE_MS = 500;

/**
 * The first load counts as over after this time, milliseconds: a collection may never load. Ten
 * million documents take two minutes on a quiet machine.
 */
const LONGEST_FIRST_LOAD_MS = 3_600_000;

const isLoading = ({ phase }: CollectionState) => phase === 'loading' || phase === 'loaded';

type Counted = Pick<Resource, 'name' | 'collection'>;

export class LoadProgress {
  /** Resolves when every table that can be loaded is live for the first time, or after an hour. */
  readonly firstLoad: Promise<void>;
  #loaded: () => void = () => {};
  readonly #documents = new Map<string, number>();
  readonly #longestMs: number;
  #began: number | undefined;
  #rate = ASSUMED_RATE;
  #last: { readonly read: number; readonly at: number } | undefined;

  /** @param longestMs after which the first load counts as over */
  constructor(longestMs = LONGEST_FIRST_LOAD_MS) {
    this.#longestMs = longestMs;
    this.firstLoad = new Promise((resolve) => {
      this.#loaded = resolve;
    });
  }

  /**
   * Counts the documents of tables, as the store estimates: this reads none of them.
   *
   * @returns why some could not be counted: their loads will show how large they are
   */
  async count(db: Db, tables: readonly Counted[], deadline: Deadline): Promise<unknown[]> {
    const counts = await Promise.allSettled(
      tables.map(async ({ name, collection }) => {
        const { n } = await readCommand(db, deadline, { count: collection });
        this.#documents.set(name, Number(n));
      }),
    );
    return counts.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  }

  /** Documents of a table; undefined before they are counted. */
  documents(name: string): number | undefined {
    return this.#documents.get(name);
  }

  /**
   * Takes in how far loads are. The caller looks every second, and whenever a phase has changed.
   *
   * @param sizeOf how many rows a table has
   */
  look({ collections }: FollowerState, sizeOf: (name: string) => number): void {
    let read = 0;
    for (const one of collections) {
      const { name, phase, estimated, isRestored } = one;
      // Rows of a checkpoint are there at once, and say nothing of how quickly others come.
      if (isLoading(one) && !isRestored) read += one.read;
      if (phase === 'live') this.#documents.set(name, sizeOf(name));
      else if (estimated > 0) this.#documents.set(name, Math.max(estimated, one.read));
    }
    this.#began ??= performance.now();
    const isLate = performance.now() - this.#began > this.#longestMs;
    if (isLate || !collections.some(isLoading)) this.#loaded();
    this.#measure(read);
  }

  /** The latest part of a load counts as much as all before: large documents make it slower. */
  #measure(read: number): void {
    const at = performance.now();
    const last = this.#last;
    if (last && read >= last.read && at - last.at < MEASURE_MS) return;
    this.#last = { read, at };
    if (last && read > last.read)
      this.#rate = (this.#rate + (read - last.read) / (at - last.at)) / 2;
  }

  /** Milliseconds until all loads under way have ended, as far as these can tell. */
  leftMs({ collections }: FollowerState): number {
    const left = collections
      .filter(isLoading)
      .map(({ name, read }) => Math.max(0, (this.#documents.get(name) ?? 0) - read));
    return left.reduce((sum, one) => sum + one, 0) / this.#rate;
  }
}
