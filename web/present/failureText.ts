/** A failure in one line, in the viewer's language where the UI has it; and when it may be over. */
import { ApiError, isPassing } from '../../clients/typescript/errors.ts';
import { heard, isHeard } from '../words/words.ts';

/** The service's detail; where the language lacks it, the translated title stands before it. */
export function failureText(error: unknown): string {
  const detail = error instanceof Error ? error.message : String(error);
  if (isHeard(detail) || !(error instanceof ApiError)) return heard(detail);
  return `${heard(error.title)} (${detail})`;
}

/** Milliseconds after which the same may be answered, `least` or as long as the service asks for; undefined where it will not. */
export function waitOf(error: unknown, least: number): number | undefined {
  if (!isPassing(error)) return undefined;
  const asked = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1_000 : 0;
  return Math.max(asked, least);
}
