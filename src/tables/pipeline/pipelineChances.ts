/**
 * Whether a pipeline can answer a search in the time that a search has.
 *
 *     reads all documents           2.7 µs × documents, or as long as the latest pipelines of the table
 *     few, by a database index      always
 *
 * The store reads all documents of a table for nearly every search, since it counts the hits. A search
 * of a million documents takes 2.3 to 3.8 s, with any conditions (`npm run bench`). So the size of a
 * table tells the time of a pipeline, and the latest pipelines correct it. Explores take longer and
 * correct nothing.
 */
import { isOutOfTime } from '../../store/faults.ts';
import { isSelective } from '../../store/indexes.ts';
import type { Resource } from '../definition/definition.ts';
import type { Predicate } from '../definition/predicate.ts';
import { isExplore } from '../explore/plan.ts';
import { storedPath } from '../query/pipeline.ts';
import type { Plan } from '../query/plan.ts';

/** Milliseconds for a document while no pipeline has shown the time, and the most that one is believed to take. */
const ASSUMED_MS = 0.0027;
const MOST_MS = 20 * ASSUMED_MS;

/** A pipeline that ran out of time counts this much longer, so that two in a row leave no chance. */
const UNFINISHED = 1.5;

/** How long a pipeline's time predicts the next ones, milliseconds. */
const LATELY_MS = 30_000;

/** The number of documents of a table; undefined while uncounted. */
type Documents = number | undefined;

export class PipelineChances {
  readonly #timeoutMs: number;
  /** The time of searches that read all documents, and when it was measured, for each collection. */
  readonly #all = new Map<string, { readonly ms: number; readonly at: number }>();

  /** @param timeoutMs `QUERY_TIMEOUT_MS` */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** A pipeline answered, or failed, after this many milliseconds. */
  note(plan: Plan, ms: number, error?: unknown): void {
    if (isExplore(plan) || readsFew(plan)) return;
    if (error === undefined) this.#note(plan.resource, ms);
    // Most of the time must not have gone into the wait for a turn.
    else if (isOutOfTime(error) && ms > this.#timeoutMs / 2) {
      this.#note(plan.resource, UNFINISHED * this.#timeoutMs);
    }
  }

  /** The latest time counts as much as all before: one slow search among others says little. */
  #note({ collection }: Resource, ms: number): void {
    const before = this.#latest(collection) ?? ms;
    this.#all.set(collection, { ms: (before + ms) / 2, at: performance.now() });
  }

  #latest(collection: string): number | undefined {
    const known = this.#all.get(collection);
    return known && performance.now() - known.at < LATELY_MS ? known.ms : undefined;
  }

  /** Whether this search would be answered in time. */
  has(plan: Plan, documents: Documents): boolean {
    return readsFew(plan) || this.hasAny(plan.resource, documents);
  }

  /** Whether a search that reads all documents of a table would be. */
  hasAny({ collection, window }: Resource, documents: Documents): boolean {
    const ms = this.#latest(collection) ?? (documents ?? 0) * ASSUMED_MS;
    // Without a database index on its date the store reads the documents outside of a window, too.
    return believed(ms, window ? undefined : documents) < this.#timeoutMs;
  }
}

/** A store that hesitates makes no table large. */
const believed = (ms: number, documents: Documents): number =>
  documents === undefined ? ms : Math.min(ms, documents * MOST_MS);

/** Whether a database index leads to few documents. */
function readsFew(plan: Plan): boolean {
  const { resource, within, where } = plan;
  const parts = [within, where].flatMap((one) => (one.op === 'and' ? one.of : [one]));
  return isOfIds(plan) || parts.some((part) => part.op === 'none' || isByIndex(resource, part));
}

/** Whether it asks for rows by their ids; counts may go beyond these. */
function isOfIds(plan: Plan): boolean {
  if (!isExplore(plan) || plan.facets.length > 0 || plan.baseline) return false;
  const { conditions, resource } = plan;
  return conditions.some(({ op }) => op === 'ids') && storedPath(resource, resource.key) === '_id';
}

function isByIndex(resource: Resource, part: Predicate): boolean {
  if (part.op !== 'equals') return false;
  const path = storedPath(resource, part.column);
  return path === '_id' || isSelective(resource.indexes, path);
}
