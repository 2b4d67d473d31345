/**
 * Limits on the memory and work that callers can cause, as data, and the holdings of each request.
 *
 * ```
 * quotas    so much for all callers together, a fair part of it for one            (quota.ts)
 * costs     a route says which class of work it is; the class says what is held meanwhile
 * holdings  what one request holds; all of it is given back when the request ends, however it ends
 * ```
 *
 * So no route has guarding code of its own. A route names its cost, else it does not compile, and
 * the router holds the quotas of that cost. A handler takes more from the holdings of its request.
 * The holdings end with the answer: sent, refused, or cut off because the caller is gone.
 */
import type { Config } from '../config.ts';
import { loop } from '../loop.ts';
import { type Caller, type Hold, INSIDE, Quota } from '../tables/search/quota.ts';

/** How many may wait for each one that is being served. */
const WAITING = 4;

/**
 * Reads by key at once: fewer than the store's connections, whose queue is not served in turn. With
 * 16, throughput did not double, and callers of few reads waited twice as long beside a flood of
 * them.
 */
const READS = 6;

/**
 * Chunks of snapshots that are read at once, over all downloads. A chunk is 256 kB and takes under
 * 1 ms to receive and send. More of them would delay other requests in every turn of the event
 * loop.
 */
const CHUNK_READS = 3;

/** The memory of rows together with the JSON made of them, as a multiple of the rows' bytes. */
const MADE_OF = 3;

/**
 * The share of the store's searches that may be explores: one in so many. Two explores at once keep
 * two cores busy. Four answered no more a second, and a light caller's p99 beside them rose from 80
 * to 130 ms.
 */
const EXPLORES_SHARE = 8;

/** Exports that one caller may have under way. */
const EXPORTS_OF_ONE = 2;

/**
 * The longest time for a change with all its retries, milliseconds. Together with the deadline's
 * wait for the server's own answer it is 15 s.
 */
const CHANGE_MS = 14_750;

/** All quotas. A quota without a line refuses at once. */
function quotasFrom(settings: Config) {
  const queued = (what: string, overall: number, waiting = overall * WAITING) =>
    new Quota({ what, overall, waiting });
  const half = Math.floor(settings.requestMemoryBytes / 2);
  const counting = Math.ceil(settings.maxSearches / EXPLORES_SHARE);
  const { maxRequests: all, maxRequestsPerUser, maxSearchesPerUser } = settings;
  return {
    requests: new Quota({ what: 'requests', overall: all, perCaller: maxRequestsPerUser }),
    /** Searches by index or by pipeline, from the plan to the page. */
    searches: new Quota({ what: 'searches', overall: all, perCaller: maxSearchesPerUser }),
    /** Searches that the store runs: `MAX_SEARCHES`. */
    pipelines: queued('searches by pipeline', settings.maxSearches),
    /**
     * Explores among them, each of which runs many searches: a low limit leaves most of the store
     * to other searches.
     */
    counts: queued('explores by pipeline', counting, settings.maxSearches * WAITING),
    /** Transactions. */
    changes: queued('changes', settings.maxChanges, settings.maxChanges * WAITING ** 2),
    /** Changes of any number of documents. */
    sweeps: queued('clean-ups', 4),
    /** Reads by key, except the reads of rights. */
    reads: queued('reads', READS, all),
    /** Reads of a log: a page, a piece of a download, a count. */
    logReads: queued('reads of logs', settings.maxLogReads, all),
    /** Reads of a snapshot: a chunk. */
    chunkReads: queued('reads of snapshots', CHUNK_READS, all),
    /** Answers that are streamed as far as the caller reads them. */
    downloads: queued('downloads', settings.maxDownloads),
    /** Answers of all rows, read from the store as far as the caller takes them. */
    exports: new Quota({
      what: 'exports',
      overall: settings.maxExports,
      perCaller: EXPORTS_OF_ONE,
    }),
    /** Answers that are kept up to date for as long as the caller stays. */
    watches: new Quota({
      what: 'watches',
      overall: settings.maxWatches,
      perCaller: settings.maxWatchesPerUser,
    }),
    /** Decompressors. */
    decompressing: queued('compressed bodies', settings.maxDecompressing, all),
    /** Large bodies: parsing one blocks the event loop. */
    parsing: queued('large bodies', 1, all),
    /** Bytes of bodies that have come and are not parsed yet. */
    bodies: new Quota({ what: 'bytes of bodies', overall: half }),
    /** Rows of more than some kilobytes: reads of about a megabyte, or of one row. */
    largeRows: queued('reads of large rows', 1, all),
    /**
     * Bytes of answers that callers have not taken yet, and of reads for an answer, before they
     * begin.
     */
    answers: queued('bytes of answers', half, all),
  };
}

