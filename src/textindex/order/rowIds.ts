/**
 * Row ids by row. There is no map from ids to rows. The ids are sorted anyway, for the order that
 * breaks every tie, so a look-up is a binary search there. That takes 0.4 µs at a million rows; a
 * Map would take 40 bytes a row.
 *
 *     number      4 to 8 bytes, its own key
 *     ObjectId    16 bytes: six of its bytes in the key, six beside it
 *     all else    as it came, in a Map
 */
import type { Bound, RowId } from '../api.ts';
import { type Numeric, nearest } from '../decimal.ts';
import { isObjectId } from '../objectId.ts';
import { compareScalars, prefixKey, sixBytes, typeOrderOf } from '../scalars.ts';
import type { RowNumber } from '../storage/brands.ts';
import { RowDoubles } from '../storage/rowDoubles.ts';
import type { Space } from '../storage/space.ts';
import { keepMap, keepOptional, type State, type Steps } from '../storage/state.ts';
import { TYPE_ORDER } from '../typeOrder.ts';
import type { BoundedKeys } from './keys.ts';
import type { Order } from './order.ts';

export class Ids implements BoundedKeys {
  readonly #keys: RowDoubles;
  /** Ids that are neither ordinary numbers nor ObjectIds. */
  readonly #others = new Map<RowNumber, RowId>();
  /** The last six bytes of ObjectIds. */
  #tails: RowDoubles | undefined;
  readonly #space: Space;

  constructor(space: Space) {
    this.#space = space;
    this.#keys = new RowDoubles(space);
  }

  at(row: RowNumber): number {
    return this.#keys.at(row);
  }

  read(rows: Uint32Array, numbers: Float64Array): void {
    this.#keys.read(rows, numbers);
  }

  decide(a: RowNumber, b: RowNumber): number {
    if (this.#isObjectId(a) && this.#isObjectId(b)) return this.#tails!.at(a) - this.#tails!.at(b);
    return this.#others.size === 0 ? 0 : compareScalars(this.scalarAt(a), this.scalarAt(b));
  }

  set(row: RowNumber, id: RowId): void {
    this.#keys.set(row, idKey(id));
    if (isObjectId(id)) {
      this.#tails ??= new RowDoubles(this.#space);
      this.#tails.set(row, sixBytes(id.key, 6));
      this.forget(row);
    } else if (isOrdinary(id)) this.forget(row);
    else this.#others.set(row, id);
  }

  forget(row: RowNumber): void {
    if (this.#others.size > 0) this.#others.delete(row);
  }

  scalarAt(row: RowNumber): RowId {
    const other = this.#others.size > 0 ? this.#others.get(row) : undefined;
    if (other !== undefined) return other;
    const key = this.at(row);
    if (key < OBJECT_IDS) return key;
    const first = (key / OBJECT_IDS - 1) * 2 ** 48;
    return { typeOrder: TYPE_ORDER.objectId, key: textOf(first) + textOf(this.#tails!.at(row)) };
  }

  below(bound: Bound | 'end'): (row: RowNumber) => boolean {
    if (bound === 'end') {
      return (row) => this.at(row) < FAR || typeOrderOf(this.scalarAt(row)) <= TYPE_ORDER.number;
    }
    const number = idKey(bound);
    return (row) => {
      const key = this.at(row);
      return key === number ? compareScalars(this.scalarAt(row), bound) < 0 : key < number;
    };
  }

  belowAmong(bound: Bound | 'end'): (row: RowNumber) => boolean {
    return this.below(bound);
  }

  /** Ids of types that come before ObjectIds may have the key of the least one. */
  #isObjectId(row: RowNumber): boolean {
    if (this.#tails === undefined) return false;
    const key = this.at(row);
    if (key < OBJECT_IDS || key === Number.POSITIVE_INFINITY) return false;
    return key > OBJECT_IDS || !this.#others.has(row);
  }

  /** The row of an id in the order of all ids, if there is one. */
  find(order: Order, id: RowId): RowNumber | undefined {
    if (isObjectId(id)) {
      const tail = sixBytes(id.key, 6);
      return order.find(idKey(id), (row) =>
        this.#isObjectId(row)
          ? this.#tails!.at(row) - tail
          : compareScalars(this.scalarAt(row), id),
      );
    }
    const ordinary = isOrdinary(id);
    return order.find(idKey(id), (row) =>
      ordinary && this.#others.size === 0 ? 0 : compareScalars(this.scalarAt(row), id),
    );
  }

  *keep(state: State): Steps {
    this.#keys.keep(state);
    yield* keepMap(state, this.#others, (row, id) => [state.number(row), state.scalar(id)!]);
    this.#tails = keepOptional(state, this.#tails, () => new RowDoubles(this.#space));
    this.#tails?.keep(state);
  }

  get heapBytes(): number {
    return this.#others.size * 100;
  }
}

/** Numbers up to here are their own keys. */
const FAR = 2 ** 1000;
/** The keys of strings are from here on up to the double, then those of ObjectIds. */
const STRINGS = 2 ** 1001;
const OBJECT_IDS = 2 ** 1002;
const NO_TEXT = prefixKey('');

function isOrdinary(id: RowId): id is number {
  return typeof id === 'number' && id <= FAR;
}

/**
 * Numbers are their own keys; null and NaN come before them. Strings come after them by their first
 * six bytes, so that UUIDs mostly differ without being read; then ObjectIds by theirs, and other
 * types last.
 */
function idKey(id: RowId): number {
  const type = typeOrderOf(id);
  if (type < TYPE_ORDER.number) return Number.NEGATIVE_INFINITY;
  if (isObjectId(id)) return OBJECT_IDS * (1 + sixBytes(id.key, 0) / 2 ** 48);
  if (type > TYPE_ORDER.objectId) return Number.POSITIVE_INFINITY;
  if (type > TYPE_ORDER.string) return OBJECT_IDS;
  if (type === TYPE_ORDER.string) return STRINGS * (1 + (prefixKey(id) - NO_TEXT) / 2 ** 48);
  if (type !== TYPE_ORDER.number) return FAR;
  const number = nearest(id as Numeric);
  return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : Math.min(number, FAR);
}

/** Six bytes as units of a key. */
function textOf(six: number): string {
  const high = Math.floor(six / 2 ** 24);
  const low = six % 2 ** 24;
  // Not in two lists of three: an export makes a text for each row.
  return String.fromCharCode(
    high >>> 16,
    (high >>> 8) & 255,
    high & 255,
    low >>> 16,
    (low >>> 8) & 255,
    low & 255,
  );
}
