/**
 * The windows of four nibbles that ids are sorted by, and the choice of the one to look in.
 *
 *     nibble    0…7      8…11      12…15     16…19     20…31
 *     window    0 2 4 │ 6 │ 8 │ 10 │ 12 │ 14 │ 16 │ 18 │ 20 22 … 28
 *     order     bcda   bcad bcad bcad …                   bcda
 *
 * A window's rows are in 4,096 buckets by the first three nibbles of its order, and each row bears
 * the fourth as a mark. So the rows of any known first nibbles stand together, and for one nibble
 * more a search reads only the marks, half a byte each. Windows begin at every other nibble of a
 * group. A piece of four digits that begins at one of these is one place. One that begins between
 * them has its first three digits in one bucket, and the sixteen or so rows there are compared with
 * the fourth. A window at each nibble took 16 bytes a row more. Three digits need no comparison: they
 * are a bucket, or 256 marks. Windows in the middle reach over a hyphen and sort by the nibbles next to
 * it first (bc), so that `3-a7`, `13-a`, `3-a` are one place each.
 */
import { ANY_MARK } from '../kernel/abi.ts';

export interface Window {
  readonly at: number;
  /** The kernel's number of the order: bcda, bcad. */
  readonly order: 0 | 1;
  /** The nibbles as it sorts by them; the fourth is the mark. */
  readonly nibbles: readonly [number, number, number, number];
  /** The four, as bits. */
  readonly bits: number;
}

function windowAt(at: number, order: Window['order']): Window {
  const [a, b, c, d] = [at, at + 1, at + 2, at + 3];
  const bits = 15 << at;
  const nibbles = order === 0 ? ([b, c, d, a] as const) : ([b, c, a, d] as const);
  return { at, order, nibbles, bits };
}

export const UUID_WINDOWS: readonly Window[] = [
  ...[0, 2, 4].map((at) => windowAt(at, 0)),
  ...[6, 8, 10, 12, 14, 16, 18].map((at) => windowAt(at, 1)),
  ...[20, 22, 24, 26, 28].map((at) => windowAt(at, 0)),
];

export const OBJECT_ID_WINDOWS: readonly Window[] = Array.from({ length: 11 }, (_, i) =>
  windowAt(i * 2, 0),
);

/** The known nibbles by which rows are looked up. */
export interface KnownNibbles {
  /** The place of the first digit; all digits. */
  readonly first: number;
  readonly digits: readonly number[];
  /** The places to look at, as bits; the others tell nothing. */
  readonly bits: number;
  /** For each digit, the share of rows that have it at its place. */
  readonly shares: readonly number[];
}

/** The buckets of one window to read, in the form of the kernel's scans. */
export interface WindowScans {
  readonly window: number;
  /** The first bucket of each scan, and how many buckets it reads. */
  readonly lows: readonly number[];
  readonly span: number;
  readonly mark: number;
  /** Whether rows found this way match all known nibbles. */
  readonly exact: boolean;
}

/**
 * The estimated costs, in nanoseconds, of looking up a bucket, and of reading a mark, a row, a
 * UUID.
 */
const COST = { bucket: 15, mark: 0.1, row: 1.5, uuid: 12 } as const;

/** The quickest way to look up the known nibbles among this many rows in this many segments. */
export function chooseScans(
  windows: readonly Window[],
  known: KnownNibbles,
  rows: number,
  segments: number,
): WindowScans {
  const window = whole(windows, known) ?? cheapest(windows, known, rows, segments);
  const { nibbles, bits } = windows[window]!;
  const last = lastKnown(nibbles, known);
  let lows = [0];
  for (let i = 0; i <= last; i++) {
    const place = nibbles[i]!;
    const weight = 16 ** (2 - i);
    if (has(known, place))
      lows = lows.map((low) => low + known.digits[place - known.first]! * weight);
    else lows = lows.flatMap((low) => SIXTEEN.map((nibble) => low + nibble * weight));
  }
  const mark = has(known, nibbles[3]) ? known.digits[nibbles[3] - known.first]! : ANY_MARK;
  return { window, lows, span: 16 ** (2 - last), mark, exact: (known.bits & ~bits) === 0 };
}

const SIXTEEN = Array.from({ length: 16 }, (_, nibble) => nibble);

const has = (known: KnownNibbles, place: number) => ((known.bits >>> place) & 1) === 1;

/** The index of the last known one of a window's first three nibbles; -1 for none. */
function lastKnown(nibbles: Window['nibbles'], known: KnownNibbles): number {
  for (let i = 2; i >= 0; i--) if (has(known, nibbles[i]!)) return i;
  return -1;
}

/** The window with the fewest rows, of windows whose four nibbles are known. */
function whole(
  windows: readonly Window[],
  { bits, first, shares }: KnownNibbles,
): number | undefined {
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < windows.length; i++) {
    const { at, bits: four } = windows[i]!;
    if ((bits & four) !== four) continue;
    const i0 = at - first;
    const share = shares[i0]! * shares[i0 + 1]! * shares[i0 + 2]! * shares[i0 + 3]!;
    if (share < least) {
      best = i;
      least = share;
    }
  }
  return best;
}

function cheapest(
  windows: readonly Window[],
  known: KnownNibbles,
  rows: number,
  segments: number,
): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, { nibbles, bits }] of windows.entries()) {
    const last = lastKnown(nibbles, known);
    let lookups = segments;
    let read = rows;
    for (let j = 0; j <= last; j++) {
      if (has(known, nibbles[j]!)) read *= known.shares[nibbles[j]! - known.first]!;
      else lookups *= 16;
    }
    const marked = has(known, nibbles[3]);
    const left = marked ? read * known.shares[nibbles[3] - known.first]! : read;
    const exact = (known.bits & ~bits) === 0;
    const cost =
      lookups * COST.bucket +
      (marked ? read * COST.mark : 0) +
      left * (exact ? COST.row : COST.uuid);
    if (cost < least) {
      best = i;
      least = cost;
    }
  }
  return best;
}
