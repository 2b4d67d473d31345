/**
 * Anything thrown → the `AppError` the caller sees. Unknown errors become 500 and reveal nothing.
 *
 * ```
 * AppError                       ──▶ as it is
 * the store cannot, or not yet   ──▶ 503 StoreUnavailable
 * the account may not            ──▶ 503 StoreUnavailable
 * the time is over               ──▶ 503 SearchTimeout
 * others are first, too many     ──▶ 503 Overloaded
 * anything else                  ──▶ 500 Internal
 * ```
 *
 * `store/faults.ts` says what an error of the store means, for all modules that meet one.
 */
import { AppError } from '../errors.ts';
import { isEndedBy } from '../store/deadline.ts';
import { type Fault, faultOf } from '../store/faults.ts';

type StoreProblem = 'StoreUnavailable' | 'SearchTimeout' | 'Overloaded';

/** The failure as the caller sees it; the thrown error stays its `cause`, for the log. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isEndedBy('stopping', thrown)) {
    return new AppError('StoreUnavailable', 'The service is stopping.');
  }
  const fault = faultOf(thrown);
  const code = problemOf(fault);
  if (code === undefined) {
    return new AppError('Internal', 'The service failed; its log says why.', { cause: thrown });
  }
  const detail = OF_FAULTS[fault] ?? DETAILS[code];
  return new AppError(code, detail, { cause: thrown });
}

/** The problem that a caller sees for a fault of the store; undefined where nothing says that it passes: 500. */
function problemOf(fault: Fault): StoreProblem | undefined {
  if (fault === 'lost' || fault === 'unknown') return undefined;
  if (fault === 'outOfTime') return 'SearchTimeout';
  return fault === 'busy' || fault === 'conflict' ? 'Overloaded' : 'StoreUnavailable';
}

/** Faults that last until somebody changes the store. */
const OF_FAULTS: Readonly<Partial<Record<Fault, string>>> = {
  denied: 'The store does not let the service read or write this; its log says why.',
  unreadable: 'MongoDB does not read a capped collection as of one moment.',
  collated: 'MongoDB joins no view or time series that has a collation of its own.',
};

const DETAILS: Readonly<Record<StoreProblem, string>> = {
  StoreUnavailable: 'The store cannot be reached just now.',
  SearchTimeout: 'The store did not answer within the time limit of a search.',
  Overloaded: 'Too many requests are waiting for the store.',
};
