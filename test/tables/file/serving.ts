/**
 * The tables of a file over one database: the index and the pipeline, without the edge. A page comes
 * from both, and both must give the same bytes.
 */
import { expect } from 'chai';
import { type Db, MongoClient } from 'mongodb';
import { createLog } from '../../../src/log.ts';
import { RecordJson } from '../../../src/serve/answer/recordJson.ts';
import { CaseFolding } from '../../../src/store/caseFolding.ts';
import { Deadline } from '../../../src/store/deadline.ts';
import type { Json } from '../../../src/tables/definition/record.ts';
import type { Viewer } from '../../../src/tables/definition/view.ts';
import { type OwnTable, readTablesFile } from '../../../src/tables/file/index.ts';
import { SearchIndex } from '../../../src/tables/index/searchIndex.ts';
import { PipelineExecutor } from '../../../src/tables/pipeline/pipelineExecutor.ts';
import { parseSearch } from '../../../src/tables/query/parse.ts';
import type { SearchBody } from '../../../src/tables/query/schema.ts';
import { INSIDE, Quota } from '../../../src/tables/search/quota.ts';
import { createIndex } from '../../../src/textindex/index.ts';
import { until } from '../../support/until.ts';

type Row = Readonly<Record<string, Json>>;

export interface Serving {
  readonly tables: readonly OwnTable[];
  /** The records of a page as a caller with this role sees it. */
  page(
    table: string,
    role: string,
    body: SearchBody,
    claims?: Viewer['claims'],
  ): Promise<{ readonly data: readonly Row[]; readonly total: number }>;
  stop(): Promise<void>;
}

const CONTEXT = { labels: {}, options: new Set<string>() };

export async function serveFile(text: string, uri: string, { databaseName }: Db): Promise<Serving> {
  const file = readTablesFile(text);
  if ('problems' in file) throw new Error(JSON.stringify(file.problems));
  const { tables } = file;
  const resources = Object.fromEntries(tables.map(({ resource }) => [resource.name, resource]));
  const client = await MongoClient.connect(uri);
  const db = client.db(databaseName);
  const caseFolding = new CaseFolding(db);
  const running = new Quota({ what: 'searches', overall: 16 });
  const pipeline = new PipelineExecutor({ db, resources, running });
  const warnings: string[] = [];
  const index = new SearchIndex({
    db,
    resources,
    caseFolding,
    log: createLog('warn', { write: (line) => void warnings.push(line) }),
    createTable: (definition, fold) => createIndex(definition, { fold }),
    maxTableBytes: 2 ** 30,
    maxRestBytes: 2 ** 24,
    maxSilentMs: 10_000,
  });
  const folding = await caseFolding.fold();
  const fold = (text: string) => folding.fold(text);
  const settings = { labels: {}, fold, maxPerPage: 100 };
  const ready = () => tables.every(({ resource }) => !index.unavailable(resource));
  await until(ready, 'the index loads');
  return {
    tables,
    async page(name, role, body, claims = {}) {
      const { view } = tables
        .find((table) => table.name === name)!
        .grants.find(({ roles }) => roles.includes(role))!;
      const viewer: Viewer = { sub: 'ana', admin: false, claims, params: {} };
      const { plan } = parseSearch(view, body, viewer, settings);
      const records = new RecordJson(view.resource.record);
      const read = await pipeline.run(plan, undefined, new Deadline(10_000), INSIDE);
      // Both at one moment, or later where the store changes meanwhile.
      const told = await index.run(plan, read!.asOf, new Deadline(10_000));
      expect(told, `the index answers: ${warnings}`).not.equal(undefined);
      const bytes = await Promise.all(
        [told!, read!].map(async ({ rows, total }) => {
          const after = `"total":${total}}`;
          return JSON.parse((await records.answer(rows, CONTEXT, after)).toString());
        }),
      );
      expect(bytes[0], `index and pipeline: ${JSON.stringify(body)}`).eql(bytes[1]);
      return bytes[0];
    },
    async stop() {
      await index.close();
      await client.close();
    },
  };
}
