/** Times as people read them, in the zone of the viewer: days of their calendar, ages, durations. */
import * as looks from '../../clients/typescript/looks.ts';
import { language, say } from '../words/words.ts';

export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The range that a range is compared with: as many days earlier, or of the same length right before it. Days are those
 * of the calendar, so that a change of the clocks moves no hour.
 */
export function earlierThan(range: Bounds, days?: number): Bounds {
  const length = range.to.getTime() - range.from.getTime();
  const whole = days ?? Math.round(length / DAY_MS);
  const isDays =
    days !== undefined || daysBefore(range.to, whole).getTime() === range.from.getTime();
  const back = (at: Date) => (isDays ? daysBefore(at, whole) : new Date(at.getTime() - length));
  return { from: back(range.from), to: back(range.to) };
}

interface Bounds {
  readonly from: Date;
  readonly to: Date;
}

const DAY_MS = 86_400_000;

function daysBefore(at: Date, days: number): Date {
  const before = new Date(at);
  before.setDate(at.getDate() - days);
  return before;
}

/** Seconds; years and months are those of the calendar on average. */
const AGES: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const style = { numeric: 'always', style: 'narrow' } as const;
const RELATIVE = {
  en: new Intl.RelativeTimeFormat('en', style),
  de: new Intl.RelativeTimeFormat('de', { ...style, style: 'short' }),
};

/**
 * Moments that lie ahead by less are now, seconds: rows arrive between two steps of the clock, 10 s apart,
 * and their writers' clocks differ.
 */
const AHEAD_S = 15;

/** `3h ago`, `in 5 min`. */
export function ageOf(date: string, now: number): string {
  const seconds = (Date.parse(date) - now) / 1_000;
  const [unit, length] =
    AGES.find(([, long]) => Math.abs(seconds) >= long) ?? AGES[AGES.length - 1]!;
  if (seconds > -1 && seconds < AHEAD_S) return say('now');
  return RELATIVE[language.value].format(Math.trunc(seconds / length), unit);
}

/** The age within a year, and the day beyond: `56y ago` says less than `1970-01-01`, and is the same for a year. */
export const whenOf = (date: string, now: number): string =>
  Math.abs(Date.parse(date) - now) < YEAR_MS ? ageOf(date, now) : dayOf(new Date(date));

const YEAR_MS = 31_556_952_000;

const two = (part: number) => String(part).padStart(2, '0');

/**
 * Documents of own tables may hold anything where a date is expected. The parser takes much for a date: `order 5` is one
 * in May of 2001, and a filter on it would find no row. The service sends dates as ISO moments.
 */
export const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value));

const MOMENT = /^(\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d/;

/** `2026-11-20 14:03:22`, in the viewer's zone: sorts and reads the same in every language. */
export function momentOf(date: string): string {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return date;
  return `${minuteOf(at)}:${two(at.getSeconds())}`;
}

export const dayOf = (at: Date) =>
  `${yearOf(at.getFullYear())}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** Four digits; before 0 and after 9999 a sign and six, as in answers of the service and on its command line. */
function yearOf(year: number): string {
  const digits = String(Math.abs(year));
  if (year >= 0 && year <= 9_999) return digits.padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${digits.padStart(6, '0')}`;
}

export const minuteOf = (at: Date) => `${dayOf(at)} ${two(at.getHours())}:${two(at.getMinutes())}`;

/** Whether a day of the viewer's calendar begins there: where clocks are put forward at midnight, at 01:00. */
export const isDayStart = (at: Date): boolean => new Date(at).setHours(0, 0, 0, 0) === at.getTime();

/** `2026-11-20 14:03`, or the day alone where it begins. */
export function boundText(date: string | number): string {
  if (typeof date === 'number') return String(date);
  const at = new Date(date);
  return isDayStart(at) ? dayOf(at) : minuteOf(at);
}

/** Two moments as a range: by its first and last day where it has whole days. */
export function datesText(from: string | number, to: string | number): string {
  const [first, next] = [new Date(from), new Date(to)];
  if (isDayStart(first) && isDayStart(next)) {
    return between(dayOf(first), dayOf(new Date(next.getTime() - 1)));
  }
  const [begins, ends] = [boundText(from), boundText(to)];
  return begins === ends
    ? between(momentOf(String(from)), momentOf(String(to)))
    : between(begins, ends);
}

const between = (first: string, last: string) => (first === last ? first : `${first} – ${last}`);

const FIGURES = { en: new Intl.NumberFormat('en'), de: new Intl.NumberFormat('de') };
export const countOf = (count: number) => FIGURES[language.value].format(count);

/** The first decimal point as the language writes it. */
const pointed = (text: string) => (language.value === 'de' ? text.replace('.', ',') : text);

export const bytesOf = (bytes: number) => pointed(looks.bytesOf(bytes));
export const durationOf = (seconds: number) => pointed(looks.durationOf(seconds));
/** An amount with its currency; undefined for a value that is none. */
export const moneyOf = (value: unknown, currency = 'EUR') =>
  looks.moneyOf(value, currency, language.value);

/** `0.4 %` */
export function shareOf(part: number, all: number): string {
  const share = all === 0 ? 0 : (part / all) * 100;
  if (share > 0 && share < 0.1) return pointed('<0.1 %');
  return `${share > 0 ? figureOf(share) : 0} %`;
}

/** A count beside an earlier one: `+12 %`, `−8.0 %`, `×3.1`, `new`. */
export function changeOf(count: number, before: number): string {
  if (count === before) return '±0 %';
  if (before === 0) return say('new');
  const ratio = count / before;
  if (ratio >= 2) return `×${figureOf(ratio)}`;
  const share = Math.abs(ratio - 1) * 100;
  return `${ratio < 1 ? '−' : '+'}${figureOf(Math.max(0.1, share))} %`;
}

/** With its tenth below ten: `8.0`, `12`. */
const figureOf = (value: number) =>
  value < 9.95 ? pointed(value.toFixed(1)) : countOf(Math.round(value));
