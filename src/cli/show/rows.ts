/**
 * Rows as a table: columns that fit the terminal, or tab-separated lines for programs.
 *
 * ```
 * terminal   header, cells cut to fit       the widest columns give way first
 * pipe       header, cells whole, tabs      a tab or line end inside a cell is written out
 * ```
 */
import { UUID } from '../asked/values.ts';
import { addressOf, type Drawing, isFigure, lookedAt } from './looks.ts';
import { clipped, oneLine, type Paint, padded, type Style, widthOf } from './terminal.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Cells between two columns. */
const GAP = 2;
/** Cells of a column, at least and at most. */
const NARROWEST = 10;
const WIDEST = 60;
const MOMENT = /^(\d{4}|[+-]\d{6})-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** People copy whole ids and compare whole moments: these cells are not cut. */
const isUncut = (text: string) => UUID.test(text) || MOMENT.test(text);

/** A date of an answer; its year has a sign and six digits before 0 and after 9999. */
const DATE = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;

/** A value as a cell. A moment is shown to the second, in UTC. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') {
    const [, day, clock] = DATE.exec(value) ?? [];
    return day === undefined ? oneLine(value) : `${day} ${clock}`;
  }
  return typeof value === 'object' ? oneLine(brief(value)) : String(value);
}

/** The emails of a list of people; JSON of any other value. */
function brief(value: object): string {
  const emails = Array.isArray(value) ? value.map((one) => one?.email) : [];
  const isPeople = emails.length > 0 && emails.every((one) => typeof one === 'string');
  return isPeople ? emails.join(', ') : JSON.stringify(value);
}

export interface Lines {
  readonly text: string;
  /** Columns that the terminal has no room for: the last ones. */
  readonly left: readonly string[];
}

/** Lines no wider than the terminal. */
export function tableLines(
  rows: readonly Row[],
  columns: readonly string[],
  { paint, width, fields = {} }: Drawing,
): Lines {
  const cells = rows.map((row) =>
    columns.map((name) => {
      const looked = fields[name] && lookedAt(fields[name], row[name]);
      return looked === undefined ? cellOf(row[name]) : oneLine(looked);
    }),
  );
  const wanted = columns.map((name, i) => {
    const texts = cells.map((line) => line[i]!);
    const wide = Math.min(WIDEST, Math.max(widthOf(name), ...texts.map(widthOf)));
    const isWhole = texts.some(isUncut);
    return { wide, narrow: isWhole ? wide : Math.min(wide, NARROWEST) };
  });
  const widths = fitted(wanted, width);
  const isNumeric = columns.map((name) => {
    if (fields[name]) return isFigure(fields[name]);
    const values = rows.map((row) => row[name]).filter((one) => one !== null && one !== undefined);
    return values.length > 0 && values.every((one) => typeof one === 'number');
  });
  const lineOf = (texts: readonly string[], style: (cell: string, i: number) => string) =>
    widths
      .map((cellWidth, i) => {
        const side = isNumeric[i] ? 'right' : 'left';
        return style(padded(clipped(texts[i]!, cellWidth), cellWidth, side), i);
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const head = lineOf(columns, (cell) => paint('bold', cell));
  const body = cells.map((line, at) =>
    lineOf(line, (cell, i) => {
      const name = columns[i]!;
      const link = fields[name] && addressOf(fields[name], rows[at]![name]);
      return link === undefined ? toned(cell, name, paint) : linked(cell, link, paint);
    }),
  );
  return { text: `${[head, ...body].join('\n')}\n`, left: columns.slice(widths.length) };
}

/** Widths that fit: the widest columns lose the excess; the last columns may have no room. */
function fitted(
  wanted: readonly { readonly wide: number; readonly narrow: number }[],
  total: number,
): readonly number[] {
  const room = total + GAP;
  let count = wanted.length;
  const least = () => wanted.slice(0, count).reduce((sum, { narrow }) => sum + narrow + GAP, 0);
  while (count > 1 && least() > room) count -= 1;
  const fit = wanted.slice(0, count).map(({ wide }) => wide);
  for (let over = fit.reduce((sum, one) => sum + one + GAP, 0) - room; over > 0; over--) {
    const cuttable = fit.map((one, i) => (one > wanted[i]!.narrow ? one : 0));
    const widest = Math.max(...cuttable);
    if (widest === 0) break;
    fit[cuttable.indexOf(widest)]! -= 1;
  }
  return fit;
}

/** The text alone is the link, not the cells around it. */
const linked = (cell: string, link: string, paint: Paint): string =>
  cell.replace(/\S.*\S|\S/, (text) => paint({ link }, text));

const TONES: Readonly<Record<string, Style>> = {
  SUCCESS: 'green',
  FAILURE: 'red',
  STARTED: 'cyan',
  RECEIVED: 'cyan',
  RETRY: 'yellow',
  REVOKED: 'dim',
  true: 'green',
  false: 'dim',
  '–': 'dim',
};

function toned(cell: string, column: string, paint: Paint): string {
  const tone = TONES[cell.trim()];
  const isState = column === 'status' || /^(true|false|–)$/.test(cell.trim());
  return tone && isState ? paint(tone, cell) : cell;
}
