/** The formats of exports: a line of each record, from the members that are asked for. */
import type { Json } from '../../tables/definition/record.ts';
import { csvCell, csvHeader } from './csv.ts';

/** The members of a row's record that are shown; some rows lack some. */
type Members = Readonly<Record<string, Json>>;

/** A form in which rows are written. */
export interface Format {
  readonly type: string;
  readonly extension: string;
  /** What comes before the first row. */
  head(names: readonly string[]): string;
  /** @param keepFormulas whether text stays that spreadsheets would take for formulas */
  line(shown: Members, names: readonly string[], keepFormulas: boolean): string;
}

export const FORMATS = {
  'application/x-ndjson': {
    type: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    line: (shown) => `${JSON.stringify(shown)}\n`,
  },
  'text/csv': {
    type: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: csvHeader,
    line(shown, names, keepFormulas) {
      const cells = names.map((name) => csvCell(shown[name], keepFormulas));
      // A line of nothing at all would be no line to many readers.
      return `${cells.join() || '""'}\r\n`;
    },
  },
} as const satisfies Readonly<Record<string, Format>>;
