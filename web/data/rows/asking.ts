/**
 * From the question to the shown rows: asked at once, while the earlier one is given up, and then
 * watched.
 *
 * ```
 * question changes ─▶ earlier one aborted ─▶ rows ─▶ shown ─▶ explore ─▶ shown ─┬─ 400 ms ─▶ watch ─▶ events ─▶ shown, or held
 *                                                                │               └─ cut ─▶ the client connects again
 *                                                                └─ refused ─▶ told ─▶ tried again where that may help
 * ```
 *
 * Rows are found in less than a millisecond, and counting takes ten times as long: so they come first, and are
 * painted while the rest is counted. The whole answer has them once more, so that all that is shown is of one
 * moment as soon as it is there.
 *
 * Where the store gave the rows, or none before the index is loaded, the watch alone asks for the counts. They may take
 * the store longer than a search has, and the watch says meanwhile how far the index is.
 */

import { batch, computed, effect, signal } from '@preact/signals';
import { ApiError, ConnectionError, type WatchEvent } from '../../../clients/typescript/index.ts';
import type { Answer, Failure, Live } from '../../present/answer.ts';
import { waitAfter } from '../../present/failureText.ts';
import { marked, painted } from '../../present/paint.ts';
import { type Question, questionOf } from '../../query/question.ts';
import { TIME_ZONE } from '../../state/times.ts';
import { isOwn, type View } from '../../state/view.ts';
import { fieldTitle } from '../../tables/tables.ts';
import { noteClock, noteMoment } from '../service/clock.ts';
import { learnOthers, tables } from '../service/learnTables.ts';
import { firstOf, rowsAt } from '../service/service.ts';
import { isAdmin, person, refusal } from '../service/session.ts';
import { askedFor, forget, minute, question, shown, table, view, waiting } from '../store.ts';
import { tellUnread } from '../unread.ts';
import { arrive, isShown, pointing, release, scrolled, show } from './arrivals.ts';
import { exactOf, joinedWith } from './exactValues.ts';

export const live = signal<Live>({ state: 'off' });
export const paused = signal(false);

export const failure = signal<Failure | undefined>(undefined);
/** Whether the page waits for rows, and whether it waits for the counts beside them. */
export const isAsking = signal(false);
export const isCounting = signal(false);
/** When the shown rows were last known to be current. */
export const asOf = signal<number | undefined>(undefined);

const again = signal(0);
/** Asks the same once more. */
export const askAgain = () => {
  again.value += 1;
};

/** The question that is asked or watched. */
const course = signal<Course | undefined>(undefined);

/** Stops the answers that come by themselves; later it asks again. */
export function togglePause(): void {
  paused.value = !paused.peek();
  if (!paused.peek()) askAgain();
  else if (course.peek()) live.value = { state: 'paused' };
}

/** Resolves once no rows are due. */
export const rowsCame = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = effect(() => {
      if (isAsking.value) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });

/** The same, and those that came are on the screen. */
export const rowsPainted = (): Promise<void> => rowsCame().then(painted);

/** How long a question stands before it is watched, milliseconds. */
const SETTLED_MS = 400;
/** Whether a pipeline gave the last answer, or nothing could. */
let isSlow = false;
/** How often rows that wait are let in, milliseconds: time to reach the command that shows them. */
const RELEASE_MS = 1_500;
let releasing: ReturnType<typeof setInterval> | undefined;

export function startAsking(): void {
  effect(() => {
    table.value;
    person.value;
    leaveTable();
  });
  effect(() => {
    const asked = question.value;
    // The same question is another one where the table is.
    table.value;
    again.value;
    const mayAsk = refusal.value === undefined && isTableThere();
    course.peek()?.end();
    const next = mayAsk && asked ? new Course(asked) : undefined;
    course.value = next;
    if (next) return;
    live.value = { state: 'off' };
    isAsking.value = false;
    isCounting.value = false;
  });
  effect(() => {
    clearInterval(releasing);
    if (waiting.value === undefined || pointing.value || scrolled.value || paused.value) return;
    // The next answer would bring them anyway, and a quiet table has none.
    releasing = setInterval(release, RELEASE_MS);
  });
}

