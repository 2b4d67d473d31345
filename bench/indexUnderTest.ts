/**
 * The service's index in this process, without HTTP: it loads and follows the store as in the
 * service, and questions go the way of a request, from the body on.
 *
 *     body ──► plan ──► table.search ──► total, page of ids       (`ask`, synchronous, no cache)
 *                  └──► pipeline at the same cluster time          (`askPipeline`)
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import type { Resources } from '../src/tables/definition/definition.ts';
import type { SearchView, Viewer } from '../src/tables/definition/view.ts';
import type { ExplorePlan } from '../src/tables/explore/plan.ts';
import type { CreateTable } from '../src/tables/index/searchIndex.ts';
import type { Plan } from '../src/tables/query/plan.ts';
import type { Page } from '../src/tables/search/page.ts';
import type { Fold, TableDefinition, TextTable } from '../src/textindex/index.ts';
import { LOG } from './log.ts';
import { product } from './product.ts';
import { type Question, SEARCHES } from './searches.ts';
import type { Place } from './store.ts';
import { definitionUnderTest, layoutUnderTest } from './without.ts';

const { SearchIndex } = await product<typeof import('../src/tables/index/searchIndex.ts')>(
  'tables/index/searchIndex',
);
const { PipelineExecutor } = await product<
  typeof import('../src/tables/pipeline/pipelineExecutor.ts')
>('tables/pipeline/pipelineExecutor');
const { Quota } =
  await product<typeof import('../src/tables/search/quota.ts')>('tables/search/quota');
const { RESOURCES } = await product<typeof import('../src/apps/admin/resources/index.ts')>(
  'apps/admin/resources/index',
);
const { taskCatalogue } = await product<typeof import('../src/apps/admin/resources/taskTypes.ts')>(
  'apps/admin/resources/taskTypes',
);
const { Deadline } = await product<typeof import('../src/store/deadline.ts')>('store/deadline');
const { CaseFolding } =
  await product<typeof import('../src/store/caseFolding.ts')>('store/caseFolding');
const { parseSearch } =
  await product<typeof import('../src/tables/query/parse.ts')>('tables/query/parse');
const { parseExplore } =
  await product<typeof import('../src/tables/explore/body.ts')>('tables/explore/body');
const { parseTime } =
  await product<typeof import('../src/store/clusterTime.ts')>('store/clusterTime');
const { createIndex } =
  await product<typeof import('../src/textindex/index.ts')>('textindex/index');
const { tableLayout } = await product<typeof import('../src/tables/definition/tableDefinition.ts')>(
  'tables/definition/tableDefinition',
);
const { compileExtract, projectionOf } =
  await product<typeof import('../src/follow/extract.ts')>('follow/extract');

/** Total and page of ids, in a form that can be compared and sent. */
export interface Answer {
  readonly total: number;
  readonly ids: readonly unknown[];
}

export interface IndexUnderTest {
  readonly client: MongoClient;
  readonly fold: Fold;
  /** From the start to the moment at which every collection was live, seconds. */
  readonly loadSeconds: number;
  /** The table of a resource. */
  table(resource: string): TextTable;
  planOf(question: Question): Plan;
  ask(question: Question): Answer;
  /** The pipeline's answer, at the index's frontier. */
  askPipeline(question: Question): Promise<Answer>;
  runPipeline(plan: Plan): Promise<Page>;
  explorePlanOf(view: SearchView, body: object): ExplorePlan;
  /** The index's answer with its rows and counts, as the service has it. */
  explore(plan: ExplorePlan): Promise<Page>;
  /** Memory of all tables. */
  bytes(): number;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Puts something around each table that the index makes. */
  readonly around?: (table: TextTable) => TextTable;
  /** The tables; those of the administration service where left out. */
  readonly resources?: Resources;
  /** Memory for members of rows that no column holds. */
  readonly maxRestBytes?: number;
}

