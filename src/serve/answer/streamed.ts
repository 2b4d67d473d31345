/**
 * An answer that is made as its client takes it, and only for as long as its caller may see it.
 *
 *     pieces ─► each asked for when the client has taken the one before ─► the client
 *     right ends, client leaves ─► what is under way is ended, and the connection cut
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import { loop } from '../../loop.ts';
import type { Deadline } from '../../store/deadline.ts';
import type { Holder, Holders } from '../auth/holders.ts';
import type { Right } from '../auth/policy.ts';
import { toAppError } from '../failures.ts';
import type { RouteContext } from '../route.ts';

type Pieces = AsyncGenerator<string | Uint8Array, void, void>;

export interface Streamed {
  readonly pieces: Pieces;
  /** Ends the work under way for it. Called more than once. */
  readonly end?: () => void;
}

/**
 * The stream, once its first piece is there: until then the request's deadline counts, and a problem
 * answers any error.
 *
 * @throws errors of the pieces before the first one; Ended
 */
export async function streamed(
  { res, state }: RouteContext,
  right: Right,
  { pieces, end = () => {} }: Streamed,
  rights: Pick<Holders, 'add' | 'delete'>,
): Promise<Readable> {
  const gone = new AbortController();
  // Beside the listeners of Koa and of two pipelines, which are ten.
  res.setMaxListeners(res.getMaxListeners() + 1);
  // Nobody waits for the end of work for a client that is gone.
  res.once('close', () => {
    gone.abort();
    end();
  });
  const stream = await begun(taken(pieces, res, gone.signal), state.deadline);
  const holder: Holder = {
    right,
    end(reason) {
      // A stream that is destroyed would wait for its latest piece first.
      gone.abort();
      end();
      stream.destroy(new AppError('Forbidden', reason));
    },
  };
  stream.once('close', () => {
    end();
    rights.delete(holder);
    // Nobody began to read the stream where only its head was asked for: that ends no generator.
    pieces.return(undefined).catch(() => {});
  });
  rights.add(holder);
  return stream;
}

async function begun(pieces: Pieces, deadline: Deadline): Promise<Readable> {
  const coming = pieces.next();
  const first = await deadline.wait(coming).catch((error: unknown) => {
    // Its cursor is closed once it has come to that.
    pieces.return(undefined).catch(() => {});
    throw error;
  });
  return Readable.from(all(first, pieces), { objectMode: false, highWaterMark: 1 });
}

async function* all(first: IteratorResult<string | Uint8Array, void>, following: Pieces): Pieces {
  try {
    if (first.done) return;
    yield first.value;
    yield* following;
  } catch (error) {
    // The error is translated: a reset connection to the store must not look like a client that left.
    throw toAppError(error);
  } finally {
    await following.return(undefined);
  }
}

/** Bytes that a response may have unsent before its next piece is made. */
const TAKEN = 65_536;

/** Pieces of an answer, each asked for when the client has taken the one before. */
async function* taken(pieces: Pieces, res: ServerResponse, gone: AbortSignal): Pieces {
  for await (const piece of pieces) {
    yield piece;
    // A stream asks for more just before it passes on its latest piece.
    await loop.turn('step');
    while (!gone.aborted && res.writableLength > TAKEN) {
      await once(res, 'drain', { signal: gone }).catch(() => {});
    }
  }
}
