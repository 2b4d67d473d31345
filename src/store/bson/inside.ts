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
import { BsonType, endOfName, endOfValue, isNamed } from './raw.ts';

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
const NULL = Buffer.from('null');
const NONE = Buffer.from('[]');

export function compileInside({ names, several }: Inside): WriteInside {
  const steps = names.map((name) => Buffer.from(name));
  const nothing = several ? NONE : NULL;
  const writeAll = compileAll(steps);
  const found = new Found();
  return (out, type, bytes, at) => {
    const start = out.length;
    let depth = 0;
    found.type = type;
    found.at = at;
    while (depth < steps.length && found.type === BsonType.object) {
      if (!found.enter(bytes, steps[depth++]!)) return false;
    }
    const isList = found.type === BsonType.array && (several || depth < steps.length);
    if (isList || (several && depth === steps.length && !isNothing(found.type))) {
      out.byte(BRACKET);
      const isWritten = writeAll(out, found.type, bytes, found.at, depth);
      if (!isWritten) out.length = start;
      else if (out.length > start + 1) out.bytes[out.length - 1] = BRACKET_END;
      else {
        out.length = start;
        out.put(nothing);
      }
      return isWritten;
    }
    if (depth === steps.length && !several) return write(out, found.type, bytes, found.at);
    out.put(nothing);
    return true;
  };
}

/** An element that was looked for; of type 0 where there is none. */
class Found {
  type = 0;
  at = 0;

  /** Goes on to the last member of this name; false for an object that the driver may make a DBRef. */
  enter(bytes: Uint8Array, name: Uint8Array): boolean {
    let i = this.at + 4;
    this.type = 0;
    while (bytes[i] !== 0) {
      const type = bytes[i]!;
      if (bytes[i + 1] === DOLLAR) return false;
      const isHere = isNamed(name, bytes, i + 1);
      const valueAt = (isHere ? i + 1 + name.length : endOfName(bytes, i + 1)) + 1;
      if (isHere) {
        this.type = type;
        this.at = valueAt;
      }
      i = endOfValue(bytes, type, valueAt);
    }
    return true;
  }
}

/** Writes the values that lie at the steps from `depth` on. */
type WriteFrom = (...args: [...Parameters<WriteInside>, depth: number]) => boolean;

/** Each with a comma after it; an array is entered at most once in a row. */
function compileAll(steps: readonly Uint8Array[]): WriteFrom {
  const writeAll: WriteFrom = (out, type, bytes, at, depth) => {
    if (type !== BsonType.array) return writeOne(out, type, bytes, at, depth);
    for (let i = at + 4; bytes[i] !== 0; ) {
      const elementType = bytes[i]!;
      const elementAt = endOfName(bytes, i + 1) + 1;
      if (!writeOne(out, elementType, bytes, elementAt, depth)) return false;
      i = endOfValue(bytes, elementType, elementAt);
    }
    return true;
  };
  const writeOne: WriteFrom = (out, type, bytes, at, depth) => {
    if (depth === steps.length) {
      if (type === 0 || type === BsonType.undefined) return true;
      if (!write(out, type, bytes, at)) return false;
      out.byte(COMMA);
      return true;
    }
    if (type !== BsonType.object) return true;
    const found = new Found();
    found.at = at;
    if (!found.enter(bytes, steps[depth]!)) return false;
    return writeAll(out, found.type, bytes, found.at, depth + 1);
  };
  return writeAll;
}

const write: WriteInside = (out, type, bytes, at) =>
  writeJson(out, 'json', type, bytes, at, type === 0 ? at : endOfValue(bytes, type, at));

const isNothing = (type: number): boolean =>
  type === 0 || type === BsonType.null || type === BsonType.undefined;
