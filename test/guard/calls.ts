/** Requests, one or many at once, and their answers. */
import { Agent, request } from 'node:http';

export interface Reply {
  /** 0 where the connection was cut. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
  /** The beginning of the body: a caller that kept all of it would be held up by its own memory. */
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Characters of a body that are kept. */
const KEPT = 65_536;

const agent = new Agent({ keepAlive: true, maxSockets: 4_000 });

/** One request, answered or cut. */
export function call(url: string, asked: Call): Promise<Reply> {
  const { method = 'GET', path, token, headers, body } = asked;
  const started = performance.now();
  return new Promise<Reply>((resolve) => {
    const done = (status: number, retryAfter?: string, text = '') =>
      resolve({ status, retryAfter, ms: performance.now() - started, text });
    const sent = request(url + path, {
      method,
      agent,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...headers,
      },
    });
    let status = 0;
    sent.on('response', (answer) => {
      let text = '';
      status = answer.statusCode!;
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        if (text.length < KEPT) text += chunk;
      });
      answer.on('end', () => done(status, answer.headers['retry-after'], text));
      answer.on('error', () => done(0));
    });
    // An idle connection may be closed in the moment in which it is used again.
    sent.on('error', () => {
      if (status === 0 && sent.reusedSocket) resolve(call(url, asked));
      else done(0);
    });
    sent.end(body);
  });
}

/** Does `work` `times` times, `width` at once. */
export async function flood(
  times: number,
  width: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, one));
}

/** The answers to an attack, counted. */
export class Answers {
  readonly statuses = new Map<number, number>();
  /** Answers that are not as they have to be. */
  readonly wrong = new Map<string, number>();
  readonly ms: number[] = [];

  add({ status, retryAfter, ms }: Reply): void {
    this.count(status);
    this.ms.push(ms);
    const refused = status === 429 || status === 503;
    if (refused && !(Number(retryAfter) > 0)) this.wrongAs(`${status} without Retry-After`);
  }

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 503) this.wrongAs(String(status));
  }

  wrongAs(what: string): void {
    this.wrong.set(what, (this.wrong.get(what) ?? 0) + 1);
  }
}

/** The value that this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
