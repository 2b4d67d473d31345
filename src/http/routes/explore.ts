/** The explore routes, beside each search: the search, with conditions and counts. */
import { compileExplore, exploreFields, parseExplore } from '../../query/explore/body.ts';
import { FACET, HISTOGRAM, withTypeLabels } from '../../query/explore/counts.ts';
import { typeName } from '../../query/schema.ts';
import type { Resource } from '../../resources/definition.ts';
import { closedObject, fullObject, type JsonSchema } from '../../resources/jsonSchema.ts';
import type { SearchView } from '../../resources/views.ts';
import { type Description, jsonAnswer } from '../description.ts';
import { RecordJson } from '../recordJson.ts';
import type { Permission, Route } from '../route.ts';
import {
  metaOf,
  metaSchema,
  recordType,
  refusalsOf,
  SEARCH_HEADERS,
  type SearchServices,
  searchHeaders,
  visibilityOf,
} from '../searching.ts';

/** `POST P/explore` for the search at `path`, with its permission and its view. */
export function exploreRoute<R extends Resource, K extends string>(
  path: string,
  permission: Permission,
  view: SearchView<R, K>,
  { search, parseSettings }: SearchServices,
): Route {
  const validate = compileExplore(view);
  const records = new RecordJson(view.resource.record);
  return {
    method: 'POST',
    path: `${path}/explore`,
    permission,
    cost: 'search',
    body: 'json',
    query: 'ignored',
    description: describe(view as unknown as SearchView, validate.schema),
    async handle(ctx) {
      const started = performance.now();
      const body = validate(ctx.request.body);
      const settings = await parseSettings(ctx.state.deadline);
      const parsed = parseExplore(view, body, visibilityOf(view, ctx), settings);
      const planMs = performance.now() - started;
      const answer = await search.run(parsed.plan, ctx.state.deadline, ctx.state.holdings.caller);
      const context = { catalogue: settings.catalogue, options: parsed.options };
      ctx.state.search = { view: `explore ${view.name}`, route: answer.route };
      ctx.set(searchHeaders(answer, planMs, ctx.state.principal));
      ctx.type = 'application/json';
      const { facets = [], histogram } = answer.counts ?? {};
      ctx.body = await records.answer(answer.rows, context, {
        ...(body.facets && { facets: withTypeLabels(view.resource, facets, context.catalogue) }),
        ...(histogram && { histogram }),
        meta: { ...metaOf(answer, parsed), applied_select: parsed.appliedSelect },
      });
    },
  };
}

function describe(view: SearchView, schema: JsonSchema): Description {
  const applied = schema.properties as Readonly<Record<string, JsonSchema>>;
  const answer = {
    title: `${typeName(view)}ExploreAnswer`,
    ...closedObject(
      {
        data: { type: 'array', items: recordType(view.resource) },
        facets: { type: 'array', items: FACET },
        histogram: HISTOGRAM,
        meta: fullObject({ ...metaSchema(view), applied_select: applied.select! }),
      },
      ['data', 'meta'],
    ),
  };
  const { facet, time } = exploreFields(view.resource);
  return {
    id: `explore${typeName(view)}`,
    group: 'Explore',
    summary: `Explore: ${view.name}`,
    text:
      'The search, with conditions (`select`), counts by value (`facets`) and by time (`histogram`). A ' +
      'condition has exactly one of `in`, `not_in` and a range (`from`, `to`). A facet and a histogram count ' +
      'what fulfils the search and all conditions on other fields.',
    request: {
      schema,
      examples: {
        'The first page': {},
        'Counts by value and by day': {
          select: [{ field: facet, not_in: ['x', null] }],
          facets: [{ field: facet, limit: 5 }],
          histogram: { field: time, interval: 'auto', time_zone: 'Europe/Berlin', by: facet },
        },
        'A range of time': {
          select: [{ field: time, from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' }],
        },
      },
    },
    answers: {
      200: jsonAnswer(
        'The rows of the page, what was counted, what was applied.',
        answer,
        SEARCH_HEADERS,
      ),
    },
    problems: [...refusalsOf(view), 'TooManyBuckets'],
  };
}
