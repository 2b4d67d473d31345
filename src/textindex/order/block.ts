/** A block of an order: row numbers in a row, sorted. */
export interface Block {
  readonly ptr: number;
  count: number;
  /** Which range of the rank index it is in, and the numbering by which. See rankIndex.ts. */
  range: number;
  edition: number;
}
