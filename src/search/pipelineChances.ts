/**
 * Whether a pipeline can answer a search in the time that a search has.
 *
 *     reads all documents           2.7 µs × documents, or as long as the latest pipelines of the table
 *     few, by a database index      as long as the latest of these
 *
 * The store reads all documents of a table for nearly every search, since it counts the hits. For a
 * million tasks it takes 2.3 to 3.8 s, whatever the search asks for (`npm run bench`). So the size of a table tells the time
 * of a pipeline, and the latest pipelines correct it.
 */
import { isOutOfTime } from '../mongo/faults.ts';
import { isSelective } from '../mongo/indexes.ts';
import { storedPath } from '../query/pipeline.ts';
import type { Plan, Predicate } from '../query/plan.ts';
import type { Resource } from '../resources/definition.ts';

/** Milliseconds for a document while no pipeline has shown the time, and the most that one is believed to take. */
const ASSUMED_MS = 0.0027;
const MOST_MS = 20 * ASSUMED_MS;

/** How long a pipeline's time predicts the next ones, milliseconds. */
const LATELY_MS = 30_000;

interface Measured {
  readonly ms: number;
  readonly at: number;
}

/** The number of documents of a table; undefined while uncounted. */
type Documents = number | undefined;

export class PipelineChances {
  readonly #timeoutMs: number;
  /** The times of searches that read few documents, or all of them, for each collection. */
  readonly #few = new Map<string, Measured>();
  readonly #all = new Map<string, Measured>();

  /** @param timeoutMs `QUERY_TIMEOUT_MS` */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** A pipeline answered, or failed, after this many milliseconds. */
  note(plan: Plan, ms: number, error?: unknown): void {
    if (error !== undefined && !isOutOfTime(error)) return;
    note(readsFew(plan) ? this.#few : this.#all, plan.resource.collection, ms);
  }

  /** Whether this search would be answered in time. */
  has(plan: Plan, documents: Documents): boolean {
    if (!readsFew(plan)) return this.hasAny(plan.resource, documents);
    const ms = latest(this.#few, plan.resource.collection) ?? 0;
    return believed(ms, documents) < this.#timeoutMs;
  }

  /** Whether any search of a table would be. */
  hasAny({ collection }: Resource, documents: Documents): boolean {
    const ms = latest(this.#all, collection) ?? (documents ?? 0) * ASSUMED_MS;
    return believed(ms, documents) < this.#timeoutMs;
  }
}

/** A store that hesitates makes no table large. */
const believed = (ms: number, documents: Documents): number =>
  documents === undefined ? ms : Math.min(ms, documents * MOST_MS);

/**
 * The latest time counts as much as all before, so that one slow search among others says little.
 */
function note(all: Map<string, Measured>, collection: string, ms: number): void {
  const before = latest(all, collection) ?? ms;
  all.set(collection, { ms: (before + ms) / 2, at: performance.now() });
}

function latest(all: ReadonlyMap<string, Measured>, collection: string): number | undefined {
  const known = all.get(collection);
  return known && performance.now() - known.at < LATELY_MS ? known.ms : undefined;
}

/** Whether a database index leads to few documents. */
function readsFew({ resource, within, where }: Plan): boolean {
  const parts = [within, where].flatMap((one) => (one.op === 'and' ? one.of : [one]));
  return parts.some((part) => part.op === 'none' || isByIndex(resource, part));
}

function isByIndex(resource: Resource, part: Predicate): boolean {
  if (part.op !== 'equals') return false;
  const path = storedPath(resource, part.column);
  return path === '_id' || isSelective(resource.collection, path);
}
