/** The routes of tables as everyone's reference shows them: their shapes for any table. */
import { closedObject, type JsonSchema, TEXT_OR_NULL } from '../../tables/definition/jsonSchema.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { AppReference, PathParameters } from '../openapi/document.ts';
import type { Route } from '../route.ts';
import { withEvents } from '../routes/explore.ts';
import { EXPORTED } from '../routes/export.ts';
import { KINDS, type Kind, SEARCH_HEADERS } from '../searching.ts';

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
const COUNTS = { baseline: list(ANY), facets: list(ANY), histogram: ANY, stats: list(ANY) };

const ANSWER: JsonSchema = {
  title: 'TableAnswer',
  type: 'object',
  properties: { data: list(ANY), meta: ANY },
  required: ['data', 'meta'],
};
const ANSWERED = jsonAnswer(
  'The rows of the page, and of an explore the counts.',
  ANSWER,
  SEARCH_HEADERS,
);

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

function shape(
  kind: Kind,
  summary: string,
  members: Readonly<Record<string, JsonSchema>>,
  answers: Description['answers'],
): Shape {
  const named = `${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const counts = kind === 'explore' || kind === 'explain';
  return {
    ...KINDS[kind],
    description: {
      ...{ id: `table${named}`, group: 'Tables', summary, answers },
      text: 'With a token, this document also describes each table that the caller may see.',
      request: {
        schema: { title: `Table${named}`, ...closedObject({ ...SEARCH, ...members }) },
        examples: { 'All rows': {} },
      },
      problems: ['IndexLoading', ...(counts ? (['TooManyBuckets'] as const) : [])],
    },
  };
}

const EXPLORE = { ...ORDER, ...PAGINATION, ...COUNTS };

/** The routes without paths; the reference of one caller shows the typed ones beside these. */
export const GENERAL: Readonly<Record<Kind, Shape>> = {
  search: shape('search', 'Search a table', PAGINATION, { 200: ANSWERED }),
  explore: shape(
    'explore',
    'Explore a table: a search with counts, once or for as long as the client stays',
    EXPLORE,
    { 200: withEvents(ANSWERED) },
  ),
  explain: shape('explain', 'Explain how a search or an explore of a table is answered', EXPLORE, {
    200: jsonAnswer('How it was answered.', ANY, SEARCH_HEADERS),
  }),
  export: shape(
    'export',
    'Export all rows of a table at one moment',
    { ...ORDER, columns: list({ type: 'string' }), formulas: { enum: ['guard', 'keep'] } },
    EXPORTED,
  ),
};