/** Longest time of a pipeline here: it is the peer, and may be slow. */
const TIMEOUT_MS = 120_000;

export async function openIndex(
  place: Pick<Place, 'uri' | 'dbName'>,
  { around = (table) => table, resources = RESOURCES, maxRestBytes = 2 ** 28 }: OpenOptions = {},
): Promise<IndexUnderTest> {
  const client = await MongoClient.connect(place.uri);
  const db = client.db(place.dbName);
  const caseFolding = new CaseFolding(db);
  const fold = await caseFolding.fold();
  const tables = new Map<string, TextTable>();
  const createTable: CreateTable = (definition, _fold, expectedRows) => {
    const table = around(
      createIndex(definitionUnderTest(definition), {
        ...{ fold, layout: layoutUnderTest },
        ...(expectedRows && { expectedRows }),
      }),
    );
    tables.set(definition.name, table);
    return table;
  };
  const started = performance.now();
  const index = new SearchIndex({
    ...{ db, resources, caseFolding, log: LOG, createTable, maxRestBytes },
    ...{ maxTableBytes: Number.POSITIVE_INFINITY, maxSilentMs: 10_000 },
  });
  while (index.state().state !== 'live') await new Promise((done) => setTimeout(done, 5));
  const loadSeconds = (performance.now() - started) / 1000;

  const pipeline = new PipelineExecutor({
    ...{ db, resources },
    running: new Quota({ what: 'pipelines', overall: 1, waiting: 1000 }),
  });
  const settings = {
    labels: taskCatalogue().labels,
    fold: (text: string) => fold.fold(text),
    maxPerPage: 100,
  };
  const planOf = ({ search, within, as, body }: Question): Plan => {
    const { view } = SEARCHES[search];
    return parseSearch(view, body as never, viewerOf(within, as), settings).plan;
  };
  const table = (resource: string) => {
    const found = tables.get(resource);
    if (!found) throw new Error(`no table of ${resource}`);
    return found;
  };
  const runPipeline = (plan: Plan) => {
    const at = index.state().frontier;
    if (at === null) throw new Error('the index is not live');
    return pipeline.run(plan, undefined, new Deadline(TIMEOUT_MS), undefined, parseTime(at)!);
  };
  return {
    client,
    fold,
    runPipeline,
    loadSeconds,
    table,
    planOf,
    ask(question) {
      const { resource, within, where, sorting, page, perPage } = planOf(question);
      const [{ by, descending }] = sorting;
      return table(resource.name).search({
        within,
        where,
        sortBy: by === resource.key ? 'id' : by,
        descending,
        page,
        perPage,
      });
    },
    async askPipeline(question) {
      const page = await runPipeline(planOf(question));
      return { total: page.total, ids: page.rows.map(({ document }) => document._id) };
    },
    explorePlanOf: (view, body) => parseExplore(view, body as never, viewerOf(), settings).plan,
    async explore(plan) {
      // An answer from memory takes no turn of the event loop, and the index needs turns to follow.
      await turn();
      const page = await index.run(plan, undefined, new Deadline(TIMEOUT_MS));
      if (!page) throw new Error('the index did not answer');
      return page;
    },
    bytes: () => index.state().bytes,
    async close() {
      await index.close();
      await client.close();
    },
  };
}

const viewerOf = (within?: string, as?: number): Viewer => ({
  ...{ admin: as === undefined, sub: String(as), claims: {} },
  params: within === undefined ? {} : { project_id: within },
});

/** The index's reading of a task: the projection, and the extractor of its cells. */
export function taskReading(): {
  readonly projection: Document;
  readonly extract: ReturnType<typeof compileExtract>;
  readonly columns: readonly string[];
  readonly definition: TableDefinition;
} {
  const { definition, sources } = tableLayout(RESOURCES.tasks);
  return {
    projection: projectionOf(sources),
    extract: compileExtract(sources),
    columns: definition.columns.map(({ name }) => name),
    definition,
  };
}
