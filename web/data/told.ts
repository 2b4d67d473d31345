/** What went wrong, for people: in one line, in their language where the UI has it. */
import { ApiError } from '../../clients/typescript/index.ts';
import { heard, isHeard } from '../words/words.ts';

/** What the service says of the case; where that is not known in the language, what kind of case it is before it. */
export function told(error: unknown): string {
  const detail = error instanceof Error ? error.message : String(error);
  if (isHeard(detail) || !(error instanceof ApiError)) return heard(detail);
  return `${heard(error.title)} (${detail})`;
}
