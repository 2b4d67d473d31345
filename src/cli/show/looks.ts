/**
 * Values of own tables as people read them on a terminal, as the web UI shows them: amounts, sizes, durations,
 * lists, and links that a terminal opens. Pipes get the values themselves.
 */
import { bytesOf, durationOf, linkOf, moneyOf, type OwnTable } from 'table-search/client';
import { oneLine, type Paint } from './terminal.ts';

export type Fields = OwnTable['fields'];
type Field = Fields[string];

/** How values are drawn: the styles, the cells of a line, and the fields of an own table. */
export interface Drawing {
  readonly paint: Paint;
  readonly width: number;
  readonly fields?: Fields | undefined;
}

/** The text of a value; undefined where it looks as in any table. */
export function lookedAt(field: Field, value: unknown): string | undefined {
  const { look, type } = field;
  if (Array.isArray(value)) {
    const isList = field.several && value.every((one) => typeof one !== 'object');
    return isList ? value.map((one) => lookedAt(field, one) ?? String(one)).join(', ') : undefined;
  }
  if (typeof look === 'object' && look && 'money' in look) return moneyOf(value, look.money, 'en');
  if (typeof value !== 'number') return undefined;
  if (look === 'bytes') return bytesOf(value);
  return (look ?? type) === 'seconds' ? durationOf(value) : undefined;
}

/** Whether its values stand to the right. */
export const isFigure = ({ look, type, several }: Field): boolean =>
  FIGURES.has(type) && !several && look !== 'code' && templateOf(look) === undefined;
const FIGURES: ReadonlySet<Field['type']> = new Set(['number', 'decimal', 'seconds']);

const templateOf = (look: Field['look']) =>
  typeof look === 'object' && look && 'link' in look ? look.link : undefined;

/** Where the value leads. */
export function addressOf({ look }: Field, value: unknown): string | undefined {
  const template = templateOf(look);
  if (!template || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const address = linkOf(template, String(value));
  return address && oneLine(address);
}
