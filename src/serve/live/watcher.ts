/**
 * One client that watches: the answer it has, and the one to send next.
 *
 *     answer ──► other than the last one sent? ──► ready, and half a second since then? ──► sent
 *                                                   └─ no: told again later, of the answer by then
 */
import type { Timestamp } from 'mongodb';
import type { Outage } from '../../tables/index/indexHealth.ts';
import type { Caller } from '../../tables/search/quota.ts';
import { EventStream, type EventStreamOptions, eventBytes } from './eventStream.ts';

/** An answer as it is sent, made once for all who watch it. */
export interface SharedAnswer {
  readonly asOf: Timestamp;
  /** Equal for answers that show the same. */
  readonly digest: string;
  /** The event. */
  readonly bytes: Buffer;
  /** Why the index did not answer; undefined when it did. */
  readonly outage: Outage | undefined;
}

/** Least time between two answers, milliseconds. */
export const PACE_MS = 500;

export interface WatcherOptions extends Omit<EventStreamOptions, 'onReady'> {
  /** Asks for the answer, at once or in so many milliseconds. */
  readonly onBehind: (inMs: number) => void;
  /** No answer of an earlier moment is sent. */
  readonly notBefore: Timestamp | undefined;
}

export class Watcher {
  readonly stream: EventStream;
  readonly #options: WatcherOptions;
  #sent: SharedAnswer | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** Why the index does not answer, as the client knows; undefined when it does. */
  #reason: string | undefined;
  #behind = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.stream = new EventStream({ ...options, onReady: () => this.#taken() });
  }

  get caller(): Caller {
    return this.#options.holdings.caller;
  }

  /** Sends the answer if it is news and can be sent. */
  offer(answer: SharedAnswer): void {
    const { asOf, digest, bytes, outage } = answer;
    const reason = outage?.reason;
    const notBefore = this.#sent?.asOf ?? this.#options.notBefore;
    if (this.stream.isOver || notBefore?.greaterThan(asOf)) return;
    const isNews = digest !== this.#sent?.digest;
    if (!isNews && reason === this.#reason) return;
    if (!this.stream.ready) {
      this.#behind = true;
      return;
    }
    const early = isNews ? this.#sentAt + PACE_MS - performance.now() : 0;
    if (early > 0) {
      this.#options.onBehind(early);
      return;
    }
    const state = reason === this.#reason ? NOTHING : stateEvent(outage);
    const news = isNews ? bytes : NOTHING;
    if (!this.stream.send(state === NOTHING ? news : Buffer.concat([state, news]))) {
      this.#options.onBehind(PACE_MS);
      return;
    }
    this.#reason = reason;
    if (!isNews) return;
    // Without its bytes, which others may share and which are many.
    this.#sent = { ...answer, bytes: NOTHING };
    this.#sentAt = performance.now();
  }

  /** Says in place of an answer why there is none. */
  say(outage: Outage): void {
    if (this.stream.send(stateEvent(outage))) this.#reason = outage.reason;
  }

  /** Says why the index does not answer: the next answer may be long in coming. */
  state(outage: Outage): void {
    const { reason } = outage;
    const hasBegun = this.#sent !== undefined || this.#reason !== undefined;
    if (hasBegun && reason !== this.#reason && this.stream.ready) this.say(outage);
  }

  #taken(): void {
    if (!this.#behind) return;
    this.#behind = false;
    this.#options.onBehind(0);
  }
}

const NOTHING = Buffer.alloc(0);

const stateEvent = (outage: Outage | undefined) =>
  eventBytes({
    event: 'state',
    data: JSON.stringify(outage ? { index: 'unavailable', ...outage } : { index: 'live' }),
  });
