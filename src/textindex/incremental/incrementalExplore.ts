/**
 * An explore that changes keep up to date, so that it need not run again.
 *
 *     run once ──► total, rows of the page, counts by value, counts by time
 *     a row changes ──► as it was, as it is ──► found? which conditions fail? ──► one less here, one more there
 *     what that does not tell ──► asked of the table, and that alone
 *
 * The answer is the one that the table would give. A part that cannot follow a change is lacking
 * until the table is asked for it: a page that lost many rows, a histogram that lost its last date.
 * Labels, which tests look at, must not change: an explore that looks at a changed one begins
 * again.
 */
import { invariant } from '../../errors.ts';
import type {
  ExploreRequest,
  ExploreResult,
  Query,
  RowId,
  Scalar,
  TableDefinition,
} from '../api.ts';
import { columnNumber } from '../definition.ts';
import { IncrementalFacet } from './incrementalFacet.ts';
import { IncrementalHistogram } from './incrementalHistogram.ts';
import { IncrementalPage } from './incrementalPage.ts';
import type { IncrementalPart } from './incrementalPart.ts';
import type { RowChange, RowVersion } from './rowVersion.ts';
import {
  allOf,
  conditionTest,
  queryTest,
  type TestMeans,
  type VersionTest,
} from './versionTests.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The table that answers lacking parts; each method returns undefined when it has no answer. */
export interface AskedTable {
  explore(request: ExploreRequest): ExploreResult | undefined;
  valuesOf(
    id: RowId,
    columns: readonly string[],
  ): readonly (readonly Scalar[] | undefined)[] | undefined;
}

export interface IncrementalMeans extends TestMeans {
  readonly definition: TableDefinition;
  readonly vocabulary: Vocabulary;
  /** For tests that want to meet edges: how many more rows are kept than the page has. */
  readonly spareRows?: number;
}

/** Conditions on one column, which counts of it leave out. */
interface Group {
  readonly column: string | undefined;
  /** The column's place; undefined for the row id. */
  readonly number: number | undefined;
  readonly test: VersionTest;
}

/** A part whose counts ignore the conditions of the group `but`: a bit; 0 for none. */
interface Beside<Part> {
  readonly part: Part;
  readonly but: number;
}

/** A row that the search does not find. */
const NOT_FOUND = -1;

/** Most rounds of asking: a part that turns out not to be incremental is asked for once more. */
const ROUNDS = 2;

const ALL: Query = { op: 'all' };

export class IncrementalExplore {
  readonly #request: ExploreRequest;
  readonly #isFound: VersionTest;
  readonly #groups: readonly Group[];
  readonly #page: IncrementalPage;
  readonly #facets: readonly Beside<IncrementalFacet>[];
  readonly #times: Beside<IncrementalHistogram> | undefined;

  constructor(request: ExploreRequest, means: IncrementalMeans) {
    const { definition, vocabulary } = means;
    this.#request = request;
    const { within = ALL, where, sortBy, facets, histogram } = request;
    this.#isFound = queryTest({ op: 'and', of: [within, where] }, means);
    this.#groups = groupsOf(request, means);
    invariant(this.#groups.length < 31, 'conditions on so many columns have a bit each');
    const number = (name: string) => columnNumber(definition, name);
    const sorted = sortBy === 'id' ? undefined : number(sortBy);
    this.#page = new IncrementalPage(request, sorted, means.spareRows);
    this.#facets = facets.map((facet) => {
      const part = new IncrementalFacet(facet, number(facet.column), vocabulary);
      return { part, but: this.#bitOf(facet.column) };
    });
    if (!histogram) return;
    const { column, by } = histogram;
    const split = by && number(by.column);
    const part = new IncrementalHistogram(histogram, number(column), split, vocabulary);
    this.#times = { part, but: this.#bitOf(column) };
  }

  /** Takes changes in, in the order in which they were made. */
  change(changes: readonly RowChange[]): void {
    for (const { before, after } of changes) this.#change(before, after);
    this.#times?.part.settle();
  }

  /** Whether no part is lacking. */
  get isCurrent(): boolean {
    return this.#lacking === undefined;
  }

