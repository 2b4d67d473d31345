/** The routes of tables as everyone's reference shows them: their shapes, whatever the table. */
import { closedObject, type JsonSchema, TEXT_OR_NULL } from '../../tables/definition/jsonSchema.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { AppReference, PathParameters } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { withEvents } from '../routes/explore.ts';
import { EXPORTED } from '../routes/export.ts';
import { SEARCH_HEADERS } from '../searching.ts';

export type Kind = 'search' | 'explore' | 'explain' | 'export';

const ANY: JsonSchema = { type: 'object', additionalProperties: true };
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const SORT = closedObject({
  sort_by: { type: 'string' },
  sort_order: { enum: ['asc', 'desc'] },
});
/** The order of explores and exports. */
const ORDER = { sorting: { anyOf: [SORT, list(SORT)] } };

const SEARCH = {
  filters: {
    type: 'object',
    additionalProperties: TEXT_OR_NULL,
    description: '`q`, and each string field that may be filtered.',
  },
  sorting: SORT,
  select: list(ANY),
} satisfies Record<string, JsonSchema>;
const PAGINATION = {
  pagination: closedObject({ page: { type: 'integer' }, per_page: { type: 'integer' } }),
};
const COUNTS = { facets: list(ANY), histogram: ANY, stats: list(ANY) };

const request = (title: string, members: Readonly<Record<string, JsonSchema>>) => ({
  schema: { title, ...closedObject(members) },
  examples: { 'All rows': {} },
});

const ANSWER: JsonSchema = {
  title: 'TableAnswer',
  type: 'object',
  properties: { data: list(ANY), meta: ANY },
  required: ['data', 'meta'],
};
const LOADING = ['IndexLoading'] as const;
const TYPED = 'With a token, this document also describes each table that the caller may see.';

const SEARCHES: Description = {
  id: 'tableSearch',
  group: 'Tables',
  summary: 'Search a table',
  text: TYPED,
  request: request('TableSearch', { ...SEARCH, ...PAGINATION }),
  answers: { 200: jsonAnswer('The rows of the page.', ANSWER, SEARCH_HEADERS) },
  problems: LOADING,
};

const TABLE_PARAMETERS = {
  table: {
    example: 'orders',
    takes: { meaning: 'The name of a table.', schema: { type: 'string', maxLength: 32 } },
  },
  id: {
    example: '665f1c2ab0a1f2d3c4e5f607',
    takes: { meaning: 'The key of a row, as records show it.', schema: { type: 'string' } },
  },
} satisfies PathParameters;

export const TABLES_REFERENCE: AppReference = {
  parameters: TABLE_PARAMETERS,
  groups: {
    Tables: 'Tables from the definition file: search, explore, export, explain, whole documents.',
  },
};

type Shape = Omit<Route, 'path' | 'permission' | 'handle'>;

/** The routes without paths; the reference of one caller shows the typed ones beside these. */
export const GENERAL: Readonly<Record<Kind, Shape>> = {
  search: {
    ...{ method: 'POST', cost: 'search', fromMemory: true, body: 'json', query: 'ignored' },
    description: SEARCHES,
  },
  explore: {
    ...{ method: 'POST', cost: 'search', fromMemory: true, body: 'json', query: 'ignored' },
    description: {
      ...SEARCHES,
      id: 'tableExplore',
      summary: 'Explore a table: a search with counts, once or for as long as the client stays',
      request: request('TableExplore', { ...SEARCH, ...ORDER, ...PAGINATION, ...COUNTS }),
      answers: {
        200: withEvents(
          jsonAnswer('The rows of the page, and the counts.', ANSWER, SEARCH_HEADERS),
        ),
      },
      problems: [...LOADING, 'TooManyBuckets'],
    },
  },
  explain: {
    ...{ method: 'POST', cost: 'search', body: 'json', query: 'ignored' },
    description: {
      ...SEARCHES,
      id: 'tableExplain',
      summary: 'Explain how a search or an explore of a table is answered',
      request: request('TableExplain', { ...SEARCH, ...ORDER, ...PAGINATION, ...COUNTS }),
      answers: { 200: jsonAnswer('How it was answered.', ANY, SEARCH_HEADERS) },
      problems: [...LOADING, 'TooManyBuckets'],
    },
  },
  export: {
    ...{ method: 'POST', cost: 'export', body: 'jsonOrForm', query: 'ignored' },
    description: {
      ...SEARCHES,
      id: 'tableExport',
      summary: 'Export all rows of a table at one moment',
      request: request('TableExport', {
        ...{ ...SEARCH, ...ORDER },
        columns: list({ type: 'string' }),
        formulas: { enum: ['guard', 'keep'] },
      }),
      answers: EXPORTED,
    },
  },
};
