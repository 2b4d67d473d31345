/**
 * A search from plan to answer: by the index or, if it has no answer, by the pipeline.
 *
 *     plan ──► executor: total, rows and counts as of a moment T ──► answer; later ones show T or after
 *
 * The pipeline always answers, or fails. While the store is away the index answers alone for a
 * while, as of the moment it has reached, unless a later one was shown. One service instance never
 * goes back in time: the highest moment handed out is kept, and every search that begins later
 * shows that moment or a later one. The same holds for the moment of a change that was made through
 * the instance, and for the moment that a request itself asks for (`Search-Not-Before`).
 */
import type { Timestamp } from 'mongodb';
import { isRefusal } from '../../errors.ts';
import { loop } from '../../loop.ts';
import { laterOf } from '../../store/clusterTime.ts';
import type { Deadline } from '../../store/deadline.ts';
import { Hedge } from '../../store/hedged.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type { PipelineExecutor } from '../pipeline/pipelineExecutor.ts';
import { isIndexed } from '../query/order.ts';
import type { Plan } from '../query/plan.ts';
import type { Page } from './page.ts';
import { type Caller, INSIDE } from './quota.ts';

export interface SearchSettings {
  readonly index?: Pick<SearchIndex, 'run' | 'runAlone' | 'runNow' | 'isLive'> | undefined;
  readonly pipeline: Pick<PipelineExecutor, 'run'>;
  /**
   * Throws, with the cause, if the store may not be used. Left out, the store may always be asked.
   */
  readonly requireStore?: () => void;
}

/** A look at the index that found no answer rests for so long, and for so many times as long as it took. */
const REST_MS = 1_000;
const RESTS = 4;

/** The route that answered. */
interface Routed {
  readonly route: 'index' | 'pipeline';
}

export interface Answer extends Page, Routed {}

/** An answer of any kind, at one moment of the store. */
type Shown = Pick<Page, 'asOf'>;

export class Search {
  readonly #settings: SearchSettings;
  /** Searches by pipeline that wait for the store. */
  #asking = 0;
  readonly #hedge = new Hedge();
  #notBefore: Timestamp | undefined;

  constructor(settings: SearchSettings) {
    this.#settings = settings;
  }

  /** An answer shows this moment, or a change made through this instance does: later answers include it. */
  note(time: Timestamp): void {
    this.#notBefore = laterOf(this.#notBefore, time);
  }

  /**
   * Both routes together have the rest of the request's time. `caller`: on whose account searches
   * by pipeline are. `confirmRights`: see RouteState. Throws errors of the executors.
   */
  run(
    plan: Plan,
    deadline: Deadline,
    caller: Caller = INSIDE,
    confirmRights?: () => Promise<void>,
  ): Promise<Answer> {
    const begin = () =>
      confirmRights
        ? this.#onceConfirmed(plan, deadline, caller, confirmRights)
        : this.#begin(plan, deadline, caller);
    return this.#settings.index ? loop.run('answer', caller, begin) : Promise.resolve(begin());
  }

