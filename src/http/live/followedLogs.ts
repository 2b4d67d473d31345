/**
 * All logs that are followed: who follows which, whether they still may, and their end with the service.
 *
 * While a log does not grow nothing is done for those who follow it, but for a comment now and then.
 */
import { AppError } from '../../errors.ts';
import type { LogTails } from '../../manage/logTails.ts';
import type { TaskAddress } from '../../manage/taskLookup.ts';
import type { Rights } from '../rights.ts';
import type { EventStream } from './eventStream.ts';
import { LogFollower, type LogFollowerOptions } from './logFollower.ts';

export interface FollowedLogsDeps {
  readonly rights: Pick<Rights, 'add' | 'delete'>;
  readonly tails: LogTails;
  /** After so long a silence a comment is sent, milliseconds. */
  readonly commentMs: number;
}

/** How often it is looked whether a comment is due, milliseconds. */
const LOOK_EVERY_MS = 400;

export class FollowedLogs {
  readonly #deps: FollowedLogsDeps;
  readonly #followers = new Set<LogFollower>();
  #looking: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(deps: FollowedLogsDeps) {
    this.#deps = deps;
  }

  /**
   * Follows the log of a task that the caller may see.
   *
   * @throws AppError `StoreUnavailable` when the service stops
   */
  follow(address: TaskAddress, options: LogFollowerOptions): EventStream {
    if (this.#stopping) throw new AppError('StoreUnavailable', STOPPING);
    const follower = new LogFollower(options);
    const tail = this.#deps.tails.follow(address, follower);
    this.#followers.add(follower);
    this.#deps.rights.add(follower);
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    follower.stream.once('close', () => {
      this.#deps.tails.leave(tail, follower);
      this.#deps.rights.delete(follower);
      this.#followers.delete(follower);
      if (this.#followers.size > 0) return;
      clearInterval(this.#looking);
      this.#looking = undefined;
    });
    void follower.run(tail);
    return follower.stream;
  }

  /** Ends all of them: the service stops. */
  stop(): void {
    this.#stopping = true;
    for (const follower of [...this.#followers]) follower.end(STOPPING);
    clearInterval(this.#looking);
  }

  #look(): void {
    for (const follower of this.#followers) follower.comment(this.#deps.commentMs);
  }
}

const STOPPING = 'The service is stopping.';
