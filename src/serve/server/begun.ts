/**
 * A stream whose first piece is there: until then the request's deadline counts, and a problem
 * answers any error. From then on it goes as fast as its reader takes it.
 */
import { Readable } from 'node:stream';
import type { Deadline } from '../../store/deadline.ts';
import { toAppError } from '../failures.ts';

/**
 * @param highWaterMark of the stream, characters or bytes
 * @throws errors of the pieces before the first one; Ended
 */
export async function begun(
  pieces: AsyncGenerator<string | Uint8Array>,
  deadline: Deadline,
  highWaterMark: number,
): Promise<Readable> {
  const coming = pieces.next();
  const first = await deadline.wait(coming).catch((error: unknown) => {
    // Its cursor is closed once it has come to that.
    pieces.return(undefined).catch(() => {});
    throw error;
  });
  return Readable.from(all(first, pieces), { objectMode: false, highWaterMark });
}

async function* all(
  first: IteratorResult<string | Uint8Array>,
  following: AsyncGenerator<string | Uint8Array>,
) {
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
