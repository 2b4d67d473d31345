/** The body of a response as bytes, for files. */
import { CutStreamError } from './errors.ts';

/**
 * Nothing is read ahead of its reader.
 *
 * It errors with a CutStreamError where the connection is cut: runtimes have errors of their own for that. After an
 * abort it errors with the signal's reason.
 */
export function bytesOf(
  { body }: Response,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  // A body of no bytes is no body to some runtimes.
  if (!body) return new Blob([]).stream();
  const reader = body.getReader();
  const read = async () => {
    try {
      return await reader.read();
    } catch (error) {
      signal?.throwIfAborted();
      const message = 'The connection was lost in the middle of the answer.';
      throw new CutStreamError(message, { cause: error });
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const { done, value } = await read();
        if (done) stream.close();
        else stream.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
