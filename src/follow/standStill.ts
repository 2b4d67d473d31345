/**
 * Work that wants tables to stand still, between two advances: it is told the moment they show.
 */
import type { Moment } from './checkpoint.ts';
import type { FollowedCollection } from './followedCollection.ts';
import type { Frontier } from './frontier.ts';
import type { Pulse } from './pulse.ts';
import type { Token } from './resumeToken.ts';

/** Does some work at a moment; without one, answers undefined. */
type Work = (moment: Moment | undefined) => Promise<void>;

/** Events that are kept: no frontier moves while the first table loads, or where none can be followed. */
const MAX_EVENTS = 1_000;

export class StandStill {
  readonly #collections: readonly FollowedCollection[];
  readonly #frontier: Pick<Frontier, 'at'>;
  /** Events that the stream told of: the latest one up to the frontier, then all later ones. */
  readonly #events: Token[] = [];
  readonly #asked: Work[] = [];
  #isOver = false;

  constructor(collections: readonly FollowedCollection[], frontier: Pick<Frontier, 'at'>) {
    this.#collections = collections;
    this.#frontier = frontier;
  }

  /** The stream told of an event, not earlier than the one before. */
  note(event: Token): void {
    // No moment before this event can be anchored then, as none can be before the first event.
    if (this.#events.length === MAX_EVENTS) this.#events.length = 0;
    this.#events.push(event);
    this.#forget();
  }

  /** Calls `work` between two advances; undefined when tables do not show one moment, all of them. */
  ask<T>(work: (moment: Moment) => Promise<T>): Promise<T | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#asked.push(async (moment) => {
        if (moment) await work(moment).then(resolve, reject);
        else resolve(undefined);
      });
    });
  }

  get isAsked(): boolean {
    return this.#asked.length > 0;
  }

  /** Does the next work, and tells whether tables are held; no advance may begin before it has ended. */
  async next(pulse: Pick<Pulse, 'noteHeld' | 'noteLetGo'>): Promise<void> {
    const moment = this.#moment();
    if (moment) pulse.noteHeld();
    await this.#asked.shift()?.(moment);
    if (moment) pulse.noteLetGo();
  }

  giveUp(): void {
    this.#isOver = true;
    for (const work of this.#asked.splice(0)) void work(undefined);
  }

  #moment(): Moment | undefined {
    this.#forget();
    const at = this.#frontier.at;
    const [event] = this.#events;
    const followed = this.#collections.filter(({ phase }) => phase !== 'off');
    if (at === null || !event || event.time > at) return undefined;
    if (followed.some(({ phase }) => phase !== 'live')) return undefined;
    const generations = this.#collections.map(({ generation }) => generation);
    return {
      at,
      anchor: event.data,
      uuids: new Map(followed.flatMap(({ name, uuid }) => (uuid ? [[name, String(uuid)]] : []))),
      isVoid: () =>
        this.#isOver || this.#collections.some((one, i) => one.generation !== generations[i]),
    };
  }

  #forget(): void {
    const at = this.#frontier.at ?? 0n;
    while (this.#events.length > 1 && this.#events[1]!.time <= at) this.#events.shift();
  }
}
