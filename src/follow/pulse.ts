/**
 * How well the tables follow: a session's observations of its stream, and their meaning for
 * answers.
 *
 *     stream answers ── tables follow ─────────────────────────── silent: likely away
 *     interrupted ────── reopened ── frontier has caught up ────► follows again
 *
 * Tables that are held still for a checkpoint follow as well: they fall behind on purpose, and
 * catch up later.
 */
import type { ClusterTime } from '../store/clusterTime.ts';
import type { Frontier } from './frontier.ts';

export interface PulseOptions {
  readonly frontier: Pick<Frontier, 'at'>;
  /** How long the stream may hold back its answer, milliseconds. */
  readonly awaitMs: number;
  /** Whether there is a table that is shown. */
  readonly isShown: () => boolean;
}

/** An answer of the stream that is this much late makes it likely that the store is away. */
const SILENT_MS = 250;
/** Tables that are held still for longer, as by a disk that hangs, are too old to answer from. */
const MAX_HELD_MS = 60_000;
/** Replies that had nothing more to tell and wait for the frontier. */
const MAX_COMPLETE = 8;

export class Pulse {
  readonly #options: PulseOptions;
  /** Why the stream does not move at the moment; null when it does. */
  #broken: string | null = 'the change stream is not open yet';
  /**
   * The latest time that the stream had told of when it was mended: until F is there, changes may
   * be missing.
   */
  #catchUpTo: ClusterTime = 0n;
  /** Up to when the tables were known to follow, at the latest interruption, in `performance.now()`. */
  #followedUntil = Number.NEGATIVE_INFINITY;
  /** When the stream was last asked, and answered; since when an advance is due, in `performance.now()`. */
  #askedAt = performance.now();
  #answeredAt = performance.now();
  #dueSince: number | null = null;
  /** Until when tables may be held still, or were, in `performance.now()`. */
  #heldUntil = Number.NEGATIVE_INFINITY;
  /**
   * When a reply was last up to date. A reply that lags is a sign of the server's life, not of F's.
   */
  #currentAt = Number.NEGATIVE_INFINITY;
  /** Whether changes could not be read when they were to be: the store may be away. */
  #isUnreadable = false;
  /** Replies that told of all there was, and when they were asked for; F has not reached them. */
  readonly #complete: { readonly time: ClusterTime; readonly asked: number }[] = [];
  /** When the last one that F has reached was asked for. */
  #completeAt = Number.NEGATIVE_INFINITY;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  noteBroken(reason: string): void {
    if (!this.#isInterrupted) this.#followedUntil = this.#heardUntil;
    this.#broken = `the change stream was interrupted: ${reason}`;
  }

  /** The stream is open again, and has told of `seen`. */
  noteMended(seen: ClusterTime): void {
    this.#broken = null;
    this.#catchUpTo = seen;
  }

  /** Whether the stream is open, and of the store that the tables are of. */
  get isMended(): boolean {
    return this.#broken === null;
  }

  /** @returns the time, by `performance.now()` */
  noteAsked(): number {
    this.#askedAt = performance.now();
    return this.#askedAt;
  }

  /** @param isCurrent whether the reply was up to date, not about long past changes */
  noteAnswer(isCurrent: boolean): void {
    this.#answeredAt = performance.now();
    if (isCurrent) this.#currentAt = this.#answeredAt;
  }

  /** Whether the latest reply was up to date. */
  get isCurrent(): boolean {
    return this.#currentAt === this.#answeredAt;
  }

  /** There is something to advance to. */
  noteDue(): void {
    this.#dueSince ??= performance.now();
  }

  /** @param began when the advance began: changes due after it may have been known since then */
  noteAdvanced(isDue: boolean, began: number): void {
    this.#dueSince = isDue ? began : null;
    this.#isUnreadable = false;
  }

  /** Tables are held still from now on. */
  noteHeld(): void {
    this.#heldUntil = performance.now() + MAX_HELD_MS;
  }

  noteLetGo(): void {
    this.#heldUntil = performance.now();
  }

  /** Changes could not be read: the store may be away. */
  noteUnreadable(): void {
    if (!this.#isInterrupted) this.#followedUntil = this.#heardUntil;
    this.#isUnreadable = true;
  }

  /**
   * A reply that told of all there was up to `time`. Where F does not move few are kept: an older one that
   * it reaches is as good a bound.
   */
  noteComplete(time: ClusterTime, asked: number): void {
    this.#noteReached();
    if (this.#complete.length < MAX_COMPLETE) this.#complete.push({ time, asked });
  }

  get isCatchingUp(): boolean {
    return this.#at < this.#catchUpTo && this.#options.isShown();
  }

  /** Why the frontier may be too old to answer from; null when it moves as it should. */
  behind(staleMs: number): string | null {
    if (this.#broken !== null) return this.#broken;
    if (this.isCatchingUp) return 'the change stream was interrupted: catching up';
    const now = performance.now();
    const isOver = (since: number, ms: number) => now - Math.max(since, this.#heldUntil) > ms;
    if (isOver(this.#answeredAt, this.#options.awaitMs + staleMs)) {
      return 'the change stream does not answer';
    }
    if (this.#dueSince !== null && isOver(this.#dueSince, staleMs)) {
      return 'changes cannot be read as fast as they come';
    }
    return null;
  }

  /**
   * Milliseconds since the store's last sign of life that the tables follow; 0 while there is no
   * reason to doubt that it is there. An interruption lasts until the changes held back by it have
   * been caught up with.
   */
  get silentMs(): number {
    const now = performance.now();
    if (this.#isInterrupted) return now - this.#followedUntil;
    // A stream that is not asked, since changes are being read, is not late.
    const isLate = this.#askedAt > this.#answeredAt;
    const isSilent = isLate && now - this.#askedAt > this.#options.awaitMs + SILENT_MS;
    return isSilent ? now - this.#heardUntil : 0;
  }

  /**
   * For how long the store has been known to be ahead of the frontier, or not to answer,
   * milliseconds. Cluster times stand still in an idle store, so no clock can be compared with them.
   */
  get lagMs(): number {
    const { silentMs } = this;
    if (silentMs > 0) return silentMs;
    const since = this.isCurrent ? this.#dueSince : this.#heardUntil;
    return since === null ? 0 : performance.now() - since;
  }

  /**
   * The frontier's greatest possible age in milliseconds. It counts from the request for the last
   * reply that was complete and whose time the frontier has reached.
   */
  get ageMs(): number {
    this.#noteReached();
    return performance.now() - this.#completeAt;
  }

  #noteReached(): void {
    while (this.#complete.length > 0 && this.#complete[0]!.time <= this.#at) {
      this.#completeAt = this.#complete.shift()!.asked;
    }
  }

  get #isInterrupted(): boolean {
    return this.#broken !== null || this.#isUnreadable || this.isCatchingUp;
  }

  /** Changes that the stream reported and nobody has read are not followed. */
  get #heardUntil(): number {
    return Math.min(this.#currentAt, this.#dueSince ?? Number.POSITIVE_INFINITY);
  }

  get #at(): ClusterTime {
    return this.#options.frontier.at ?? 0n;
  }
}
