/**
 * Failures that callers are meant to see, and the assertion for those that must never happen.
 *
 * An `AppError` carries everything the problem+json answer (RFC 9457) needs: a stable `code` that
 * clients and tests branch on, the HTTP status, one sentence for people, and, for bodies with
 * several problems, where each one is.
 */

/** Every code an answer can carry, with its HTTP status and the title shown to people. */
export const PROBLEMS = {
  MalformedBody: [400, 'The body is not valid JSON'],
  InvalidTaskSearchRequest: [400, 'The task search cannot be run'],
  InvalidScheduleSearchRequest: [400, 'The schedule search cannot be run'],
  ProjectMismatch: [400, 'The project filter contradicts the path'],
  ScopeMismatch: [400, 'The scope filter contradicts the path'],
  TooManyBuckets: [400, 'The histogram needs too many buckets'],
  Unauthenticated: [401, 'Authentication is required'],
  Forbidden: [403, 'This needs a role that the caller does not have'],
  NotFound: [404, 'There is nothing here'],
  SnapshotNotFound: [404, 'The task has no snapshot'],
  MethodNotAllowed: [405, 'The path does not take this method'],
  TaskNotCancellable: [409, 'The task has already ended'],
  BodyTooLarge: [413, 'The body is too large'],
  UnsupportedMediaType: [415, 'The body must be JSON'],
  RangeNotSatisfiable: [416, 'The range lies outside the file'],
  ValidationFailed: [422, 'The request does not fit its schema'],
  TooManyRequests: [429, 'Too many requests at once'],
  Internal: [500, 'Something went wrong inside'],
  StoreUnavailable: [503, 'The store cannot be reached'],
  SearchTimeout: [503, 'The search took too long'],
  Overloaded: [503, 'The service is busy'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One problem inside a request: a JSON pointer (RFC 6901) into the body, and what is wrong there. */
export interface ProblemDetail {
  readonly pointer: string;
  readonly detail: string;
}

export interface AppErrorOptions {
  readonly errors?: readonly ProblemDetail[];
  /** Response headers that belong to the failure, such as `Allow` or `Retry-After` (seconds). */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

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
    this.headers = options.headers ?? {};
  }
}

/** Throws when something that the code itself guarantees does not hold. Never reaches a client as text. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}
