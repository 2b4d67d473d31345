/**
 * How a page of rows becomes the body of an answer.
 *
 *     no large rows        ──► one buffer
 *     large, up to 1 MB    ──► read, one buffer
 *     larger               ──► a download: room ─► read ─► written ─► taken by the client ─► room is given back
 *
 * So a page of megabytes is never held whole, however many rows it has and however large they are.
 * An error after the head is sent cuts the connection; so does the end of the caller's right.
 */
import type { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import { Deadline } from '../../store/deadline.ts';
import type { RecordContext } from '../../tables/definition/record.ts';
import {
  bytesOf,
  gone,
  inPieces,
  type LargePage,
  type LargeRowTaker,
  READ_BYTES,
} from '../../tables/rows/largeRows.ts';
import type { Answer } from '../../tables/search/search.ts';
import type { Holders } from '../auth/holders.ts';
import type { Holdings } from '../guard.ts';
import type { Permission, RouteContext } from '../route.ts';
import type { RecordJson } from './recordJson.ts';
import { streamed } from './streamed.ts';

/** The parts of an answer's body. */
export interface AnsweredPage {
  readonly answer: Answer;
  readonly records: RecordJson;
  readonly context: RecordContext;
  /** The members that follow the rows, as JSON, with the last brace. */
  readonly after: string;
}

/** The members that follow the rows; those that are undefined are left out. */
export const after = (members: object): string => JSON.stringify(members).slice(1);

export interface PageServices {
  /** Answers that go on, and end with their caller's right. */
  readonly rights: Pick<Holders, 'add' | 'delete'>;
  /** The time limit of one read of large rows, milliseconds. */
  readonly timeoutMs: number;
}

/** The body of the answer, at once where that takes no time to speak of. Throws as reading large rows does. */
export function pageBody(
  ctx: RouteContext,
  permission: Permission,
  page: AnsweredPage,
  services: PageServices,
): Buffer | Promise<Buffer | Readable> {
  const { large } = page.answer;
  return large
    ? largeBody(ctx, permission, page, large, services)
    : page.records.answer(page.answer.rows, page.context, page.after);
}

async function largeBody(
  ctx: RouteContext,
  permission: Permission,
  page: AnsweredPage,
  large: LargePage,
  { rights, timeoutMs }: PageServices,
): Promise<Buffer | Readable> {
  const { deadline, holdings, principal } = ctx.state;
  const life = new Deadline(Number.POSITIVE_INFINITY);
  const end = () => life.stop('client');
  const pieces = piecesOf(page, large, holdings, { life, timeoutMs });
  if (bytesOf(large.rows) <= READ_BYTES) return await deadline.wait(collected(pieces)).finally(end);
  const start = async () => {
    await holdings.take('downloads');
    const right = { permission, principal, params: ctx.params };
    return await streamed(ctx, right, { pieces, end }, rights);
  };
  return await start().catch((error: unknown) => {
    end();
    throw error;
  });
}

/** Most bytes of large rows in a page that is held whole. */
const MAX_WATCHED = 8 * 2 ** 20;

/**
 * The answer in one piece, for those who watch it.
 *
 * @throws AppError `ValidationFailed` when its rows are too large for that
 */
export async function wholePage(
  page: AnsweredPage,
  inside: Inside,
  timeoutMs: number,
): Promise<Buffer> {
  const { large } = page.answer;
  if (!large) return await page.records.answer(page.answer.rows, page.context, page.after);
  const life = new Deadline(Number.POSITIVE_INFINITY);
  try {
    const bytes = bytesOf(large.rows);
    if (bytes > MAX_WATCHED) throw tooLarge(bytes);
    const room = await inside.room(bytes);
    try {
      const taker: LargeRowTaker = {
        readLarge: async (_, read) => ({
          read: await inside.run('largeRows', read),
          hold: { release: () => {} },
        }),
      };
      return await collected(piecesOf(page, large, taker, { life, timeoutMs }));
    } finally {
      room.release();
    }
  } finally {
    life.close();
  }
}

/**
 * The same in one step, for an answer whose rows are all in memory; with the bytes before and after
 * it.
 */
export const pageNow = (
  { answer, records, context, after }: AnsweredPage,
  around: readonly [Buffer, Buffer],
): Buffer => records.answerNow(answer.rows, context, after, around);

/** On whose account pages are made that several callers watch. */
export type Inside = Pick<Holdings, 'room' | 'run'>;

function tooLarge(bytes: number): AppError {
  const has = `Rows of this page have ${Math.ceil(bytes / 2 ** 20)} MB`;
  const detail = `${has}; a page that is watched may have ${MAX_WATCHED / 2 ** 20} MB of large rows. Ask for fewer.`;
  const errors = [{ pointer: '/pagination/per_page', detail }];
  return new AppError('ValidationFailed', detail, { errors });
}

function piecesOf(
  { records, context, after }: AnsweredPage,
  large: LargePage,
  taker: LargeRowTaker,
  { life, timeoutMs }: { readonly life: Deadline; readonly timeoutMs: number },
) {
  const read = async (ids: readonly unknown[]) => {
    const rows = await life.during(timeoutMs, (deadline) => large.read(ids, deadline));
    if (rows.length < ids.length) throw gone();
    return rows;
  };
  return records.pieces(inPieces(large.rows, read, taker), context, after);
}

async function collected(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
