/**
 * Lines of a log as server-sent events, some at a time. `id` is the line's position, so that a
 * client that reconnects says where it was.
 *
 *     event: line⏎ id: 17⏎ data: {"seq":17,"ts":"…","level":"INFO","message":"…"}⏎⏎
 *
 * A message is cut at 16,384 characters here, and `message_length` tells its whole length. A
 * follower looks at each line, and a page of that one line has the whole message.
 */
import type { Db } from 'mongodb';
import { COUNT, closedObject } from '../../../tables/definition/jsonSchema.ts';
import { asText } from '../../../tables/definition/record.ts';
import type { TaskLogDocument } from '../documents.ts';
import { entryOf, LOG_LINE } from './logLine.ts';
import type { Position } from './logPosition.ts';
import { type LogReader, logReplies } from './logReplies.ts';

/** Most lines, and most bytes, that are sent at once. */
const LINES = 512;
const BYTES = 262_144;

/** Most characters of a message. */
const MESSAGE = 16_384;

/** Longest time of a read, milliseconds. */
const READ_MS = 10_000;

export interface LineEvents {
  readonly bytes: Buffer;
  /** Position of the last line; the requested position if there is none. */
  readonly last: Position | undefined;
  /** Whether there may be more already. */
  readonly more: boolean;
}

export async function readLineEvents(
  db: Db,
  taskId: string,
  after: Position | undefined,
  reader: LogReader,
): Promise<LineEvents> {
  const query = { taskId, after, limit: LINES, maxTimeMS: READ_MS };
  const events: Buffer[] = [];
  let bytes = 0;
  let last = after;
  for await (const reply of logReplies(db, query, reader)) {
    for (const line of reply) {
      const event = lineEvent(line);
      events.push(event);
      bytes += event.length;
      last = line.seq;
      if (events.length === LINES || bytes >= BYTES) {
        return { bytes: Buffer.concat(events), last, more: true };
      }
    }
  }
  return { bytes: Buffer.concat(events), last, more: false };
}

/** The schema of the `data` of an event. */
export const LINE_EVENT = closedObject(
  { ...LOG_LINE.properties, message_length: COUNT },
  Object.keys(LOG_LINE.properties!),
);

function lineEvent({ message, ...others }: Partial<TaskLogDocument>): Buffer {
  const whole = asText(message);
  const isCut = whole !== null && whole.length > MESSAGE;
  const data = {
    ...entryOf(others),
    message: isCut ? beginning(whole) : whole,
    ...(isCut && { message_length: whole.length }),
  };
  return Buffer.from(`event: line\nid: ${others.seq}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** No half of a character. */
function beginning(text: string): string {
  const last = text.charCodeAt(MESSAGE - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? MESSAGE - 1 : MESSAGE);
}
