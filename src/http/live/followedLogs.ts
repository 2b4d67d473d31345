/**
 * All logs that are followed: who follows which, whether they still may, and their end with the service.
 *
 * Nothing is done for one that follows a log while the log does not grow, but for a comment now and then.
 */
import type { Authenticator } from '../../auth/authenticator.ts';
import { AppError } from '../../errors.ts';
import type { LogTails } from '../../manage/logTails.ts';
import type { TaskAddress } from '../../manage/taskLookup.ts';
import type { Resources } from '../../query/pipeline.ts';
import type { Resource } from '../../resources/definition.ts';
import type { WatchedSearches } from '../../search/watch/watchedSearches.ts';
import type { EventStream } from './eventStream.ts';
import { LogFollower, type LogFollowerOptions } from './logFollower.ts';
import { Rights } from './rights.ts';

export interface FollowedLogsDeps {
  readonly resources: Resources;
  readonly authenticator: Pick<Authenticator, 'stillMay'>;
  /** Tells of users and projects that change. */
  readonly searches: Pick<WatchedSearches, 'onChange'>;
  /** Why the index cannot tell of changes of a resource; empty when it can. */
  readonly unavailable: (resource: Resource) => string;
  readonly tails: LogTails;
  /** After so long a silence a comment is sent, milliseconds. */
  readonly commentMs: number;
}

/** How often it is looked whether something has ended, milliseconds. */
const LOOK_EVERY_MS = 400;

export class FollowedLogs {
  readonly #deps: FollowedLogsDeps;
  readonly #followers = new Set<LogFollower>();
  readonly #rights: Rights;
  #looking: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(deps: FollowedLogsDeps) {
    this.#deps = deps;
    this.#rights = new Rights(deps.authenticator, deps.resources);
    deps.searches.onChange((change) => this.#rights.changing(change));
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
    this.#rights.add(follower);
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    follower.stream.once('close', () => {
      this.#deps.tails.leave(tail, follower);
      this.#rights.delete(follower);
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
    const { resources, unavailable } = this.#deps;
    const { users, projects } = resources;
    this.#rights.look(unavailable(users) === '' && unavailable(projects) === '');
    for (const follower of this.#followers) follower.comment(this.#deps.commentMs);
  }
}

const STOPPING = 'The service is stopping.';
