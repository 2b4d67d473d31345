/**
 * Explores, against peers: each answer is compared before any is timed, and each that is timed is asked
 * for the first time.
 *
 *     generated tables, in two shapes ─► index ══ scan, then timed
 *     columns without a kept order ─► index ══ scan, then timed: sorts, stats, a facet
 *     the store's tasks ─► index ══ pipeline ══ PostgreSQL ══ SQLite ══ DuckDB ══ ClickHouse
 *                          index: every class timed, in turns
 *
 * Timed is what the service does between the body and the rows: conditions, page of ids, counts.
 */
import { type IndexUnderTest, openIndex } from '../indexUnderTest.ts';
import { takeJob } from '../job.ts';
import { percentile } from '../measure.ts';
import { askCounts, type Counting } from '../peers/counting.ts';
import { openCountingPeers, type Peers } from '../peers/open.ts';
import { product } from '../product.ts';
import { takeSample } from '../sample.ts';
import type { Place } from '../store.ts';
import { answerOf, asPeers, hold, ofPage } from './agreement.ts';
import { type ClassOf, drawsOf, type ExploreTimes } from './classes.ts';
import { GENERATED } from './generated.ts';
import { countQuestion, type ExploreBody, storeClasses } from './questions.ts';
import { check, timeAll } from './scanned.ts';
import { SORTED } from './sorted.ts';

const { adminTasks } = await product<typeof import('../../src/apps/admin/resources/views.ts')>(
  'apps/admin/resources/views',
);

export interface ExploresJob {
  readonly place: Place;
  /** Explores of each class that are timed; of the web UI's own question ten times as many. */
  readonly draws: number;
  /** Where the peers keep their data; no peers where left out. */
  readonly peersFolder?: string;
  /** The most time that a peer may spend on one class, milliseconds. */
  readonly peerBudgetMs: number;
}

export interface ExploresResult {
  /** Answers that were compared. */
  readonly compared: number;
  readonly classes: readonly ExploreTimes[];
  readonly peers: readonly { readonly name: string; readonly version: string }[];
  readonly absent: Peers<Counting>['absent'];
}

const CHECKED_ROWS = 5_000;
const SEED = 31;
/** Questions a peer is asked at most of a class, and at least. */
const MOST = 12;
const ROUNDS = 5;

takeJob(
  async ({ place, draws, peersFolder, peerBudgetMs }: ExploresJob): Promise<ExploresResult> => {
    let compared = 0;
    const classes: ExploreTimes[] = [];
    for (const generated of [...GENERATED, SORTED]) {
      compared += check(generated, CHECKED_ROWS);
      classes.push(...timeAll(generated, place.tasks, draws));
    }
    const peers = peersFolder
      ? await openCountingPeers(peersFolder, place)
      : { present: [], absent: [], close: async () => {} };
    const index = await openIndex(place);
    try {
      const sample = await takeSample(index.client.db(place.dbName), place.tasks);
      const store = new StoreExplores(index, peers.present);
      const drawn = storeClasses(sample, SEED);
      for (const one of drawn) compared += await store.compare(one, peerBudgetMs);
      classes.push(...(await store.time(drawn, draws)));
      return {
        compared,
        classes,
        peers: peers.present.map(({ name, version }) => ({ name, version })),
        absent: peers.absent,
      };
    } finally {
      await peers.close();
      await index.close();
    }
  },
);

class StoreExplores {
  readonly #index: IndexUnderTest;
  readonly #peers: readonly Counting[];
  /** Milliseconds, by class and peer. */
  readonly #theirs = new Map<string, Record<string, number[]>>();

  constructor(index: IndexUnderTest, peers: readonly Counting[]) {
    this.#index = index;
    this.#peers = peers;
  }

  /** Holds the index's answers against everybody's; returns how many. */
  async compare({ name, draw }: ClassOf<ExploreBody>, budgetMs: number): Promise<number> {
    const spent = new Map<string, number>();
    const taken: Record<string, number[]> = {};
    let compared = 0;
    for (let i = 0; i < MOST; i++) {
      const body = draw();
      const plan = this.#index.explorePlanOf(adminTasks, body);
      const ours = await this.#index.explore(plan);
      const note = (peer: string, ms: number) => {
        taken[peer] = [...(taken[peer] ?? []), ms];
        spent.set(peer, (spent.get(peer) ?? 0) + ms);
        compared += 1;
      };
      const isSpent = (peer: string) => (spent.get(peer) ?? 0) > budgetMs;
      if (!isSpent('pipeline')) {
        const started = performance.now();
        const page = await this.#index.runPipeline(plan);
        const ms = performance.now() - started;
        hold(name, body, answerOf(page), answerOf(ours));
        note('pipeline', ms);
      }
      const { histogram } = ours.counts!;
      const fold = (text: string) => this.#index.fold.fold(text);
      const question = countQuestion(body, fold, histogram?.buckets ?? []);
      for (const peer of this.#peers) {
        if (isSpent(peer.name)) continue;
        const theirs = await askCounts(peer, question);
        hold(`${name}, ${peer.name}`, body, asPeers(theirs, histogram), asPeers(ofPage(ours)));
        note(peer.name, theirs.ms);
      }
    }
    this.#theirs.set(name, taken);
    const told = Object.entries(taken).map(
      ([peer, ms]) => `${peer} ${percentile(ms, 0.5).toFixed(1)} ms (${ms.length})`,
    );
    console.error(`${name}: ${told.join(', ')}`);
    return compared;
  }

  /** All classes take turns, so that a bad second of the machine is not one class's alone. */
  async time(classes: readonly ClassOf<ExploreBody>[], draws: number): Promise<ExploreTimes[]> {
    const times = classes.map(() => ({ ms: [] as number[], hits: [] as number[] }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, one] of classes.entries()) {
        const some = Math.ceil(drawsOf(one, draws) / ROUNDS);
        for (let n = 0; n < some; n++) {
          const plan = this.#index.explorePlanOf(adminTasks, one.draw());
          const { timing, total } = await this.#index.explore(plan);
          times[i]!.ms.push(timing.searchMs);
          times[i]!.hits.push(total);
        }
      }
    }
    return classes.map(({ name, measure, share }, i) => {
      const { ms, hits } = times[i]!;
      const theirs = Object.entries(this.#theirs.get(name) ?? {});
      return {
        ...{ name, measure, share, shape: 'as the store has them' as const },
        ...{ hits: percentile(hits, 0.5), p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) },
        peers: Object.fromEntries(
          theirs.map(([peer, all]) => {
            const warm = all.length > 2 ? all.slice(1) : all;
            return [peer, { p50: percentile(warm, 0.5), asked: all.length }];
          }),
        ),
      };
    });
  }
}
