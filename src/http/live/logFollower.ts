/**
 * One client that follows a log: where it is, and what it is sent next.
 *
 *     lines after its position ──► sent ──► taken by the connection ──► the next ones
 *                        none ──► the task has ended? the end : wait until the log has grown
 *
 * It has at most one batch of lines that it has not taken, and gets no more than twenty of them a second.
 */
import type { ServerResponse } from 'node:http';
import type { Holdings } from '../../guard/guard.ts';
import type { LineEvents } from '../../manage/logEvents.ts';
import type { Position } from '../../manage/logPosition.ts';
import type { LogReader } from '../../manage/logReplies.ts';
import type { LogEnd, LogListener, LogTail } from '../../manage/logTails.ts';
import type { Right } from '../rights.ts';
import { EventStream, eventBytes } from './eventStream.ts';

/** Least time between two batches of lines, milliseconds. */
const PACE_MS = 50;

/** Pause after a read that failed, milliseconds. */
const AGAIN_MS = 500;

/** Smaller batches fit into the buffers of their connection, bytes. */
const SMALL_BATCH = 16_384;

export interface LogFollowerOptions {
  readonly res: ServerResponse;
  readonly right: Right;
  readonly holdings: Holdings;
  readonly reader: LogReader;
  /** Lines after this position; all of them when it is left out. */
  readonly after: Position | undefined;
}

export class LogFollower implements LogListener {
  readonly right: Right;
  readonly stream: EventStream;
  readonly #options: LogFollowerOptions;
  #position: Position | undefined;
  #heardAt = performance.now();
  #over = false;
  #wake: (() => void) | undefined;

  constructor(options: LogFollowerOptions) {
    this.#options = options;
    this.right = options.right;
    this.#position = options.after;
    this.stream = new EventStream(options.res, () => this.wake());
    this.stream.once('close', () => this.wake());
  }

  wake(): void {
    this.#wake?.();
  }

  /** Sends lines until the log, the right or the connection ends. */
  async run(tail: LogTail): Promise<void> {
    while (!this.#isOver) {
      if (!this.stream.ready) {
        await this.#woken();
        continue;
      }
      const { news, end } = tail;
      const lines = await this.#read(tail);
      if (this.#isOver) return;
      if (lines === undefined) await this.#woken(AGAIN_MS);
      else if (lines.bytes.length > 0) await this.#send(lines);
      else if (end !== undefined) this.end(...endOf(end));
      else if (tail.news === news) await this.#woken();
    }
  }

  /** Keeps a connection that was silent for so long, milliseconds, from looking dead. */
  comment(silentMs: number): void {
    if (this.#isOver || !this.stream.ready || performance.now() - this.#heardAt < silentMs) return;
    this.#heardAt = performance.now();
    this.stream.send(':\n\n');
  }

  /** The last event, with its reason. */
  end(reason: string, status?: string): void {
    if (this.#isOver) return;
    this.#over = true;
    const data = JSON.stringify({ reason, ...(status !== undefined && { status }) });
    this.stream.end(eventBytes({ event: 'end', data }));
    this.wake();
  }

  get #isOver(): boolean {
    return this.#over || this.stream.destroyed;
  }

  /** Undefined when nothing can be read now. */
  async #read(tail: LogTail): Promise<LineEvents | undefined> {
    try {
      return await tail.read(this.#position, this.#options.reader);
    } catch {
      return undefined;
    }
  }

  async #send({ bytes, last }: LineEvents): Promise<void> {
    const hold = this.#holdFor(bytes);
    if (hold === undefined) {
      await this.#woken(AGAIN_MS);
      return;
    }
    this.#position = last;
    this.#heardAt = performance.now();
    this.stream.send(bytes);
    await this.#woken(PACE_MS, () => false);
    while (!this.stream.ready && !this.#isOver) await this.#woken();
    hold.release();
  }

  /** Undefined when too much waits to be read already. */
  #holdFor({ length }: Buffer): { release(): void } | undefined {
    if (length <= SMALL_BATCH) return { release: () => undefined };
    try {
      return this.#options.holdings.hold('answers', length);
    } catch {
      return undefined;
    }
  }

  /** Until something is new, for so long at most. */
  #woken(ms?: number, ends: () => boolean = () => true): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(go, ms).unref();
      this.#wake = () => {
        if (ends() || this.#isOver) go();
      };
    });
  }
}

function endOf(end: LogEnd): [reason: string, status?: string] {
  return end === 'gone' ? ['The task is gone.'] : ['The task has ended.', end.status];
}
