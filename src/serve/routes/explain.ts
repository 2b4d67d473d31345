/** The explain routes, beside each search: how it is answered. For admins, since it tells of all rows. */

import type { Resource } from '../../tables/definition/definition.ts';
import { COUNT, fullObject, type JsonSchema } from '../../tables/definition/jsonSchema.ts';
import type { SearchView } from '../../tables/definition/view.ts';
import { compileExplore, type ExploreBody, parseExplore } from '../../tables/explore/body.ts';
import { isExplore, printExplore } from '../../tables/explore/plan.ts';
import { isSeveral } from '../../tables/explore/sorting.ts';
import { parseSearch } from '../../tables/query/parse.ts';
import { type Plan, printPlan } from '../../tables/query/plan.ts';
import { typeName } from '../../tables/query/schema.ts';
import type { ExplainedAnswer } from '../../tables/search/explainer.ts';
import { type Description, jsonAnswer } from '../description.ts';
import type { Permission, Route } from '../route.ts';
import {
  KINDS,
  refusalsOf,
  SEARCH_HEADERS,
  type SearchServices,
  searchHeaders,
  viewerOf,
} from '../searching.ts';

/** `POST P/explain` for the search at `path`. */
export function explainRoute(
  path: string,
  permission: Permission,
  view: SearchView,
  { explainer, parseSettings }: SearchServices,
): Route {
  const validate = compileExplore(view);
  return {
    ...{ ...KINDS.explain, path: `${path}/explain`, permission },
    description: describe(view, validate.schema),
    async handle(ctx) {
      const startedMs = performance.now();
      const { deadline, holdings, principal } = ctx.state;
      const body = validate(ctx.request.body);
      const settings = await parseSettings(deadline);
      const parse = isSearch(body, view.resource) ? parseSearch : parseExplore;
      const { plan } = parse(view, body, viewerOf(ctx), settings);
      const planMs = performance.now() - startedMs;
      const explained = await explainer.explain(plan, deadline, holdings.caller);
      const { answer } = explained;
      ctx.state.search = { view: `explain ${view.name}`, route: answer.route };
      ctx.state.trace?.searched(startedMs, planMs, answer.timing);
      ctx.body = shown(plan, explained);
      ctx.set(searchHeaders(answer, { startedMs, planMs }, principal, permission, view));
    },
  };
}

/** Whether nothing is asked that the search beside it would not take. */
const isSearch = (
  { select, baseline, facets, histogram, stats, sorting }: ExploreBody,
  { sorts }: Resource,
): boolean => {
  if (select || baseline || facets || histogram || stats || isSeveral(sorting)) return false;
  return sorting?.sort_by === undefined || sorts.includes(sorting.sort_by);
};

function shown(plan: Plan, { answer, why, byTable, byStore }: ExplainedAnswer) {
  return {
    plan: (isExplore(plan) ? printExplore(plan) : printPlan(plan)).split(/\n */),
    route: answer.route,
    why,
    total_items: answer.total,
    index: byTable
      ? {
          rows: byTable.size,
          estimated: byTable.estimate,
          steps: byTable.steps.map(({ does, estimate = null, rows = null, left, form }) => ({
            does,
            estimated: estimate,
            rows,
            left,
            held_as: form,
          })),
          counts: byTable.counts,
        }
      : null,
    pipeline: byStore
      ? {
          collection: byStore.collection,
          stages: byStore.stages,
          indexes: byStore.indexes,
          scans_collection: byStore.scans,
          sorts_in_memory: byStore.sorts,
          keys_examined: byStore.keysExamined,
          documents_examined: byStore.documentsExamined,
        }
      : null,
  };
}

const text = (description: string): JsonSchema => ({ type: 'string', description });
const count = (description: string): JsonSchema => ({ ...COUNT, description });
const countOrNull = (description: string): JsonSchema => ({
  type: ['integer', 'null'],
  minimum: 0,
  description,
});
const lines = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });

const STEP: JsonSchema = {
  title: 'ExplainedStep',
  ...fullObject({
    does: text('What is done, as the physical plan prints it.'),
    estimated: countOrNull('About how many rows fulfil it; null where each row is tested.'),
    rows: countOrNull('How many fulfil it by itself; null where each row is tested.'),
    left: count('How many fulfil it and all steps before.'),
    held_as: { enum: ['all', 'none', 'list', 'bitmap'], description: 'How those are held.' },
  }),
};

const BY_INDEX: JsonSchema = {
  title: 'ExplainedByIndex',
  description: 'How the index found the rows; null where the pipeline answered.',
  ...fullObject({
    rows: count('Rows that are there.'),
    estimated: count('About how many rows the search finds, as it was planned.'),
    steps: { type: 'array', items: STEP },
    counts: lines('Of an explore: how conditions are asked, and how each count is made.'),
  }),
  type: ['object', 'null'],
};

const BY_PIPELINE: JsonSchema = {
  title: 'ExplainedByPipeline',
  description: 'What the store did for the rows of the page; null where the index answered.',
  ...fullObject({
    collection: text('Where the pipeline ran.'),
    stages: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description: 'As extended JSON; lists of more than 20 are cut.',
    },
    indexes: lines('Database indexes that were used.'),
    scans_collection: flag('Whether the whole collection was read.'),
    sorts_in_memory: flag('Whether the order came out of no index.'),
    keys_examined: COUNT,
    documents_examined: COUNT,
  }),
  type: ['object', 'null'],
};

const ANSWER: JsonSchema = {
  title: 'Explained',
  ...fullObject({
    plan: lines('What is looked for, in which order, which page.'),
    route: { enum: ['index', 'pipeline'] },
    why: text('Why this route.'),
    total_items: COUNT,
    index: BY_INDEX,
    pipeline: BY_PIPELINE,
  }),
};

function describe(view: SearchView, schema: JsonSchema): Description {
  return {
    id: `explain${typeName(view)}`,
    group: 'Explain',
    summary: `Explain: ${view.name}`,
    text:
      'Takes the body of the search, or of the explore, beside it, answers it, and tells how: the plan, the steps ' +
      'of the index with what was expected of each and what it came to, or the stages of the pipeline and what the ' +
      'store read for them; which of the two it was, and why. It takes several times as long as the search.',
    request: {
      schema,
      examples: {
        'The first page': {},
        'A text anywhere': { filters: { q: 'a' } },
      },
    },
    answers: { 200: jsonAnswer('How it was answered.', ANSWER, SEARCH_HEADERS) },
    problems: [...refusalsOf(view), 'TooManyBuckets'],
  };
}
