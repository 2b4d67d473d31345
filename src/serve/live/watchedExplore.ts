/**
 * A watched explore: one search, one text, for all callers who ask the same and may see the same.
 *
 *     touched ──► waits for its pace ──► its turn ──► search ──► other than before? ──► each watcher
 *
 * Search, rows and text are made in one step where memory has all of it, as it mostly has. Otherwise the
 * explore waits for the store.
 *
 * While the index cannot answer, nothing tells of changes. So the explore asks the pipeline every five seconds, and
 * after a timeout for a fifth of the time at most. If the index only has no column to sort by, the explore asks the
 * pipeline after changes, within both limits.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { scalarOf } from '../../store/bson/storeValue.ts';
import { printTime } from '../../store/clusterTime.ts';
import { Deadline } from '../../store/deadline.ts';
import type { Resource } from '../../tables/definition/definition.ts';
import type { SearchView } from '../../tables/definition/view.ts';
import type { ParsedExplore } from '../../tables/explore/body.ts';
import type { Outage } from '../../tables/index/indexHealth.ts';
import { isIndexed } from '../../tables/query/order.ts';
import type { ParseSettings } from '../../tables/query/parse.ts';
import type { Answer, Search } from '../../tables/search/search.ts';
import type { WatchedSearch } from '../../tables/watch/watchedSearches.ts';
import { type AnsweredPage, type Inside, pageNow, wholePage } from '../answer/pages.ts';
import { toAppError } from '../failures.ts';
import { eventFrame } from './eventStream.ts';
import type { Asked, Turns } from './turns.ts';
import { PACE_MS, type SharedAnswer, type Watcher } from './watcher.ts';

/** How often pipelines answer, milliseconds. */
const PIPELINE_PACE_MS = 5_000;

/** The store rests so many times as long as it sorted for a watch. */
const STORE_RESTS = 4;

/** How soon the index is asked again when it had no answer although it is live, milliseconds. */
const AGAIN_MS = 100;

const LATE: Outage = { reason: 'The index is behind answers that were already shown.' };

/** The index names no such row to the store. */
const NO_NAME: Outage = { reason: 'The database reads pages with keys that are objects.' };

const NO_COLUMN: Outage = { reason: 'The database sorts by this column.' };

const lateBecause = (rows: Answer['rows']): Outage =>
  rows.some(({ document }) => scalarOf(document._id) === undefined) ? NO_NAME : LATE;

/** An explore as its body asks for it. */
export interface ExploreAnswers {
  readonly view: SearchView;
  /** Equal for bodies that ask the same of the same rows. */
  readonly key: string;
  /** Throws as `parseExplore` does. */
  parse(settings: ParseSettings): ParsedExplore;
  /** The parts of the answer's body. */
  page(answer: Answer, parsed: ParsedExplore, settings: ParseSettings): AnsweredPage;
}

export interface WatchedExploreDeps {
  readonly search: Pick<Search, 'run' | 'runByIndex' | 'runNow'>;
  readonly parseSettings: (deadline: Deadline) => ParseSettings | Promise<ParseSettings>;
  /** The same where the store need not be asked. */
  readonly settingsNow: () => ParseSettings | undefined;
  /** Why the index cannot answer searches of the explore's resource; undefined when it can. */
  readonly unavailable: () => Outage | undefined;
  readonly timeoutMs: number;
  /** On whose account answers are made that are large. */
  readonly inside: Inside;
  readonly turns: Pick<Turns, 'want' | 'wantStore'>;
  /** The plan is another one, since the settings are. */
  readonly onReplanned: (replace: () => void) => void;
}

/** The cost of an asking beside the search and the answer's text: promises, timers, sending, ms. */
const MIN_COST = 0.2;

/** The most that the first measurement counts, since much runs for the first time then, ms. */
const FIRST_COST = 1;

/**
 * An explore of more than a millisecond waits longer: so many times `PACE_MS` at most. A hundred
 * pages over a million rows then take a sixth of the event loop.
 */
const MAX_PACES = 4;

/** Larger pages are not made in one step, rows. */
const MAX_NOW = 250;

const frameOf = ({ asOf }: Answer) => eventFrame({ event: 'answer', id: printTime(asOf) });

