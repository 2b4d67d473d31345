/** Failures: the service refuses, or it cannot be reached, or a stream is cut. */
import type { Problem } from './contract.ts';

/** One of several things wrong with a request, with its place as a JSON pointer. */
export interface ProblemPlace {
  readonly pointer: string;
  readonly detail: string;
}

/** A code of the service; `Unknown` where an answer came from something else, a proxy for one. */
export type ErrorCode = Problem['code'] | 'Unknown';

/** The service answered, and refused. Programs branch on `code`, people read `message`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  /** Everything that is wrong with the request, where there are several things. */
  readonly problems: readonly ProblemPlace[];
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfterS: number | undefined;

  constructor(problem: ProblemLike, headers: Headers) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code as ErrorCode;
    this.title = problem.title;
    this.problems = problem.errors ?? [];
    this.requestId = problem.request_id ?? headers.get('x-request-id') ?? undefined;
    this.retryAfterS = retryAfterOf(headers);
  }
}

/** No answer: the service cannot be reached, or the connection was lost before the answer's end. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** A stream ended before its proper end: only a part of it came. */
export class CutStreamError extends ConnectionError {
  override readonly name = 'CutStreamError';
}

/** Whether the same may well be answered later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 500);
}

type ProblemLike = Pick<Problem, 'title' | 'status' | 'detail' | 'errors'> & {
  readonly code: string;
  readonly request_id?: string;
};

/** The error of an answer that is no success. Reads its body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const isProblem = /\/problem\+json/.test(response.headers.get('content-type') ?? '');
  const problem = isProblem ? parsed(text) : undefined;
  return new ApiError(problem ?? unknownProblem(response), response.headers);
}

/** A problem of the service: proxies have theirs, without a code. */
function parsed(text: string): ProblemLike | undefined {
  try {
    const problem = JSON.parse(text) as ProblemLike | null;
    return typeof problem?.code === 'string' ? problem : undefined;
  } catch {
    return undefined;
  }
}

function unknownProblem({ status, statusText }: Response): ProblemLike {
  const title = `${status} ${statusText}`.trim();
  const detail = `The service did not answer this; a proxy before it may have: ${title}.`;
  return { code: 'Unknown', status, title, detail };
}

/** Seconds; the service sends no dates here, but proxies may. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1_000);
}
