/** The findings at one path: types, values, lengths, and shapes of texts. */
import {
  BsonType,
  doubleAt,
  endOfValue,
  int32At,
  int64At,
  roundedInt64At,
  textAt,
} from '../../store/bson/raw.ts';
import type { FieldType } from '../definition/definition.ts';
import { isUuid } from '../definition/uuid.ts';

/** A type under the name that people use for it; all numbers but Decimal128 are one. */
export type Kind =
  | Exclude<FieldType, 'uuid' | 'mixed'>
  | ('null' | 'object' | 'array' | 'binary' | 'other');

/** A shape that texts have, or binary values. */
export type Look = 'uuid' | 'objectId' | 'link' | 'date' | 'binary uuid';

/** A scalar by which documents are found again. */
export type Example = { readonly kind: Kind; readonly value: string | number };

const KIND: Readonly<Record<number, Kind>> = {
  [BsonType.string]: 'string',
  [BsonType.symbol]: 'string',
  [BsonType.int]: 'number',
  [BsonType.long]: 'number',
  [BsonType.double]: 'number',
  [BsonType.decimal]: 'decimal',
  [BsonType.boolean]: 'boolean',
  [BsonType.date]: 'date',
  [BsonType.objectId]: 'objectId',
  [BsonType.null]: 'null',
  [BsonType.undefined]: 'null',
  [BsonType.binary]: 'binary',
};

/** The look of a text, by the character that such texts begin with and their length. */
function lookOf(text: string): Look | undefined {
  if (text.length === 36 && text[8] === '-') {
    return isUuid(text) ? 'uuid' : undefined;
  }
  if (text.length === 24 && /^[0-9a-f]{24}$/i.test(text)) return 'objectId';
  if (text.startsWith('http')) return /^https?:\/\/[^\s/]+\S*$/.test(text) ? 'link' : undefined;
  return text[4] === '-' && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text) ? 'date' : undefined;
}

/** Longer texts are no ids, links or dates, and are compared by a hash. */
const MAX_COMPARED = 200;
/** The most frequent values are kept, of a path that has few. */
const FREQUENT = 4;
const MAX_LISTED = 30;
/** Values that are kept to be looked for in other collections. */
const MAX_EXAMPLES = 60;
/** A column of the index keeps texts up to this length; a hash tells longer ones apart. */
const HASH_BYTES = 4_096;

export class PathProfile {
  /** The last name of the path. */
  readonly name: string;
  readonly path: string;
  readonly children = new Map<string, PathProfile>();
  /** Documents that have it, null or not; and those with an array on the way or at its end. */
  documents = 0;
  inArrays = 0;
  /** Documents with one value in arrays, and documents with several. */
  alone = 0;
  together = 0;
  /** Documents that have it, of those drawn at random. */
  drawnDocuments = 0;
  /** Names directly in its objects that no path reaches, as often as they came. */
  oddNames = 0;
  /** Values by type, and the bytes of them all. */
  bytes = 0;
  readonly kinds = new Map<Kind, number>();
  /** The same in documents drawn at random: a collection's ends by `_id` may be unlike the rest. */
  readonly #drawnKinds = new Map<Kind, number>();
  readonly looks = new Map<Look, number>();
  /** Values of documents drawn at random, by how often they came, until `summarize`. */
  readonly values = new Map<string | number | bigint, number>();
  /** How many values came in all, and whether each was remembered. */
  drawn = 0;
  valuesComplete = true;
  /** Counts of different values, and of values that came once and twice; known at the end. */
  different = 0;
  once = 0;
  twice = 0;
  frequent: readonly (readonly [value: string, times: number])[] = [];
  /** Bytes of all drawn strings. */
  textBytes = 0;
  /** Numbers of more digits than a double surely keeps. */
  wide = 0;
  /** Whether every number was an integer, and one an integer that answers write as text. */
  integers = true;
  hasLarge = false;
  /** Milliseconds by document, of dates outside of arrays. */
  readonly moments = new Map<number, number>();
  readonly examples: Example[] = [];
  #document = 0;
  #arrayDocument = 0;
  /** Values in arrays of the document. */
  #elements = 0;

  constructor(name: string, path: string) {
    this.name = name;
    this.path = path;
  }

