/**
 * The description of a route in the reference. Its method, path, permission, cost, body and query say
 * the rest. Every route has one, or says that it is not listed; `openapi/` makes the document.
 */
import type { ProblemCode } from '../errors.ts';
import type { JsonSchema } from '../tables/definition/jsonSchema.ts';
import type { Json } from '../tables/definition/record.ts';

/** The groups of the reference that come first; applications have others. */
export const GROUPS = {
  Searches: 'Filter, sort and page through a table: one request, one moment.',
  Explore: 'A search with conditions, counts by value and counts by time.',
  Explain: 'How the service answers a search or an explore; for admins.',
  Exports: 'All rows of one moment, as lines of JSON or as CSV.',
} as const;

/** Headers that answers carry beside those that HTTP itself asks for, with their meanings. */
export const HEADERS = {
  'X-Request-Id':
    'The id of the request, also in the log. The service uses the one a caller sends if it is short and plain.',
  'Search-Route': 'Which of the two answered: `index` or `pipeline`.',
  'Search-As-Of':
    'The cluster time that an answer shows, or from which a change shows: `<seconds>.<increment>`.',
  Age: "Seconds since the store's last sign of life, while memory answers without it.",
  'Search-Total': 'The number of rows.',
  'Server-Timing': 'For admins: milliseconds for the plan, the search, the rows, and in total.',
  'Retry-After': 'Seconds to wait before a retry.',
  'WWW-Authenticate': 'The scheme for tokens, and the check that the sent token failed.',
  'Content-Disposition': 'The file name to save as.',
  'Content-Range': 'The range of bytes, and the size of the file.',
  ETag: 'Identifies these bytes.',
} as const;

export type HeaderName = keyof typeof HEADERS;

export interface AnswerDescription {
  readonly text: string;
  readonly headers?: readonly HeaderName[];
  /** The schema of each media type; left out for an answer without a body. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
  /** The schema of the JSON that each event of a stream has as `data`, by the event's name. */
  readonly events?: Readonly<Record<string, JsonSchema>>;
}

export const EVENTS = 'text/event-stream';

export interface Description {
  /** Names the operation, also in clients made from the document. */
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly text?: string;
  readonly request?: {
    /** The very schema that bodies are validated by. */
    readonly schema: JsonSchema;
    /** Bodies that are taken, by a title. */
    readonly examples: Readonly<Record<string, Json>>;
  };
  /** Headers of requests that it takes, beside those that all take. */
  readonly requestHeaders?: Readonly<
    Record<string, { readonly meaning: string; readonly schema: JsonSchema }>
  >;
  /** The answers by status; failures follow from the route, and from `problems`. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  readonly problems?: readonly ProblemCode[];
}

/** An answer of JSON. */
export const jsonAnswer = (
  text: string,
  schema: JsonSchema,
  headers: readonly HeaderName[] = [],
): AnswerDescription => ({ text, headers, content: { 'application/json': schema } });

/** The answer to a client that has the current version. */
export const UNCHANGED: Description['answers'] = {
  304: { text: 'The client has this version.', headers: ['ETag'] },
};
