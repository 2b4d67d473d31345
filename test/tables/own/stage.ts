/**
 * Tables of a file over a database, asked by each executor without HTTP between.
 *
 *     file ──► tables ──► body ──► plan ─┬─► pipeline
 *                                        ├─► index
 *                                        └─► scan ──► answers as JSON, to be the same
 */
import { expect } from 'chai';
import type { Db, Document, Timestamp } from 'mongodb';
import { readConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/log.ts';
import { RecordJson } from '../../../src/serve/answer/recordJson.ts';
import { Guard } from '../../../src/serve/guard.ts';
import { CaseFolding } from '../../../src/store/caseFolding.ts';
import { Deadline } from '../../../src/store/deadline.ts';
import type { Resource } from '../../../src/tables/definition/definition.ts';
import type { SearchView, Viewer } from '../../../src/tables/definition/view.ts';
import { compileExplore, parseExplore } from '../../../src/tables/explore/body.ts';
import { type OwnTable, readTablesFile } from '../../../src/tables/file/index.ts';
import { SearchIndex } from '../../../src/tables/index/searchIndex.ts';
import { PipelineExecutor } from '../../../src/tables/pipeline/pipelineExecutor.ts';
import { isIndexed } from '../../../src/tables/query/order.ts';
import type { Page } from '../../../src/tables/search/page.ts';
import { createIndex, type Fold } from '../../../src/textindex/index.ts';
import { createScan } from '../../oracles/scan.ts';
import { put, useDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

type ExecutorName = 'pipeline' | 'index' | 'scan';
const EXECUTORS: readonly ExecutorName[] = ['pipeline', 'index', 'scan'];

interface Shown {
  readonly total: number;
  readonly page: number;
  readonly rows: readonly Document[];
  readonly facets?: readonly Document[];
  readonly histogram?: Document;
  readonly stats?: readonly Document[];
  readonly select: readonly unknown[];
}

/** An answer, or the pointers of the body's problems. */
export type Answer = Shown | { readonly wrong: readonly string[] };

export interface Question {
  readonly table: string;
  readonly body: Document;
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The grant that the caller has, by its place. */
  readonly grant?: number;
}

const config = readConfig(
  { AUTH_JWT_SECRET: 'of no use here, but 32 bytes at least' },
  { maxSearchesPerUser: 1_000 },
);
const context = { labels: {}, options: new Set<string>() };

export class OwnStage {
  readonly tables: readonly OwnTable[];
  readonly warnings: string[] = [];
  readonly #db: Db;
  readonly #fold: Fold;
  /** The pipeline beside an index takes its counts. */
  readonly #pipelines: Readonly<Record<ExecutorName, PipelineExecutor>>;
  readonly #indexes: Readonly<Record<'index' | 'scan', SearchIndex>>;
  /** Compiling a view's schema takes fifty times as long as an answer. */
  readonly #validators = new Map<SearchView, ReturnType<typeof compileExplore>>();
  #written: Timestamp | undefined;

  private constructor(db: Db, tables: readonly OwnTable[], folding: CaseFolding, fold: Fold) {
    this.#db = db;
    this.#fold = fold;
    this.tables = tables;
    const resources = Object.fromEntries(tables.map(({ resource }) => [resource.name, resource]));
    const log = createLog('warn', { write: (line) => void this.warnings.push(line) });
    const follow = (createTable: ConstructorParameters<typeof SearchIndex>[0]['createTable']) =>
      new SearchIndex({
        ...{ db, resources, caseFolding: folding, log, createTable },
        ...{ maxTableBytes: 2 ** 32, maxRowBytes: 2 ** 24, maxRestBytes: 2 ** 26 },
        maxSilentMs: 10_000,
      });
    this.#indexes = {
      index: follow((definition, fold) => createIndex(definition, { fold })),
      scan: follow((definition, fold) => createScan(definition, { fold })),
    };
    const running = new Guard(config).quotas.pipelines;
    const { index, scan } = this.#indexes;
    this.#pipelines = {
      pipeline: new PipelineExecutor({ db, resources, running }),
      index: new PipelineExecutor({
        ...{ db, resources, running, countsOf: (...asked) => index.counts(...asked) },
      }),
      scan: new PipelineExecutor({
        ...{ db, resources, running, countsOf: (...asked) => scan.counts(...asked) },
      }),
    };
  }

  static async start(db: Db, file: string): Promise<OwnStage> {
    const read = readTablesFile(file);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const folding = new CaseFolding(db, 10_000);
    return new OwnStage(db, read.tables, folding, await folding.fold());
  }

  /** Changes the stored documents; answers from now on show it. */
  async write(change: (db: Db, options: Document) => Promise<unknown>): Promise<void> {
    await this.#db.client.withSession(async (session) => {
      await change(this.#db, { session });
      this.#written = session.operationTime;
    });
  }

  async #ask(executor: ExecutorName, question: Question): Promise<Answer> {
    const { table, body, claims = {}, grant = 0 } = question;
    const { view } = this.tables.find(({ name }) => name === table)!.grants[grant]!;
    const viewer: Viewer = { sub: 'x', admin: true, claims, params: {} };
    const settings = {
      labels: {},
      fold: (text: string) => this.#fold.fold(text),
      maxPerPage: 1_000,
    };
    let parsed: ReturnType<typeof parseExplore>;
    try {
      parsed = parseExplore(view, this.#validatorOf(view)(body), viewer, settings);
    } catch (error) {
      const { errors } = error as { errors?: { pointer: string }[] };
      if (!errors) throw error;
      return { wrong: errors.map(({ pointer }) => pointer) };
    }
    const page = await this.#run(executor, parsed.plan);
    return {
      total: page.total,
      page: page.page,
      rows: await recordsOf(view.resource, page.rows),
      ...(page.counts && JSON.parse(JSON.stringify(page.counts))),
      select: parsed.appliedSelect,
    };
  }

  /** The answer, which is the same by every executor. */
  async answer(question: Question): Promise<Answer> {
    const answers = await Promise.all(EXECUTORS.map((name) => this.#ask(name, question)));
    for (const [i, one] of answers.entries()) expect(one, EXECUTORS[i]).eql(answers[0]);
    return answers[0]!;
  }

  #validatorOf(view: SearchView): ReturnType<typeof compileExplore> {
    const validator = this.#validators.get(view) ?? compileExplore(view);
    this.#validators.set(view, validator);
    return validator;
  }

  async #run(executor: ExecutorName, plan: ReturnType<typeof parseExplore>['plan']): Promise<Page> {
    const deadline = new Deadline(60_000);
    try {
      if (executor === 'pipeline' || !isIndexed(plan)) {
        return await this.#pipelines[executor].run(plan, this.#written, deadline);
      }
      let page: Page | undefined;
      await until(
        async () => {
          page = await this.#indexes[executor].run(plan, this.#written, deadline);
          return page !== undefined;
        },
        `the ${executor} does not answer: ${this.warnings.at(-1)}`,
      );
      return page!;
    } catch (error) {
      const state = executor === 'pipeline' ? {} : this.#indexes[executor].state();
      throw new Error(`${executor}: ${JSON.stringify(state)} ${this.warnings.join()}`, {
        cause: error,
      });
    } finally {
      deadline.close();
    }
  }

  /** Walks all invariants. */
  check(): void {
    for (const index of Object.values(this.#indexes)) index.check();
  }

  /** How many rows the index has of a resource. */
  rows(resource: string): number | undefined {
    return this.#indexes.index.state().collections[resource]?.documents;
  }

  /** Reasons that are defects, for which an index left searches to the pipeline. */
  get defects(): readonly string[] {
    return Object.values(this.#indexes).flatMap(({ fallbacks }) =>
      Object.keys(fallbacks).filter((reason) => DEFECTS.has(reason) && fallbacks[reason]! > 0),
    );
  }

  async stop(): Promise<void> {
    for (const index of Object.values(this.#indexes)) await index.close();
  }
}

/** A stage as the tests of a suite ask it. */
interface Staged extends Pick<OwnStage, 'write'> {
  /** The rows and counts that every executor shows. */
  shown(asked: Question): Promise<Shown>;
  /** Every executor finds these rows, in this order. */
  finds(asked: Question, ids: readonly unknown[]): Promise<void>;
}

/** A stage for the tests of a suite, over these documents by collection. */
export function useOwnStage(
  file: string,
  contents: Readonly<Record<string, readonly Document[]>>,
): Staged {
  const database = useDatabase();
  let stage: OwnStage | undefined;
  before(async () => {
    await put(database.db, contents);
    stage = await OwnStage.start(database.db, file);
  });
  after(() => stage?.stop());
  const shown = async (asked: Question) => {
    const answer = await stage!.answer(asked);
    if ('wrong' in answer) throw new Error(`refused: ${answer.wrong}`);
    return answer;
  };
  return {
    write: (change) => stage!.write(change),
    shown,
    async finds(asked, ids) {
      const found = (await shown(asked)).rows.map(({ id }) => id);
      expect(found, `grant ${asked.grant ?? 0}`).eql(ids);
    },
  };
}

const DEFECTS = new Set(['row_missing', 'rows_unreadable', 'failed']);

/** Rows as the service writes them. */
async function recordsOf({ record }: Resource, rows: Page['rows']): Promise<readonly Document[]> {
  const written = await new RecordJson(record).answer(rows, context, '"meta":null}');
  return JSON.parse(written.toString()).data;
}
