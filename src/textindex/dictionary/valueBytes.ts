/**
 * A scalar as a record in the table's memory: equal bytes exactly for equal scalars.
 *
 *     ordinal │ kind, length │ bytes
 *     17      │ text, 9      │ ann@x.org        UTF-8, a lone surrogate as U+FFFD
 *     18      │ number, 8    │ a double
 *     19      │ objectId, 12 │ as it is
 *
 * Texts are two thirds of a JavaScript string's bytes so, and no garbage collection visits them.
 */
import { invariant } from '../../errors.ts';
import type { Decimal, Odd, Scalar } from '../api.ts';
import { isDecimal } from '../decimal.ts';
import { RECORD } from '../kernel/abi.ts';
import { isObjectId, objectIdAt } from '../objectId.ts';
import { millisOf } from '../scalars.ts';
import { type Pointer, plus } from '../storage/brands.ts';
import type { Memory } from '../storage/memory.ts';
import { TYPE_ORDER } from '../typeOrder.ts';

const KINDS = [
  'text',
  'number',
  'bigint',
  'null',
  'false',
  'true',
  'date',
  'objectId',
  'odd',
  /** An odd value whose key has units of two bytes. */
  'wideOdd',
  'decimal',
] as const;
type Kind = (typeof KINDS)[number];

const KIND = Object.fromEntries(
  KINDS.map((kind, i) => [kind, i * 2 ** RECORD.kindBit]),
) as Readonly<Record<Kind, number>>;
const LONGEST = 2 ** RECORD.kindBit - 1;
/** A number that is written as a bigint. */
const AS_BIGINT = 2 ** RECORD.asBit;

/** Letters of a text whose bytes are not counted before they are written. */
const SHORT = 64;
const OBJECT_ID_BYTES = 12;
const IS_NARROW = /^[\0-\xff]*$/;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

export class ValueBytes {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Bytes that a value's record takes at most. */
  static roomFor(value: Scalar): number {
    if (typeof value === 'string') {
      const { length } = value;
      return RECORD.bytes + (length <= SHORT ? length * 3 : Buffer.byteLength(value));
    }
    if (typeof value === 'bigint') return 24 + value.toString().length;
    if (typeof value !== 'object' || value === null || value instanceof Date) return 16;
    return 16 + value.key.length * 2;
  }

  /** Bytes of a record, up to a multiple of 4. */
  lengthOf(record: Pointer): number {
    const length = this.#whatIn(record) & LONGEST;
    return RECORD.bytes + Math.ceil(length / 4) * 4;
  }

  /** Writes a value's kind, length and bytes to a record, which has `roomFor` it. */
  write(record: Pointer, value: Scalar): void {
    if (typeof value === 'string') {
      this.#end(record, KIND.text, this.#memory.write(record + RECORD.bytes, value));
    } else if (typeof value === 'number') this.#writeNumber(record, KIND.number, value);
    else if (typeof value === 'bigint') this.#writeBigint(record, value);
    else if (typeof value === 'boolean') this.#end(record, value ? KIND.true : KIND.false, 0);
    else if (value === null) this.#end(record, KIND.null, 0);
    else if (value instanceof Date) this.#writeNumber(record, KIND.date, millisOf(value));
    else this.#writeOdd(record, value);
  }

  isText(record: Pointer): boolean {
    return this.#whatIn(record) <= LONGEST;
  }

  read(record: Pointer): Scalar {
    const what = this.#whatIn(record);
    const from = record + RECORD.bytes;
    const end = from + (what & LONGEST);
    const { buffer } = this.#memory;
    if (what <= LONGEST) return buffer.toString('utf8', from, end);
    const kind = KINDS[(what % AS_BIGINT) >>> RECORD.kindBit];
    switch (kind) {
      case 'number': {
        const number = this.#doubleAt(from);
        return what >= AS_BIGINT ? BigInt(number) : number;
      }
      case 'bigint':
        return BigInt(buffer.toString('latin1', from + 8, end));
      case 'null':
        return null;
      case 'date':
        return new Date(this.#doubleAt(from));
      case 'objectId':
        return objectIdAt(this.#memory.u8, from);
      case 'odd':
        return { typeOrder: this.#doubleAt(from), key: buffer.toString('latin1', from + 8, end) };
      case 'wideOdd':
        return { typeOrder: this.#doubleAt(from), key: buffer.toString('utf16le', from + 8, end) };
      case 'decimal':
        return asDecimal(buffer.toString('latin1', from + 8, end), this.#doubleAt(from));
      default:
        return kind === 'true';
    }
  }

  #writeNumber(record: Pointer, kind: number, number: number): void {
    this.#writeDouble(plus(record, RECORD.bytes), number);
    this.#end(record, kind, 8);
  }

  #writeBigint(record: Pointer, value: bigint): void {
    const number = Number(value);
    if (Number.isFinite(number) && BigInt(number) === value) {
      this.#writeNumber(record, KIND.number + AS_BIGINT, number);
      return;
    }
    const from = plus(record, RECORD.bytes);
    this.#writeDouble(from, number);
    this.#end(record, KIND.bigint, 8 + this.#memory.write(from + 8, value.toString()));
  }

  #writeOdd(record: Pointer, value: Odd | Decimal): void {
    const { key } = value;
    const from = plus(record, RECORD.bytes);
    if (isDecimal(value)) {
      // Digits: of them a text has the same bytes.
      this.#writeDouble(from, value.near);
      this.#end(record, KIND.decimal, 8 + this.#memory.write(from + 8, key));
      return;
    }
    if (isObjectId(value) && this.#writeObjectId(from, key)) {
      this.#end(record, KIND.objectId, OBJECT_ID_BYTES);
      return;
    }
    const isNarrow = IS_NARROW.test(key);
    this.#writeDouble(from, value.typeOrder);
    const encoding = isNarrow ? 'latin1' : 'utf16le';
    const length = this.#memory.buffer.write(key, from + 8, key.length * 2, encoding);
    this.#end(record, isNarrow ? KIND.odd : KIND.wideOdd, 8 + length);
  }

  /** Whether the key is one of a driver's ObjectId. */
  #writeObjectId(at: Pointer, key: string): boolean {
    if (key.length !== OBJECT_ID_BYTES) return false;
    const { u8 } = this.#memory;
    for (let i = 0; i < OBJECT_ID_BYTES; i++) {
      const unit = key.charCodeAt(i);
      if (unit > 255) return false;
      u8[at + i] = unit;
    }
    return true;
  }

  #end(record: Pointer, kind: number, length: number): void {
    invariant(length <= LONGEST, 'a value has less than 64 MB');
    this.#memory.u32[(record + RECORD.what) >>> 2] = kind + length;
  }

  #whatIn(record: Pointer): number {
    return this.#memory.u32[(record + RECORD.what) >>> 2]!;
  }

  /** A place is a multiple of 4 only. */
  #writeDouble(at: Pointer, number: number): void {
    // One form each for numbers that are the same.
    double[0] = number === 0 ? 0 : Number.isNaN(number) ? Number.NaN : number;
    const { u32 } = this.#memory;
    u32[at >>> 2] = halves[0]!;
    u32[(at >>> 2) + 1] = halves[1]!;
  }

  #doubleAt(at: number): number {
    const { u32 } = this.#memory;
    halves[0] = u32[at >>> 2]!;
    halves[1] = u32[(at >>> 2) + 1]!;
    return double[0]!;
  }
}

const asDecimal = (key: string, near: number): Decimal => ({
  typeOrder: TYPE_ORDER.number,
  key,
  near,
});