type Quotas = Readonly<ReturnType<typeof quotasFrom>>;
export type QuotaName = keyof Quotas;

interface Needs {
  /** Held while the handler runs. */
  readonly handling?: QuotaName;
  /** Held until the answer is sent. */
  readonly sending?: QuotaName;
  /** The time of a change, which goes on without its client. All else has the time of a search. */
  readonly changeMs?: number;
}

/**
 * The classes of cost that a route can have. Once its token is checked, every request of a caller
 * holds one of that caller's `requests`; reads of rights come after.
 *
 * - `free`: answered from memory, to any caller.
 * - `reads`: some reads by key; a log's handler takes more for its lines.
 * - `search`: a page of a table, an explore, or how an answer comes about.
 * - `change`: a transaction on one document.
 * - `sweep`: a change of any number of documents, as long as it gets on: each part has its own time.
 * - `download`: an answer of any length, streamed.
 * - `export`: all rows of a search, streamed.
 */
const COSTS = {
  free: {},
  reads: {},
  search: { handling: 'searches' },
  change: { handling: 'changes', changeMs: CHANGE_MS },
  sweep: { handling: 'sweeps', changeMs: Number.POSITIVE_INFINITY },
  download: { sending: 'downloads' },
  export: { handling: 'searches', sending: 'exports' },
} as const satisfies Record<string, Needs>;

export type Cost = keyof typeof COSTS;

/** How long a change may take, milliseconds; undefined for requests that end with their client. */
export const changeMsOf = (cost: Cost): number | undefined => (COSTS[cost] as Needs).changeMs;

export class Guard {
  readonly quotas: Quotas;
  /** The service's own holdings, for work that callers share. */
  readonly inside: Holdings;
  readonly #timeoutMs: number;

