/**
 * Anything thrown → the `AppError` the caller sees. What is not known becomes 500 and says nothing.
 *
 * ```
 * AppError                        as it is
 * the driver: network, no server  503 StoreUnavailable, Retry-After
 * the driver: out of time         503 SearchTimeout, Retry-After
 * anything else                   500 Internal
 * ```
 *
 * The driver's errors are told apart by their names and the server's codes, so that this layer need
 * not import the driver.
 */
import { AppError, type ProblemCode } from '../errors.ts';

const UNAVAILABLE_NAMES = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoSystemError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoStalePrimaryError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'PoolClearedError',
  'PoolClearedOnNetworkError',
  'PoolClosedError',
]);

/** HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress, FailedToSatisfyReadPreference,
 * PrimarySteppedDown, SnapshotTooOld, SnapshotUnavailable, SocketException, NotWritablePrimary,
 * InterruptedAtShutdown, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary */
const UNAVAILABLE_CODES = new Set([
  6, 7, 89, 91, 133, 189, 239, 246, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** MaxTimeMSExpired, ExceededTimeLimit */
const TIMEOUT_CODES = new Set([50, 262]);

/** The failure as the caller sees it; what was thrown stays its `cause`, for the log. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return withRetryAfter(thrown);
  const code = codeOf(thrown);
  if (code === undefined) {
    return new AppError('Internal', 'The service failed; its log says why.', { cause: thrown });
  }
  return new AppError(code, DETAILS[code], { cause: thrown, headers: { 'Retry-After': '1' } });
}

type StoreProblem = 'StoreUnavailable' | 'SearchTimeout' | 'Overloaded';

const DETAILS: Readonly<Record<StoreProblem, string>> = {
  StoreUnavailable: 'The store cannot be reached just now.',
  SearchTimeout: 'The store did not answer within the time a search may take.',
  Overloaded: 'Too much is waiting for the store.',
};

function codeOf(thrown: unknown): StoreProblem | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown.name === 'MongoOperationTimeoutError') return 'SearchTimeout';
  if (thrown.name.startsWith('MongoWaitQueueTimeout')) return 'Overloaded';
  if (thrown.name === 'WaitQueueTimeoutError') return 'Overloaded';
  if (UNAVAILABLE_NAMES.has(thrown.name)) return 'StoreUnavailable';
  const { code } = thrown as { code?: unknown };
  if (!thrown.name.startsWith('Mongo') || typeof code !== 'number') return undefined;
  if (TIMEOUT_CODES.has(code)) return 'SearchTimeout';
  return UNAVAILABLE_CODES.has(code) ? 'StoreUnavailable' : undefined;
}

const PASSING: ReadonlySet<ProblemCode> = new Set([
  'TooManyRequests',
  'StoreUnavailable',
  'SearchTimeout',
  'Overloaded',
]);

/** Every 429 and 503 says when to come back, whoever threw it. */
function withRetryAfter(error: AppError): AppError {
  if (!PASSING.has(error.code) || 'Retry-After' in error.headers) return error;
  const { code, detail, errors, cause } = error;
  return new AppError(code, detail, {
    errors,
    cause,
    headers: { ...error.headers, 'Retry-After': '1' },
  });
}
