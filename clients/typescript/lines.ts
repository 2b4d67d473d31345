/**
 * The body of a response as lines of text, as they are taken: nothing is read ahead of its reader, and
 * the connection ends when the reader leaves.
 */
import { abortable } from './abortable.ts';
import { CutStreamError } from './errors.ts';
import { within } from './pause.ts';

/**
 * Lines without their ends. The text after the last `\n` is given too, if it is not empty.
 *
 * @param silenceMs after which it counts as cut; left out: never
 * @throws CutStreamError when the connection ends before the body does; the signal's reason
 */
export async function* linesOf(
  response: Response,
  signal: AbortSignal | undefined,
  silenceMs?: number,
): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const text of textsOf(response, signal, silenceMs)) {
    // A line may be megabytes long: only the new text is looked through.
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      rest += text;
      continue;
    }
    const lines = (rest + text.slice(0, end)).split('\n');
    rest = text.slice(end + 1);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function* textsOf(
  response: Response,
  signal: AbortSignal | undefined,
  silenceMs: number | undefined,
): AsyncGenerator<string, void, void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await abortable(within(reader.read(), silenceMs), signal);
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    const last = decoder.decode();
    if (last !== '') yield last;
  } catch (error) {
    signal?.throwIfAborted();
    throw new CutStreamError('The connection was cut before the end of the stream.', {
      cause: error,
    });
  } finally {
    // Ends the connection of a stream whose reader leaves; one that is at its end does not mind.
    const isEnded = reader.cancel().catch(() => {});
    if (!signal?.aborted) await isEnded;
  }
}
