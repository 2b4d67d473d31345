/**
 * What the reference says of a route beyond what follows from its method, path, permission, cost, body
 * and query. Every route has one, or says that it is not listed; `openapi/` makes the document.
 */
import type { ProblemCode } from '../errors.ts';
import type { JsonSchema } from '../resources/jsonSchema.ts';
import type { Json } from '../resources/record.ts';

/** The groups of the reference, in their order. */
export const GROUPS = {
  Searches: 'Filter, sort and page through a table: one request, one moment.',
  Explore: 'A search with conditions, counts by value and counts by time.',
  Explain: 'How a search or an explore is answered: for admins.',
  Exports: 'All rows of one moment, as lines of JSON or as CSV.',
  Schedules: 'Delete a schedule, or switch it on and off.',
  Tasks: 'Cancel tasks, keep them, look at them, download what they made.',
  Logs: 'What a task has written.',
  Operations: 'For operators.',
} as const;

/** Headers that answers carry beside those that HTTP itself asks for, and what they mean. */
export const HEADERS = {
  'X-Request-Id':
    'Names the request in the log; what the caller sent, where it is short and plain.',
  'Search-Route': 'What answered: `index` or `pipeline`.',
  'Search-As-Of':
    'The cluster time whose state is shown, or from which a change shows: `<seconds>.<increment>`.',
  Age: 'While the store seems to be away, and until the index has caught up: seconds since its last sign of life.',
  'Search-Total': 'How many rows there are.',
  'Server-Timing':
    'For admins: how long planning, searching, getting rows and all of it together took, in milliseconds.',
  'Retry-After': 'Seconds after which to try again.',
  'WWW-Authenticate': 'The scheme to send a token with, and what was wrong with the one sent.',
  'Content-Disposition': 'The name to save it under.',
  'Content-Range': 'Which bytes of how many.',
  ETag: 'Names exactly these bytes.',
} as const;

export type HeaderName = keyof typeof HEADERS;

export interface AnswerDescription {
  readonly text: string;
  readonly headers?: readonly HeaderName[];
  /** By media type; without, there is no body. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
  /** Of an event stream: the JSON that an event has as `data`, by the event's name. */
  readonly events?: Readonly<Record<string, JsonSchema>>;
}

export const EVENTS = 'text/event-stream';

export interface Description {
  /** Names the operation, also in clients made from the document. */
  readonly id: string;
  readonly group: keyof typeof GROUPS;
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
  /** By status; failures follow from the route, and from `problems`. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  readonly problems?: readonly ProblemCode[];
}

/** An answer of JSON. */
export const jsonAnswer = (
  text: string,
  schema: JsonSchema,
  headers: readonly HeaderName[] = [],
): AnswerDescription => ({ text, headers, content: { 'application/json': schema } });
