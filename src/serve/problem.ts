/**
 * The one form of every failure that leaves the service: RFC 9457 `application/problem+json`.
 *
 * ```
 * anything thrown ──failures.ts──▶ AppError ──▶ {type, title, status, detail, code, errors?, request_id}
 * Node's parser, before there is a request ──▶ the same, under a code of the protocol
 * ```
 */
import { type AppError, PROBLEMS, type ProblemDetail } from '../errors.ts';
import { closedObject, fullObject, type JsonSchema } from '../tables/definition/jsonSchema.ts';

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** Most problems of one body that an answer lists. */
const MAX_ERRORS = 100;

/** Problems of HTTP itself, before any route or code of the contract is in play. */
export const PROTOCOL_PROBLEMS = {
  MalformedRequest: [400, 'The request is not valid HTTP', 'Send valid HTTP/1.1.'],
  RequestTimeout: [408, 'The request did not arrive in time', 'Send it again without pauses.'],
  HeadersTooLarge: [431, 'The head of the request is too large', 'Send fewer or shorter headers.'],
} as const satisfies Record<string, readonly [status: number, title: string, advice: string]>;

export type ProtocolProblem = keyof typeof PROTOCOL_PROBLEMS;

/** The schema of the document. */
export const PROBLEM: JsonSchema = {
  title: 'Problem',
  description: 'A failure (RFC 9457).',
  ...closedObject(
    {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What went wrong, for people.' },
      code: { enum: [...Object.keys(PROBLEMS), ...Object.keys(PROTOCOL_PROBLEMS)] },
      errors: {
        type: 'array',
        maxItems: MAX_ERRORS,
        items: fullObject({
          pointer: { type: 'string', description: 'Where, as a JSON pointer.' },
          detail: { type: 'string' },
        }),
      },
      request_id: { type: 'string' },
    },
    ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  ),
};

/** The document of a failure, ready to send. */
export function problemText(error: AppError, requestId: string): string {
  const errors = error.errors.slice(0, MAX_ERRORS);
  const more = error.errors.length - errors.length;
  const detail =
    more > 0 ? `${error.detail} (${more} more problems are not listed.)` : error.detail;
  return written(error.code, PROBLEMS[error.code], { detail, errors }, requestId);
}

/** The document of a request that Node's parser refused. */
export const protocolProblemText = (code: ProtocolProblem, requestId: string): string =>
  written(code, PROTOCOL_PROBLEMS[code], { detail: 'The connection is closed.' }, requestId);

function written(
  code: string,
  [status, title]: readonly [status: number, title: string, advice: string],
  { detail, errors = [] }: { readonly detail: string; readonly errors?: readonly ProblemDetail[] },
  request_id: string,
): string {
  const type = `urn:table-search:problem:${code}`;
  const listed = errors.length > 0 && { errors };
  return JSON.stringify({ type, title, status, detail, code, ...listed, request_id });
}
