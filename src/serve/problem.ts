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

/** Most problems of one body that an answer lists, and the longest pointer it shows. */
const MAX_ERRORS = 100;
const MAX_POINTER = 512;

/** Problems of HTTP itself, before any route or code of the contract is in play. */
export const PROTOCOL_PROBLEMS = {
  MalformedRequest: [400, 'The request is not valid HTTP', 'Send valid HTTP/1.1.'],
  RequestTimeout: [408, 'The request did not arrive in time', 'Send it again without pauses.'],
  HeadersTooLarge: [431, 'The head of the request is too large', 'Send fewer or shorter headers.'],
} as const satisfies Record<string, readonly [status: number, title: string, advice: string]>;

export type ProtocolProblem = keyof typeof PROTOCOL_PROBLEMS;

interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly errors?: readonly ProblemDetail[];
  readonly request_id: string;
}

/** The schema of `Problem`. */
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
  const title = PROBLEMS[error.code][1];
  const errors = error.errors.slice(0, MAX_ERRORS).map(bounded);
  const more = error.errors.length - errors.length;
  return render({
    type: typeOf(error.code),
    title,
    status: error.status,
    detail: more > 0 ? `${error.detail} (${more} more problems are not listed.)` : error.detail,
    code: error.code,
    ...(errors.length === 0 ? {} : { errors }),
    request_id: requestId,
  });
}

/** The document of a request that Node's parser refused. */
export function protocolProblemText(code: ProtocolProblem, requestId: string): string {
  const [status, title] = PROTOCOL_PROBLEMS[code];
  return render({
    type: typeOf(code),
    title,
    status,
    detail: 'The connection is closed.',
    code,
    request_id: requestId,
  });
}

function typeOf(code: string): string {
  return `urn:table-search:problem:${code}`;
}

function render(problem: Problem): string {
  return JSON.stringify(problem);
}

/** Pointers hold the caller's own member names, which may be as long as the body. */
function bounded({ pointer, detail }: ProblemDetail): ProblemDetail {
  if (pointer.length <= MAX_POINTER) return { pointer, detail };
  return { pointer: `${pointer.slice(0, MAX_POINTER)}…`, detail };
}
