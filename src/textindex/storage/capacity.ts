/** The error of a table that has no memory for a change. */

/**
 * The table's memory is full, or the system has none left. The change is half done: nothing may use
 * the table any more.
 */
export class CapacityExceeded extends Error {
  override readonly name = 'CapacityExceeded';
}
