/**
 * One client that watches: what it has been sent, and what it may be sent next.
 *
 *     answer ──► other than the last one sent? ──► ready, and half a second since then? ──► sent
 *                                                   └─ no: told again later, of the answer by then
 */
import type { ServerResponse } from 'node:http';
import type { Timestamp } from 'mongodb';
import { AppError } from '../../errors.ts';
import type { Holdings } from '../../guard/guard.ts';
import type { Caller, Hold } from '../../guard/quota.ts';
import type { Right } from '../rights.ts';
import { EventStream, eventBytes } from './eventStream.ts';

/** An answer as it is sent, made once for all who watch it. */
export interface SharedAnswer {
  readonly asOf: Timestamp;
  /** Equal for answers that show the same. */
  readonly digest: string;
  /** The event. */
  readonly bytes: Buffer;
  /** Why the index did not answer; empty when it did. */
  readonly reason: string;
}

/** Least time between two answers, milliseconds. */
export const PACE_MS = 500;

/** Smaller events fit into the buffers of their connection, bytes. */
const SMALL_EVENT = 16_384;

export interface WatcherOptions {
  readonly res: ServerResponse;
  readonly right: Right;
  readonly holdings: Holdings;
  /** Wants to be told of the answer, at once or in so many milliseconds. */
  readonly onBehind: (inMs: number) => void;
  /** No answer of an earlier moment is sent. */
  readonly notBefore: Timestamp | undefined;
}

export class Watcher {
  readonly right: Right;
  readonly stream: EventStream;
  readonly #options: WatcherOptions;
  #sent: SharedAnswer | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #reason = '';
  #heardAt = performance.now();
  #behind = false;
  #hold: Hold | undefined;
  #over = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.right = options.right;
    this.stream = new EventStream(options.res, () => this.#taken());
  }

  get caller(): Caller {
    return this.#options.holdings.caller;
  }

  /** Sends the answer if it is news and can be sent. */
  offer(answer: SharedAnswer): void {
    const { asOf, digest, bytes, reason } = answer;
    const notBefore = this.#sent?.asOf ?? this.#options.notBefore;
    if (this.#over || notBefore?.greaterThan(asOf)) return;
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
    const state = reason === this.#reason ? NOTHING : stateEvent(reason);
    const news = isNews ? bytes : NOTHING;
    if (!this.#send(state === NOTHING ? news : Buffer.concat([state, news]))) return;
    this.#reason = reason;
    if (!isNews) return;
    // Without its bytes, which others may share and which are many.
    this.#sent = { ...answer, bytes: NOTHING };
    this.#sentAt = this.#heardAt;
  }

  /**
   * Keeps a connection that was silent for so long, milliseconds, from looking dead.
   *
   * @param reached the moment up to which the last answer still holds, where that is known
   */
  comment(silentMs: number, reached: () => string | null): void {
    const silent = performance.now() - this.#heardAt;
    if (this.#over || !this.stream.ready || silent < silentMs) return;
    const id = reached();
    // An id without data is no event: by the standard the client only remembers it.
    this.#send(id === null ? ':\n\n' : `:\nid: ${id}\n\n`);
  }

  /** Says why the index does not answer: the next answer may be long in coming. */
  state(reason: string): void {
    if (this.#over || !this.#sent || reason === this.#reason || !this.stream.ready) return;
    if (this.#send(stateEvent(reason))) this.#reason = reason;
  }

  /** The last event, with its reason. */
  end(reason: string): void {
    if (this.#over || this.stream.destroyed) return;
    this.#over = true;
    this.stream.end(eventBytes({ event: 'end', data: JSON.stringify({ reason }) }));
  }

  /** False when too much waits to be read already. */
  #send(bytes: Buffer | string): boolean {
    try {
      if (bytes.length > SMALL_EVENT) {
        this.#hold = this.#options.holdings.hold('answers', bytes.length);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#options.onBehind(PACE_MS);
      return false;
    }
    this.#heardAt = performance.now();
    this.stream.send(bytes);
    return true;
  }

  #taken(): void {
    this.#hold?.release();
    this.#hold = undefined;
    if (!this.#behind) return;
    this.#behind = false;
    this.#options.onBehind(0);
  }
}

const NOTHING = Buffer.alloc(0);

const stateEvent = (reason: string) =>
  eventBytes({
    event: 'state',
    data: JSON.stringify(reason === '' ? { index: 'live' } : { index: 'unavailable', reason }),
  });
