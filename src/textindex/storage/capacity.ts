/** What a table says when it cannot hold what it is asked to hold. */

/**
 * The table's memory is full, or the system has none left. What the table was doing is half
 * done: it must not be asked anything any more.
 */
export class CapacityExceeded extends Error {
  override readonly name = 'CapacityExceeded';
}
