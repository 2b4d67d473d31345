/**
 * Cuts items down to those that may be at some ranks. Each item has a number that never decreases
 * along the order; equal numbers decide nothing.
 *
 *     sample    some numbers, sorted; two of them have the ranks between them, nearly always
 *     take      one pass numbers the items and takes those between; the others are weighed
 *     again     among these, with other numbers where equal ones stop it, until few are left
 *
 * Floyd and Rivest's SELECT (1975). Two passes over a million items leave some thousands, wherever the
 * ranks lie, and the index keeps nothing from one question to the next.
 */
import { CUT } from '../kernel/rankAbi.ts';
import type { Ranks } from '../order/page.ts';
import { NULL_POINTER, type Pointer } from '../storage/brands.ts';
import { drawn } from '../storage/drawn.ts';
import type { Space } from '../storage/space.ts';

/** Rows, or values with the rows that hold them. */
export interface Items {
  /** Their rows or ordinals (0: the ordinals below n), numbers (doubles) and weights (0: each weighs 1). */
  readonly list: Pointer;
  readonly numbers: Pointer;
  readonly weights: Pointer;
  readonly n: number;
}

/** Items that are numbered as they are read. */
export interface Source {
  /** How many there are at most. */
  readonly n: number;
  /** Whether each has a weight of its own. */
  readonly weighed: boolean;
  /** Gives the kernel all items for a cut, which is a struct. */
  take(cut: Pointer): void;
  /** Tells some that are drawn at random, about so many; those that are absent weigh 0, or are NaN. */
  sample(most: number, tell: (number: number, weight: number) => void): void;
}

/** The items of each source that may be at the ranks, and the weight of the others before and after. */
export interface Taken {
  readonly groups: readonly Items[];
  readonly before: number;
  readonly after: number;
}

/** Gives items that were taken other numbers; false where these would tell no more than the ones they have. */
export type Renumber = (groups: Taken['groups']) => boolean;

/** Most items of a sample: more take longer to draw and to sort than they save. */
const MOST = 1024;
/** Standard deviations of a rank in the sample that it may be off; the second where the first missed. */
const DEVIATIONS = [3, 12];

type Bounds = readonly [low: number, high: number];
const ALL: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

export const countIn = (groups: readonly { readonly n: number }[]): number =>
  groups.reduce((sum, { n }) => sum + n, 0);

/**
 * Cuts items down to those that may be at some ranks in ascending order; `total` is the weight of all. Where equal
 * numbers stop it, `renumber` is asked for others.
 */
export function cut(
  space: Space,
  sources: readonly Source[],
  total: number,
  { first, end }: Ranks,
  few: number,
  renumber: Renumber = () => false,
): Taken {
  let before = 0;
  let left = total;
  for (let from = sources; ; ) {
    const n = countIn(from);
    const share = { first: (first - before) / left, end: (end - before) / left };
    const bounds = n > few ? [...boundsOf(from, n, share), ALL] : [ALL];
    const isMissed = ({ below, within }: Taking) =>
      before + below > first || before + below + within < end;
    const mark = space.scratch.take(0);
    let taken: Taking;
    do {
      space.scratch.cut(mark);
      taken = takenFrom(space, from, bounds.shift()!);
    } while (bounds.length > 0 && isMissed(taken));
    before += taken.below;
    left = taken.within;
    const { groups } = taken;
    const kept = countIn(groups);
    const isDone = kept <= few || (kept * 2 > n && !renumber(groups));
    if (isDone) return { groups, before, after: total - before - left };
    from = groups.map((items) => numbered(space, items));
  }
}

/** All items of a source with their numbers. */
export function allOf(space: Space, source: Source): Items {
  return takenFrom(space, [source], ALL).groups[0]!;
}

/** The items between two numbers, and the weights of those below and those between. */
interface Taking {
  readonly groups: readonly Items[];
  readonly below: number;
  readonly within: number;
}

function takenFrom(space: Space, from: readonly Source[], bounds: Bounds): Taking {
  const sums = { below: 0, within: 0 };
  const groups = from.map((source) => {
    const room = roomFor(space, source, source.n);
    const at = opened(space, room, bounds);
    source.take(at);
    const { u32 } = space.memory;
    sums.below += u32[(at + CUT.below) >>> 2]!;
    sums.within += u32[(at + CUT.within) >>> 2]!;
    return { ...room, n: u32[(at + CUT.kept) >>> 2]! };
  });
  return { groups, ...sums };
}

type Room = Omit<Items, 'n'>;

function roomFor({ scratch }: Space, { weighed }: Source, n: number): Room {
  const list = scratch.take(n * 4);
  const numbers = scratch.take(n * 8);
  return { list, numbers, weights: weighed ? scratch.take(n * 4) : NULL_POINTER };
}

/** A cut whose items go to this room. */
function opened({ memory, scratch }: Space, room: Room, [low, high]: Bounds): Pointer {
  const at = scratch.takeZero(CUT.bytes);
  const { f64, u32 } = memory;
  f64[(at + CUT.low) >>> 3] = low;
  f64[(at + CUT.high) >>> 3] = high;
  for (const field of ['list', 'numbers', 'weights'] as const) {
    u32[(at + CUT[field]) >>> 2] = room[field];
  }
  return at;
}

/** Items that have their numbers. */
export function numbered({ kernel, memory }: Space, items: Items): Source {
  const { list, numbers, weights, n } = items;
  const weighed = weights !== NULL_POINTER;
  return {
    n,
    weighed,
    take: (cut) => kernel.itemsBetween(cut, list, numbers, weights, n),
    sample(most, tell) {
      const { f64, u32 } = memory;
      for (const i of drawn(n, most)) {
        tell(f64[(numbers >>> 3) + i]!, weighed ? u32[(weights >>> 2) + i]! : 1);
      }
    },
  };
}

/**
 * Two numbers that nearly always have these shares of all n items between them, and two wider ones: of a
 * sample of the items.
 */
function boundsOf(sources: readonly Source[], n: number, { first, end }: Ranks): Bounds[] {
  const size = Math.min(MOST, 1.5 * n ** (2 / 3));
  const all: number[] = [];
  const weightOf = new Map<number, number>();
  for (const source of sources) {
    source.sample(Math.ceil((size * source.n) / n), (number, weight) => {
      if (weight === 0 || Number.isNaN(number)) return;
      all.push(number);
      if (weight > 1) weightOf.set(number, (weightOf.get(number) ?? 0) + weight - 1);
    });
  }
  const { length } = all;
  // These rows may hold so few of many values that the sample has none of them.
  if (length === 0) return [];
  const numbers = new Float64Array(all).sort();
  // The weight of each number and all before it.
  const weights = new Float64Array(length);
  let sum = 0;
  for (const [i, number] of numbers.entries()) {
    sum++;
    // All weight above 1 of items with one number counts with the first of them.
    if (i === 0 || number !== numbers[i - 1]) sum += weightOf.get(number) ?? 0;
    weights[i] = sum;
  }
  const placeOf = (share: number) => {
    const at = weights.findIndex((weight) => weight / sum >= share);
    return at < 0 ? length - 1 : at;
  };
  const [from, to] = [placeOf(first), placeOf(end)];
  return DEVIATIONS.map((deviations): Bounds => {
    const marginAt = (place: number) =>
      2 + Math.ceil(deviations * Math.sqrt((place * (length - place)) / length));
    const low = from - marginAt(from);
    const high = to + marginAt(to);
    return [low < 0 ? ALL[0] : numbers[low]!, high >= length ? ALL[1] : numbers[high]!];
  });
}