  async #onceConfirmed(
    plan: Plan,
    deadline: Deadline,
    caller: Caller,
    confirmRights: () => Promise<void>,
  ): Promise<Answer> {
    const alone = this.#alone(plan, deadline);
    if (alone) return alone;
    await confirmRights();
    return await this.#begin(plan, deadline, caller);
  }

  /** Asks the index first; answers at once if that need not wait. */
  #begin(plan: Plan, deadline: Deadline, caller: Caller): Answer | Promise<Answer> {
    const fromIndex = this.#settings.index?.run(plan, this.notBeforeOf(deadline), deadline);
    // Each step that waits costs a search from memory more than its plan does.
    if (fromIndex && !(fromIndex instanceof Promise)) return this.#hand(fromIndex, 'index');
    return this.#goOn(fromIndex, plan, deadline, caller);
  }

  /** Goes on with the index's answer, once it is known, or without one. */
  async #goOn(
    index: Page | undefined | Promise<Page | undefined>,
    plan: Plan,
    deadline: Deadline,
    caller: Caller,
  ): Promise<Answer> {
    const fromIndex = await index;
    if (fromIndex) return this.#hand(fromIndex, 'index');
    // One search finds out for all whether the store is there.
    const alone = this.#asking > 0 ? this.#alone(plan, deadline) : undefined;
    return alone ?? (await this.#byPipeline(plan, deadline, caller));
  }

  /** The index's answer without the store, while the store seems to be away. */
  #alone(plan: Plan, deadline: Deadline): Answer | undefined {
    const page = this.#settings.index?.runAlone(plan, this.notBeforeOf(deadline));
    return page && this.#hand(page, 'index');
  }

  /**
   * Looks for the answer of an index that follows again, while a pipeline is asked. Many may wait for it at once:
   * each has its turn in the lane of answers, and one that found nothing rests.
   */
  #lookBack(plan: Plan, deadline: Deadline, caller: Caller): () => Answer | undefined {
    const { index } = this.#settings;
    let outcome: (() => Answer) | undefined;
    let nextMs = 0;
    const look = async (): Promise<void> => {
      const began = performance.now();
      try {
        const run = () => index!.run(plan, this.notBeforeOf(deadline), deadline);
        const page = await loop.run('answer', caller, run);
        if (page) outcome = () => this.#hand(page, 'index');
      } catch (error) {
        if (!isRefusal(error)) return;
        outcome = () => {
          throw error;
        };
      } finally {
        nextMs = performance.now() + Math.max(REST_MS, RESTS * (performance.now() - began));
      }
    };
    return () => {
      if (
        !outcome &&
        performance.now() >= nextMs &&
        isIndexed(plan) &&
        index?.isLive(plan.resource)
      ) {
        nextMs = Number.POSITIVE_INFINITY;
        void look();
      }
      return outcome?.();
    };
  }

  /**
   * Answers by pipeline, unless the store is silent and the index can answer alone or has come
   * back. The change stream may recover before the connection that was asked does.
   */
  async #byPipeline(plan: Plan, deadline: Deadline, caller: Caller): Promise<Answer> {
    const part = deadline.within(deadline.left);
    const back = this.#lookBack(plan, part, caller);
    this.#asking++;
    try {
      const run = () => this.#settings.pipeline.run(plan, this.notBeforeOf(part), part, caller);
      return await this.#hedge.ask(
        () => this.#ofStore(run),
        () => this.#alone(plan, part) ?? back(),
      );
    } finally {
      this.#asking--;
      part.stop('answered');
      part.close();
    }
  }

  async #ofStore<T extends Shown>(byPipeline: () => Promise<T>): Promise<T & Routed> {
    this.#settings.requireStore?.();
    return this.#hand(await byPipeline(), 'pipeline');
  }

  /**
   * The index's answer to another kind of question or, if it has none, the pipeline's. Throws
   * errors of the pipeline.
   */
  async firstOf<T extends Shown>(
    byIndex: T | undefined,
    byPipeline: () => Promise<T>,
  ): Promise<T & Routed> {
    return byIndex ? this.#hand(byIndex, 'index') : await this.#ofStore(byPipeline);
  }

  /** The index's answer; undefined when it has none just now. Throws errors of the executor. */
  async runByIndex(plan: Plan, deadline: Deadline): Promise<Answer | undefined> {
    return await loop.run('watch', undefined, async () => {
      const page = await this.#settings.index?.run(plan, this.notBeforeOf(deadline), deadline);
      return page && this.#hand(page, 'index');
    });
  }

  /**
   * The same in one step, if all of it is in memory.
   *
   * @param deadline of the request that asks, if one does
   */
  runNow(plan: Plan, deadline?: Pick<Deadline, 'notBefore'>): Answer | undefined {
    const notBefore = deadline ? this.notBeforeOf(deadline) : this.notBefore;
    const page = this.#settings.index?.runNow(plan, notBefore);
    return page && this.#hand(page, 'index');
  }

  /** The moment that every answer from now on includes. */
  get notBefore(): Timestamp | undefined {
    return this.#notBefore;
  }

  /** The same for one request, which may ask for a later moment. */
  notBeforeOf({ notBefore }: Pick<Deadline, 'notBefore'>): Timestamp | undefined {
    return notBefore ? laterOf(this.notBefore, notBefore) : this.notBefore;
  }

  #hand<T extends Shown>(answer: T, route: Routed['route']): T & Routed {
    this.note(answer.asOf);
    return Object.assign(answer, { route });
  }
}