  seenIn(document: number, several: boolean, isDrawn: boolean): void {
    if (this.#document !== document) {
      this.documents += 1;
      if (isDrawn) this.drawnDocuments += 1;
    }
    this.#document = document;
    if (!several || this.#arrayDocument === document) return;
    this.#arrayDocument = document;
    this.#elements = 0;
    this.inArrays += 1;
  }

  /** Forgets the values: a profile stays while other collections are looked at. */
  summarize(): void {
    this.different = this.values.size;
    for (const times of this.values.values()) {
      if (times === 1) this.once += 1;
      else if (times === 2) this.twice += 1;
    }
    // Where most values are different, none of them says anything.
    if (this.different <= MAX_LISTED) {
      const sorted = [...this.values].sort(([, a], [, b]) => b - a).slice(0, FREQUENT);
      this.frequent = sorted.map(([value, times]) => [String(value), times]);
    }
    this.values.clear();
  }

  /** How many values are of these types. */
  of(...kinds: readonly Kind[]): number {
    return kinds.reduce((sum, kind) => sum + (this.kinds.get(kind) ?? 0), 0);
  }

  /** The types of its values but null, the most frequent first. */
  get types(): readonly (readonly [kind: Kind, times: number])[] {
    return [...this.kinds].filter(([kind]) => kind !== 'null').sort(([, a], [, b]) => b - a);
  }

  /**
   * The share that values of a type have of all, or of all but null. A type that no document drawn at random
   * has is there all the same, by a share of 0.
   */
  shareOf(kind: Kind, of: 'all' | 'values' = 'all'): number {
    for (const counted of [this.#drawnKinds, this.kinds]) {
      let all = 0;
      for (const [one, times] of counted) if (of === 'all' || one !== 'null') all += times;
      if (all > 0) return (counted.get(kind) ?? 0) / all;
    }
    return 0;
  }

  count(kind: Kind, bytes: number, isDrawn: boolean): void {
    if (isDrawn) this.#drawnKinds.set(kind, (this.#drawnKinds.get(kind) ?? 0) + 1);
    this.bytes += bytes;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  /** Takes a scalar of this BSON type. `room.values`: how many more values may be remembered. */
  take(
    type: number,
    bytes: Buffer,
    at: number,
    from: { readonly document: number; readonly isDrawn: boolean },
    room: { values: number },
  ): void {
    const kind = KIND[type] ?? 'other';
    this.count(kind, endOfValue(bytes, type, at) - at, from.isDrawn);
    if (this.#arrayDocument === from.document) this.#takeElement();
    if (kind === 'binary' && isBinaryUuid(bytes, at)) this.#sees('binary uuid');
    if (kind === 'null' || kind === 'other' || kind === 'binary') return;
    const value = this.#read(type, bytes, at);
    if (isWide(type, bytes, at, value)) this.wide += 1;
    if (kind === 'date' && room.values > 0) this.moments.set(from.document, Number(value));
    if (type === BsonType.double && !Number.isInteger(value)) this.integers = false;
    if (kind === 'string') this.#sees(lookOf(value as string));
    if (!from.isDrawn) {
      this.valuesComplete = false;
      return;
    }
    this.drawn += 1;
    if (kind === 'string') this.textBytes += int32At(bytes, at) - 1;
    const before = this.values.get(value);
    if (before !== undefined) this.values.set(value, before + 1);
    else if (room.values > 0) {
      room.values -= 1;
      this.values.set(value, 1);
      if (this.examples.length < MAX_EXAMPLES && typeof value !== 'bigint') {
        this.examples.push({ kind, value });
      }
    } else this.valuesComplete = false;
  }

  #takeElement(): void {
    this.#elements += 1;
    if (this.#elements === 1) this.alone += 1;
    if (this.#elements !== 2) return;
    this.alone -= 1;
    this.together += 1;
  }

  #read(type: number, bytes: Buffer, at: number): string | number | bigint {
    switch (type) {
      case BsonType.int:
        return int32At(bytes, at);
      case BsonType.double:
        return doubleAt(bytes, at);
      case BsonType.long: {
        const rounded = roundedInt64At(bytes, at);
        if (Number.isSafeInteger(rounded)) return rounded;
        this.hasLarge = true;
        return int64At(bytes, at);
      }
      case BsonType.date:
        return roundedInt64At(bytes, at);
      case BsonType.boolean:
        return bytes[at]!;
      case BsonType.string:
      case BsonType.symbol:
        return int32At(bytes, at) <= MAX_COMPARED ? textAt(bytes, at) : hashed(bytes, at);
      default:
        return bytes.toString('hex', at, endOfValue(bytes, type, at));
    }
  }

  #sees(look: Look | undefined): void {
    if (look !== undefined) this.looks.set(look, (this.looks.get(look) ?? 0) + 1);
  }
}

/** Whether it is a number past 2^53, or a decimal with a coefficient of 10^15 or more. */
function isWide(type: number, bytes: Buffer, at: number, value: string | number | bigint): boolean {
  if (type !== BsonType.decimal)
    return typeof value !== 'string' && Math.abs(Number(value)) >= 2 ** 53;
  return bytes.readUIntLE(at + 8, 6) > 0 || bytes.readUInt32LE(at + 4) >= 1e15 / 2 ** 32;
}

/** Whether a binary value is a UUID: its subtype is 4, or 3 from older drivers. */
const isBinaryUuid = (bytes: Uint8Array, at: number): boolean =>
  int32At(bytes, at) === 16 && (bytes[at + 4] === 3 || bytes[at + 4] === 4);

/** Stands for a long text: its length, and FNV-1a of its beginning. */
function hashed(bytes: Uint8Array, at: number): string {
  const length = int32At(bytes, at);
  let hash = 0x811c9dc5;
  const end = at + 4 + Math.min(length, HASH_BYTES);
  for (let i = at + 4; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return `${length}#${hash >>> 0}`;
}
