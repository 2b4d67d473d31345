/**
 * An own table of a million orders: answers first, then times, memory against the estimate, and
 * explores against DuckDB and ClickHouse.
 *
 *     orders ─► index ══ pipeline ══ DuckDB ══ ClickHouse ─► timed, each body for the first time
 *     sample ─► memory as `init` and `check` say it ═?═ bytes that the index takes, as metrics show them
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import { bareScan } from '../bareScan.ts';
import { answerOf, asPeers, hold, ofPage } from '../explores/agreement.ts';
import { openIndex } from '../indexUnderTest.ts';
import { takeJob } from '../job.ts';
import { percentile } from '../measure.ts';
import { askCounts, type Counting } from '../peers/counting.ts';
import { product } from '../product.ts';
import { exploreClasses, type OwnClass, searchClasses } from './classes.ts';
import { DEFINITION, fillOrders } from './orders.ts';
import { openPeers, questionOf, serialOf } from './peers.ts';

const { readTablesFile } =
  await product<typeof import('../../src/tables/file/index.ts')>('tables/file/index');
const { survey } =
  await product<typeof import('../../src/tables/sample/survey.ts')>('tables/sample/survey');
const { memoryOfTables } =
  await product<typeof import('../../src/tables/sample/memory.ts')>('tables/sample/memory');

export interface OwnJob {
  readonly uri: string;
  readonly dbName: string;
  readonly orders: number;
  readonly draws: number;
  /** The folder of the peers' downloads; no peers where left out. */
  readonly peersFolder?: string;
  /** Bodies of a class that pipelines answer too; they take seconds where orders are many. */
  readonly compared: number;
}

export interface OwnTimes {
  readonly name: string;
  readonly hits: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly peers: Readonly<Record<string, number>>;
}

export interface OwnResult {
  readonly orders: number;
  /** Answers that were compared. */
  readonly compared: number;
  readonly searches: readonly OwnTimes[];
  readonly explores: readonly OwnTimes[];
  /** Bytes a document, of orders and their customers. */
  readonly memory: { readonly told: number; readonly taken: number };
  /** Documents a second. */
  readonly load: { readonly bare: number; readonly rate: number };
}

/** An index that has not grown for so long is at rest: it builds rows of frequent pieces after the load. */
const UPKEEP_MS = 5_000;
const SEED = 17;
const ROUNDS = 5;
/** Bodies of a class that peers are asked. */
const ASKED = 4;

takeJob(
  async ({ uri, dbName, orders, draws, peersFolder, compared }: OwnJob): Promise<OwnResult> => {
    const client = await MongoClient.connect(uri);
    const db = client.db(dbName);
    await fillOrders(db, orders);
    const read = readTablesFile(DEFINITION);
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    const { tables } = read;
    const found = await survey(db);
    const told = [...memoryOfTables(tables, found).values()].reduce((a, b) => a + b);

    const resources = Object.fromEntries(tables.map(({ resource }) => [resource.name, resource]));
    const bare = await bareScan(db, resources['table:orders']!, orders);
    // The estimate is of the index; members that no column holds have a setting of their own.
    const index = await openIndex({ uri, dbName }, { resources, maxRestBytes: 0 });
    const { loadSeconds } = index;
    // The index tells it: the process lets go of sampled documents meanwhile, and seems to take less.
    let taken = 0;
    while (taken < index.bytes()) {
      taken = index.bytes();
      await sleep(UPKEEP_MS);
    }
    console.error(
      `${orders} orders live after ${loadSeconds.toFixed(1)} s; memory ${told} told, ${taken} taken`,
    );

    const { view } = tables.find(({ name }) => name === 'orders')!.grants[0]!;
    const planOf = (body: Document) => index.explorePlanOf(view, body);
    const fold = (text: string) => index.fold.fold(text);
    let peers: readonly Counting[] = [];
    try {
      let held = 0;
      const theirs = new Map<string, Record<string, number>>();
      const compare = async ({ name, draw }: OwnClass, others: readonly Counting[]) => {
        const ms: Record<string, number[]> = {};
        for (let i = 0; i < Math.max(compared, others.length > 0 ? ASKED : 0); i++) {
          const body = draw();
          const plan = planOf(body);
          const ours = await index.explore(plan);
          if (i < compared) {
            hold(name, body, answerOf(await index.runPipeline(plan)), answerOf(ours));
            held++;
          }
          for (const peer of others) {
            const { histogram } = ours.counts!;
            const answer = await askCounts(peer, questionOf(body, fold, histogram?.buckets));
            const wanted = asPeers(ofPage(ours, serialOf));
            hold(`${name}, ${peer.name}`, body, asPeers(answer, histogram), wanted);
            ms[peer.name] = [...(ms[peer.name] ?? []), answer.ms];
            held++;
          }
        }
        const medians = Object.entries(ms).map(([peer, all]) => [peer, percentile(all, 0.5)]);
        theirs.set(name, Object.fromEntries(medians));
        console.error(`${name}: agreed`, JSON.stringify(theirs.get(name)));
      };
      /** All classes take turns; the first one warms up, unmeasured. */
      const time = async (classes: readonly OwnClass[]): Promise<OwnTimes[]> => {
        const all = classes.map(() => ({ ms: [] as number[], hits: [] as number[] }));
        for (let round = 0; round <= ROUNDS; round++) {
          for (const [i, { draw }] of classes.entries()) {
            for (let n = 0; n < draws / ROUNDS; n++) {
              const { timing, total } = await index.explore(planOf(draw()));
              if (round === 0) continue;
              all[i]!.ms.push(timing.searchMs);
              all[i]!.hits.push(total);
            }
          }
        }
        return classes.map(({ name }, i) => {
          const { ms, hits } = all[i]!;
          return {
            ...{ name, hits: percentile(hits, 0.5), p50: percentile(ms, 0.5) },
            ...{ p99: percentile(ms, 0.99), peers: theirs.get(name) ?? {} },
          };
        });
      };
      const searches = searchClasses(orders, SEED);
      const explores = exploreClasses(orders, SEED + 1);
      if (compared > 0) for (const one of searches) await compare(one, []);
      const times = await time(searches);
      for (const { name, p50, p99 } of times) {
        console.error(`${name}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`);
      }
      if (peersFolder !== undefined) peers = await openPeers(peersFolder, db, orders);
      for (const one of explores) await compare(one, peers);
      return {
        ...{ orders, searches: times, explores: await time(explores), compared: held },
        load: { bare, rate: orders / loadSeconds },
        memory: { told: told / orders, taken: taken / orders },
      };
    } finally {
      for (const peer of peers) await peer.close();
      await index.close();
      await client.close();
    }
  },
);
