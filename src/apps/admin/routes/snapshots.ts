/**
 * The download of a project snapshot: streamed, resumable, under a name that is safe to save.
 *
 * ```
 * the client has it: 304 ─▶ a part of it: 206 ─▶ a part it does not have: 416 ─▶ all of it: 200
 * ```
 */

import type { Db } from 'mongodb';
import { AppError } from '../../../errors.ts';
import { asciiName, safeFileName } from '../../../serve/answer/fileName.ts';
import { streamed } from '../../../serve/answer/streamed.ts';
import type { Holders } from '../../../serve/auth/holders.ts';
import type { Right } from '../../../serve/auth/policy.ts';
import { nothingHere } from '../../../serve/auth/refusals.ts';
import { type AnswerDescription, type Description, UNCHANGED } from '../../../serve/description.ts';
import { type Bytes, byteRange } from '../../../serve/request/byteRange.ts';
import { isUnmodified, mayResume, type Validators } from '../../../serve/request/preconditions.ts';
import type { Route, RouteContext } from '../../../serve/route.ts';
import { type SnapshotFile, snapshotBytes, snapshotOf } from '../manage/snapshots.ts';
import { addressOf } from './tasks.ts';

const FILE: Pick<AnswerDescription, 'headers' | 'content'> = {
  headers: ['Content-Disposition', 'ETag'],
  // Bytes of any stored media type.
  content: { '*/*': {} },
};

const DESCRIPTION: Description = {
  id: 'downloadSnapshot',
  group: 'Tasks',
  summary: "Download a task's snapshot",
  text: 'Resumable by `Range` and the conditional headers of HTTP.',
  requestHeaders: {
    Range: { meaning: 'One range of bytes.', schema: { type: 'string' } },
    'If-Range': { meaning: 'The `ETag` that `Range` refers to.', schema: { type: 'string' } },
    'If-None-Match': { meaning: 'The `ETag`s that the client has.', schema: { type: 'string' } },
  },
  answers: {
    200: { text: 'The whole file, with its stored media type.', ...FILE },
    206: {
      text: 'The requested range.',
      ...FILE,
      headers: [...FILE.headers!, 'Content-Range'],
    },
    ...UNCHANGED,
  },
  problems: ['SnapshotNotFound', 'RangeNotSatisfiable'],
};

export function snapshotRoutes(db: Db, rights: Pick<Holders, 'add' | 'delete'>): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v2/tasks/:task_id/snapshot/download',
      permission: 'path',
      cost: 'download',
      description: DESCRIPTION,
      async handle(ctx) {
        const file = await snapshotOf(db, addressOf(ctx), ctx.state.deadline);
        if (file === 'no task') throw nothingHere();
        if (file === 'no snapshot') {
          throw new AppError('SnapshotNotFound', 'This task has no snapshot to download.');
        }
        await send(ctx, file, db, rights);
      },
    },
  ];
}

async function send(
  ctx: RouteContext,
  file: SnapshotFile,
  db: Db,
  rights: Pick<Holders, 'add' | 'delete'>,
): Promise<void> {
  const validators = { etag: etagOf(file), lastModified: file.uploaded };
  describe(ctx, file, validators);
  ctx.status = 200;
  if (isUnmodified(ctx.req.headers, validators)) {
    ctx.status = 304;
    return;
  }
  const range = rangeOf(ctx, file, validators);
  const bytes = range ?? { start: 0, end: file.length - 1 };
  if (range) ctx.status = 206;
  if (range) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.length}`);
  if (ctx.method === 'GET' && file.length > 0) {
    // One chunk is on its way while another one waits: the generator yields whole ones.
    ctx.state.holdings.hold('answers', 2 * Math.min(file.chunkSize, file.length));
    const { holdings, principal } = ctx.state;
    const pieces = snapshotBytes(db, file, bytes, (read) => holdings.run('chunkReads', read));
    const right: Right = { permission: 'path', principal, params: ctx.params };
    ctx.body = await streamed(ctx, right, { pieces }, rights);
  } else if (ctx.method === 'GET') {
    ctx.body = Buffer.alloc(0);
  }
  ctx.length = bytes.end - bytes.start + 1;
}

function describe(ctx: RouteContext, file: SnapshotFile, { etag, lastModified }: Validators): void {
  ctx.set('Accept-Ranges', 'bytes');
  ctx.set('ETag', etag);
  if (lastModified) ctx.set('Last-Modified', lastModified.toUTCString());
  ctx.set('Content-Type', contentTypeOf(file));
  const fallback = `snapshot-${ctx.params.task_id}`;
  const name = safeFileName(file.fileName, fallback);
  ctx.attachment(name, { fallback: asciiName(name, fallback) });
}

/** A range is for GET alone, and only while the file is unchanged since the client's part. */
function rangeOf(ctx: RouteContext, file: SnapshotFile, has: Validators): Bytes | undefined {
  if (ctx.method !== 'GET' || !mayResume(ctx.req.headers, has)) return undefined;
  const range = byteRange(ctx.req.headers.range, file.length);
  if (range !== 'unsatisfiable') return range;
  throw new AppError('RangeNotSatisfiable', `The file has ${file.length} bytes.`, {
    headers: { 'Content-Range': `bytes */${file.length}` },
  });
}

/** GridFS files are written once, so id, length and moment say which bytes these are. */
function etagOf({ id, length, uploaded }: SnapshotFile): string {
  const moment = (uploaded?.getTime() ?? 0).toString(36);
  return `"${String(id).replace(/[^\w-]/g, '')}-${length.toString(36)}-${moment}"`;
}

/** Stored text goes into the header only when it is a type and nothing else. */
function contentTypeOf({ contentType }: SnapshotFile): string {
  const plain = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}(; ?charset=[\w-]{1,32})?$/;
  return contentType !== null && plain.test(contentType) ? contentType : 'application/octet-stream';
}
