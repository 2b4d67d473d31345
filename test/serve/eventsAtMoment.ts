/**
 * Events of watched explores against the store: each at the moment that it names, by pipeline.
 *
 *     event ──► its explore, as of its id, by pipeline ──► the same answer?
 *
 * The store has a moment until a collection that it shows is dropped; older events are left out.
 */
import type { Db, Document, Timestamp } from 'mongodb';
import { RESOURCES } from '../../src/apps/admin/resources/index.ts';
import { RecordJson } from '../../src/serve/answer/recordJson.ts';
import type { ExploreAnswers } from '../../src/serve/live/watchedExplore.ts';
import { exploreAnswers } from '../../src/serve/routes/explore.ts';
import { CaseFolding } from '../../src/store/caseFolding.ts';
import { Deadline } from '../../src/store/deadline.ts';
import type { SearchView, Viewer } from '../../src/tables/definition/view.ts';
import { compileExplore } from '../../src/tables/explore/body.ts';
import { PipelineExecutor } from '../../src/tables/pipeline/pipelineExecutor.ts';
import type { ParseSettings } from '../../src/tables/query/parse.ts';
import { Quota } from '../../src/tables/search/quota.ts';
import { parseSettings } from '../model/asks.ts';
import type { Received, Watching } from '../support/eventStream.ts';
import { readTime } from '../support/readTime.ts';

/** A watched explore: the request, and the viewer whose rows it shows. */
export interface WatchedAt {
  readonly view: SearchView;
  readonly viewedBy: Viewer;
  readonly body: Document;
  readonly events: Pick<Watching, 'answers'>;
}

/** Pipelines under way. */
const AT_ONCE = 8;

export class EventsAtMoment {
  /** Events that were compared; the same event of another watcher counts once. */
  compared = 0;
  readonly #pipeline: PipelineExecutor;
  readonly #settings: ParseSettings;
  readonly #done = new Set<string>();

  static async over(db: Db): Promise<EventsAtMoment> {
    return new EventsAtMoment(db, parseSettings(await new CaseFolding(db).fold()));
  }

  private constructor(db: Db, settings: ParseSettings) {
    const running = new Quota({ what: 'pipelines', overall: AT_ONCE, waiting: 10_000 });
    this.#pipeline = new PipelineExecutor({ db, resources: RESOURCES, running });
    this.#settings = settings;
  }

  /**
   * Compares events that were not compared yet, of moments from `since` on.
   *
   * @throws where an event was not the answer at its moment
   */
  async compare(watched: readonly WatchedAt[], since?: Timestamp): Promise<void> {
    const waiting: (() => Promise<void>)[] = [];
    for (const { view, viewedBy, body, events } of watched) {
      const asked = exploreAnswers(view, compileExplore(view)(body), viewedBy, recordsOf(view));
      for (const event of events.answers) {
        const at = readTime(event.id!);
        const key = `${event.id} ${asked.key}`;
        if (this.#done.has(key) || (since && at.lessThan(since))) continue;
        this.#done.add(key);
        waiting.push(() => this.#compare(asked, event, at));
      }
    }
    this.compared += waiting.length;
    // So many at a time, each with a deadline of its own from when it begins.
    const left = waiting.values();
    const compareLeft = async () => {
      for (const one of left) await one();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, compareLeft));
  }

  async #compare(asked: ExploreAnswers, event: Received, at: Timestamp): Promise<void> {
    const parsed = asked.parse(this.#settings);
    const page = await this.#pipeline.run(
      parsed.plan,
      undefined,
      new Deadline(60_000),
      undefined,
      at,
    );
    const { answer, records, context, after } = asked.page(
      { ...page, route: 'pipeline' },
      parsed,
      this.#settings,
    );
    const text = String(await records.answer(answer.rows, context, after));
    if (JSON.stringify(JSON.parse(text)) === JSON.stringify(event.data)) return;
    throw new Error(
      `not the answer at ${event.id}: ${asked.key}\n${JSON.stringify(event.data)}\n${text}`,
    );
  }
}

const recordsOf = ({ resource }: SearchView) => new RecordJson(resource.record);
