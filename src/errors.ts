/**
 * Failures that callers are meant to see, and the assertion for those that must never happen.
 *
 * An `AppError` carries everything the problem+json answer (RFC 9457) needs: a stable `code` that
 * clients and tests branch on, the HTTP status, and one sentence for people. For bodies with
 * several problems it also has the place of each.
 */

const FILE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'the file system is read-only',
};

/** Why a file cannot be read or written, as a clause. `missing`: the kind of file that is missing. */
export function fileFault(error: NodeJS.ErrnoException, missing: 'file' | 'folder'): string {
  if (error.code === 'ENOENT') return `there is no such ${missing}`;
  return FILE_FAULTS[error.code ?? ''] ?? error.message;
}

/** A sentence about a refusal of the store or the operating system; undefined for all other errors. */
export function knownFault(
  error: NodeJS.ErrnoException & { readonly port?: number },
): string | undefined {
  const { name, message, code, port, path, syscall } = error;
  // The parser of connection strings throws them; the driver has errors of these names for other things as well.
  if (name === 'MongoParseError' || name === 'MongoAPIError') {
    return `The connection string of the store is wrong: ${message}`;
  }
  if (name.startsWith('Mongo')) return `The store failed: ${message}`;
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set PORT to another, or to 0 for any.`;
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} is not for this user: set PORT.`;
  }
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `HOST and PORT cannot be listened on: ${message}`;
  }
  return syscall && path ? `${path} cannot be used: ${message}` : undefined;
}

/** Every code an answer can carry: its HTTP status, the title shown to people, what to do about it. */
export const PROBLEMS = {
  MalformedBody: [
    400,
    'The body is not valid JSON',
    'Fix the body as `detail` says; it names the position where one is known.',
  ],
  InvalidTaskSearchRequest: [
    400,
    'The task search cannot be run',
    'Send a UUID, a canonical routing key or a label, as `errors` says.',
  ],
  InvalidScheduleSearchRequest: [
    400,
    'The schedule search cannot be run',
    'Send UUIDs as ids, or leave the filter out.',
  ],
  ProjectMismatch: [
    400,
    'The project filter contradicts the path',
    'Leave the project filter out; the path names the project.',
  ],
  ScopeMismatch: [
    400,
    'The scope filter contradicts the path',
    'Leave the scope out; a project path implies `project`.',
  ],
  TooManyBuckets: [
    400,
    'The histogram needs too many buckets',
    'Use a longer interval, a shorter range, or `auto`.',
  ],
  Unauthenticated: [
    401,
    'Authentication is required',
    'Send `Authorization: Bearer <token>`; `detail` names the check that failed.',
  ],
  Forbidden: [
    403,
    'This needs a role that the caller does not have',
    'Use a token with the role `admin`.',
  ],
  NotFound: [
    404,
    'There is nothing here',
    'Check the path and its ids, and the right to see them.',
  ],
  SnapshotNotFound: [
    404,
    'The task has no snapshot',
    'Read the metadata first: `snapshot` is null when there is none.',
  ],
  MethodNotAllowed: [
    405,
    'The path does not take this method',
    'Use one of the methods in `Allow`.',
  ],
  TaskNotCancellable: [409, 'The task has already ended', 'Nothing; the task has ended.'],
  BodyTooLarge: [413, 'The body is too large', 'Send a smaller body.'],
  UnsupportedMediaType: [
    415,
    'The body must be JSON',
    'Send `Content-Type: application/json` in UTF-8, optionally compressed with gzip, deflate or br.',
  ],
  RangeNotSatisfiable: [
    416,
    'The range lies outside the file',
    'Request bytes within the size in `Content-Range`.',
  ],
  ValidationFailed: [422, 'The request does not fit its schema', 'Fix each place in `errors`.'],
  TooManyRequests: [
    429,
    'Too many requests at once',
    'Wait for requests in progress, or for `Retry-After` seconds.',
  ],
  Internal: [500, 'Something went wrong inside', 'Report the `request_id` to the operator.'],
  StoreUnavailable: [
    503,
    'The store cannot be reached',
    'Retry after `Retry-After`. `/readyz` shows the state.',
  ],
  SearchTimeout: [
    503,
    'The search took too long',
    'Retry after `Retry-After`, or narrow the search.',
  ],
  IndexLoading: [
    503,
    'The index is loading this table',
    'Retry after `Retry-After`: until then the table is too large to search in time.',
  ],
  Overloaded: [503, 'The service is busy', 'Retry after `Retry-After`.'],
  // Node refuses these requests before they reach a route.
  MalformedRequest: [400, 'The request is not valid HTTP', 'Send valid HTTP/1.1.'],
  RequestTimeout: [408, 'The request did not arrive in time', 'Send it again without pauses.'],
  HeadersTooLarge: [431, 'The head of the request is too large', 'Send fewer or shorter headers.'],
} as const satisfies Record<string, readonly [status: number, title: string, advice: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One problem inside a request: a JSON pointer (RFC 6901) into the body, and what is wrong there. */
export interface ProblemDetail {
  readonly pointer: string;
  readonly detail: string;
}

export interface AppErrorOptions {
  readonly errors?: readonly ProblemDetail[];
  /** Response headers that belong to the failure, such as `Allow` or a longer `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Every 429 and 503 says when to come back, in seconds. */
const PASSING = { 'Retry-After': '1' };

/** A failure that is part of the contract; its `detail` is safe to show to the caller. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly ProblemDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: AppErrorOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = PROBLEMS[code][0];
    this.detail = detail;
    this.errors = options.errors ?? [];
    const passes = this.status === 429 || this.status === 503;
    this.headers = { ...(passes && PASSING), ...options.headers };
  }
}

/** Throws when something that the code itself guarantees does not hold. Never reaches a client as text. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Whether no source can answer the request. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && error.status < 500;