export class WatchedExplore implements WatchedSearch, Asked {
  readonly watchers = new Set<Watcher>();
  readonly #deps: WatchedExploreDeps;
  readonly #answers: ExploreAnswers;
  #settings: ParseSettings;
  #parsed: ParsedExplore;
  #touched = false;
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking = false;
  /** The time of the question under way. */
  #deadline: Deadline | undefined;
  /** In how many milliseconds it is asked again after it is answered, if anything wants that sooner. */
  #againMs = Number.POSITIVE_INFINITY;
  /** Whether the index answers, as far as those who watch have been told. */
  #byIndex = true;
  /** Whether the index had no answer the last time, although it should. */
  #unanswered = false;
  /** Whether changes may have been missed since it was last asked: nothing tells of them during an outage. */
  #wasOut = false;
  /** How long the store last took, with the wait for a turn. */
  #storeMs = 0;
  #cost = MIN_COST;
  #latestMs = FIRST_COST;

  constructor(answers: ExploreAnswers, settings: ParseSettings, deps: WatchedExploreDeps) {
    this.#answers = answers;
    this.#settings = settings;
    this.#parsed = answers.parse(settings);
    this.#deps = deps;
  }

  get plan() {
    return this.#parsed.plan;
  }

  get resource(): Resource {
    return this.#answers.view.resource;
  }

  /** Whether the sent answer still holds: no change since then waits for the next asking. */
  get isSettled(): boolean {
    return !this.#touched && !this.#asking && this.#byIndex;
  }

  get cost(): number {
    return this.#cost;
  }

  touch(): void {
    if (this.#touched) return;
    this.#touched = true;
    // A table that is about to be live: `look` asks sooner than the pace of pipelines.
    this.#wasOut ||= this.#deps.unavailable() !== undefined;
    if (!this.#asking) this.#arm(this.#pace());
  }

  /** Is called now and then, since nothing touches it while the index cannot answer. */
  look(outage: Outage | undefined): void {
    if (outage) {
      this.#byIndex = false;
      this.#wasOut = true;
      for (const watcher of this.watchers) watcher.state(outage);
      this.touch();
    } else if (this.#wasOut || (!this.#byIndex && isIndexed(this.plan)))
      this.askIn(this.#answeredAt + PACE_MS - performance.now());
  }

  /** Asks again within so many milliseconds: from now, or from the end of the asking under way. */
  askIn(ms: number): void {
    this.#touched = true;
    if (this.#asking) this.#againMs = Math.min(this.#againMs, ms);
    else this.#arm(ms);
  }

  /** Ends it: the last watcher is gone. */
  close(): void {
    clearTimeout(this.#timer);
    this.#deadline?.stop('client');
  }

  /** Asks the index, and tells the watchers, in one step; false where the store has to be read. */
  askNow(): boolean {
    if (this.#asking || this.watchers.size === 0) return true;
    let retryMs: number | undefined;
    try {
      const now = this.answerNow();
      if (!now) return false;
      this.#begin();
      this.#tell(now.shared);
    } catch (error) {
      this.#begin();
      retryMs = this.#failed(error);
    }
    this.#end(retryMs);
    return true;
  }

  /**
   * The answer in one step; undefined where the store has to be read.
   *
   * @param deadline of the request that asks, if one does
   * @throws AppError as the search does
   */
  answerNow(
    deadline?: Deadline,
  ): { readonly answer: Answer; readonly shared: SharedAnswer } | undefined {
    const { search, settingsNow } = this.#deps;
    if (this.plan.perPage > MAX_NOW || settingsNow() !== this.#settings) return undefined;
    const began = performance.now();
    const answer = search.runNow(this.plan, deadline);
    if (!answer) return undefined;
    // The event is made once: copies of it would be megabytes a second of garbage.
    const [head, end] = frameOf(answer);
    const page = this.#answers.page(answer, this.#parsed, this.#settings);
    const bytes = pageNow(page, [head, end]);
    const json = bytes.subarray(head.length, bytes.length - end.length);
    const shared = this.#shared(answer, json, bytes);
    this.#costs(performance.now() - began);
    return { answer, shared };
  }

  /** Asks the index, and tells the watchers. */
  async ask(): Promise<void> {
    const { search } = this.#deps;
    await this.#ask(async (deadline) => {
      const answer = await search.runByIndex(this.plan, deadline);
      this.#unanswered = answer === undefined;
      return answer;
    });
  }

  /** The same by index or pipeline. */
  async askStore(): Promise<void> {
    const { search } = this.#deps;
    const [watcher] = this.watchers;
    await this.#ask(async (deadline) => {
      const began = performance.now();
      try {
        return await search.run(this.plan, deadline, watcher?.caller);
      } finally {
        this.#storeMs = performance.now() - began;
      }
    });
  }

  /** An answer as the watchers get it. */
  async share(answer: Answer): Promise<SharedAnswer> {
    const began = performance.now();
    const page = this.#answers.page(answer, this.#parsed, this.#settings);
    const { inside, timeoutMs } = this.#deps;
    const json = await wholePage(page, inside, timeoutMs);
    const [head, end] = frameOf(answer);
    const shared = this.#shared(answer, json, Buffer.concat([head, json, end]));
    if (this.#byIndex) this.#costs(answer.timing.searchMs + performance.now() - began);
    return shared;
  }

  #shared({ route, silentMs, asOf, rows }: Answer, json: Buffer, bytes: Buffer): SharedAnswer {
    this.#byIndex = route === 'index' && silentMs === undefined;
    this.#answeredAt = performance.now();
    this.#wasOut ||= this.#deps.unavailable() !== undefined;
    if (this.#byIndex) this.#unanswered = false;
    const digest = createHash('sha1').update(json).digest('base64');
    const outage = this.#byIndex ? undefined : (this.#outage ?? lateBecause(rows));
    return { asOf, digest, bytes, outage };
  }

  #tell(answer: SharedAnswer): void {
    for (const watcher of [...this.watchers]) watcher.offer(answer);
  }

  /** The less of two times counts: the other one may have waited for a processor, or for its code. */
  #costs(ms: number): void {
    this.#cost = Math.min(ms, this.#latestMs) + MIN_COST;
    this.#latestMs = ms;
  }

  async #ask(answerBy: (deadline: Deadline) => Promise<Answer | undefined>): Promise<void> {
    if (this.#asking || this.watchers.size === 0) return;
    this.#begin();
    let retryMs: number | undefined;
    const deadline = new Deadline(this.#deps.timeoutMs);
    this.#deadline = deadline;
    try {
      await this.#replan(deadline);
      const answer = await answerBy(deadline);
      if (answer) this.#tell(await this.share(answer));
      else retryMs = AGAIN_MS;
    } catch (error) {
      retryMs = this.#failed(error);
    } finally {
      deadline.close();
      this.#end(retryMs);
    }
  }

  #begin(): void {
    this.#wasOut = this.#deps.unavailable() !== undefined;
    this.#asking = true;
    this.#touched = false;
    this.#due = Number.POSITIVE_INFINITY;
    this.#againMs = Number.POSITIVE_INFINITY;
  }

  /** @param retryMs when it is asked again anyway, milliseconds from now */
  #end(retryMs: number | undefined): void {
    this.#asking = false;
    this.#touched ||= retryMs !== undefined;
    if (this.#touched) this.#arm(retryMs ?? Math.min(this.#againMs, this.#pace()));
  }

  /** In how many milliseconds it is asked again; undefined where the watchers have been told why not. */
  #failed(thrown: unknown): number | undefined {
    const error = toAppError(thrown);
    // A question that no longer has an answer, such as a histogram of too many buckets.
    const isFinal = thrown instanceof AppError && error.status < 500 && error.status !== 429;
    const isTooSlow = error.code === 'SearchTimeout';
    if (!isFinal) return isTooSlow ? this.#storeRest : this.#storePace;
    for (const watcher of [...this.watchers]) watcher.stream.end(error.detail);
    return undefined;
  }

  /** Why the index cannot answer. */
  get #outage(): Outage | undefined {
    return this.#deps.unavailable() ?? (isIndexed(this.plan) ? undefined : NO_COLUMN);
  }

  get #storePace(): number {
    return isIndexed(this.plan) ? PIPELINE_PACE_MS : this.#storeRest;
  }

