/**
 * Buckets of the calendar in a time zone: the start of a moment's bucket, and of the next one.
 *
 *     Europe/Berlin, 25 October 2026          02:00 ───► 03:00 happens twice
 *     PT1H   … │ 02:00+02 │ 02:00+01 │ 03:00+01 │ …      two buckets of an hour each
 *     P1D    … │ 00:00+02 ───────────────────────── │ …  one bucket of 25 hours
 *
 * Up to an hour a bucket never reaches over a clock change. A longer one lasts from
 * the first moment at which the clock shows its beginning or later, to that of the next bucket. A
 * skipped midnight becomes the moment of the change; of a midnight that comes twice the first
 * counts. A day that a zone left out (Pacific/Apia, 30 December 2011) has no bucket.
 *
 * Moments are milliseconds since the epoch. Both executors count by these boundaries, so that the
 * server's idea of a zone and ours cannot disagree.
 */
import { LRUCache } from 'lru-cache';
import { MAX_DATE } from '../../textindex/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Intervals by their milliseconds on the clock, in ascending length. */
const OF_CLOCK = {
  ...{ PT1M: MINUTE, PT2M: 2 * MINUTE, PT3M: 3 * MINUTE, PT5M: 5 * MINUTE },
  ...{ PT10M: 10 * MINUTE, PT15M: 15 * MINUTE, PT30M: 30 * MINUTE },
  ...{ PT1H: HOUR, PT2H: 2 * HOUR, PT3H: 3 * HOUR, PT6H: 6 * HOUR, PT12H: 12 * HOUR },
  ...{ P1D: DAY, P2D: 2 * DAY, P4D: 4 * DAY, P1W: 7 * DAY, P2W: 14 * DAY, P3W: 21 * DAY },
};

/**
 * Longer ones by their months on the calendar, which have no fixed length. With those above a year `auto` takes
 * any two dates, such as a birthday and the 31st of December 9999.
 */
const OF_MONTHS = {
  ...{ P1M: 1, P2M: 2, P3M: 3, P6M: 6, P1Y: 12, P2Y: 24, P5Y: 60, P10Y: 120, P20Y: 240 },
  ...{ P50Y: 600, P100Y: 1_200, P1000Y: 12_000, P10000Y: 120_000, P100000Y: 1_200_000 },
};

export type Interval = keyof typeof OF_CLOCK | keyof typeof OF_MONTHS;

/** In ascending length. Up to a year each is at most about twice as long as the one before. */
export const INTERVALS = Object.keys({ ...OF_CLOCK, ...OF_MONTHS }) as [Interval, ...Interval[]];

const CLOCK_MS: Readonly<Partial<Record<Interval, number>>> = OF_CLOCK;
const MONTHS: Readonly<Partial<Record<Interval, number>>> = OF_MONTHS;

/** `auto` takes the first of these with few enough buckets. */
export const PLAIN_INTERVALS: readonly Interval[] = [
  ...(['PT1M', 'PT5M', 'PT15M', 'PT1H', 'PT6H', 'P1D', 'P1W', 'P1M', 'P1Y'] as const),
  ...(['P10Y', 'P100Y', 'P1000Y', 'P10000Y', 'P100000Y'] as const),
];

/** The longest that a bucket can be, for a first estimate of their number. */
const longest = (interval: Interval): number => CLOCK_MS[interval] ?? MONTHS[interval]! * 31 * DAY;

/** 1970 began on a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY;

/** A stretch of time in which the clock of a zone keeps the same distance from UTC. */
interface Era {
  readonly from: number;
  readonly to: number;
  /** Clock minus UTC, milliseconds. */
  readonly offset: number;
}

