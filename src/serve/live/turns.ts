/**
 * The order in which watched explores are asked again.
 *
 *     in line ──► the longest wait for its cost ──► asked in one step, in the loop's lane for watches
 *                                                     └─ its rows have to be read ──► some at a time
 *
 * A search of 0.2 ms comes before one of 5 ms that is in line for as long. None waits for ever, since
 * the ratio grows with the time in line (highest response ratio next, Brinch Hansen 1971). The store
 * answers two of them at once; these may wait for seconds, in a line of their own.
 */
import { loop } from '../../loop.ts';
import { Asking } from '../asking.ts';

/** Something that is asked again and again. */
export interface Asked {
  /** How long asking it blocks the event loop, as far as is known, milliseconds. */
  readonly cost: number;
  /** Asks the index in one step; returns whether that was possible. */
  askNow(): boolean;
  /** Asks the index; must not reject. */
  ask(): Promise<void>;
  /** Asks the store; must not reject. */
  askStore(): Promise<void>;
}

/** Explores whose rows are read at once. */
const READS = 8;

/** Searches that the store runs at once for watches. */
const BY_STORE = 2;

export class Turns {
  /** Since when each is in line. */
  readonly #line = new Map<Asked, number>();
  readonly #reads = new Asking<Asked>(READS, (asked) => asked.ask());
  readonly #byStore = new Asking<Asked>(BY_STORE, (asked) => asked.askStore());

  /** Puts it in line, unless it is there. */
  want(asked: Asked): void {
    if (this.#line.has(asked) || this.#reads.waiting.has(asked)) return;
    this.#line.set(asked, performance.now());
    void loop.turn('watch').then(() => this.#askNext());
  }

  /** The same for the store. */
  wantStore(asked: Asked): void {
    this.#byStore.add(asked);
  }

  delete(asked: Asked): void {
    this.#line.delete(asked);
    this.#reads.waiting.delete(asked);
    this.#byStore.waiting.delete(asked);
  }

  #askNext(): void {
    const next = firstOf(this.#line);
    if (!next) return;
    this.#line.delete(next);
    if (!next.askNow()) this.#reads.add(next);
  }
}

/** The explore with the highest ratio of wait to cost. */
function firstOf(line: ReadonlyMap<Asked, number>): Asked | undefined {
  const now = performance.now();
  let first: Asked | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const [asked, since] of line) {
    const ratio = (now - since) / asked.cost;
    if (ratio <= most) continue;
    most = ratio;
    first = asked;
  }
  return first;
}
