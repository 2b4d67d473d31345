/**
 * The windows of five nibbles that ids are sorted by, and the choice of the one to look in.
 *
 *     nibble    0   3   6   9   12  …  27
 *     window    abcde
 *                  abcde
 *                     abcde …                 each begins three nibbles after the one before
 *
 * A window's rows are in 4,096 buckets by its nibbles cde, and each row bears a and b as a mark, a
 * byte. Any three digits in a row stand in one window, as abc, bcd or cde. So they are buckets one after
 * the other, whose marks are read. Four digits are found by abc and d, or by bcde. As cde and one more they are
 * one bucket, whose sixteen or so rows are compared. Windows of four nibbles at every other nibble took 8
 * bytes a row more. A mark with the nibbles before and after the bucket (ae) is slower: for one in three
 * places of four digits the rows of sixteen buckets are compared.
 */

export interface Window {
  readonly at: number;
  /** The nibbles as it sorts by them; the last two are the mark. */
  readonly nibbles: readonly [number, number, number, number, number];
  /** The five as bits. */
  readonly bits: number;
}

function windowAt(at: number): Window {
  const nibbles = [at + 2, at + 3, at + 4, at, at + 1] as const;
  return { at, nibbles, bits: 31 << at };
}

export const UUID_WINDOWS: readonly Window[] = Array.from({ length: 10 }, (_, i) =>
  windowAt(i * 3),
);

export const OBJECT_ID_WINDOWS: readonly Window[] = [0, 3, 6, 9, 12, 15, 18, 19].map(windowAt);

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
  /** The mark that rows bear, in the bits of the mask. */
  readonly mark: number;
  readonly mask: number;
  /** The known nibbles that rows found this way may not match, as bits. */
  readonly unknown: number;
}

/**
 * The estimated costs, in nanoseconds, of looking up a bucket, and of reading a mark, a row, a
 * UUID.
 */
const COST = { bucket: 50, mark: 0.1, row: 8, uuid: 25 } as const;

/** The quickest way to look up the known nibbles among this many rows in this many segments. */
export function chooseScans(
  windows: readonly Window[],
  known: KnownNibbles,
  rows: number,
  segments: number,
): WindowScans {
  const window = cheapest(windows, known, rows, segments);
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
  let [mark, mask] = [0, 0];
  for (const [place, shift] of [
    [nibbles[3], 4],
    [nibbles[4], 0],
  ] as const) {
    if (!has(known, place)) continue;
    mark |= known.digits[place - known.first]! << shift;
    mask |= 15 << shift;
  }
  return { window, lows, span: 16 ** (2 - last), mark, mask, unknown: known.bits & ~bits };
}

const SIXTEEN = Array.from({ length: 16 }, (_, nibble) => nibble);

const has = (known: KnownNibbles, place: number) => ((known.bits >>> place) & 1) === 1;

/** The index of the last known one of a window's first three nibbles; -1 for none. */
function lastKnown(nibbles: Window['nibbles'], known: KnownNibbles): number {
  for (let i = 2; i >= 0; i--) if (has(known, nibbles[i]!)) return i;
  return -1;
}

/** The share of rows that have the known ones of these nibbles. */
function shareOf(
  known: KnownNibbles,
  nibbles: Window['nibbles'],
  from: number,
  to: number,
): number {
  let share = 1;
  for (let i = from; i < to; i++) {
    const place = nibbles[i]!;
    if (has(known, place)) share *= known.shares[place - known.first]!;
  }
  return share;
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
    if ((known.bits & bits) === 0) continue;
    const last = lastKnown(nibbles, known);
    let lookups = segments;
    for (let j = 0; j <= last; j++) if (!has(known, nibbles[j]!)) lookups *= 16;
    const read = rows * shareOf(known, nibbles, 0, 3);
    const left = read * shareOf(known, nibbles, 3, 5);
    const marked = left < read;
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
