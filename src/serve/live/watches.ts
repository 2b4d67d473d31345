/**
 * All watched searches, and their watchers.
 *
 *     a row changes ──► searches it may concern ──► line ──► asked in turns, others go first ──► watchers
 *     a right ends ──► the watcher ends               └─ the same question of several: asked once
 *
 * A watched search that no change may concern costs nothing, except for a comment now and then that
 * keeps its connection open.
 */
import type { Deadline } from '../../store/deadline.ts';
import type { Resource } from '../../tables/definition/definition.ts';
import type { Outage } from '../../tables/index/indexHealth.ts';
import type { ParseSettings } from '../../tables/query/parse.ts';
import type { Answer } from '../../tables/search/search.ts';
import type { WatchedSearches } from '../../tables/watch/watchedSearches.ts';
import type { Holders } from '../auth/holders.ts';
import { ANSWERS_MS, lookEvery } from '../looking.ts';
import type { EventStream } from './eventStream.ts';
import { Turns } from './turns.ts';
import { type ExploreAnswers, WatchedExplore, type WatchedExploreDeps } from './watchedExplore.ts';
import { Watcher, type WatcherOptions } from './watcher.ts';

export interface WatchesDeps
  extends Omit<WatchedExploreDeps, 'unavailable' | 'turns' | 'onReplanned'> {
  readonly rights: Pick<Holders, 'add' | 'delete'>;
  readonly searches: WatchedSearches;
  /** Why the index cannot answer searches of a resource; undefined while it can. */
  readonly unavailable: (resource: Resource) => Outage | undefined;
  /** The moment that the index has reached, as clients are told it; null while there is none. */
  readonly reached: () => string | null;
}

export class Watches {
  readonly #deps: WatchesDeps;
  readonly #explores = new Map<string, WatchedExplore>();
  readonly #turns = new Turns();

  constructor(deps: WatchesDeps) {
    this.#deps = deps;
    lookEvery(ANSWERS_MS, this, (own) => own.#look());
  }

  /**
   * Watches an explore: the stream has its answer, and then others as they come. While the index loads it says so
   * first.
   *
   * @throws AppError as the search does
   */
  async watch(
    answers: ExploreAnswers,
    settings: ParseSettings,
    who: Pick<WatcherOptions, 'res' | 'right' | 'holdings'> & { readonly deadline: Deadline },
  ): Promise<{ readonly stream: EventStream; readonly route: Answer['route'] }> {
    const { reached, rights } = this.#deps;
    const { deadline, ...client } = who;
    const explore = this.#exploreOf(answers, settings);
    const onBehind = (inMs: number) => explore.askIn(inMs);
    const watcher = new Watcher({
      ...client,
      onBehind,
      notBefore: deadline.notBefore,
      reached: () => (explore.isSettled ? reached() : null),
    });
    // From here on it is told of changes: of those after its own answer, too.
    explore.watchers.add(watcher);
    watcher.stream.once('close', () => this.#leave(answers.key, explore, watcher));
    try {
      const now = explore.answerNow(deadline);
      const outage = now ? undefined : this.#deps.unavailable(explore.resource);
      if (outage?.loaded !== undefined) {
        // The store may take long, or have no chance.
        watcher.say(outage);
        explore.askIn(0);
        rights.add(watcher.stream);
        return { stream: watcher.stream, route: 'pipeline' };
      }
      const { answer, shared } = now ?? (await this.#askFor(watcher, explore, deadline));
      watcher.offer(shared);
      rights.add(watcher.stream);
      return { stream: watcher.stream, route: answer.route };
    } catch (error) {
      watcher.stream.destroy();
      throw error;
    }
  }

  async #askFor({ caller }: Watcher, explore: WatchedExplore, deadline: Deadline) {
    const answer = await this.#deps.search.run(explore.plan, deadline, caller);
    return { answer, shared: await explore.share(answer) };
  }

  #exploreOf(answers: ExploreAnswers, settings: ParseSettings): WatchedExplore {
    const known = this.#explores.get(answers.key);
    if (known) return known;
    const { searches, unavailable, ...deps } = this.#deps;
    const explore: WatchedExplore = new WatchedExplore(answers, settings, {
      ...deps,
      unavailable: () => unavailable(answers.view.resource),
      turns: this.#turns,
      onReplanned: (replace) => {
        searches.delete(explore);
        replace();
        searches.add(explore);
      },
    });
    this.#explores.set(answers.key, explore);
    searches.add(explore);
    return explore;
  }

  #leave(key: string, explore: WatchedExplore, watcher: Watcher): void {
    this.#deps.rights.delete(watcher.stream);
    explore.watchers.delete(watcher);
    if (explore.watchers.size > 0) return;
    explore.close();
    this.#deps.searches.delete(explore);
    this.#turns.delete(explore);
    this.#explores.delete(key);
  }

  #look(): void {
    const { unavailable } = this.#deps;
    const outages = new Map<Resource, Outage | undefined>();
    for (const explore of this.#explores.values()) {
      const { resource } = explore;
      if (!outages.has(resource)) outages.set(resource, unavailable(resource));
      explore.look(outages.get(resource));
    }
  }
}
