/** An explore that is watched: its whole answer, again whenever it has changed. */
import type { Call, Connection } from './connection.ts';
import { type Ended, type FollowOptions, following, type Lost } from './following.ts';

export type WatchEvent<A> =
  /** The whole answer, as of that moment. */
  | { readonly type: 'answer'; readonly asOf: string; readonly answer: A }
  /**
   * Whether the index answers; while it does not, answers come every five seconds, or after a change where MongoDB
   * sorts. `loaded`: while the index loads, percent of all rows that it has.
   */
  | {
      readonly type: 'state';
      readonly index: 'live' | 'unavailable';
      readonly reason: string;
      readonly loaded?: number;
    }
  | Lost
  | Ended;

interface State {
  readonly index: 'live' | 'unavailable';
  readonly reason?: string;
  readonly loaded?: number;
}

/**
 * A reader that is slower than the changes gets the newest answer each time, and misses those before: sockets would
 * keep hundreds for it.
 *
 * @throws as `following` does
 */
export async function* watch<A>(
  connection: Connection,
  request: Omit<Call, 'accept' | 'isRead'>,
  options: FollowOptions,
): AsyncGenerator<WatchEvent<A>, void, void> {
  const left = new AbortController();
  const signals = [left.signal, connection.signalOf(request)].filter((one) => one !== undefined);
  const waiting: WatchEvent<A>[] = [];
  const events = told<A>(
    connection,
    { ...request, signal: AbortSignal.any(signals) },
    {
      ...options,
      // It tells how long the answer holds that the reader has.
      onReached: (asOf) => waiting.length === 0 && options.onReached?.(asOf),
    },
  );
  let wake = () => {};
  let isOver = false;
  const reading = (async () => {
    for await (const event of events) {
      if (event.type === 'answer' && waiting.at(-1)?.type === 'answer') waiting.pop();
      waiting.push(event);
      wake();
    }
  })().finally(() => {
    isOver = true;
    wake();
  });
  reading.catch(() => {});
  try {
    while (!isOver || waiting.length > 0) {
      const event = waiting.shift();
      if (event) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await reading;
  } finally {
    left.abort();
  }
}

async function* told<A>(
  connection: Connection,
  request: Omit<Call, 'accept' | 'isRead'>,
  options: FollowOptions,
): AsyncGenerator<WatchEvent<A>, void, void> {
  for await (const one of following<unknown>(connection, request, options)) {
    if (one.type !== 'event') yield one;
    else if (one.event === 'answer') {
      connection.noteSeen(one.id);
      yield { type: 'answer', asOf: one.id ?? '', answer: one.data as A };
    } else if (one.event === 'state') {
      yield { type: 'state', reason: '', ...(one.data as State) };
    }
  }
}