  constructor(settings: Config) {
    this.quotas = quotasFrom(settings);
    this.#timeoutMs = settings.queryTimeoutMs;
    this.inside = new Holdings(this.quotas, INSIDE, () => this.#timeoutMs);
  }

  /**
   * Holdings for one request of this caller, to be ended with it.
   *
   * @param left the request's remaining time, milliseconds
   */
  holdings(caller: Caller, left: () => number): Holdings {
    const timeoutMs = () => Math.min(this.#timeoutMs, left());
    return new Holdings(this.quotas, caller, timeoutMs);
  }
}

/** The hold of a request whose ids alone fill half of the quota: turns bound its reads. */
const NO_ROOM: Hold = { release: () => {} };

/** The holdings of one request, until it ends. */
export class Holdings {
  readonly caller: Caller;
  readonly #quotas: Quotas;
  readonly #timeoutMs: () => number;
  /** Why the request has ended. */
  #reason: Error | undefined;
  /** Made only for requests that wait in line: signals are costly and most requests need none. */
  #gone: AbortController | undefined;
  readonly #held = new Set<Hold>();
  /** Units that are held until their hold is released: bytes of a body, then of the answer. */
  #units = 0;
  /** The holds taken by name. */
  readonly #taken = new Map<QuotaName, Hold>();

  constructor(quotas: Quotas, caller: Caller, timeoutMs: () => number) {
    this.caller = caller;
    this.#quotas = quotas;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Does a route's work while holding the units of its cost.
   *
   * @throws AppError `TooManyRequests`, `Overloaded`; the reason that `end` was given.
   */
  async handle(cost: Cost, work: () => Promise<void> | void): Promise<void> {
    const { handling, sending }: Needs = COSTS[cost];
    if (sending) await this.take(sending);
    if (handling) await this.run(handling, async () => work());
    else await work();
  }

  /**
   * Takes a unit until the request ends, in turn if the quota has lines. Throws as `handle` does.
   */
  async take(name: QuotaName): Promise<void> {
    this.#taken.set(name, this.#kept(0, await this.#turn(name)));
    this.#check();
  }

  /** Gives back a unit that was taken before the request ends. */
  giveBack(name: QuotaName): void {
    this.#taken.get(name)?.release();
  }

  /** Takes units at once, until the hold is released or the request ends. Throws as `handle` does. */
  hold(name: QuotaName, units: number): Hold {
    this.#check();
    return this.#kept(units, this.#quotas[name].hold(this.caller, units));
  }

  /** The hold, which ends with the request. */
  #kept(units: number, taken: Hold): Hold {
    const hold: Hold = {
      release: () => {
        if (this.#held.delete(hold)) this.#units -= units;
        taken.release();
      },
    };
    if (this.#reason) taken.release();
    else {
      this.#held.add(hold);
      this.#units += units;
    }
    return hold;
  }

  /** Does work while holding a unit that it waited for. Throws as `handle` does. */
  async run<T>(name: QuotaName, work: () => Promise<T>): Promise<T> {
    const hold = await this.#turn(name);
    try {
      return await work();
    } finally {
      hold.release();
    }
  }

  /**
   * Does one part of some larger work, in turn; a part takes some milliseconds at most. Throws the
   * reason that `end` was given.
   */
  async step<T>(work: () => T): Promise<T> {
    this.#check();
    await loop.turn('step', this.caller);
    this.#check();
    return work();
  }

  /** Makes all parts of some larger work so. */
  async *steps<T>(parts: Iterator<T>): AsyncGenerator<T, void, void> {
    for (;;) {
      const part = await this.step(() => parts.next());
      if (part.done) return;
      yield part.value;
    }
  }

  /**
   * Reads something of about this many bytes, in turn. It waits for room for the read and for the
   * answer made of it, and keeps that room until the hold is released. Throws as `handle` does.
   */
  async readLarge<T>(
    bytes: number,
    read: () => Promise<T>,
  ): Promise<{ readonly read: T; readonly hold: Hold }> {
    const hold = await this.room(bytes);
    try {
      return { read: await this.run('largeRows', read), hold };
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** Waits for room for an answer made of this many bytes. Throws as `handle` does. */
  async room(bytes: number): Promise<Hold> {
    const { answers } = this.#quotas;
    const { overall } = answers.bound;
    // A larger answer waits until hardly any other caller holds anything. The request's own units,
    // such as the ids of its rows, count twice: it may take no more than it leaves to others.
    const most = Math.min(Math.floor(overall / 2), overall - 2 * this.#units);
    const units = Math.min(MADE_OF * bytes, most);
    if (units <= 0) return NO_ROOM;
    return this.#kept(units, await this.#wait(answers, units));
  }

  /** Gives everything back, and ends all waits with this reason. */
  end(reason: Error): void {
    this.#reason ??= reason;
    this.#gone?.abort(this.#reason);
    for (const hold of [...this.#held]) hold.release();
    this.#held.clear();
  }

  async #turn(name: QuotaName): Promise<Hold> {
    const quota = this.#quotas[name];
    if (quota.bound.waiting > 0) return await this.#wait(quota);
    this.#check();
    return quota.hold(this.caller);
  }

  /** Throws the reason of the end. */
  #check(): void {
    if (this.#reason) throw this.#reason;
  }

  async #wait(quota: Quota, units = 1): Promise<Hold> {
    this.#check();
    this.#gone ??= new AbortController();
    const { signal } = this.#gone;
    return await quota.wait(this.caller, { timeoutMs: this.#timeoutMs(), signal, units });
  }
}
