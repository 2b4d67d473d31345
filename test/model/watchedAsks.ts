/**
 * Explores that are watched through a life: asked again and again, in the step in which the tables are
 * at their moment. Every answer is held to its moment, as others are.
 */
import { Deadline } from '../../src/store/deadline.ts';
import { type ExplorePlan, isExplore } from '../../src/tables/explore/plan.ts';
import type { Answer } from '../../src/tables/search/search.ts';
import type { WatchedSearch } from '../../src/tables/watch/watchedSearches.ts';
import { type Ask, planOf } from './asks.ts';
import type { Oracle } from './oracle.ts';
import type { System } from './system.ts';

/** How many are watched at once: the latest. */
const WATCHED = 4;

class Watched implements WatchedSearch {
  readonly plan: ExplorePlan;
  /** The last answer, where it came in one step. */
  latest: string | undefined;
  isTouched = false;

  constructor(plan: ExplorePlan) {
    this.plan = plan;
  }

  touch(): void {
    this.isTouched = true;
  }

  /** The service does not repeat an untouched explore: its answer must be the one before. */
  compare({ total, page, counts }: Answer, wasTouched: boolean): void {
    const text = JSON.stringify({ total, page, counts });
    if (!wasTouched && this.latest !== undefined && this.latest !== text) {
      throw new Error(`it was not told of a change\n${this.latest}\n${text}`);
    }
    this.latest = text;
  }
}

export class WatchedAsks {
  readonly #system: System;
  readonly #oracle: Oracle;
  readonly #watched: Watched[] = [];

  constructor(system: System, oracle: Oracle) {
    this.#system = system;
    this.#oracle = oracle;
  }

  /** Watches those that are explores. */
  add(asks: readonly Ask[]): void {
    for (const ask of asks) {
      const { plan } = planOf(ask, this.#system.fold);
      if (!isExplore(plan)) continue;
      const one = new Watched(plan);
      this.#watched.push(one);
      this.#system.searches.add(one);
      if (this.#watched.length > WATCHED) this.#system.searches.delete(this.#watched.shift()!);
    }
  }

  /** Asks the one that has waited longest; `isReadable`: whether the store answers. */
  async askNext(isReadable: boolean): Promise<void> {
    const one = this.#watched.shift();
    if (!one) return;
    this.#watched.push(one);
    const { search } = this.#system;
    // In one step with the answer: a later change sets it again.
    const { isTouched } = one;
    one.isTouched = false;
    const now = search.runNow(one.plan);
    if (now) one.compare(now, isTouched);
    else one.latest = undefined;
    const read = () => search.runByIndex(one.plan, new Deadline(15_000));
    const answer = now ?? (isReadable ? await read() : undefined);
    if (answer) await this.#oracle.check(one.plan, answer, 'a watched explore');
  }
}
