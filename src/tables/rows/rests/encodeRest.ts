/**
 * A row's rest, from the document as it lies in the store.
 *
 *     {"model": …}\nnull\n"2026-…Z"\n…        the JSON of members, then the values, a line each
 *
 * A document gets no rest if its columns do not hold it exactly: an array, a decimal. Its members
 * are then kept as BSON (oddDocuments.ts). The store shows rows with a duplicate member name and
 * large rows.
 */
import { writeJson } from '../../../store/bson/cells.ts';
import { compileInside } from '../../../store/bson/inside.ts';
import type { Members } from '../../../store/bson/members.ts';
import { Output } from '../../../store/bson/output.ts';
import { BsonType, roundedInt64At } from '../../../store/bson/raw.ts';
import { MAX_DATE } from '../../../textindex/index.ts';
import type { Presenter, RecordContext, StoredDocument } from '../../definition/record.ts';
import { SMALL_ROW } from '../largeRows.ts';
import type { RestLayout } from './restLayout.ts';

/** The parts of a row besides its cells; empty for a row that only the store can show. */
export interface KeptOfRow {
  readonly rest?: Uint8Array | undefined;
  /**
   * Set if columns do not hold the row exactly: the members that its record shows, as the store has
   * them.
   */
  readonly odd?: Uint8Array | undefined;
}

/** Takes the document that was read last. */
export type EncodeRest = (document: Uint8Array) => KeptOfRow;

/** Longer documents are not kept as they are, bytes. */
const LONGEST_ODD = 8_192;
/** Rests are written into buffers of this size, until this much of one is used. */
const ROOM = 65_536;
const ROOM_TAKEN = 49_152;
/** A presenter whose JSON is made in advance reads nothing of the context. */
const NO_CONTEXT = {} as RecordContext;

const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);
const NOT_KEPT: KeptOfRow = {};
/** The type of a member that is not there. */
const MISSING = 0;

/** The document's members that rests need. */
export const membersOf = ({ paths, reads }: RestLayout): readonly string[] => [
  ...new Set(['_id', ...paths, ...reads]),
];

/** @param members reads each document's members that the layout needs, and perhaps more */
export function compileRest(
  { paths, inRest, values, reads }: RestLayout,
  members: Members,
): EncodeRest {
  const plain = ['_id', ...paths];
  const plainPlaces = plain.map((name) => members.names.indexOf(name));
  const readPlaces = reads.map((name) => members.names.indexOf(name));
  const lines = inRest.map(({ member }) => lineOf(member, members));
  const presented = inRest.filter(({ member }) => !writerOf(member));
  const presentedReads = [...new Set(presented.flatMap(({ member }) => member.reads))];
  const presentedPlaces = presentedReads.map((name) => members.names.indexOf(name));
  /** Rests are written one after the other, and stay where they are. */
  let out = new Output(ROOM);
  const [idPlace] = plainPlaces as [number];
  const allPlaces = [...new Set([...plainPlaces, ...readPlaces])];
  const isTold = (bytes: Uint8Array) => {
    const { types, starts } = members;
    for (const at of plainPlaces) if (!isPlain(bytes, types[at]!, starts[at]!)) return false;
    return true;
  };
  const oddOf = (bytes: Uint8Array): KeptOfRow => {
    // A query must be able to name its id.
    const isAskable = isPlain(bytes, members.types[idPlace]!, members.starts[idPlace]!);
    if (!isAskable) return NOT_KEPT;
    const odd = new Uint8Array(members.cut(bytes, allPlaces));
    return odd.length > LONGEST_ODD ? NOT_KEPT : { odd };
  };

  return (bytes) => {
    if (bytes.length > SMALL_ROW || members.repeated) return NOT_KEPT;
    if (!isTold(bytes)) return oddOf(bytes);
    if (out.length > ROOM_TAKEN) out = new Output(ROOM);
    const start = out.length;
    // Once for all members that only their presenters can write.
    const document = presented.length > 0 ? members.decode(bytes, presentedPlaces) : undefined;
    for (const line of lines) {
      line(out, bytes, document);
      out.byte(LINE_FEED);
    }
    if (values.length > 0) {
      const read = members.decode(bytes, readPlaces);
      for (const path of values) {
        const value = read[path];
        if (!isJson(value)) {
          out.length = start;
          return oddOf(bytes);
        }
        out.text(`${JSON.stringify(value ?? null)}\n`);
      }
    }
    // Without the last line's end.
    return { rest: out.bytes.subarray(start, Math.max(start, out.length - 1)) };
  };
}

/** Writes a member's value; false, with nothing written, where its presenter has to. */
type WriteStored = (
  out: Output,
  type: number,
  bytes: Uint8Array,
  from: number,
  end: number,
) => boolean;

/** The writer of a member that shows a stored value; undefined for other members. */
function writerOf({ plain, inside }: Presenter): WriteStored | undefined {
  if (inside) return compileInside(inside);
  return plain && ((out, type, bytes, from, end) => writeJson(out, plain, type, bytes, from, end));
}

/** Writes the JSON of one member of the document that was read last; nothing if it is left out. */
function lineOf(member: Presenter, members: Members) {
  const places = member.reads.map((name) => members.names.indexOf(name));
  const [place] = places;
  const write = writerOf(member);
  const written = (document: StoredDocument) => {
    const value = member({ document, joined: {} }, NO_CONTEXT);
    return value === undefined ? NOTHING : Buffer.from(JSON.stringify(value));
  };
  const absent = written({});
  const isAbsent = write ? isNull : (type: number) => type === MISSING;
  return (out: Output, bytes: Uint8Array, document?: StoredDocument): void => {
    const { types, starts, ends } = members;
    if (places.every((at) => isAbsent(types[at]!))) out.put(absent);
    else if (!write) out.put(written(document!));
    else if (!write(out, types[place!]!, bytes, starts[place!]!, ends[place!]!)) {
      out.put(written(members.decode(bytes, places)));
    }
  };
}

/** Whether JavaScript has null or undefined for it. */
const isNull = (type: number): boolean =>
  type === MISSING || type === BsonType.null || type === BsonType.undefined;

/** Whether a column tells such a value exactly. */
function isPlain(bytes: Uint8Array, type: number, at: number): boolean {
  switch (type) {
    case BsonType.string:
    case BsonType.int:
    case BsonType.double:
    case BsonType.boolean:
    case BsonType.null:
    case BsonType.objectId:
    case MISSING:
      return true;
    case BsonType.long:
      return Number.isSafeInteger(roundedInt64At(bytes, at));
    case BsonType.date:
      return Math.abs(roundedInt64At(bytes, at)) <= MAX_DATE;
    default:
      return false;
  }
}

/** Whether JSON tells the value exactly. */
function isJson(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (Array.isArray(value)) return value.every(isJson);
  if (Object.getPrototypeOf(value) !== Object.prototype || '_bsontype' in value) return false;
  return Object.entries(value).every(([name, inner]) => name !== '__proto__' && isJson(inner));
}
