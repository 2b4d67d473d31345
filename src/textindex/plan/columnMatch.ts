/** What the values of one column are that a search wants: the leaf of a plan. */
import type { Infix } from '../dictionary/infixes.ts';
import type { Pointer } from '../storage/brands.ts';

export interface ColumnMatch {
  /** The column's place in the definition, and its name. */
  readonly column: number;
  readonly name: string;
  /** A list of n ordinals in scratch memory; some may be named twice. */
  readonly ordinals: Pointer;
  readonly n: number;
  /** Texts of which one must be in the row's UUID. */
  readonly pieces: readonly string[];
  /** What many values hold: these are not among the ordinals, and their rows are known. */
  readonly infixes: readonly Infix[];
  /** At most so many rows hold one of the ordinals, or an infix. */
  readonly listed: number;
  /** About so many rows in all. */
  readonly rows: number;
  /** The ordinals as a bitmap in scratch memory, 0 until somewhere it is needed. */
  members: Pointer;
}
