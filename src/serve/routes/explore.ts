/**
 * The explore routes, beside each search: the search, with conditions and counts; as events for as
 * long as the client stays, where it accepts these.
 */
import { closedObject, fullObject, type JsonSchema } from '../../tables/definition/jsonSchema.ts';
import { type SearchView, shownRows, type Viewer } from '../../tables/definition/view.ts';
import { fieldsFor, timeFields } from '../../tables/explore/askable.ts';
import { compileExplore, type ExploreBody, parseExplore } from '../../tables/explore/body.ts';
import { FACET, HISTOGRAM, withLabels } from '../../tables/explore/counts.ts';
import { appliedSorting } from '../../tables/explore/sorting.ts';
import { STATS } from '../../tables/explore/stats.ts';
import type { ParseSettings } from '../../tables/query/parse.ts';
import { typeName } from '../../tables/query/schema.ts';
import type { Answer } from '../../tables/search/search.ts';
import { after } from '../answer/pages.ts';
import { RecordJson } from '../answer/recordJson.ts';
import { type AnswerDescription, type Description, EVENTS, jsonAnswer } from '../description.ts';
import { answerEvents } from '../live/eventStream.ts';
import type { ExploreAnswers } from '../live/watchedExplore.ts';
import { acceptedType } from '../request/acceptedType.ts';
import type { Permission, Route, RouteContext } from '../route.ts';
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

/** `POST P/explore` for the search at `path`, with its permission and its view. */
export function exploreRoute(
  path: string,
  permission: Permission,
  view: SearchView,
  services: SearchServices,
): Route {
  const { watches, parseSettings } = services;
  const validate = compileExplore(view);
  const records = new RecordJson(view.resource.record);
  return {
    ...{ ...KINDS.explore, path: `${path}/explore`, permission },
    description: describe(view, validate.schema),
    async handle(ctx) {
      const startedMs = performance.now();
      const body = validate(ctx.request.body);
      const settings = await parseSettings(ctx.state.deadline);
      const answers = exploreAnswers(view, body, viewerOf(ctx), records);
      const parsed = answers.parse(settings);
      const planMs = performance.now() - startedMs;
      ctx.vary('Accept');
      if (acceptedType(ctx, 'json', EVENTS) === EVENTS) return await watch(ctx, answers, settings);
      const page = (answer: Answer) => answers.page(answer, parsed, settings);
      const { plan } = parsed;
      const name = `explore ${view.name}`;
      const planned = { startedMs, planMs, plan, permission, view, name, page };
      await answerSearch(ctx, planned, services);
    },
  };

  async function watch(ctx: RouteContext, answers: ExploreAnswers, settings: ParseSettings) {
    const { deadline, holdings, principal } = ctx.state;
    await ctx.state.confirmRights?.();
    const right = { permission, principal, params: ctx.params };
    await answerEvents(ctx, async () => {
      const client = { res: ctx.res, right, holdings, deadline };
      const { stream, route } = await watches.watch(answers, settings, client);
      ctx.state.search = { view: `watch ${view.name}`, route };
      return stream;
    });
  }
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
        stats: { type: 'array', items: STATS },
        meta: fullObject({
          ...{ ...metaSchema(view), ...appliedSorting(view), applied_select: applied.select! },
        }),
      },
      ['data', 'meta'],
    ),
  };
  const facets = fieldsFor(view.resource, 'facet');
  const [facet] = facets;
  const [time] = timeFields(view.resource);
  return {
    id: `explore${typeName(view)}`,
    group: 'Explore',
    summary: `Explore: ${view.name}`,
    text:
      'The search, with conditions (`select`), counts by value (`facets`) and by time (`histogram`), and ' +
      'statistics (`stats`). Rows can be sorted by up to three fields. A ' +
      'condition on a `field` has exactly one of `in`, `not_in`, `contains`, `not_contains` and a range ' +
      '(`from`, `to`). `text` and `not_text` look where `q` does, and of `any` one condition holds. A facet ' +
      'and a histogram count the rows that match the search and every condition on other fields. With a ' +
      '`baseline`, facets are also counted with its conditions in place of `select`.',
    request: {
      schema,
      examples: {
        'The first page': {},
        ...(facet &&
          time && {
            'Counts by value and by day': {
              select: [{ field: facet, not_in: ['x', null] }],
              facets: [{ field: facet, limit: 5 }],
              histogram: { field: time, interval: 'auto', time_zone: 'Europe/Berlin', by: facet },
            },
          }),
        ...(facet && {
          'Values that are over-represented in the rows of a condition': {
            select: [{ field: facet, in: ['x'] }],
            baseline: [],
            facets: facets.slice(1, 3).map((field) => ({ field, order: 'lift' })),
          },
        }),
        ...(time && {
          'Sorted by time, then by id, with statistics': {
            sorting: [{ sort_by: time, sort_order: 'asc' }, { sort_by: view.resource.key }],
            stats: [{ field: time }],
          },
          'A range of time': {
            select: [{ field: time, from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' }],
          },
        }),
      },
    },
    answers: {
      200: withEvents(
        jsonAnswer(
          'The rows of the page, the counts, and the conditions that the service applied.',
          answer,
          SEARCH_HEADERS,
        ),
      ),
    },
    problems: [...refusalsOf(view), 'TooManyBuckets'],
  };
}

export function withEvents({ content, ...answer }: AnswerDescription): AnswerDescription {
  const description =
    'Events: `answer` (the whole answer; its `id` is the moment it shows) at once and whenever it has ' +
    'changed, `state` when the index cannot answer (first of all while it loads), `end` with the reason.';
  const reason: JsonSchema = { type: 'string' };
  const loaded: JsonSchema = {
    ...{ type: 'integer', minimum: 0, maximum: 100 },
    description: 'While the index loads: percent of all rows that it has.',
  };
  return {
    ...answer,
    content: { ...content, [EVENTS]: { type: 'string', description } },
    events: {
      answer: content!['application/json']!,
      state: closedObject({ index: { enum: ['live', 'unavailable'] }, reason, loaded }, ['index']),
      end: fullObject({ reason }),
    },
  };
}

/** The answer of one explore, as its body asks for it: for a request, and for those who watch it. */
export function exploreAnswers(
  view: SearchView,
  body: ExploreBody,
  viewer: Viewer,
  records: RecordJson,
): ExploreAnswers {
  return {
    view,
    key: JSON.stringify([numberOf(view), shownRows(view, viewer), body], withIntegers),
    parse: (settings) => parseExplore(view, body, viewer, settings),
    page(answer, parsed, { labels }) {
      const { facets = [], histogram, stats } = answer.counts ?? {};
      const { appliedSelect: applied_select, appliedSorting: applied_sorting } = parsed;
      return {
        ...{ answer, records },
        context: { labels, options: parsed.options },
        after: after({
          facets: body.facets && withLabels(view.resource, facets, labels),
          histogram,
          stats: body.stats && stats,
          meta: metaOf(answer, parsed, { applied_sorting, applied_select }),
        }),
      };
    },
  };
}

/** A row's claim may be an integer that no double holds, which JSON has no form for. */
const withIntegers = (_: string, value: unknown) =>
  typeof value === 'bigint' ? { integer: String(value) } : value;

/** Two views of one table can have one name, but show different fields. */
const numbers = new WeakMap<object, number>();
let views = 0;

function numberOf(view: object): number {
  const number = numbers.get(view) ?? ++views;
  numbers.set(view, number);
  return number;
}
