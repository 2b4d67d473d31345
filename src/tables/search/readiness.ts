/**
 * Whether searches are answered in time, and by which route: `/readyz` and refusals of single
 * searches use it.
 *
 *     the table is live                           the index                    ready
 *     the store is away, the table is whole       memory alone                 ready
 *     the table loads, or catches up              pipelines, if they have a    ready, or 503 `IndexLoading` with
 *                                                 chance in a table this size  what is left of the load
 *     there is no index for the table             pipelines                    ready, unless they were too slow lately
 *
 * Without an index no search is refused for being slow: there is nothing to wait for.
 */
import { AppError } from '../../errors.ts';
import type { Resource } from '../definition/definition.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type { PipelineChances } from '../pipeline/pipelineChances.ts';
import type { Plan } from '../query/plan.ts';

export interface ReadinessDeps {
  readonly resources: readonly Resource[];
  readonly chances: PipelineChances;
  /** Undefined with `SEARCH_INDEX=off`. */
  readonly index:
    | Pick<SearchIndex, 'standing' | 'isRunning' | 'documents' | 'loadLeftMs'>
    | undefined;
  /** Whether the store is up, as far as is known. */
  readonly storeIsUp: () => boolean;
}

export class Readiness {
  readonly #deps: ReadinessDeps;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  /** Whether searches of all tables are answered in time. */
  get isReady(): boolean {
    return this.#deps.resources.every((resource) => this.#isReady(resource));
  }

  #isReady(resource: Resource): boolean {
    const { index, chances, storeIsUp } = this.#deps;
    const standing = index?.standing(resource) ?? 'off';
    if (standing === 'live' || standing === 'alone') return true;
    if (standing === 'silent' || !storeIsUp()) return false;
    const documents = index?.documents(resource);
    // The index counts its tables before it runs. A count that failed says nothing of the table.
    if (standing === 'coming' && !index?.isRunning) return false;
    return chances.hasAny(resource, standing === 'off' ? undefined : documents);
  }

  /** Whether a pipeline would answer this search in time. */
  hasChance(plan: Plan): boolean {
    const { chances, index } = this.#deps;
    return chances.has(plan, index?.documents(plan.resource));
  }

  /** @throws AppError `IndexLoading` if the search has to wait for the index: a pipeline is too slow. */
  requireChance(plan: Plan): void {
    const { index } = this.#deps;
    if (index?.standing(plan.resource) !== 'coming' || this.hasChance(plan)) return;
    const seconds = Math.max(1, Math.ceil(index.loadLeftMs / 1_000));
    throw new AppError(
      'IndexLoading',
      `The index is loading this table, which is too large for the store to search in time.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }
}
