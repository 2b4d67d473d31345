/**
 * Finds the values of a column that a search wants, and about how many rows hold them. It reads
 * texts, not rows, so it is cheap: the planner looks up all columns before it fetches any row.
 *
 *     needles, values ──► ColumnMatch: ordinals, pieces of UUIDs, about how many rows
 */
import type { Scalar } from '../api.ts';
import type { Column } from '../column.ts';
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Infix } from '../dictionary/infix.ts';
import type { Needle } from '../dictionary/needle.ts';
import { mayStandIn } from '../ids/piece.ts';
import { textOfId } from '../objectId.ts';
import { type Pointer, plus } from '../storage/brands.ts';

/** A text to find in the values, or in a label of theirs. */
export interface SoughtText {
  readonly needle: Needle;
  readonly label: string | undefined;
}

/** The values of one column that a search wants: the leaf of a plan. */
export interface ColumnMatch {
  readonly column: Column;
  /** A list of n ordinals in scratch memory; some may be named twice. */
  readonly ordinals: Pointer;
  readonly n: number;
  /** UUIDs or substrings of them: the row's UUID must contain one. */
  readonly pieces: readonly string[];
  /** Infixes that match, with their rows: the values that have one are not among the ordinals. */
  readonly infixes: readonly Infix[];
  /**
   * Postings of the ordinals and the infixes: at least as many as the rows that hold one of them.
   */
  readonly postingCount: number;
  /** About how many rows match in all. */
  readonly estimate: number;
}

const NO_PIECES: readonly string[] = [];
const NO_INFIXES: readonly Infix[] = [];

/** The values in which any of the texts is found. */
export function containing(
  column: Column,
  sought: readonly SoughtText[],
): ColumnMatch | 'all' | 'none' {
  const dictionary = column.dictionary!;
  const { scratch } = dictionary.space;
  let room = 0;
  for (const { label } of sought) room += dictionary.textsIn(label).entries;
  const list = scratch.take(room * 4);
  let n = 0;
  let pieces = NO_PIECES;
  let infixes = NO_INFIXES;
  for (const { needle, label } of sought) {
    const known = dictionary.infixesOf(label);
    const infix = known?.find(needle.text);
    if (infix) infixes = [...infixes, infix];
    const texts = dictionary.textsIn(label);
    n += texts.find(needle, plus(list, n * 4), infix ? known!.walked : 0);
    const { uuids } = column;
    if (uuids && mayStandIn(uuids.format, needle.text)) pieces = [...pieces, needle.text];
  }
  scratch.cut(plus(list, n * 4));
  return matchOf(column, list, n, pieces, infixes);
}

/** The values among these. */
export function equalTo(column: Column, values: readonly Scalar[]): ColumnMatch | 'all' | 'none' {
  const { uuids } = column;
  const dictionary = column.dictionary!;
  const { memory, scratch } = dictionary.space;
  const list = scratch.take(values.length * 4);
  let n = 0;
  let pieces = NO_PIECES;
  for (const value of values) {
    const ordinal = dictionary.ordinalOf(value);
    if (ordinal !== undefined) memory.u32[(list >>> 2) + n++] = ordinal;
    // It may be both: UUIDs in arrays are values of the dictionary.
    if (uuids?.isId(value)) pieces = [...pieces, textOfId(value)];
  }
  return matchOf(column, list, n, pieces, NO_INFIXES);
}

function matchOf(
  column: Column,
  list: Pointer,
  n: number,
  mayStand: readonly string[],
  infixes: readonly Infix[],
): ColumnMatch | 'all' | 'none' {
  const uuids = column.uuids?.size ? column.uuids : undefined;
  const pieces = uuids ? mayStand : NO_PIECES;
  if (n === 0 && pieces.length === 0 && infixes.length === 0) return 'none';
  const dictionary = column.dictionary!;
  const { postings, arrays, size } = dictionary;
  let postingCount = n === 0 ? 0 : dictionary.space.kernel.sumAt(list, n, postings.lens.ptr);
  const mayBeAll = postingCount >= size && arrays.size === 0 && !uuids;
  if (mayBeAll && areAll(dictionary, list, n)) return 'all';
  for (const { count } of infixes) {
    if (count === size && !uuids) return 'all';
    postingCount += count;
  }
  let estimate = postingCount;
  for (const piece of pieces) estimate += uuids!.search.estimate(piece);
  return { column, ordinals: list, n, infixes, pieces, postingCount, estimate };
}

/** Whether each row holds one of the ordinals; no row holds an array. */
function areAll(dictionary: Dictionary, list: Pointer, n: number): boolean {
  const { postings, size, ordinalBytes } = dictionary;
  const { kernel, scratch } = dictionary.space;
  const once = scratch.take(n * 4);
  const members = dictionary.setOf(list, n);
  const distinct = kernel.collect(members, ordinalBytes, 0, once, n);
  return kernel.sumAt(once, distinct, postings.lens.ptr) === size;
}
