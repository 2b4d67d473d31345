/**
 * Runs a physical plan: from a source's rows, residual by residual, to the set of rows it finds.
 *
 *     source ──► list or bitmap ──► residual: probed or intersected ──► … ──► hit set
 *                └─ test: the query is tested on each row of a list ─────────────────────► hit set
 *
 * The plan says which; see plan/physicalPlan.ts.
 */

import type { ColumnOf } from '../column.ts';
import type { NgramBitmaps } from '../ngrams/ngramBitmaps.ts';
import type {
  Conjunction,
  Disjunction,
  PhysicalPlan,
  Residual,
  Source,
} from '../plan/physicalPlan.ts';
import { plus } from '../storage/brands.ts';
import type { Space } from '../storage/space.ts';
import { addMatch, listMatch, splitByMatch } from './columnRows.ts';
import {
  ALL_ROWS,
  bitmapOf,
  countOfSome,
  type FoundSet,
  type HitSet,
  listOf,
  NO_ROWS,
  type RowBitmap,
  type RowList,
  type SomeRows,
} from './hitSet.ts';
import { splitByQuery } from './rowTest.ts';
import { Union } from './union.ts';

/**
 * A row may stand in so many of the sets that an estimate adds up. A bitmap of more rows than that need not be
 * counted, which takes as long as to intersect it.
 */
const OVERLAP = 16;

export class Evaluator {
  readonly #space: Space;
  readonly #columnOf: ColumnOf;
  readonly #ngrams: NgramBitmaps;

  constructor(space: Space, columnOf: ColumnOf, ngrams: NgramBitmaps) {
    this.#space = space;
    this.#columnOf = columnOf;
    this.#ngrams = ngrams;
  }

  /** The rows, in scratch memory. */
  run(plan: PhysicalPlan): HitSet {
    if (plan.op === 'all') return ALL_ROWS;
    if (plan.op === 'none') return NO_ROWS;
    if (plan.op === 'and') return this.#conjunction(plan);
    const among = this.#conjunction(plan.among);
    if (among.form === 'none') return NO_ROWS;
    const { list, n } = this.#listed(among, countOfSome(this.#space, among));
    const matched = this.#space.scratch.take(n * 4);
    const tested = { space: this.#space, columnOf: this.#columnOf };
    return listOf(matched, splitByQuery(tested, plan.query, list, n, matched));
  }

  #conjunction({ source, residuals }: Conjunction): FoundSet {
    let found = this.#fetch(source);
    for (const residual of residuals) {
      if (found.form === 'none') break;
      found = this.#restrict(found, residual, source.any.estimate);
    }
    return found;
  }

  #fetch({ any, listUpTo }: Source): FoundSet {
    const listed = listUpTo > 0 && this.#list(any, listUpTo);
    if (listed) return listed;
    const union = this.#unionOf(any);
    return union ? bitmapOf(union.finish()) : NO_ROWS;
  }

  /** The rows that match the residual as well; `estimate`: of those found, before they are counted. */
  #restrict(found: SomeRows, { any, probeUpTo }: Residual, estimate: number): FoundSet {
    const isMany = found.n === undefined && estimate > probeUpTo * OVERLAP;
    const n = isMany ? Number.POSITIVE_INFINITY : countOfSome(this.#space, found);
    if (n <= probeUpTo) return this.#probe(this.#listed(found, n), any);
    const narrowed = this.#bits(found);
    const union = this.#unionOf(any);
    if (!union) {
      this.#space.scratch.giveBack(narrowed.bitmap);
      return NO_ROWS;
    }
    const left = union.keepIn(narrowed.bitmap);
    if (left > 0) return bitmapOf(narrowed.bitmap, left);
    this.#space.scratch.giveBack(narrowed.bitmap, true);
    return NO_ROWS;
  }

  /** The rows of a disjunction's columns as a list; undefined when there are too many. */
  #list({ matches }: Disjunction, most: number): FoundSet | undefined {
    const { kernel, scratch } = this.#space;
    const room = matches.reduce(
      (sum, { postingCount, pieces }) => sum + postingCount + (pieces.length > 0 ? most : 0),
      0,
    );
    const list = scratch.take(room * 4);
    const seen = this.#space.scratch.bitmap();
    let n = 0;
    for (const match of matches) {
      const found = listMatch(match, seen, plus(list, n * 4), most);
      if (found === 'many') {
        this.#space.scratch.giveBack(seen);
        return undefined;
      }
      n += found;
    }
    kernel.clearBits(seen, list, n);
    this.#space.scratch.giveBack(seen, true);
    return listOf(list, n);
  }

  /** Collects the sets whose union is a disjunction's rows; undefined if there is none. */
  #unionOf({ ngram, matches, plans }: Disjunction): Union | undefined {
    const union = new Union(this.#space);
    if (ngram) this.#ngrams.addTo(union, ngram);
    for (const match of matches) addMatch(union, match);
    for (const plan of plans) {
      const found = this.#conjunction(plan);
      if (found.form !== 'none') union.addScratch(this.#bits(found).bitmap);
    }
    return union.isEmpty ? undefined : union;
  }

  /** Tests listed rows against a disjunction; a row that one match accepts is not probed again. */
  #probe({ list, n }: RowList, any: Disjunction): FoundSet {
    const matched = this.#space.scratch.take(n * 4);
    const others = this.#unionOf({ ...any, matches: [] });
    let found = others ? others.split(list, n, matched) : 0;
    for (const match of any.matches) {
      if (found === n) break;
      found += splitByMatch(match, list, n - found, plus(matched, found * 4));
    }
    return listOf(matched, found);
  }

  /** The n rows as a list; a bitmap is given back. */
  #listed(found: SomeRows, n: number): RowList {
    if (found.form === 'list') return found;
    const { kernel, scratch, bitmapBytes } = this.#space;
    const list = scratch.take(n * 4);
    kernel.collect(found.bitmap, bitmapBytes, 0, list, n);
    this.#space.scratch.giveBack(found.bitmap);
    return { form: 'list', list, n };
  }

  #bits(found: SomeRows): RowBitmap {
    if (found.form === 'bitmap') return found;
    const bitmap = this.#space.scratch.bitmap();
    this.#space.kernel.setBits(bitmap, found.list, found.n);
    return bitmapOf(bitmap, found.n);
  }
}