/** Whether this runtime knows a zone by this IANA name. */
export function isTimeZone(name: string): boolean {
  // Newer runtimes also take offsets such as +01:00, which are no names.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const calendars = new LRUCache<string, Calendar>({ max: 64 });

/** The calendar of a zone that `isTimeZone` accepts; it keeps its knowledge of the zone. */
export function calendarOf(timeZone: string): Calendar {
  let calendar = calendars.get(timeZone);
  if (!calendar) {
    calendar = new Calendar(timeZone);
    calendars.set(timeZone, calendar);
  }
  return calendar;
}

/** Eras are learnt a chunk at a time, by samples closer than any two changes of a zone: a week, in Boa Vista in 2000. */
const CHUNK = 32 * DAY;
const SAMPLE = 4 * DAY;
/** As many as the largest histogram needs: callers could fill memory with all the time of all zones. */
const MAX_CHUNKS = 1_024;

export class Calendar {
  readonly #format: Intl.DateTimeFormat;
  readonly #chunks = new LRUCache<number, readonly Era[]>({ max: MAX_CHUNKS });

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /**
   * The starts of the buckets from the one that holds `first` to the one that holds `last`, then
   * the end of the last one. If there are more than `most` buckets, it returns only their number
   * (an estimate for very many).
   */
  boundaries(
    interval: Interval,
    first: number,
    last: number,
    most: number,
  ): readonly number[] | { readonly tooMany: number } {
    const estimate = Math.floor((last - first) / longest(interval));
    if (estimate > most + 2) return { tooMany: estimate };
    const boundaries = [this.#start(interval, first)];
    for (;;) {
      const next = this.#next(interval, boundaries.at(-1)!);
      boundaries.push(next);
      if (next > last || next >= MAX_DATE) break;
    }
    const buckets = boundaries.length - 1;
    return buckets > most ? { tooMany: buckets } : boundaries;
  }

  /** Where the bucket that holds this moment begins. */
  #start(interval: Interval, moment: number): number {
    const era = this.#eraAt(moment);
    const cell = cellOf(interval, moment + era.offset);
    if (staysInEra(interval)) return Math.max(cell - era.offset, era.from);
    // West of Greenwich the clock shows no date yet at the first moments.
    return Math.min(this.#firstShowing(cell), moment);
  }

  /** Where the bucket that begins there ends. */
  #next(interval: Interval, start: number): number {
    const era = this.#eraAt(start);
    let cell = nextCell(interval, cellOf(interval, start + era.offset));
    if (staysInEra(interval)) return clamp(Math.min(cell - era.offset, era.to));
    // A bucket whose whole time was skipped is none.
    for (; cell < MAX_DATE; cell = nextCell(interval, cell)) {
      const next = this.#firstShowing(cell);
      if (next > start) return next;
    }
    return MAX_DATE;
  }

  /** The first moment at which the clock shows this time of its own, or a later one. */
  #firstShowing(clock: number): number {
    // No zone is further from UTC than this, nor ever was.
    let era = this.#eraAt(clamp(clock - DAY - 2 * HOUR));
    for (;;) {
      const moment = Math.max(clock - era.offset, era.from);
      if (moment < era.to || era.to >= MAX_DATE) return clamp(moment);
      era = this.#eraAt(era.to);
    }
  }

  /** The era of a moment, as far as its chunk and the neighbours show. */
  #eraAt(moment: number): Era {
    const at = clamp(moment);
    const chunk = Math.floor(at / CHUNK);
    const eras = this.#erasOf(chunk);
    return eras.find(({ to }) => at < to) ?? eras.at(-1)!;
  }

  /**
   * The eras that a chunk touches. They reach half a chunk beyond it on each side, where the first
   * and last one may end although the zone keeps its offset. So an era's end within the chunk, where
   * `staysInEra` cuts a bucket, is a true change.
   */
  #erasOf(chunk: number): readonly Era[] {
    let eras = this.#chunks.get(chunk);
    if (!eras) {
      eras = this.#learn(chunk);
      this.#chunks.set(chunk, eras);
    }
    return eras;
  }

  #learn(chunk: number): readonly Era[] {
    const begin = clamp(chunk * CHUNK - CHUNK / 2);
    const end = clamp((chunk + 1) * CHUNK + CHUNK / 2);
    const eras: Era[] = [];
    let from = begin;
    let offset = this.#offsetAt(begin);
    for (let before = begin; before < end; before += SAMPLE) {
      const after = Math.min(before + SAMPLE, end);
      const then = this.#offsetAt(after);
      if (then === offset) continue;
      const change = this.#change(before, after, offset);
      eras.push({ from, to: change, offset });
      from = change;
      offset = this.#offsetAt(change);
      // A second change between two samples shows as soon as the next one is compared.
      if (offset !== then) before = change - SAMPLE;
    }
    eras.push({ from, to: end, offset });
    return eras;
  }

  /** The first moment after `before` with another offset; it comes by `after`. */
  #change(before: number, after: number, offset: number): number {
    let [low, high] = [before, after];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }

  /** Clock minus UTC at a moment, milliseconds. */
  #offsetAt(moment: number): number {
    const text = this.#format.format(moment);
    const parts = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
    if (!parts?.[1]) return 0;
    const [, sign, hours, minutes, seconds = '0'] = parts;
    const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * 1000;
    return sign === '-' ? -size : size;
  }
}

/** Up to an hour, buckets are cut where the clock changes. */
const staysInEra = (interval: Interval) => (CLOCK_MS[interval] ?? DAY) <= HOUR;

/** Where the cell of the clock's own time begins that holds it. */
function cellOf(interval: Interval, clock: number): number {
  const months = MONTHS[interval];
  if (months !== undefined) {
    return utc(Math.floor(monthOf(clock) / months) * months);
  }
  const size = CLOCK_MS[interval]!;
  const shift = interval.endsWith('W') ? FIRST_MONDAY : 0;
  return Math.floor((clock - shift) / size) * size + shift;
}

function nextCell(interval: Interval, cell: number): number {
  const size = CLOCK_MS[interval];
  if (size !== undefined) return cell + size;
  const months = MONTHS[interval]!;
  return utc((Math.floor(monthOf(cell) / months) + 1) * months);
}

/** Months from the year 0 on. */
function monthOf(clock: number): number {
  const date = new Date(clamp(clock));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Where a month begins. `Date.UTC` takes years 0 to 99 for 1900 to 1999. */
function utc(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(0, month, 1);
  const time = date.getTime();
  if (Number.isNaN(time)) return month < 0 ? -MAX_DATE : MAX_DATE;
  return time;
}

const clamp = (moment: number) => Math.max(-MAX_DATE, Math.min(MAX_DATE, moment));
