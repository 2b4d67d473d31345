/**
 * The text index: all of it that the rest of the program may know.
 *
 *     api                    ──► the definition of a table, and the questions it takes
 *     partitions/partitioned ──► the table in memory
 *     indexTable             ──► a partition of it, restored
 *     scalars                ──► equality and order of values
 *     typeOrder              ──► the order of types
 *     decimal                ──► decimals by their exact digits
 *     objectId               ──► ObjectIds and their texts
 *     caseFold               ──► which letters are the same
 *     definition             ──► the column that a condition is on
 *     rests/restText         ──► the rest of a row, as bytes of JSON
 *     kernel/load            ──► whether the kernel can run here
 *     storage/memory         ──► the error of a table that is full
 *     storage/space          ──► the rows that a table has room for, and the sizes from which its structures change
 *     storage/state          ──► how a checkpoint keeps the state beside a table's memory
 */
export type * from './api.ts';
export {
  type CodePointPair,
  candidatePairs,
  Fold,
  findingPairs,
  standardFold,
} from './caseFold.ts';
export {
  beyondNearest,
  decimalFrom,
  decimalOf,
  decimalText,
  isDecimal,
  isNumeric,
  type Numeric,
  nearest,
  shortestDecimal,
} from './decimal.ts';
export { columnOfCondition } from './definition.ts';
export { restoringIndex } from './indexTable.ts';
export { requireKernel } from './kernel/load.ts';
export { hexOf, isObjectId, objectIdAt, objectIdFrom } from './objectId.ts';
export type { Partition } from './partitions/partition.ts';
export { createPartitioned as createIndex } from './partitions/partitioned.ts';
export { RestText } from './rests/restText.ts';
export {
  compareScalars,
  EMPTY_ARRAY,
  elements,
  MAX_DATE,
  NOTHING,
  scalarKey,
  sortKey,
} from './scalars.ts';
export { CapacityExceeded } from './storage/memory.ts';
export { DEFAULT_LAYOUT, roomFor } from './storage/space.ts';
export {
  keepFew,
  keepList,
  keepMap,
  type State,
  StateReader,
  StateWriter,
  type Steps,
} from './storage/state.ts';
export { TYPE_ORDER } from './typeOrder.ts';
