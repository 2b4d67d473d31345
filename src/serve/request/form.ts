/**
 * A request that a browser sends as a form, so that it can save the answer without holding it in
 * memory: a form has no headers of its own.
 *
 *     access_token   the token (RFC 6750, 2.2); a header is not looked at
 *     request        the body, as JSON
 *     accept         the media type, in place of the header; may be left out
 */
import type { Context } from 'koa';
import { closedObject } from '../../tables/definition/jsonSchema.ts';
import { compileSchema } from '../../tables/query/schema.ts';
import type { Holdings } from '../guard.ts';
import { valueOfPart } from './body.ts';

interface Form {
  readonly access_token: string;
  readonly request: string;
  readonly accept?: string;
}

const text = { type: 'string' } as const;
/** The fields of a form. */
export const FORM = {
  title: 'Form',
  ...closedObject({ access_token: text, request: text, accept: text }, ['request']),
};
const validate = compileSchema<Form>(FORM);

/** The form's token, as the header `Authorization` would have it. */
export function bearerOf(ctx: Context): string | undefined {
  const { access_token: token } = ctx.request.body as Partial<Form>;
  return token === undefined ? undefined : `Bearer ${token}`;
}

/**
 * The value that would be the body; `accept` becomes the header.
 *
 * @throws AppError `ValidationFailed`, `MalformedBody`; errors of `holdings.run`
 */
export async function requestOf(ctx: Context, holdings: Holdings): Promise<unknown> {
  const { request, accept } = validate(ctx.request.body);
  if (accept !== undefined) ctx.req.headers.accept = accept;
  return await valueOfPart(request, 'In the field "request": ', holdings);
}
