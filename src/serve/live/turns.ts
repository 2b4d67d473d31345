/**
 * Whose turn it is to be asked again, and how much of the event loop all of them may have.
 *
 *     in line ──► those who waited longest for what they cost, 3 ms of them ──► asked, each in one step
 *       │                                                       └─ what has to be read ──► side by side
 *       └─ not before requests, nor more than three quarters of the time, nor one by one as they come
 *
 * What is asked side by side is searched at one moment, so that its rows are read together: a read costs
 * more than a search, so who finds the line empty waits a little for others. The line does not wait for
 * reads. A search of 0.2 ms comes before one of 5 ms that is in line for as long, and no one waits for
 * ever: the ratio grows with the time in line (highest response ratio next, Brinch Hansen 1971).
 *
 * Searches that the store has to answer wait elsewhere, for seconds maybe: two of them at once.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';

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

/** Something in line, and since when. */
interface Waiting {
  readonly asked: Asked;
  readonly since: number;
}

/** What is asked side by side blocks the event loop for about so long, milliseconds. */
const ROUND_MS = 3;

/** Reads under way: while the rows of one come, another one is searched. */
const READS = 2;

/** From the beginning of a round until the line is looked at again when it was empty, milliseconds. */
const PULSE_MS = 50;

/** The part of the time that asking may take. */
const SHARE = 0.75;

/** What requests that are under way have at most before a round, milliseconds. */
const GIVEN_MS = 12;

/** Turns after which they are waited for without a turn of their own: what they wait for is elsewhere. */
const TURNS_GIVEN = 5;

/** Searches that the store runs at once for those who watch. */
const BY_STORE = 2;

export class Turns {
  /** Whether requests are under way: they go first. */
  readonly #othersWait: () => boolean;
  readonly #now: () => number;
  /** Since when each is in line. */
  readonly #line = new Map<Asked, number>();
  /** Those for whom something has to be read. */
  readonly #toRead = new Set<Asked>();
  readonly #storeLine = new Set<Asked>();
  #serving = false;
  #reads = 0;
  #byStore = 0;
  /** When all that was asked so far has had its share of time. */
  #paidAt = 0;
  /** When the latest round began. */
  #beganAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds on a clock that never goes back */
  constructor(othersWait: () => boolean, now = () => performance.now()) {
    this.#othersWait = othersWait;
    this.#now = now;
  }

  /** Puts it in line, unless it is there. */
  want(asked: Asked): void {
    if (this.#line.has(asked) || this.#toRead.has(asked)) return;
    this.#line.set(asked, this.#now());
    if (!this.#serving) void this.#serve();
  }

  /** The same for the store. */
  wantStore(asked: Asked): void {
    this.#storeLine.add(asked);
    if (this.#byStore < BY_STORE) void this.#serveByStore();
  }

  delete(asked: Asked): void {
    for (const line of [this.#line, this.#toRead, this.#storeLine]) line.delete(asked);
  }

  async #serve(): Promise<void> {
    this.#serving = true;
    const pulse = this.#beganAt + PULSE_MS;
    await this.#until(() => pulse);
    while (this.#line.size > 0) {
      await this.#giveWay();
      this.#beganAt = this.#now();
      for (const one of this.#askNow(this.#next())) this.#toRead.add(one);
      this.#pay(this.#beganAt, this.#now() - this.#beganAt);
      if (this.#toRead.size > 0 && this.#reads < READS) void this.#serveReads();
    }
    this.#serving = false;
  }

  async #serveReads(): Promise<void> {
    this.#reads += 1;
    await this.#giveWay(1);
    for (let some = this.#nextToRead(); some.length > 0; some = this.#nextToRead()) {
      const expected = costOf(some);
      this.#pay(this.#now(), expected);
      await Promise.all(some.map((one) => one.ask()));
      this.#pay(this.#now(), costOf(some) - expected);
      await this.#giveWay(1);
    }
    this.#reads -= 1;
  }

  #nextToRead(): Asked[] {
    const some = roundOf(this.#toRead, ({ cost }) => cost);
    for (const asked of some) this.#toRead.delete(asked);
    return some;
  }

  /**
   * Asks one after the other, for as long as a round may take: for others the line goes on. Returns those
   * that have to wait for something.
   */
  #askNow(round: readonly Waiting[]): Asked[] {
    const ends = this.#beganAt + ROUND_MS;
    const left: Asked[] = [];
    for (const [i, { asked, since }] of round.entries()) {
      if (i > 0 && this.#now() > ends) this.#line.set(asked, since);
      else if (!asked.askNow()) left.push(asked);
    }
    return left;
  }

  #next(): Waiting[] {
    return roundOf(firstOf(this.#line, this.#now()), ({ asked }) => asked.cost);
  }

  /** So many milliseconds were taken, or are about to be, since a time. */
  #pay(since: number, ms: number): void {
    this.#paidAt = Math.max(this.#paidAt, since) + ms / SHARE;
  }

  /** @param most times that another one may come first: who reads wakes after who does not, each time */
  async #giveWay(most = Number.POSITIVE_INFINITY): Promise<void> {
    let others = 0;
    do {
      await this.#until(() => this.#paidAt);
      await turn();
      const ends = this.#now() + GIVEN_MS;
      for (let turns = 1; this.#othersWait() && this.#now() < ends; turns++) {
        await (turns < TURNS_GIVEN ? turn() : sleep(1));
      }
      // Another one may have begun meanwhile: not two in one turn.
    } while (this.#now() < this.#paidAt && others++ < most);
  }

  /** Until a time that may still be put off. */
  async #until(time: () => number): Promise<void> {
    for (let left = time() - this.#now(); left > 0; left = time() - this.#now()) {
      await sleep(left);
    }
  }

  async #serveByStore(): Promise<void> {
    this.#byStore += 1;
    for (const asked of this.#storeLine) {
      this.#storeLine.delete(asked);
      await asked.askStore();
    }
    this.#byStore -= 1;
  }
}

/** Those who waited longest for what they cost; who was taken leaves the line when the next one is asked for. */
function* firstOf(line: Map<Asked, number>, now: number): Generator<Waiting> {
  while (line.size > 0) {
    let first: Asked | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const [asked, since] of line) {
      const ratio = (now - since) / asked.cost;
      if (ratio <= most) continue;
      most = ratio;
      first = asked;
    }
    yield { asked: first!, since: line.get(first!)! };
    line.delete(first!);
  }
}

const costOf = (round: readonly Asked[]) => round.reduce((sum, { cost }) => sum + cost, 0);

/** The first of a line, as many as a round has room for; one at least where there are any. */
function roundOf<T>(line: Iterable<T>, costOf: (one: T) => number): T[] {
  const round: T[] = [];
  let left = ROUND_MS;
  for (const one of line) {
    left -= costOf(one);
    if (round.length > 0 && left < 0) break;
    round.push(one);
  }
  return round;
}
