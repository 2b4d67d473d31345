/**
 * The stored ids that a text may name: one, none if it is none of the key's type, some of a mixed key.
 *
 *     "7"           the text, or a key that records show as this text
 *     7, true       as JSON
 *     65f0…01       an ObjectId, a UUID, a date, a decimal, binary data: as records show them
 *     4294967297    a timestamp, where no number is meant
 *     {"a":"1.10"}  an object as records show it, or relaxed Extended JSON
 */
import { Binary, BSON, Decimal128, Long, ObjectId, Timestamp, UUID } from 'mongodb';
import { asData } from '../../store/bson/asData.ts';
import type { FieldType } from '../definition/definition.ts';
import { asDate } from '../definition/record.ts';
import { isUuid } from '../definition/uuid.ts';

/** In the order in which they are looked for. */
export function namedIds(text: string, type: FieldType): readonly unknown[] {
  const quoted = inQuotes(text);
  if (quoted === undefined) return plainIds(text, type);
  if (type !== 'mixed') return [...plainIds(text, type), quoted];
  const ofRareTypes = [...binaries(quoted), ...timestamps(quoted)];
  return [quoted, ...shownAs(quoted), ...exactNumber(quoted), ...ofRareTypes, text];
}

/** No path can have some texts, such as an empty one, and a text may look like another key. */
export function inQuotes(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function plainIds(text: string, type: FieldType): readonly unknown[] {
  switch (type) {
    case 'objectId':
      return objectIds(text);
    case 'uuid':
      return [...new Set([text, text.toLowerCase()])];
    case 'number':
      return numbersOf(text);
    case 'mixed':
      return [
        ...[...shownAs(text), ...numbersOf(text), ...mixedIds(text)],
        ...[...binaries(text), ...timestamps(text)],
      ];
    default:
      return [text];
  }
}

const objectIds = (text: string) =>
  /^[0-9a-f]{24}$/i.test(text) ? [ObjectId.createFromHexString(text)] : [];

/** Values of other types that records show as this text. */
const shownAs = (text: string): readonly unknown[] => {
  const date = new Date(text);
  return [
    ...objectIds(text),
    ...(isUuid(text) ? [new UUID(text)] : []),
    ...(asDate(date) === text ? [date] : []),
  ];
};

/**
 * The double that is written so, and the exact number: an answer has a Decimal128 as text. The server
 * compares numbers of all types by value. No id has more digits than a decimal.
 */
function numbersOf(text: string): readonly unknown[] {
  if (/^(NaN|-?Infinity)$/.test(text)) return [Decimal128.fromString(text)];
  if (!NUMBER.test(text)) return [];
  const number = Number(text);
  const doubles = String(number) === text ? [number] : [];
  if (doubles.length > 0 && Number.isSafeInteger(number)) return doubles;
  if (/^-?\d{1,18}$/.test(text)) return [...doubles, Long.fromString(text)];
  return [...doubles, ...exactNumber(text)];
}

const NUMBER = /^-?\d{1,34}(\.\d{1,34})?(e[+-]?\d{1,4})?$/i;

function exactNumber(text: string): readonly Decimal128[] {
  if (!NUMBER.test(text)) return [];
  try {
    return [Decimal128.fromString(text)];
  } catch {
    return [];
  }
}

/** An object as records show it, or as relaxed Extended JSON; and the text itself. */
function mixedIds(text: string): readonly unknown[] {
  // The store takes no deeper values.
  if ((text.match(/[[{]/g)?.length ?? 0) > DEEPEST) return [text];
  try {
    const id = BSON.EJSON.parse(text, { relaxed: true });
    // The nearest double may be another document's key.
    if (typeof id === 'number') return [text];
    BSON.serialize({ id: asData(id) });
    if (!isContainer(id)) return [id, text];
    const [plain, numbered] = [withIds(id), withIds(id, exactNumber)];
    const isNumbered = JSON.stringify(plain) !== JSON.stringify(numbered);
    return [plain, id, ...(isNumbered ? [numbered] : []), text];
  } catch {
    return [text];
  }
}

const DEEPEST = 100;

/** The object whose texts are ids, dates and perhaps numbers wherever they look like one. */
function withIds(value: unknown, more: (text: string) => readonly unknown[] = () => []): unknown {
  if (typeof value === 'string') return [...shownAs(value), ...more(value)][0] ?? value;
  if (Array.isArray(value)) return value.map((inner) => withIds(inner, more));
  if (!isContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withIds(inner, more)]),
  );
}

/** Binary data in base64: plain, or 16 bytes as the UUIDs of old drivers and as hashes. */
function binaries(text: string): readonly Binary[] {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== text) return [];
  const { SUBTYPE_DEFAULT, SUBTYPE_UUID_OLD, SUBTYPE_MD5 } = Binary;
  const ofUuids = bytes.length === 16 ? [SUBTYPE_UUID_OLD, SUBTYPE_MD5] : [];
  return [SUBTYPE_DEFAULT, ...ofUuids].map((subtype) => new Binary(bytes, subtype));
}

/** Records show a timestamp as one number of 64 bits. */
const timestamps = (text: string): readonly Timestamp[] =>
  /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n ? [new Timestamp(BigInt(text))] : [];

export const isContainer = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype);
