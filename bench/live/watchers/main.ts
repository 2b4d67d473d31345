/**
 * The watchers, in a process of their own. It notes when each was shown which change, and in the
 * end compares the last event of each with the answer of the same explore.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeJob } from '../../job.ts';
import { clock, numberOf } from '../../writes/changes.ts';

export interface WatchersJob {
  readonly url: string;
  readonly token: string;
  /** The body of each. */
  readonly bodies: readonly object[];
}

export interface WatchersResult {
  /** The changes shown to each watcher, in the order of the bodies. */
  readonly shown: readonly (readonly Shown[])[];
  /** Watchers whose last event differed from the answer of the same explore when all was over. */
  readonly differing: number;
  /** Bytes of all events. */
  readonly bytes: number;
}

/** The latest change that an event shows, and when the event was there, on `clock`. */
export type Shown = readonly [number: number, at: number];

/** Streams that are opened at once. */
const AT_ONCE = 8;

/** The time for another event where a watcher's last one differs, milliseconds. */
const PATIENCE_MS = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

takeJob(async (job: WatchersJob, ready): Promise<WatchersResult> => {
  const watchers = job.bodies.map((body) => new Watcher(job, body));
  const waiting = watchers.values();
  const open = async () => {
    for (const watcher of waiting) await watcher.open();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, open));
  await ready();
  let differing = 0;
  for (const watcher of watchers) if (!(await watcher.isRight())) differing += 1;
  const shown = watchers.map((one) => one.shown);
  const bytes = watchers.reduce((sum, one) => sum + one.bytes, 0);
  for (const watcher of watchers) watcher.leave();
  return { shown, differing, bytes };
});

const LINE = Buffer.from('\ndata: ');
const END = Buffer.from('\n\n');
const ANSWER = 'event: answer\n';
/** Records are sorted by it, so that the first one counts. */
const NUMBER = Buffer.from('"date_done":"');
const DATE_LENGTH = '2090-01-01T00:00:00.000Z'.length;

class Watcher {
  readonly shown: Shown[] = [];
  bytes = 0;
  readonly #job: WatchersJob;
  readonly #body: object;
  #stream: IncomingMessage | undefined;
  #pieces: Buffer[] = [];
  #last: Buffer | undefined;

  constructor(job: WatchersJob, body: object) {
    this.#job = job;
    this.#body = body;
  }

  /** Resolves when the first answer is there. */
  async open(): Promise<void> {
    this.#stream = await this.#post('text/event-stream');
    this.#stream.on('data', (piece: Buffer) => this.#take(piece));
    this.#stream.on('error', () => {});
    while (!this.#last) await sleep(2);
  }

  leave(): void {
    this.#stream?.destroy();
  }

  /** Whether the last event, or one that comes soon, is the explore's answer now. */
  async isRight(): Promise<boolean> {
    for (const until = clock() + PATIENCE_MS; clock() < until; await sleep(50)) {
      const pieces: Buffer[] = [];
      for await (const piece of await this.#post('application/json')) pieces.push(piece);
      if (this.#last?.equals(Buffer.concat(pieces))) return true;
    }
    return false;
  }

  #post(accept: string): Promise<IncomingMessage> {
    const { url, token } = this.#job;
    const headers = {
      ...{ accept, 'content-type': 'application/json', authorization: `Bearer ${token}` },
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        if (answer.statusCode === 200) resolve(answer);
        else reject(new Error(`an explore was answered with ${answer.statusCode}`));
      });
      sent.once('error', reject);
      sent.end(JSON.stringify(this.#body));
    });
  }

  #take(piece: Buffer): void {
    this.bytes += piece.length;
    this.#pieces.push(piece);
    if (piece.at(-1) !== END[0]) return;
    let text = Buffer.concat(this.#pieces);
    for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END)) {
      this.#event(text.subarray(0, end));
      text = text.subarray(end + END.length);
    }
    this.#pieces = text.length > 0 ? [text] : [];
  }

  #event(text: Buffer): void {
    if (!text.toString('latin1', 0, ANSWER.length).startsWith(ANSWER)) return;
    this.#last = text.subarray(text.indexOf(LINE) + LINE.length);
    const from = this.#last.indexOf(NUMBER);
    if (from < 0) return;
    const at = from + NUMBER.length;
    const number = numberOf(new Date(this.#last.toString('latin1', at, at + DATE_LENGTH)));
    if (number !== undefined) this.shown.push([number, clock()]);
  }
}