  /**
   * The answer; `table` must hold all changes made so far and no more. Undefined when the table has
   * no answer.
   */
  answer(table: AskedTable): ExploreResult | undefined {
    for (let round = 0; round < ROUNDS; round++) {
      const lacking = this.#lacking;
      if (!lacking) break;
      if (!this.#ask(table, lacking)) return undefined;
    }
    const times = this.#times?.part;
    return {
      ...this.#page.result,
      facets: this.#facets.map(({ part }) => part.result),
      ...(times && { histogram: times.result }),
    };
  }

  /** Bytes that it holds, roughly. */
  get bytes(): number {
    const facets = this.#facets.reduce((sum, { part }) => sum + part.bytes, 0);
    return BYTES + this.#page.bytes + facets + (this.#times?.part.bytes ?? 0);
  }

  #change(before: RowVersion | undefined, after: RowVersion | undefined): void {
    const was = this.#failed(before);
    const is = this.#failed(after, was);
    if (was === NOT_FOUND && is === NOT_FOUND) return;
    tell(this.#page, 0, before, was, after, is);
    for (const { part, but } of this.#facets) tell(part, but, before, was, after, is);
    if (this.#times) tell(this.#times.part, this.#times.but, before, was, after, is);
  }

  /**
   * The groups of conditions that a row does not meet, a bit each; `was`: the groups of the version
   * before.
   */
  #failed(row: RowVersion | undefined, was = NOT_FOUND): number {
    if (!row || !this.#isFound(row)) return NOT_FOUND;
    let failed = 0;
    for (let i = 0; i < this.#groups.length; i++) {
      const { number, test } = this.#groups[i]!;
      const isAs = was !== NOT_FOUND && number !== undefined && row.isAsBefore(number);
      if (isAs) failed |= was & (1 << i);
      else if (!test(row)) failed |= 1 << i;
    }
    return failed;
  }

  #bitOf(column: string): number {
    const group = this.#groups.findIndex((one) => one.column === column);
    return group < 0 ? 0 : 1 << group;
  }

  /** A request for the lacking parts; undefined if there are none. */
  get #lacking(): ExploreRequest | undefined {
    const page = this.#page.lacking;
    const facets = this.#facets.flatMap(({ part }) => part.lacking ?? []);
    const histogram = this.#times?.part.lacking;
    if (!page && facets.length === 0 && !histogram) return undefined;
    const { histogram: _, ...request } = this.#request;
    const rows = page ?? { sortBy: 'id', page: 1, perPage: 1 };
    return { ...request, ...rows, facets, ...(histogram && { histogram }) };
  }

  #ask(table: AskedTable, lacking: ExploreRequest): boolean {
    const found = table.explore(lacking);
    if (!found) return false;
    const { facets, histogram, ...page } = found;
    const { sortBy } = this.#request;
    if (this.#page.lacking) {
      const columns = [sortBy];
      this.#page.take(page, (id) => table.valuesOf(id, columns)?.[0] ?? []);
    }
    const open = this.#facets.filter(({ part }) => part.lacking);
    for (const [i, { part }] of open.entries()) part.take(facets[i]!);
    if (histogram) this.#times!.part.take(histogram);
    return true;
  }
}

/** The memory of an explore besides its counts: tests, closures, Maps. */
const BYTES = 8_192;

/**
 * Tells a part of a change that concerns it: the row counts there, or did. `but`: the group that
 * the part ignores.
 */
function tell(
  part: IncrementalPart,
  but: number,
  before: RowVersion | undefined,
  was: number,
  after: RowVersion | undefined,
  is: number,
): void {
  const from = was !== NOT_FOUND && (was & ~but) === 0 ? before : undefined;
  const into = is !== NOT_FOUND && (is & ~but) === 0 ? after : undefined;
  if (from && into?.isAsBeforeIn(part.columns)) return;
  if (from || into) part.change(from, into);
}

function groupsOf({ conditions }: ExploreRequest, means: IncrementalMeans): readonly Group[] {
  const groups = new Map<string | undefined, VersionTest[]>();
  for (const one of conditions) {
    const column = one.op === 'ids' ? undefined : one.column;
    const tests = groups.get(column) ?? [];
    groups.set(column, tests);
    tests.push(conditionTest(one, means));
  }
  return [...groups].map(([column, tests]) => {
    const number = column === undefined ? undefined : columnNumber(means.definition, column);
    return { column, number, test: allOf(tests) };
  });
}