  get #storeRest(): number {
    return Math.max(PIPELINE_PACE_MS, STORE_RESTS * this.#storeMs);
  }

  /** Milliseconds from now until it may be asked again: the dearer it is, the later. */
  #pace(): number {
    const own = PACE_MS * Math.min(MAX_PACES, Math.max(1, this.#cost));
    const pace = this.#outage ? this.#storePace : own;
    return this.#answeredAt + pace - performance.now();
  }

  async #replan(deadline: Deadline): Promise<void> {
    const settings = await this.#deps.parseSettings(deadline);
    if (settings === this.#settings) return;
    this.#deps.onReplanned(() => {
      this.#settings = settings;
      this.#parsed = this.#answers.parse(settings);
    });
  }

  #arm(inMs: number): void {
    const due = performance.now() + Math.max(0, inMs);
    if (due >= this.#due) return;
    this.#due = due;
    clearTimeout(this.#timer);
    if (inMs <= 0) {
      this.#wantTurn();
      return;
    }
    this.#timer = setTimeout(() => this.#wantTurn(), inMs);
    this.#timer.unref();
  }

  #wantTurn(): void {
    const { turns } = this.#deps;
    if (this.watchers.size === 0) return;
    const isLate = performance.now() - this.#answeredAt >= PIPELINE_PACE_MS;
    if (this.#outage || (this.#unanswered && isLate)) turns.wantStore(this);
    else turns.want(this);
  }
}
