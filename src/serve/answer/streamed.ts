/**
 * An answer that is made as its client takes it, and only for as long as its caller may see it.
 *
 *     pieces ─► each asked for when the client has taken the one before ─► the client
 *     right ends, client leaves ─► what is under way is ended, and the connection cut
 */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import { loop } from '../../loop.ts';
import type { Holder, Holders } from '../auth/holders.ts';
import type { Right } from '../auth/policy.ts';
import type { Permission, RouteContext } from '../route.ts';
import { begun } from '../server/begun.ts';

export interface Streamed {
  readonly pieces: AsyncGenerator<Uint8Array, void, void>;
  /** Ends the work under way for it. Called more than once. */
  readonly end: () => void;
}

/**
 * The stream, once its first piece is there.
 *
 * @throws errors of the pieces before the first one; Ended
 */
export async function streamed(
  ctx: RouteContext,
  permission: Permission,
  { pieces, end }: Streamed,
  rights: Pick<Holders, 'add' | 'delete'>,
): Promise<Readable> {
  const { deadline, principal } = ctx.state;
  const taken = new Taken(ctx.res, end);
  const stream = await begun(taken.each(pieces), deadline, 1);
  stream.once('close', end);
  return whileAllowed(stream, { permission, principal, params: ctx.params }, rights, () => {
    taken.end();
    end();
  });
}

/** The stream, which is destroyed when the right ends; `before` runs first, and ends the work under way. */
export function whileAllowed(
  stream: Readable,
  right: Right,
  rights: Pick<Holders, 'add' | 'delete'>,
  before: () => void = () => {},
): Readable {
  const holder: Holder = {
    right,
    end(reason) {
      before();
      stream.destroy(new AppError('Forbidden', reason));
    },
  };
  stream.once('close', () => rights.delete(holder));
  rights.add(holder);
  return stream;
}

/** Bytes that a response may have unsent before its next piece is made. */
const TAKEN = 65_536;

/** Pieces of an answer, each asked for when the client has taken the one before. */
class Taken {
  readonly #res: ServerResponse;
  #over = false;
  #goOn = () => {};

  /** @param onGone ends the work for a client that is gone; nobody waits for it */
  constructor(res: ServerResponse, onGone: () => void) {
    this.#res = res;
    const goOn = () => this.#goOn();
    res.on('drain', goOn);
    // Beside those of Koa and of two pipelines, which are ten.
    res.setMaxListeners(res.getMaxListeners() + 1);
    res.once('close', () => {
      this.end();
      onGone();
    });
  }

  async *each(
    pieces: AsyncGenerator<Uint8Array, void, void>,
  ): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of pieces) {
      yield piece;
      // A stream asks for more just before it passes on its latest piece.
      await loop.turn('step');
      while (!this.#over && this.#res.writableLength > TAKEN) await this.#drained();
    }
  }

  /** Waits no more. A stream that is destroyed would wait for this first. */
  end(): void {
    this.#over = true;
    this.#goOn();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }
}
