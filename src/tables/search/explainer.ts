/**
 * A search with its explanation: the route and the reason for it, the steps, and the estimate for
 * each.
 *
 *     plan ──► index ──► page, steps                          route index
 *                └─ none, with a reason ──► pipeline ──► page, stages, what the store did
 *
 * It takes several times as long as the search does.
 */

import type { Deadline } from '../../store/deadline.ts';
import type { TableExplanation } from '../../textindex/index.ts';
import type { Resource } from '../definition/definition.ts';
import type { IndexExplanation } from '../index/indexExecutor.ts';
import type { SearchIndex } from '../index/searchIndex.ts';
import type { PipelineExecutor } from '../pipeline/pipelineExecutor.ts';
import type { StoreExplanation } from '../pipeline/storeExplanation.ts';
import type { Plan } from '../query/plan.ts';
import { WHY } from './fallbacks.ts';
import type { Caller } from './quota.ts';
import type { Answer, Search } from './search.ts';

export interface ExplainedAnswer {
  readonly answer: Answer;
  /** Why this route, as a sentence. */
  readonly why: string;
  /** Set if the index answers: the steps of its table. */
  readonly byTable?: TableExplanation | undefined;
  /** Set if the pipeline answers: its stages, and the store's own explanation. */
  readonly byStore?: StoreExplanation;
}

export interface ExplainerDeps {
  readonly search: Pick<Search, 'firstOf' | 'notBeforeOf'>;
  /** Undefined with `SEARCH_INDEX=off`. */
  readonly index: Pick<SearchIndex, 'explain' | 'state' | 'unavailable'> | undefined;
  readonly pipeline: Pick<PipelineExecutor, 'run' | 'explain'>;
}

const BY_INDEX = 'The index is live, and shows no earlier moment than was shown before.';
const OFF = 'SEARCH_INDEX is off: pipelines answer.';

export class Explainer {
  readonly #deps: ExplainerDeps;

  constructor(deps: ExplainerDeps) {
    this.#deps = deps;
  }

  /** As `Search.run`, whose errors it throws. */
  async explain(plan: Plan, deadline: Deadline, caller: Caller): Promise<ExplainedAnswer> {
    const { search, index, pipeline } = this.#deps;
    const tried = await index?.explain(plan, search.notBeforeOf(deadline), deadline);
    const why = tried ? this.#why(plan.resource, tried) : OFF;
    const byPipeline = () => pipeline.run(plan, search.notBeforeOf(deadline), deadline, caller);
    const answer = await search.firstOf(tried?.page, byPipeline);
    if (answer.route === 'index') return { answer, why, byTable: tried?.byTable };
    return { answer, why, byStore: await pipeline.explain(plan, deadline, caller) };
  }

  /** Ask this right after a fallback, as states pass. */
  #why(resource: Resource, { page, fallback }: IndexExplanation): string {
    if (page) return BY_INDEX;
    const { index } = this.#deps;
    if (fallback && fallback in WHY) return WHY[fallback as keyof typeof WHY];
    // The state of the index tells the other reasons.
    return index!.unavailable(resource)?.reason ?? 'The index was not live just then.';
  }
}
