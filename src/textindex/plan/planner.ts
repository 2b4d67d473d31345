/**
 * From a query to a physical plan.
 *
 *     and ─┬─ or ─┬─ contains ─► ColumnMatch ─┐
 *          │      └─ contains ─► ColumnMatch ─┴► about 300 rows ────► source: a list ─┐
 *          └─ equals ──────────► ColumnMatch ──► about 90,000 rows ─► residual: probed for each of those
 *
 * The planner looks up all values that a query names before any row is fetched. The part that the
 * fewest rows can match is the source. The others are residual conditions on its rows, the most
 * selective first. A plan lists and probes few rows, and intersects many as bitmaps. Where the rows
 * of `within` are few, they are listed and the query is tested on each. An answer of 300 rows reads some kilobytes, where one bitmap of a million rows is
 * 125.
 */
import type { Query } from '../api.ts';
import type { Column, ColumnOf } from '../column.ts';
import { useOf } from '../definition.ts';
import { Needle } from '../dictionary/needle.ts';
import type { NgramBitmaps } from '../ngrams/ngramBitmaps.ts';
import type { Space } from '../storage/space.ts';
import { type ColumnMatch, containing, equalTo, type SoughtText } from './columnLookup.ts';
import {
  type Conjunction,
  type Disjunction,
  type PhysicalPlan,
  PLAN_OF_ALL,
  PLAN_OF_NONE,
  probesOf,
  type Residual,
  type Source,
  type Test,
} from './physicalPlan.ts';

/** Listing the rows of a bitmap takes as long as probing LISTING × `probedRows` rows. */
const LISTING = 4;

export class Planner {
  readonly #space: Space;
  readonly #columnOf: ColumnOf;
  readonly #ngrams: NgramBitmaps;
  /** This search's needles, by the text asked for. */
  readonly #needles = new Map<string, Needle>();

  constructor(space: Space, columnOf: ColumnOf, ngrams: NgramBitmaps) {
    this.#space = space;
    this.#columnOf = columnOf;
    this.#ngrams = ngrams;
  }

  /** The plan for the rows within `within`; it is good as long as scratch memory is not reset. */
  plan(query: Query, within: Query): PhysicalPlan {
    this.#needles.clear();
    if (within.op === 'all') return this.#planAll(partsOf(query));
    if (query.op === 'all') return this.#planAll(partsOf(within));
    const { layout } = this.#space;
    const among = this.#planAll(partsOf(within), this.#space.few(layout.probedRows) * LISTING);
    if (among.op === 'none') return among;
    if (among.op !== 'and') return this.#planAll(partsOf(query));
    // Few visible rows are tested one by one: the time says nothing of rows the caller may not see.
    if (among.source.any.estimate <= layout.visibleRows) return { op: 'test', among, query };
    return this.#planAll([within, query].flatMap(partsOf));
  }

  /**
   * The parts of an `and`: equalities first, since one without matches makes it empty. `listUpTo`:
   * the caller wants a list of up to so many rows, not the quickest form.
   */
  #planAll(parts: readonly Query[], listUpTo?: number): Exclude<PhysicalPlan, Test> {
    const conjuncts: Disjunction[] = [];
    for (const equalities of [true, false]) {
      for (const part of parts) {
        if ((part.op === 'equals') !== equalities) continue;
        const any = this.#disjunctionOf(part);
        if (any === 'none') return PLAN_OF_NONE;
        if (any !== 'all') conjuncts.push(any);
      }
    }
    if (conjuncts.length > 1) conjuncts.sort((a, b) => a.estimate - b.estimate);
    const [first, ...others] = conjuncts;
    if (!first) return PLAN_OF_ALL;
    const residuals = others.map((any) => this.#residualOf(any, listUpTo));
    return { op: 'and', source: this.#sourceOf(first, residuals[0], listUpTo), residuals };
  }

  /** Rows are listed when the first residual can be probed for each, or when they are few. */
  #sourceOf(
    any: Disjunction,
    residual: Residual | undefined,
    listUpTo: number | undefined,
  ): Source {
    const { layout } = this.#space;
    const most = residual?.probeUpTo ?? listUpTo ?? this.#space.few(layout.listedRows);
    const isListed = !any.ngram && any.plans.length === 0 && any.estimate <= most;
    return { any, listUpTo: isListed ? (listUpTo ?? this.#probedRows) : 0 };
  }

  #residualOf(any: Disjunction, listUpTo: number | undefined): Residual {
    return { any, probeUpTo: Math.floor((listUpTo ?? this.#probedRows) / probesOf(any)) };
  }

  get #probedRows(): number {
    return Math.floor(this.#space.few(this.#space.layout.probedRows));
  }

  /** The disjunction for one part of an `and`. */
  #disjunctionOf(query: Query): Disjunction | 'all' | 'none' {
    if (query.op === 'all' || query.op === 'none') return query.op;
    const { ngram, remaining } = this.#ngrams.find(query.op === 'or' ? query.of : [query]);
    const matches: ColumnMatch[] = [];
    let estimate = ngram?.count ?? 0;
    const take = (match: ColumnMatch | 'all' | 'none') => {
      if (match === 'all') return true;
      if (match !== 'none') {
        matches.push(match);
        estimate += match.estimate;
      }
      return false;
    };
    for (const part of remaining) {
      if (part.op !== 'equals') continue;
      const column = this.#columnOf(part.column, useOf(part));
      if (take(equalTo(column, part.values))) return 'all';
    }
    for (const [column, sought] of this.#soughtByColumn(remaining)) {
      if (take(containing(column, sought))) return 'all';
    }
    const plans: Conjunction[] = [];
    for (const part of remaining) {
      if (part.op === 'equals' || part.op === 'contains') continue;
      const plan = this.#planAll(partsOf(part));
      if (plan.op === 'all') return 'all';
      if (plan.op === 'none') continue;
      plans.push(plan);
      estimate += plan.source.any.estimate;
    }
    const any = { ngram, matches, plans, estimate };
    return isEmpty(any) ? 'none' : any;
  }

  /** The texts to look for, by column. */
  #soughtByColumn(parts: readonly Query[]): ReadonlyMap<Column, SoughtText[]> {
    const groups = new Map<Column, SoughtText[]>();
    for (const part of parts) {
      if (part.op !== 'contains') continue;
      const column = this.#columnOf(part.column, useOf(part));
      const text = { needle: this.#needleOf(part.text), label: part.label };
      const known = groups.get(column);
      if (known) known.push(text);
      else groups.set(column, [text]);
    }
    return groups;
  }

  /** Most searches look for one text in all columns: its needle is made once. */
  #needleOf(text: string): Needle {
    let needle = this.#needles.get(text);
    if (!needle) {
      needle = new Needle(this.#space, this.#space.fold.fold(text));
      this.#needles.set(text, needle);
    }
    return needle;
  }
}

/** The parts of which all must hold. */
const partsOf = (query: Query): readonly Query[] => (query.op === 'and' ? query.of : [query]);

const isEmpty = ({ ngram, matches, plans }: Disjunction) =>
  !ngram && matches.length + plans.length === 0;
