/**
 * Values of own tables as people read them on a terminal, as the web UI shows them: amounts, sizes, durations,
 * lists, and links that a terminal opens. Pipes get the values themselves.
 */
import type { OwnTable } from 'table-search/client';
import { oneLine } from './terminal.ts';

export type Fields = OwnTable['fields'];
type Field = Fields[string];

/** The text of a value; undefined where it looks as in any table. */
export function lookedAt(field: Field, value: unknown): string | undefined {
  const { look, type } = field;
  if (Array.isArray(value)) {
    const isList = field.several && value.every((one) => typeof one !== 'object');
    return isList ? value.map((one) => lookedAt(field, one) ?? String(one)).join(', ') : undefined;
  }
  if (typeof look === 'object' && look && 'money' in look) return moneyOf(value, look.money);
  if (typeof value !== 'number') return undefined;
  if (look === 'bytes') return bytesOf(value);
  return (look ?? type) === 'seconds' ? durationOf(value) : undefined;
}

/** Whether its values stand to the right. */
export const isFigure = ({ look, type, several }: Field): boolean =>
  FIGURES.has(type) && !several && look !== 'code' && linkOf(look) === undefined;
const FIGURES: ReadonlySet<Field['type']> = new Set(['number', 'decimal', 'seconds']);

const linkOf = (look: Field['look']) =>
  typeof look === 'object' && look && 'link' in look ? look.link : undefined;

/** Where the value leads. */
export function addressOf({ look }: Field, value: unknown): string | undefined {
  const link = linkOf(look);
  if (!link || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  return oneLine(link.replaceAll('{value}', () => encodeURIComponent(value)));
}

/** An amount with its currency; exact decimals come as text, and are not rounded. */
function moneyOf(value: unknown, currency: string): string | undefined {
  const amount = typeof value === 'number' ? String(value) : value;
  if (typeof amount !== 'string' || !/^-?\d+(\.\d+)?$/.test(amount)) return undefined;
  const digits = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat('en', {
    ...{ style: 'currency', currency, minimumFractionDigits: 2 },
    maximumFractionDigits: Math.max(2, Math.min(20, digits)),
  }).format(amount as Intl.StringNumericLiteral);
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

function bytesOf(bytes: number): string {
  if (!(Math.abs(bytes) >= 1_000)) return `${bytes} B`;
  let [size, unit] = [bytes / 1_000, 0];
  for (; Math.abs(size) >= 1_000 && unit < UNITS.length - 1; unit++) size /= 1_000;
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}

/** `850 ms`, `12.4 s`, `3 min 05 s`, `2 h 10 min`, `12 d`. */
function durationOf(seconds: number): string {
  if (seconds < 0) return `-${durationOf(-seconds)}`;
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${two(minutes % 60)} min` : `${Math.floor(hours / 24)} d`;
}
