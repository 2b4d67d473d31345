/**
 * An explore that is watched: one search, one text, for all who ask the same and may see the same.
 *
 *     touched ──► waits for its pace ──► its turn ──► search ──► other than before? ──► each watcher
 *
 * While the index cannot answer, nothing tells of changes: the pipeline is asked every five seconds.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { printTime } from '../../mongo/clusterTime.ts';
import { Deadline } from '../../mongo/deadline.ts';
import type { ParsedExplore } from '../../query/explore/body.ts';
import type { ParseSettings } from '../../query/parse.ts';
import type { SearchView } from '../../resources/views.ts';
import type { Answer, Search } from '../../search/search.ts';
import type { WatchedSearch } from '../../search/watch/watchedSearches.ts';
import { toAppError } from '../failures.ts';
import { eventBytes } from './eventStream.ts';
import { PACE_MS, type SharedAnswer, type Watcher } from './watcher.ts';

/** How often pipelines answer, milliseconds. */
const PIPELINE_PACE_MS = 5_000;

/** How soon the index is asked again when it had no answer although it is live, milliseconds. */
const AGAIN_MS = 100;

const LATE = 'The index was not as far as answers that were shown.';

/** An explore as its body asks for it. */
export interface ExploreAnswers {
  readonly view: SearchView;
  /** Equal for bodies that ask the same of the same rows. */
  readonly key: string;
  /** Throws as `parseExplore` does. */
  parse(settings: ParseSettings): ParsedExplore;
  /** The whole answer. */
  json(answer: Answer, parsed: ParsedExplore, settings: ParseSettings): Promise<Buffer>;
}

export interface WatchedExploreDeps {
  readonly search: Pick<Search, 'run' | 'runByIndex'>;
  readonly parseSettings: (deadline: Deadline) => Promise<ParseSettings>;
  /** Why the index cannot answer searches of the explore's resource; empty when it can. */
  readonly unavailable: () => string;
  readonly timeoutMs: number;
  /** Puts it in line. */
  readonly wantTurn: () => void;
  /** The plan is another one, since the settings are. */
  readonly onReplanned: (replace: () => void) => void;
}

export class WatchedExplore implements WatchedSearch {
  readonly watchers = new Set<Watcher>();
  readonly #deps: WatchedExploreDeps;
  readonly #answers: ExploreAnswers;
  #settings: ParseSettings;
  #parsed: ParsedExplore;
  #touched = false;
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Whether the latest answer came from a pipeline. */
  #byPipeline = false;

  constructor(answers: ExploreAnswers, settings: ParseSettings, deps: WatchedExploreDeps) {
    this.#answers = answers;
    this.#settings = settings;
    this.#parsed = answers.parse(settings);
    this.#deps = deps;
  }

  get plan() {
    return this.#parsed.plan;
  }

  get fold() {
    return this.#settings.fold;
  }

  get isTouched(): boolean {
    return this.#touched;
  }

  touch(): void {
    if (this.#touched) return;
    this.#touched = true;
    const pace = this.#byPipeline && this.#deps.unavailable() !== '' ? PIPELINE_PACE_MS : PACE_MS;
    this.#schedule(this.#askedAt + pace - performance.now());
  }

  /** To be called now and then: while the index cannot answer, nothing touches it. */
  look(): void {
    if (this.#deps.unavailable() !== '') this.touch();
    else if (this.#byPipeline) this.askIn(this.#askedAt + PACE_MS - performance.now());
  }

  /** Asks anew in so many milliseconds, at the latest. */
  askIn(ms: number): void {
    this.#touched = true;
    this.#schedule(ms);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Searches, and tells those who watch. */
  async ask(): Promise<void> {
    this.#touched = false;
    this.#due = Number.POSITIVE_INFINITY;
    const deadline = new Deadline(this.#deps.timeoutMs);
    try {
      await this.#replan(deadline);
      const answer = await this.#answer(deadline);
      if (answer) {
        const shared = await this.share(answer);
        for (const watcher of [...this.watchers]) watcher.offer(shared);
      } else this.askIn(AGAIN_MS);
    } catch (thrown) {
      const error = toAppError(thrown);
      // What cannot be answered any more: a histogram of too many buckets.
      if (thrown instanceof AppError && error.status < 500 && error.status !== 429) {
        for (const watcher of [...this.watchers]) watcher.end(error.detail);
      } else this.askIn(PIPELINE_PACE_MS);
    } finally {
      deadline.close();
    }
  }

  /** An answer as those who watch are shown it. */
  async share(answer: Answer): Promise<SharedAnswer> {
    this.#byPipeline = answer.route === 'pipeline';
    this.#askedAt = Math.max(this.#askedAt, performance.now());
    const json = await this.#answers.json(answer, this.#parsed, this.#settings);
    const { asOf } = answer;
    const bytes = eventBytes({ event: 'answer', id: printTime(asOf), data: json });
    const digest = createHash('sha1').update(json).digest('base64');
    const reason = this.#byPipeline ? this.#deps.unavailable() || LATE : '';
    return { asOf, digest, bytes, reason };
  }

  /** Undefined when the index has none, although it should. */
  async #answer(deadline: Deadline): Promise<Answer | undefined> {
    const { search, unavailable } = this.#deps;
    const isLate = performance.now() - this.#askedAt >= PIPELINE_PACE_MS;
    if (unavailable() === '') {
      const answer = await search.runByIndex(this.plan, deadline);
      if (answer || !isLate) return answer;
    }
    const [watcher] = this.watchers;
    return await search.run(this.plan, deadline, watcher?.caller);
  }

  async #replan(deadline: Deadline): Promise<void> {
    const settings = await this.#deps.parseSettings(deadline);
    if (settings === this.#settings) return;
    this.#deps.onReplanned(() => {
      this.#settings = settings;
      this.#parsed = this.#answers.parse(settings);
    });
  }

  #schedule(inMs: number): void {
    const due = performance.now() + Math.max(0, inMs);
    if (due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    if (inMs <= 0) {
      this.#deps.wantTurn();
      return;
    }
    this.#timer = setTimeout(() => this.#deps.wantTurn(), inMs);
    this.#timer.unref();
  }
}
