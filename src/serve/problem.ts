/**
 * The one form of every failure that leaves the service: RFC 9457 `application/problem+json`.
 *
 * ```
 * anything thrown ──failures.ts──▶ AppError ──▶ {type, title, status, detail, code, errors?, request_id}
 * ```
 */
import { type AppError, PROBLEMS } from '../errors.ts';
import { closedObject, fullObject, type JsonSchema } from '../tables/definition/jsonSchema.ts';

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** Most problems of one body that an answer lists. */
const MAX_ERRORS = 100;

/** The schema of the document. */
export const PROBLEM: JsonSchema = {
  title: 'Problem',
  description: 'A failure (RFC 9457).',
  ...closedObject(
    {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'What went wrong, for people.' },
      code: { enum: Object.keys(PROBLEMS) },
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
export function problemText(error: AppError, request_id: string): string {
  const { code, status } = error;
  const errors = error.errors.slice(0, MAX_ERRORS);
  const more = error.errors.length - errors.length;
  const detail =
    more > 0 ? `${error.detail} (${more} more problems are not listed.)` : error.detail;
  const type = `urn:table-search:problem:${code}`;
  const listed = errors.length > 0 && { errors };
  return JSON.stringify({
    ...{ type, title: PROBLEMS[code][1], status, detail, code, ...listed, request_id },
  });
}
