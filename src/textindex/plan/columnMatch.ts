/** The values of one column that a search wants: the leaf of a plan. */
import type { Dictionary } from '../dictionary/dictionary.ts';
import type { Infix } from '../dictionary/infix.ts';
import type { Pointer } from '../storage/brands.ts';

export interface ColumnMatch {
  /** The column's place in the definition, and its name. */
  readonly column: number;
  readonly name: string;
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
  /** `membersOf`: in scratch memory, 0 until somewhere it is needed. */
  members: Pointer;
}

/** The ordinals of a match as a bitmap: made once. */
export function membersOf(match: ColumnMatch, dictionary: Dictionary): Pointer {
  match.members ||= dictionary.setOf(match.ordinals, match.n);
  return match.members;
}