/** Nothing of a table, or a person, stays beside the next one: no rows, counts or record, and no reason for none. */
function leaveTable(): void {
  batch(() => {
    forget();
    failure.value = undefined;
    const { state } = live.peek();
    if (state === 'slow' || state === 'lost') live.value = { state: 'connecting' };
  });
}

/** While the list of tables is late, `/` may stand for any table: only an address that names one is asked for. */
const isTableThere = () =>
  tables.value === 'known' || (tables.value === 'late' && location.pathname !== '/');

/** One question, from its asking until another takes its place. */
class Course {
  readonly #abort = new AbortController();
  readonly #question: Question;
  readonly #view = view.peek();
  #rowsPainted: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(question: Question) {
    this.#question = question;
    void this.#ask(0);
    batch(() => {
      isAsking.value = true;
      isCounting.value = true;
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async #ask(tries: number): Promise<void> {
    const { signal } = this.#abort;
    try {
      await this.#askForRows();
      // Counting takes the service a processor, which painting needs as well.
      await this.#rowsPainted;
      if (signal.aborted) return;
      if (isSlow && !paused.peek()) {
        void this.#watch(tries);
        return;
      }
      await this.#askForCounts();
      if (signal.aborted) return;
      this.#timer = setTimeout(() => void this.#watch(tries), paused.peek() ? 0 : SETTLED_MS);
    } catch (error) {
      if (signal.aborted) return;
      // Another question may take the place of this one, whose refusal then shows nowhere.
      await readAgain(error);
      if (signal.aborted) return;
      isSlow = error instanceof ApiError && error.code === 'IndexLoading';
      if (isSlow && !paused.peek()) void this.#watch(tries);
      else this.#failed(error, tries);
    }
  }

  /** Rows that are shown already are not asked for again. */
  async #askForRows(): Promise<void> {
    if (isShown(this.#view)) return;
    const { signal } = this.#abort;
    const { facets, histogram, baseline, ...body } = this.#question.body;
    const answer = await rowsAt(this.#question).explore(body, { signal });
    if (signal.aborted) return;
    isSlow = answer.info?.route === 'pipeline';
    batch(() => this.#show(answer));
    this.#rowsPainted = painted();
  }

  async #askForCounts(): Promise<void> {
    const { signal } = this.#abort;
    const [answer, exact] = await Promise.all([
      rowsAt(this.#question).explore(this.#question.body, { signal }),
      exactOf(this.#question, signal),
    ]);
    if (signal.aborted) return;
    isSlow = answer.info?.route === 'pipeline';
    batch(() => {
      isCounting.value = false;
      this.#show(joinedWith(exact, answer));
    });
    marked('counts');
  }

  #show(answer: Answer): void {
    failure.value = undefined;
    isAsking.value = false;
    asOf.value = Date.now();
    noteClock(answer.info?.headers.get('date') ?? null);
    noteMoment(answer.info?.asOf);
    // The same question once more: the visible rows stay in their places.
    if (isShown(this.#view)) arrive(answer, this.#view);
    else show(answer, this.#view);
  }

  #failed(error: unknown, tries: number): void {
    if (this.#abort.signal.aborted) return;
    clearTimeout(this.#timer);
    const wait = waitAfter(error, tries);
    const what = failureOf(error, this.#question);
    // A question that is refused has no answer: the rows of an earlier one would look like it.
    const isRefused = wait === undefined && what.status !== 401 && !isShown(this.#view);
    batch(() => {
      if (isRefused) shown.value = undefined;
      isAsking.value = false;
      // Rows may have come without their counts: those beside them are of an earlier question.
      isCounting.value = isShown(this.#view);
      live.value = { state: 'off' };
      failure.value = { ...what, retryAt: wait === undefined ? undefined : Date.now() + wait };
    });
    if (wait !== undefined) this.#timer = setTimeout(() => void this.#ask(tries + 1), wait);
  }

  async #watch(tries: number): Promise<void> {
    const { signal } = this.#abort;
    live.value = { state: paused.peek() ? 'paused' : 'connecting' };
    if (paused.peek()) return;
    try {
      const events = rowsAt(this.#question).watch(this.#question.body, {
        signal,
        onReached: noteMoment,
      });
      for await (const event of events) {
        if (signal.aborted) return;
        if (paused.peek()) {
          await events.return(undefined);
          return;
        }
        const heard =
          event.type === 'answer'
            ? { ...event, answer: joinedWith(await exactOf(this.#question, signal), event.answer) }
            : event;
        if (signal.aborted) return;
        this.#heard(heard);
      }
    } catch (error) {
      if (signal.aborted) return;
      await readAgain(error);
      if (signal.aborted) return;
      const wait = waitAfter(error, Math.max(3, tries));
      const { detail, status } = failureOf(error, this.#question);
      const isCallersFault = status !== undefined && status < 500;
      if (isCounting.peek() && !isCallersFault) {
        this.#failed(error, tries);
        return;
      }
      live.value = {
        ...{ state: 'lost', reason: detail, isRefused: status !== undefined },
        until: wait && Date.now() + wait,
      };
      if (wait !== undefined) this.#timer = setTimeout(() => void this.#watch(tries + 1), wait);
      // There is no watch to be had, which would bring them.
      if (isCounting.peek()) await this.#askForCounts().catch((why) => this.#failed(why, tries));
    }
  }

  #heard(event: WatchEvent<Answer>): void {
    if (event.type === 'answer') {
      batch(() => {
        isCounting.value = false;
        noteMoment(event.asOf);
        if (live.peek().state !== 'slow') live.value = { state: 'live' };
        this.#show(event.answer);
      });
    } else if (event.type === 'state') {
      const { index, reason, loaded } = event;
      isSlow = index !== 'live';
      batch(() => {
        failure.value = undefined;
        live.value = isSlow ? { state: 'slow', reason, loaded } : { state: 'live' };
      });
    } else {
      const reason = event.type === 'end' ? event.reason : 'The connection was lost.';
      const until = Date.now() + (event.retryInMs ?? 0);
      live.value = { state: 'lost', reason, until, isRefused: false };
      // A watch that ends with its token is no fault of the connection: the service says so when it is asked.
      if (event.type !== 'end') return;
      // It may have ended for a question that is refused, which an explore says.
      isSlow &&= !isCounting.peek();
      askAgain();
    }
  }
}

/** A table of one's own may be another one since the page was opened: then its view is read again, and asked for. */
async function readAgain(error: unknown): Promise<void> {
  const isRefused = error instanceof ApiError && (error.status === 404 || error.status === 422);
  if (!isRefused || !isOwn(view.peek().table)) return;
  if (await learnOthers()) tellUnread(location.href);
}

/** The first row of a view that is not the one that is looked at, and how many there are. */
export async function foundBy(of: View, signal: AbortSignal) {
  const now = new Date(minute.peek());
  const circumstances = { facets: [], timeZone: TIME_ZONE, now, buckets: 0 };
  const asked = questionOf(of, isAdmin.peek(), circumstances);
  if (!asked) return undefined;
  const { filters, select, sorting } = asked.body;
  return await firstOf(asked, { filters, select, ...(sorting && { sorting }) }, signal);
}

export const countRows = async (of: View, signal: AbortSignal): Promise<number | undefined> =>
  (await foundBy(of, signal))?.count;

function failureOf(error: unknown, { body }: Question): Omit<Failure, 'retryAt'> {
  if (error instanceof ApiError) {
    const { status, title, requestId, problems, message } = error;
    const places = problems.map(({ pointer, detail }) => {
      const field = fieldAt(body, pointer);
      if (field !== undefined) return `${fieldTitle(view.peek().table, field)}: ${detail}`;
      return pointer === '/select' ? `Filters: ${detail}` : detail;
    });
    return { status, title, detail: places.join(' ') || message, requestId };
  }
  if (error instanceof ConnectionError) {
    return { status: undefined, title: 'The service cannot be reached', detail: error.message };
  }
  throw error;
}

/** The field of the condition that a JSON pointer leads into. */
function fieldAt(body: object, pointer: string): string | undefined {
  let at: unknown = body;
  let field: string | undefined;
  for (const step of pointer.split('/').slice(1)) {
    at = (at as Readonly<Record<string, unknown>> | undefined)?.[step];
    const { field: own } = (at ?? {}) as { readonly field?: unknown };
    if (typeof own === 'string') field = own;
  }
  return field;
}

/** Whether the rows answer an earlier question, while the service does not answer the present one. */
export const isStale = computed(
  () =>
    failure.value !== undefined &&
    shown.value !== undefined &&
    askedFor(shown.value.of) !== askedFor(view.value),
);
