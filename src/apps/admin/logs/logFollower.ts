/**
 * One client that follows a log: its place in the log, and the lines to send next.
 *
 *     lines after its position ──► sent ──► taken by the connection ──► the next ones
 *                        none ──► the task has ended? the end : wait until the log has grown
 *
 * It has at most one batch of lines that it has not taken, and gets no more than twenty of them a second.
 */

import type { Holders } from '../../../serve/auth/holders.ts';
import { EventStream, type EventStreamOptions } from '../../../serve/live/eventStream.ts';
import type { TaskAddress } from '../manage/taskLookup.ts';
import type { LineEvents } from './logEvents.ts';
import type { Position } from './logPosition.ts';
import type { LogReader } from './logReplies.ts';
import type { LogEnd, LogTail, LogTails } from './logTails.ts';

/** Least time between two batches of lines, milliseconds. */
const PACE_MS = 50;

/** Pause after a read that failed, milliseconds. */
const AGAIN_MS = 500;

/** A position before any line's, in a form that a client can send back. */
const LEAST_POSITION = -Number.MAX_VALUE;

export interface LogFollowerOptions extends Pick<EventStreamOptions, 'res' | 'right' | 'holdings'> {
  readonly reader: LogReader;
  /** Lines after this position; all of them when it is left out. */
  readonly after: Position | undefined;
}

/** Follows the log of a task that the caller may see. */
export function followLog(
  address: TaskAddress,
  options: LogFollowerOptions,
  { rights, tails }: { readonly rights: Pick<Holders, 'add' | 'delete'>; readonly tails: LogTails },
): EventStream {
  const follower = new LogFollower(options);
  const { stream, wake } = follower;
  const tail = tails.follow(address, wake);
  stream.once('close', () => {
    rights.delete(stream);
    tails.leave(tail, wake);
  });
  follower.run(tail).catch((error: Error) => stream.destroy(error));
  // Ends it at once where the service stops: nothing can be sent any more.
  rights.add(stream);
  return stream;
}

class LogFollower {
  readonly stream: EventStream;
  #position: Position | undefined;
  #reader: LogReader;
  #wake: (() => void) | undefined;
  readonly wake = () => this.#wake?.();

  constructor(options: LogFollowerOptions) {
    this.#position = options.after;
    this.#reader = options.reader;
    this.stream = new EventStream({ ...options, onReady: this.wake });
    this.stream.once('close', this.wake);
  }

  /** Sends lines until the log, the right or the connection ends. */
  async run(tail: LogTail): Promise<void> {
    // An id without data: a client that is cut before the first line comes again from here, not from the last
    // lines of that time.
    this.stream.send(`id: ${this.#position ?? LEAST_POSITION}\n\n`);
    while (!this.stream.isOver) {
      if (!this.stream.ready) {
        await this.#woken();
        continue;
      }
      const { news, end } = tail;
      const lines = await this.#read(tail);
      if (this.stream.isOver) return;
      if (lines === undefined) await this.#woken(AGAIN_MS);
      else if (lines.bytes.length > 0) await this.#send(lines);
      else if (end !== undefined) this.stream.end(...endOf(end));
      else if (tail.news === news) await this.#woken();
    }
  }

  /** Undefined when nothing can be read now. */
  async #read(tail: LogTail): Promise<LineEvents | undefined> {
    try {
      const lines = await tail.read(this.#position, this.#reader);
      // Later reads show this moment as well, and followers share them.
      this.#reader = { ...this.#reader, notBefore: undefined };
      return lines;
    } catch {
      return undefined;
    }
  }

  async #send({ bytes, last }: LineEvents): Promise<void> {
    if (!this.stream.send(bytes)) {
      await this.#woken(AGAIN_MS);
      return;
    }
    this.#position = last;
    await this.#woken(PACE_MS, () => false);
    while (!this.stream.ready && !this.stream.isOver) await this.#woken();
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
        if (ends() || this.stream.isOver) go();
      };
    });
  }
}

function endOf(end: LogEnd): Parameters<EventStream['end']> {
  return end === 'gone'
    ? ['The task was deleted.']
    : ['The task has ended.', { status: end.status }];
}
