/** The search routes: validate, one call, present. */

import { fullObject, type JsonSchema } from '../../tables/definition/jsonSchema.ts';
import type { SearchView } from '../../tables/definition/view.ts';
import { compileSearch, type ParsedExplore, parseExplore } from '../../tables/explore/body.ts';
import { type ParsedSearch, parseSearch } from '../../tables/query/parse.ts';
import { typeName } from '../../tables/query/schema.ts';
import type { Answer } from '../../tables/search/search.ts';
import { type AnsweredPage, after } from '../answer/pages.ts';
import { RecordJson } from '../answer/recordJson.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { Permission, Route } from '../route.ts';
import {
  answerSearch,
  KINDS,
  metaOf,
  metaSchema,
  recordType,
  refusalsOf,
  SEARCH_HEADERS,
  type SearchServices,
  viewerOf,
} from '../searching.ts';

/** `POST` of a view at this path. */
export function searchRoute(
  path: string,
  permission: Permission,
  view: SearchView,
  services: SearchServices,
): Route {
  const { parseSettings } = services;
  const validate = compileSearch(view);
  const records = new RecordJson(view.resource.record);
  return {
    ...{ ...KINDS.search, path, permission },
    description: describe(view, validate.schema),
    async handle(ctx) {
      const startedMs = performance.now();
      const body = validate(ctx.request.body);
      const settings = await parseSettings(ctx.state.deadline);
      const parse = body.select ? parseExplore : parseSearch;
      const parsed: ParsedSearch | ParsedExplore = parse(view, body, viewerOf(ctx), settings);
      const planMs = performance.now() - startedMs;
      const { plan, options } = parsed;
      const context = { labels: settings.labels, options };
      const appliedSelect = 'appliedSelect' in parsed ? parsed.appliedSelect : [];
      const more = view.select ? { applied_select: appliedSelect } : {};
      const page = (answer: Answer): AnsweredPage => {
        return { answer, records, context, after: after({ meta: metaOf(answer, parsed, more) }) };
      };
      const { name } = view;
      const planned = { startedMs, planMs, plan, permission, view, name, page };
      await answerSearch(ctx, planned, services);
    },
  };
}

function describe(view: SearchView, schema: JsonSchema): Description {
  const { resource } = view;
  const { select } = schema.properties as Readonly<Record<string, JsonSchema>>;
  const answer = {
    title: `${typeName(view)}Answer`,
    ...fullObject({
      data: { type: 'array', items: recordType(resource) },
      meta: fullObject({ ...metaSchema(view), ...(select && { applied_select: select }) }),
    }),
  };
  return {
    id: `search${typeName(view)}`,
    group: 'Searches',
    summary: `Search: ${view.name}`,
    text: 'Every member is optional. The service ignores query parameters.',
    request: {
      schema,
      examples: {
        'The first page': {},
        'Text, sorted, the second page of five': {
          filters: { q: 'a' },
          sorting: { sort_by: resource.sorts[0], sort_order: 'asc' },
          pagination: { page: 2, per_page: 5 },
        },
      },
    },
    answers: {
      200: jsonAnswer(
        'The rows of the page, and the filters and sorting that the service applied.',
        answer,
        SEARCH_HEADERS,
      ),
    },
    problems: refusalsOf(view),
  };
}
