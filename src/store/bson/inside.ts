/**
 * Writes as JSON the values that lie at a path inside a stored member, from bytes to bytes.
 *
 *     {region: "north", …}   ─ region ─►  "north"                   through objects: the one value
 *     [{sku: "A"}, {}, …]    ─ sku ────►  ["A", …]                  through an array: all of them
 *
 * The JSON equals that of the presenters in storedMembers.ts. These write the values that the driver
 * decodes in a way of its own, and decode the whole member for each of them.
 */
import { writeJson } from './cells.ts';
import type { Output } from './output.ts';
import { BsonType, endOfName, endOfValue, standsAt } from './raw.ts';

export interface Inside {
  /** The rest of the path, below the member. */
  readonly names: readonly string[];
  /** Whether a list shows, also of one value or none. */
  readonly several: boolean;
}

/** Writes a member's value; false, with nothing written, where its presenter has to. */
export type WriteInside = (out: Output, type: number, bytes: Uint8Array, at: number) => boolean;

const DOLLAR = 0x24;
const COMMA = 0x2c;
const [BRACKET, BRACKET_END] = [0x5b, 0x5d];

export function compileInside({ names, several }: Inside): WriteInside {
  const steps = names.map((name) => Buffer.from(`${name}\0`));
  /** Whether the path has led through an array. */
  let isCrossed = false;
  /** Writes the values that lie at the steps from `depth` on, each with a comma after it. */
  const writeFrom = (...[out, type, bytes, at, depth, isElement]: FromArgs): boolean => {
    const isEnd = depth === steps.length;
    // An array is entered at most once in a row.
    if (type === BsonType.array && !isElement && (!isEnd || several || isCrossed)) {
      isCrossed = true;
      for (let i = at + 4; bytes[i] !== 0; ) {
        const elementAt = endOfName(bytes, i + 1) + 1;
        if (!writeFrom(out, bytes[i]!, bytes, elementAt, depth, true)) return false;
        i = endOfValue(bytes, bytes[i]!, elementAt);
      }
      return true;
    }
    if (isEnd) {
      const isNone = type === BsonType.null && several && !isCrossed;
      return isNone || writeOne(out, type, bytes, at);
    }
    if (type !== BsonType.object) return true;
    const member = memberAt(bytes, at, steps[depth]!);
    if (member === undefined) return false;
    const valueAt = member + 1 + steps[depth]!.length;
    return member === 0 || writeFrom(out, bytes[member]!, bytes, valueAt, depth + 1, false);
  };
  return (out, type, bytes, at) => {
    const start = out.length;
    isCrossed = false;
    out.byte(BRACKET);
    const isWritten = writeFrom(out, type, bytes, at, 0, false);
    const isEmpty = out.length === start + 1;
    if (!isWritten || isEmpty) out.length = start;
    if (isWritten && isEmpty) out.text(several ? '[]' : 'null');
    if (!isWritten || isEmpty) return isWritten;
    if (several || isCrossed) out.bytes[out.length - 1] = BRACKET_END;
    else {
      out.bytes.copyWithin(start, start + 1, out.length - 1);
      out.length -= 2;
    }
    return true;
  };
}

/** Writes a value, if there is one, with a comma after it. */
const writeOne: WriteInside = (out, type, bytes, at) => {
  if (type === 0 || type === BsonType.undefined) return true;
  if (!writeJson(out, 'json', type, bytes, at, endOfValue(bytes, type, at))) return false;
  out.byte(COMMA);
  return true;
};

type FromArgs = [...Parameters<WriteInside>, depth: number, isElement: boolean];

/** Where the last member of this name begins; 0 for none, undefined where the driver may make a DBRef. */
function memberAt(bytes: Uint8Array, at: number, name: Uint8Array): number | undefined {
  let found = 0;
  for (let i = at + 4; bytes[i] !== 0; ) {
    if (bytes[i + 1] === DOLLAR) return undefined;
    if (standsAt(name, bytes, i + 1)) found = i;
    i = endOfValue(bytes, bytes[i]!, endOfName(bytes, i + 1) + 1);
  }
  return found;
}
