/** A failure in one line, in the viewer's language where the UI has it. */
import { ApiError } from '../../clients/typescript/index.ts';
import { heard, isHeard } from '../words/words.ts';

/** The service's detail; where the language lacks it, the translated title stands before it. */
export function failureText(error: unknown): string {
  const detail = error instanceof Error ? error.message : String(error);
  if (isHeard(detail) || !(error instanceof ApiError)) return heard(detail);
  return `${heard(error.title)} (${detail})`;
}
