/**
 * A client of server-sent events over fetch: it takes the stream apart and keeps the events.
 *
 *     const events = await watch(url, { body, token });
 *     await events.first('answer');   the first answer; `events.answer` is the latest one
 */
import { until } from './until.ts';

export interface Received {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of any shape
  readonly data: any;
  /** On `performance.now()`. */
  readonly at: number;
}

export interface Watching {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly Received[];
  /** Comments that came. */
  readonly comments: number;
  /** The id that the last comment had. */
  readonly reached: string | undefined;
  /** The time after which clients are to come again; undefined when the stream did not say. */
  readonly retryMs: number | undefined;
  /** The events that are answers. */
  readonly answers: readonly Received[];
  /** The latest answer; undefined before the first. */
  readonly answer: Received | undefined;
  /** Whether the stream has ended, in order or not. */
  readonly over: boolean;
  /** Waits for an event of this name. */
  first(event: string): Promise<Received>;
  leave(): void;
}

export interface WatchOptions {
  /** Sent by POST; without it the stream is asked for by GET. */
  readonly body?: unknown;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Watches an explore, or follows a log. */
export async function watch(
  url: string,
  { body, token, headers = {} }: WatchOptions,
): Promise<Watching> {
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && asJson(body)),
    signal: abort.signal,
  });
  const events: Received[] = [];
  let comments = 0;
  let reached: string | undefined;
  let retryMs: number | undefined;
  let over = false;
  const read = async () => {
    let text = '';
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      let from = Math.max(0, text.length - 1);
      text += piece;
      for (let end = text.indexOf('\n\n', from); end >= 0; end = text.indexOf('\n\n', from)) {
        take(text.slice(0, end));
        text = text.slice(end + 2);
        from = 0;
      }
    }
  };
  const take = (block: string) => {
    const received = eventOf(block);
    if (received) events.push(received);
    else if (block.startsWith('retry: ')) retryMs = Number(block.slice('retry: '.length));
    else {
      comments += 1;
      reached = /^id: (.*)$/m.exec(block)?.[1];
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    events,
    get comments() {
      return comments;
    },
    get reached() {
      return reached;
    },
    get retryMs() {
      return retryMs;
    },
    get answers() {
      return events.filter(({ event }) => event === 'answer');
    },
    get answer() {
      return events.findLast(({ event }) => event === 'answer');
    },
    get over() {
      return over;
    },
    first: (event) => until(() => events.find((one) => one.event === event), `no event ${event}`),
    leave: () => abort.abort(),
  };
}

const asJson = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });

/** Undefined for a block without data: a comment, or the time to wait before coming again. */
function eventOf(block: string): Received | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const event = fields.get('event') ?? 'message';
  return { event, id: fields.get('id'), data: JSON.parse(data), at: performance.now() };
}
