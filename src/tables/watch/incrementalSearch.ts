/**
 * A watched search whose counts are kept from one answer to the next, with the changes that came since.
 *
 *     first answer ──► run                  a row changes ──► noted
 *     next answer  ──► what was noted is taken in; what that does not tell is asked of the table
 *                  └─► dropped meanwhile: run anew
 *
 * The state is dropped when a change is not one of its own rows: another table, a new load, a
 * renamed project. It is also dropped after too many changes, and when there is no room for it.
 */

import {
  type ExploreResult,
  type FoldText,
  IncrementalExplore,
  type LabelTexts,
  type RowChange,
  type TableDefinition,
  Vocabulary,
} from '../../textindex/index.ts';
import type { ExplorePlan } from '../explore/plan.ts';
import type { GuardedTable } from '../index/guardedTable.ts';
import type { IndexCounts } from '../index/indexCounts.ts';

/** How answers of watched searches came about. */
export interface AnswerTally {
  /**
   * Answers made of the counts before and the changes. The names are values of a metric's label.
   */
  kept: number;
  /** Answers kept up to date except for a part that the table was asked for. */
  partly: number;
  /** Answers found by running the search. */
  anew: number;
}

/** A plan's questions to its table. */
export interface Asked {
  readonly counts: IndexCounts;
  readonly definition: TableDefinition;
  readonly labelTexts: LabelTexts;
}

/** Changes that one search notes at most: running it is as quick then, at a million rows. */
const MAX_NOTED = 3_000;

/** The greatest age of a noted change, in changes: so many rows the notes hold on to at most. */
const MAX_AGE = 8_192;

/** The state that all watched searches share. */
export class IncrementalSearches {
  readonly tally: AnswerTally = { kept: 0, partly: 0, anew: 0 };
  /** Rows that have changed. */
  changes = 0;
  readonly #vocabularies = new WeakMap<GuardedTable, Vocabulary>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** @param mostBytes the most that all counts may take together, roughly */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes of all counts, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  get hasRoom(): boolean {
    return this.#bytes <= this.#mostBytes;
  }

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  /** One for all counts of a table's rows, with room for more. */
  vocabularyOf(table: GuardedTable): Vocabulary {
    let vocabulary = this.#vocabularies.get(table);
    if (!vocabulary || vocabulary.isFull) {
      vocabulary = new Vocabulary();
      this.#vocabularies.set(table, vocabulary);
    }
    return vocabulary;
  }
}

interface State {
  readonly explore: IncrementalExplore;
  readonly counts: IndexCounts;
  readonly plan: ExplorePlan;
  readonly table: GuardedTable;
}

export class IncrementalSearch {
  readonly #shared: IncrementalSearches;
  readonly #fold: FoldText;
  #state: State | undefined;
  #noted: RowChange[] = [];
  /** The number of the oldest change that is noted. */
  #oldest = 0;
  #bytes = 0;
  #isOver = false;

  constructor(shared: IncrementalSearches, fold: FoldText) {
    this.#shared = shared;
    this.#fold = fold;
  }

  /** Whether this search notes changes. */
  get notesChanges(): boolean {
    return this.#state !== undefined;
  }

  /** A row changes, in the step that changes it. */
  note(change: RowChange): void {
    if (!this.#state) return;
    const fold = (change.before ?? change.after)?.fold;
    if (this.#noted.length >= MAX_NOTED || fold !== this.#fold) {
      this.drop();
      return;
    }
    if (this.#noted.length === 0) this.#oldest = this.#shared.changes;
    this.#noted.push(change);
  }

  /** Called now and then: drops a state that holds on to rows changed long ago. */
  bound(): void {
    if (this.#noted.length > 0 && this.#shared.changes - this.#oldest > MAX_AGE) this.drop();
  }

  /** The next answer is found by running the search. */
  drop(): void {
    this.#state = undefined;
    this.#noted = [];
    this.#account(0);
  }

  /** Every later answer is found by running the search. */
  close(): void {
    this.#isOver = true;
    this.drop();
  }

  /**
   * The table's present answer, which includes exactly the noted changes; undefined when it has no
   * answer.
   *
   * @param ask gives the plan's questions to the table, for a search that is run
   */
  answer(plan: ExplorePlan, table: GuardedTable, ask: () => Asked): Answered | undefined {
    const isSame = this.#state?.plan === plan && this.#state.table === table;
    if (!isSame || table.failure) this.drop();
    try {
      const answered = this.#state ? this.#update(this.#state) : this.#run(plan, table, ask());
      if (!answered) this.drop();
      return answered;
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  #update({ explore, counts, table }: State): Answered | undefined {
    const { tally } = this.#shared;
    const noted = this.#noted;
    this.#noted = [];
    explore.change(noted);
    if (explore.isCurrent) tally.kept++;
    else tally.partly++;
    const result = explore.answer(table);
    this.#account(explore.bytes);
    return result && { counts, result };
  }

  #run(plan: ExplorePlan, table: GuardedTable, asked: Asked): Answered | undefined {
    const { counts, definition, labelTexts } = asked;
    this.#shared.tally.anew++;
    if (this.#isOver || !this.#shared.hasRoom) {
      const result = table.explore(counts.request);
      return result && { counts, result };
    }
    const vocabulary = this.#shared.vocabularyOf(table);
    const means = { definition, fold: this.#fold, labelTexts, vocabulary };
    const explore = new IncrementalExplore(counts.request, means);
    const result = explore.answer(table);
    this.#state = { explore, counts, plan, table };
    this.#account(explore.bytes);
    return result && { counts, result };
  }

  #account(bytes: number): void {
    this.#shared.take(bytes - this.#bytes);
    this.#bytes = bytes;
  }
}

interface Answered {
  /** The counts by which the result is shown. */
  readonly counts: IndexCounts;
  readonly result: ExploreResult;
}
