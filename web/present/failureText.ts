/** A failure in one line, in the viewer's language where the UI has it; and when it may be over. */
import { ApiError, isPassing } from '../../clients/typescript/errors.ts';
import { heard, isHeard, say } from '../words/words.ts';

/** The service's detail; where the language lacks it, the translated title stands before it. */
export function failureText(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return say('The service has not answered in time.');
  }
  const detail = error instanceof Error ? error.message : String(error);
  if (isHeard(detail) || !(error instanceof ApiError)) return heard(detail);
  return `${heard(error.title)} (${detail})`;
}

/** Details of failures that last until somebody changes the store. Their code is that of a store which is away for now. */
const LASTING: ReadonlySet<string> = new Set([
  'The store does not let the service read or write this; its log says why.',
  'MongoDB does not read a capped collection as of one moment.',
  'MongoDB joins no view or time series that has a collation of its own.',
]);

export const isLasting = (detail: string): boolean => LASTING.has(detail);

/** After so long a wait an answer may never come: the UI says so, milliseconds. A browser does not tell a connection that hangs. */
export const OVERDUE_MS = 10_000;

/** The longest waits between tries, milliseconds; the service may want longer ones. */
const LONGEST = 8_000;
/** After a fault of its own: most such faults last, and each try fills the log. */
const LONGEST_INSIDE = 60_000;

/** Milliseconds after which the same may be answered, after so many tries before; undefined where it will not. */
export function waitAfter(error: unknown, tries: number): number | undefined {
  if (!isPassing(error) || isLasting((error as Error).message)) return undefined;
  const { status, retryAfterS = 0 }: Partial<ApiError> = error instanceof ApiError ? error : {};
  const longest = status === 500 ? LONGEST_INSIDE : LONGEST;
  return Math.max(retryAfterS * 1_000, Math.min(longest, 1_000 * 2 ** tries));
}
