/**
 * The change stream, resumed for as long as the server can go on with it.
 *
 *     open ──► batch ──► batch ──╳ interrupted ──► resume, with pauses ──► fits? ──► batch …
 *                                                     └─ lost, or refused too often: rejects
 *
 * A stream that was opened or resumed may be answered by another server than before, or by one that was
 * restored from a backup. So the tables and the latest event are compared with it, and the stream counts
 * as moving only when they fit.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { ChangeFeed, type FeedBatch, type FeedOptions } from './changeFeed.ts';
import type { Channel } from './channel.ts';
import { OtherHistory } from './checkpoint.ts';
import { inWords, streamFaultOf } from './faults.ts';

export interface ResumingFeedOptions extends FeedOptions {
  /** See `FollowerOptions.tablesFit`. */
  readonly tablesFit: () => Promise<boolean>;
  /** The stream does not move; with the reason. */
  readonly onInterrupted: (reason: string) => void;
  /** The stream is open, its first batch was taken in, and the tables fit the server. */
  readonly onMended: () => void;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** The server is another than the one that the tables were built for. */
class TablesOutdated extends Error {}

/** Resuming fails this often though the server answers: the stream is given up. */
const MAX_RESUMES = 12;

/** How long to wait before a further attempt, milliseconds. */
export const backoff = (attempt: number): number => Math.min(25 * 2 ** attempt, 2_000);

export class ResumingFeed extends ChangeFeed {
  readonly #options: ResumingFeedOptions;
  /** Whether the tables suit the server on which the stream is open. */
  #fits = false;

  constructor(options: ResumingFeedOptions) {
    super(options);
    this.#options = options;
  }

  /** Opens the stream; rejects when the first attempt fails. */
  override async open(): Promise<FeedBatch> {
    this.#fits = false;
    return await super.open();
  }

  /** The next batch, resumed as often as it takes; rejects when the stream is lost. */
  override async next(): Promise<FeedBatch> {
    const { channel, signal, log, onInterrupted } = this.#options;
    let open = true;
    let refused = 0;
    for (let attempt = 0; ; attempt++) {
      try {
        if (!open) return await this.open();
        if (!this.#fits) await this.#mend();
        return await super.next();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof TablesOutdated || error instanceof OtherHistory) throw error;
        open = false;
        onInterrupted(inWords(error));
        // A network that is down says nothing of the stream: only a server that answers does.
        if (await answers(channel)) refused++;
        if (streamFaultOf(error) === 'lost' || refused > MAX_RESUMES) throw error;
        log.warn({ err: error, attempt }, 'change stream interrupted');
        await delay(backoff(attempt), undefined, { signal });
      }
    }
  }

  async #mend(): Promise<void> {
    if (!(await this.#options.tablesFit())) {
      throw new TablesOutdated('the server is another one, which folds case otherwise');
    }
    if (!(await this.isKnown())) throw new OtherHistory();
    this.#fits = true;
    this.#options.onMended();
  }
}

/** Whether the server answers at all. */
const answers = (channel: Channel): Promise<boolean> =>
  channel.send({ ping: 1 }, 2_000).then(
    () => true,
    () => false,
  );
