/** Ranges as people type them: `>=3`, `3..5`, `>60s`, `2026-11`, `>=tuesday`, `<2h`. */
import { secondsOf } from '../../clients/typescript/looks.ts';
import {
  boundsOf,
  exactly,
  isNumber,
  isNumeric,
  isSpan,
  numberOf,
  type Span,
} from '../../clients/typescript/viewAddress.ts';

interface Ends {
  readonly from?: string | number | undefined;
  readonly to?: string | number | undefined;
}

/** The range or span that the text names; undefined where it names none, or one that is empty. */
export function rangeOf(
  kind: 'date' | 'number' | 'seconds',
  text: string,
):
  | ({ readonly kind: 'range' } & Ends)
  | { readonly kind: 'span'; readonly span: Span }
  | undefined {
  if (kind === 'date' && isSpan(text)) return { kind: 'span', span: text };
  const { from, to } = bounded(text, READ[kind]) ?? {};
  if ((from === undefined && to === undefined) || isEmptyRange({ from, to })) return undefined;
  return {
    kind: 'range',
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** The service tells whether a range is empty whose ends are one double and not one number. */
export function isEmptyRange({ from, to }: Ends): boolean {
  if (from === undefined || to === undefined) return false;
  if (isNumeric(from)) return from === to || Number(from) > Number(to);
  // Years past 9999 have a sign and more digits.
  return Date.parse(String(from)) >= Date.parse(String(to));
}

/** The first moment or number that a text names, and the one after its last: after the last day of all is none. */
type Within = { readonly from: string | number; readonly to: string | number | undefined };

/** `a..b`, `a..<b`, `>a..b`, `>=a`, `<b`, or the values within `a`. */
function bounded(text: string, read: (text: string) => Within | undefined): Ends | undefined {
  const [, above, from, below, to] = /^(>?)(.*?)\.\.(<?)(.*)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const first = from === '' ? undefined : read(from);
    const last = to === '' ? undefined : read(to);
    if ((from !== '' && !first) || (to !== '' && !last)) return undefined;
    return { from: above ? first?.to : first?.from, to: below ? last?.from : last?.to };
  }
  const [, sign, bound] = /^(>=|<=|>|<)(.+)$/.exec(text) ?? [];
  if (sign === undefined) return read(text);
  const found = read(bound!);
  if (!found) return undefined;
  if (sign === '>=') return { from: found.from };
  if (sign === '>') return { from: found.to };
  return { to: sign === '<' ? found.from : found.to };
}

const numberRange = (text: string) => (isNumber(text) ? exactly(numberOf(text)) : undefined);

/** `90`, `90s`, `1.5h`, `1h30m`: seconds. */
function secondsRange(text: string): Within | undefined {
  const seconds = isNumber(text) ? Number(text) : secondsOf(text);
  return seconds === undefined ? undefined : exactly(seconds);
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** How many days ago: a weekday is the latest such day, which may be today. */
function daysAgo(name: string): number | undefined {
  if (name === 'today') return 0;
  if (name === 'yesterday') return 1;
  const day = name.length < 3 ? -1 : WEEKDAYS.findIndex((one) => one.startsWith(name));
  return day < 0 ? undefined : (new Date().getDay() - day + 7) % 7;
}

/** A day by its name, whole; of a length such as `2h` the moment at which it began. */
function namedRange(name: string): Within | undefined {
  const now = new Date();
  const ago = daysAgo(name);
  if (ago === undefined) {
    if (!isSpan(name)) return undefined;
    const began = boundsOf(name, now).from.toISOString();
    return { from: began, to: began };
  }
  const at = (plus: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + plus);
  return { from: at(-ago).toISOString(), to: at(1 - ago).toISOString() };
}

/** A year, before 0 and after 9999 as cells show it. */
const YEAR = '(?:\\d{4}|[+-]\\d{6})';

const MOMENT = new RegExp(
  `^(?<day>${YEAR}-\\d\\d-\\d\\d)[T ](?<clock>([01]\\d|2[0-3]):[0-5]\\d(?<seconds>:[0-5]\\d)?(?<part>\\.\\d+)?(Z|[+-]\\d\\d:?\\d\\d)?)$`,
  'i',
);

/** A moment with seconds or a zone: a minute, a second, or a millisecond. */
function momentRange(text: string): Within | undefined {
  const { day = '', clock, seconds, part } = MOMENT.exec(text)?.groups ?? {};
  const at = Date.parse(`${day}T${clock}`);
  // A day that its month does not have is one of the next month to the parser.
  const isDay = () => new Date(day).toJSON()?.startsWith(day) !== false;
  if (Number.isNaN(at) || !isDay()) return undefined;
  return within(new Date(at), new Date(at + (part ? 1 : seconds ? 1_000 : 60_000)));
}

const isDate = (at: Date) => !Number.isNaN(at.getTime());

/** From the one moment to the other; there is none before -271821-04-20, and none after +275760-09-13. */
const within = (from: Date, to: Date): Within | undefined =>
  isDate(from)
    ? { from: from.toISOString(), to: isDate(to) ? to.toISOString() : undefined }
    : undefined;

/**
 * `20.11.2026` → `2026-11-20`; where the day is first, dots say so. `10500-01` → `+010500-01`: a year of five digits alone
 * may be a slip, and one of six digits a year and a month.
 */
const yearFirst = (text: string) =>
  text
    .replace(/^(\d\d?)\.(\d\d?)\.(\d{4,6})$/, (_, day: string, month: string, year: string) =>
      [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    )
    .replace(/^(\d{5,6})(?=-\d)/, (year) => `+${year.padStart(6, '0')}`);

const DATE = new RegExp(`^(${YEAR})(?:-(\\d\\d)(?:-(\\d\\d)(?:T([01]\\d|2[0-3]):([0-5]\\d))?)?)?$`);

/** A year, month, day or minute of the viewer's calendar, whole. */
function dateRange(text: string): Within | undefined {
  const named = namedRange(text.toLowerCase());
  if (named) return named;
  const iso = yearFirst(text);
  const match = DATE.exec(iso);
  if (!match) return momentRange(iso);
  const parts = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  const [year, month, day, hour, minute] = parts as [number, ...(number | undefined)[]];
  const at = (plus: readonly number[]) => {
    const [y = 0, mo = 0, d = 0] = plus;
    const date = new Date(2000, 0, 1, hour ?? 0, minute ?? 0);
    // The constructor takes years below 100 for those of the 20th century.
    date.setFullYear(year + y, (month ?? 1) - 1 + mo, (day ?? 1) + d);
    return date;
  };
  const step = day !== undefined ? 2 : month !== undefined ? 1 : 0;
  const next = [0, 0, 0].map((_, index) => (index === step ? 1 : 0));
  const first = at([]);
  if (month !== undefined && first.getMonth() !== month - 1) return undefined;
  // The next minute on the clock may be an hour away, where clocks are put back.
  const to = minute === undefined ? at(next) : new Date(first.getTime() + 60_000);
  return within(first, to);
}

const READ = { date: dateRange, number: numberRange, seconds: secondsRange };
