/**
 * All open event streams: live explores and followed logs.
 *
 *     added ──► comments while it is silent ──► its right ends, or the service stops: the last event
 */
import type { Holders } from '../auth/holders.ts';
import { EVENTS } from '../description.ts';
import { ANSWERS_MS, lookEvery } from '../looking.ts';
import type { RouteContext } from '../route.ts';
import type { EventStream } from './eventStream.ts';

/** Answers for as long as the client stays and may: that counts as a watch, and as a request no more. */
export async function answerEvents(
  ctx: RouteContext,
  open: () => EventStream | Promise<EventStream>,
): Promise<void> {
  const { holdings } = ctx.state;
  await holdings.take('watches');
  holdings.giveBack('requests');
  ctx.body = await open();
  // Proxies are not to wait for more of it.
  ctx.set({ 'Content-Type': EVENTS, 'X-Accel-Buffering': 'no' });
}

export class EventStreams {
  readonly #rights: Pick<Holders, 'add' | 'delete'>;
  readonly #commentMs: number;
  readonly #streams = new Set<EventStream>();
  #stopping = false;

  /** @param commentMs a stream that was silent for this time gets a comment */
  constructor(rights: Pick<Holders, 'add' | 'delete'>, commentMs: number) {
    this.#rights = rights;
    this.#commentMs = commentMs;
    lookEvery(ANSWERS_MS, this, (own) => own.#look());
  }

  /** Takes care of a stream until it closes. */
  add(stream: EventStream): void {
    this.#streams.add(stream);
    this.#rights.add(stream);
    stream.once('close', () => {
      this.#rights.delete(stream);
      this.#streams.delete(stream);
    });
    if (this.#stopping) stream.end(STOPPING);
  }

  /** Ends all streams: the service stops. */
  stop(): void {
    this.#stopping = true;
    for (const stream of this.#streams) stream.end(STOPPING);
  }

  #look(): void {
    for (const stream of this.#streams) stream.comment(this.#commentMs);
  }
}

const STOPPING = 'The service is stopping.';
