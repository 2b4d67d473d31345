/**
 * Whether an answer is the store's state at the answer's own moment F.
 *
 *     answer at F ──► the pipeline, run at F ──► the same total, page and rows, or an error
 *
 * A moment before a drop or a rename cannot be read any more: 6.0 answers some such with an error
 * reads and an empty collection for others. So the store is copied right before each such change,
 * and answers of moments between the copy and the change are compared with the copy.
 *
 *     copied ──── F ────│drop│──── F' ────►
 *        └ the pipeline on the copy  └ the pipeline on the store, at F'
 *
 * The exact moment of the change is taken from the oplog.
 */
import { BSON, type Db, type Document, type MongoClient, type Timestamp } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { taskCatalogue } from '../../src/apps/admin/resources/taskTypes.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import { Deadline } from '../../src/store/deadline.ts';
import { isOvertaken } from '../../src/store/faults.ts';
import type { Resource, Resources } from '../../src/tables/definition/definition.ts';
import { isExplore, printExplore } from '../../src/tables/explore/plan.ts';
import { PipelineExecutor } from '../../src/tables/pipeline/pipelineExecutor.ts';
import { type Plan, printPlan } from '../../src/tables/query/plan.ts';
import type { Page } from '../../src/tables/search/page.ts';
import { Quota } from '../../src/tables/search/quota.ts';
import { recordText } from '../support/recordText.ts';

/** An answer of the search, or the part of one that HTTP shows. */
export type Answered = Pick<Page, 'total' | 'page' | 'rows' | 'asOf' | 'counts'>;

interface CatalogueChange {
  readonly at: Timestamp;
  readonly collections: readonly string[];
}

const collections = Object.values(RESOURCES).map(({ collection }) => collection);

export class Oracle {
  /** Answers compared, and those of moments that could not be read. */
  compared = 0;
  unreadable = 0;
  /** Compared with a copy. */
  fromCopies = 0;
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #copy: Db;
  readonly #now: PipelineExecutor;
  readonly #before: PipelineExecutor;
  #copiedAt: Timestamp | undefined;
  #changes: readonly CatalogueChange[] = [];

  constructor(client: MongoClient, dbName: string) {
    this.#client = client;
    this.#db = client.db(dbName);
    this.#copy = client.db(`${dbName}_copy`);
    const over = (db: Db) =>
      new PipelineExecutor({
        db,
        resources: RESOURCES,
        running: new Quota({ what: 'pipelines', overall: 16, waiting: 1_000 }),
      });
    this.#now = over(this.#db);
    this.#before = over(this.#copy);
  }

  /** The page of this plan at `asOf`; undefined when it cannot be told. */
  async pageAt(plan: Plan, asOf: Timestamp): Promise<Answered | undefined> {
    const source = this.#sourceFor(plan.resource, asOf);
    if (source === undefined) {
      this.unreadable++;
      return undefined;
    }
    try {
      const page =
        source === 'copy'
          ? await this.#before.run(plan, undefined, new Deadline(15_000))
          : await this.#now.run(plan, undefined, new Deadline(15_000), undefined, asOf);
      this.compared++;
      if (source === 'copy') this.fromCopies++;
      return page;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      this.unreadable++;
      return undefined;
    }
  }

  /** Throws when the answer differs. */
  async check(plan: Plan, answer: Answered, what: string): Promise<void> {
    const expected = await this.pageAt(plan, answer.asOf);
    if (!expected) return;
    const { resource } = plan;
    const difference = differenceOf(partsOf(resource, answer), partsOf(resource, expected));
    if (difference) throw new Error(`${what}\n  ${printed(plan)}\n${difference}`);
  }

  /** Copies the store, as it is until the next change that is not in the oplog yet. */
  async copy(): Promise<Timestamp> {
    const { operationTime } = await this.#db.admin().command({ ping: 1 });
    await this.#copy.dropDatabase();
    for (const name of collections) {
      const documents = await this.#db
        .collection(name)
        .find({}, { promoteValues: false, promoteLongs: false, bsonRegExp: true })
        .toArray();
      if (documents.length > 0) await this.#copy.collection(name).insertMany(documents);
    }
    this.#copiedAt = operationTime;
    this.#changes = [];
    return operationTime;
  }

  /** Learns when collections were dropped or renamed since the copy. */
  async noteChanges(): Promise<void> {
    const entries = await this.#client
      .db('local')
      .collection('oplog.rs')
      .find({ ts: { $gt: this.#copiedAt! }, op: 'c', ns: `${this.#db.databaseName}.$cmd` })
      .toArray();
    this.#changes = entries.flatMap(({ ts, o }) => {
      const names = namesIn(o, this.#db.databaseName);
      return names.length > 0 ? [{ at: ts as Timestamp, collections: names }] : [];
    });
  }

  async close(): Promise<void> {
    await this.#copy.dropDatabase();
  }

  #sourceFor(resource: Resource, asOf: Timestamp): 'store' | 'copy' | undefined {
    const related = Object.values(resource.fields).flatMap((field) =>
      field.kind === 'related' ? [(RESOURCES as Resources)[field.to]!.collection] : [],
    );
    const read = [resource.collection, ...related];
    const changes = this.#changes.filter((change) =>
      change.collections.some((name) => read.includes(name)),
    );
    if (changes.every(({ at }) => at.lessThanOrEqual(asOf))) return 'store';
    const old = this.#copiedAt?.lessThanOrEqual(asOf);
    return old && changes.every(({ at }) => at.greaterThan(asOf)) ? 'copy' : undefined;
  }
}

/** The followed collections whose names stand for something else after this command. */
function namesIn(command: Document, dbName: string): string[] {
  const { drop, renameCollection, to } = command;
  const local = (name: unknown) =>
    typeof name === 'string' && name.startsWith(`${dbName}.`)
      ? [name.slice(dbName.length + 1)]
      : [];
  const names = [
    ...(typeof drop === 'string' ? [drop] : []),
    ...local(renameCollection),
    ...local(to),
  ];
  return names.filter((name) => collections.includes(name));
}

/** Total, page and ids; the counts; then each row as its record is written, of both kinds. */
function partsOf({ record }: Resource, { total, page, rows, counts }: Answered): string[] {
  const records = new RecordJson(record);
  const head = { total, page, ids: rows.map(({ document }) => document._id) };
  return [
    ...[head, counts ?? {}].map((part) => BSON.EJSON.stringify(part, { relaxed: false })),
    ...rows.flatMap((row) => CONTEXTS.map((context) => recordText(records, row, context))),
  ];
}

const CONTEXTS = [new Set<string>(), new Set(['get_artifacts_metadata'])].map((options) => ({
  labels: taskCatalogue().labels,
  options,
}));

export const printed = (plan: Plan): string =>
  isExplore(plan) ? printExplore(plan) : printPlan(plan);

/** The first part in which they differ, if there is one. */
export function differenceOf(shown: readonly string[], stored: readonly string[]): string | null {
  const at = shown.findIndex((part, position) => part !== stored[position]);
  return at < 0 ? null : `  shown  ${shown[at]}\n  stored ${stored[at]}`;
}
