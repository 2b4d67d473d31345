/** Server-sent events (as the HTML standard has them) out of the body of a response. */
import { linesOf } from './lines.ts';

export interface ServerEvent {
  /** Its name; `message` where it has none. */
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * The events. `{retry}` is the wait before coming again, milliseconds, where the service says it.
 * `{reached}` is an id without data: the service has no event, but has got as far as that.
 *
 * @throws as `linesOf` does
 */
export async function* eventsOf(
  response: Response,
  signal: AbortSignal | undefined,
  silenceMs: number,
): AsyncGenerator<
  ServerEvent | { readonly retry: number } | { readonly reached: string },
  void,
  void
> {
  let event = 'message';
  let id: string | undefined;
  let data: string[] = [];
  for await (const ended of linesOf(response, signal, silenceMs)) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
    if (line === '') {
      if (data.length > 0) yield { event, id, data: data.join('\n') };
      else if (id !== undefined) yield { reached: id };
      event = 'message';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') event = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
    else if (name === 'retry' && /^\d+$/.test(value)) yield { retry: Number(value) };
  }
}
